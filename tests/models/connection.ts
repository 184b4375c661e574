/** A network that goes and comes, as a user meets it: the app stays, and says what has to wait. Decision 11. */
import { connectionMachine } from "../../machines/connection.ts";
import { userWhoSees, userModel } from "../support/user-model.ts";

const blank = { offlineNotice: false, headline: "Never-offline VPN" };

const person = userWhoSees(blank).createMachine({
  id: "person",
  initial: "online",
  states: {
    online: { on: { "the network goes": "offline", "the network comes": "online" } },
    offline: {
      meta: { offlineNotice: true },
      on: { "the network comes": "online", "the network goes": "offline" },
    },
  },
});

export const connection = userModel({
  chart: connectionMachine,
  input: { online: true },
  person,
  defaultView: blank,
  actions: {
    "the network goes": { sends: { type: "network.lost" }, does: (user) => user.network("goes") },
    "the network comes": { sends: { type: "network.found" }, does: (user) => user.network("comes") },
  },
  viewOfChart: (state) => ({ offlineNotice: state.matches("offline") }),
  viewOnScreen: async (user) => ({
    offlineNotice: await user.hasText(
      "You are offline. You can look around, but packages, payments and your account need a connection.",
    ),
    headline: await user.title(),
  }),
});
