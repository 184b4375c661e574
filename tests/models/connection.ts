/** A network that goes and comes, as a person meets it: the app stays, and says what has to wait. Decision 11. */
import { connectionMachine } from "../../machines/connection.ts";
import { personWhoSees, playOf } from "../support/play.ts";

const blank = { told: false, headline: "Never-offline VPN" };

const person = personWhoSees(blank).createMachine({
  id: "person",
  initial: "online",
  states: {
    online: { on: { "the network goes": "offline", "the network comes": "online" } },
    offline: { meta: { told: true }, on: { "the network comes": "online", "the network goes": "offline" } },
  },
});

export const connection = playOf({
  chart: connectionMachine,
  input: { online: true },
  person,
  look: blank,
  deeds: {
    "the network goes": { sends: { type: "network.lost" }, does: (hand) => hand.network("goes") },
    "the network comes": { sends: { type: "network.found" }, does: (hand) => hand.network("comes") },
  },
  tells: (state) => ({ told: state.matches("cut") }),
  looks: async (hand) => ({
    told: await hand.reads(
      "You are offline. You can look around, but packages, payments and your account need a connection.",
    ),
    headline: await hand.title(),
  }),
});
