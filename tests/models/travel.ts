/** Going somewhere before the router is there, as a person meets it. Decision 18. */
import { travelMachine } from "../../machines/travel.ts";
import { personWhoSees, playOf } from "../support/play.ts";
import { ok } from "../support/replies.ts";
import { lost } from "../support/samples.ts";

/** The file that is fetched, named as calls are. */
export const asksForRouter = "the file: router";

/** `line`: along the top, that something is under way or has just ended. */
const blank = { title: "Never-offline VPN", line: false, told: false, waiting: [] as string[] };
const waiting = { line: true, waiting: [asksForRouter] };
const there = { title: "Create an account" };

const traveller = personWhoSees(blank).createMachine({
  id: "person",
  initial: "reads",
  states: {
    reads: { on: { "taps the link": "waits", "the network comes": "reads" } },
    waits: {
      meta: waiting,
      on: { "it comes": "arrives", "it does not come": "stays", "taps the link": "waits" },
    },
    stays: { meta: { line: true, told: true }, on: { "two seconds pass": "wishes" } },
    wishes: { on: { "the network comes": "waits", "taps the link": "waits" } },
    arrives: { meta: { ...there, line: true }, on: { "two seconds pass": "isThere" } },
    isThere: { meta: there },
  },
});

const invoke = "fetchRouter";
const call = asksForRouter;

export const travelling = playOf({
  chart: travelMachine,
  person: traveller,
  look: blank,
  deeds: {
    "taps the link": {
      sends: { type: "way.asked", way: { to: "/register" } },
      does: (hand) => hand.tap("link", "Create an account"),
    },
    "it comes": { invoke, told: undefined, call, reply: ok() },
    "it does not come": { invoke, refused: lost, call },
    "the network comes": { sends: { type: "network.found" }, does: (hand) => hand.network("comes") },
    "two seconds pass": { ms: 2_000 },
  },
  tells: (_, { pending }) => ({ waiting: pending.map(() => asksForRouter) }),
  looks: async (hand) => ({
    title: await hand.title(),
    line: await hand.shows("[data-visible]"),
    told: await hand.reads("No connection. Check your network and try again."),
    waiting: hand.waiting(),
  }),
});
