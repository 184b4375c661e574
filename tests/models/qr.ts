/** A QR code that comes by itself, as a user meets it. Specification, section 2 (payDetail); Decision 11. */
import { qrMachine } from "../../machines/qr.ts";
import { userWhoSees, userModel } from "../support/user-model.ts";
import { ok } from "../support/replies.ts";
import { lost } from "../support/samples.ts";

/** The file that is fetched, named as calls are. */
export const asksForQr = "the file: QR code";

/** The tile keeps its room, whatever comes of it. */
const blank = { tile: true, drawn: false, waiting: [] as string[] };

const payer = userWhoSees(blank).createMachine({
  id: "person",
  initial: "waits",
  states: {
    waits: {
      meta: { waiting: [asksForQr] },
      on: { "it comes": "sees", "it does not come": "misses", "comes back": "waits" },
    },
    misses: {
      on: { "two seconds pass": "missesStill", "comes back": "waits" },
    },
    missesStill: { on: { "a second passes": "waits" } },
    sees: { meta: { drawn: true }, on: { "comes back": "sees" } },
  },
});

const invoke = "loadQr";
const call = asksForQr;

export const qr = userModel({
  chart: qrMachine,
  person: payer,
  defaultView: blank,
  actions: {
    "it comes": { invoke, output: undefined, call, reply: ok() },
    "it does not come": { invoke, error: lost, call },
    "two seconds pass": { ms: 2_000 },
    "a second passes": { ms: 1_000 },
    "comes back": { sends: { type: "page.visible" }, does: (user) => user.returnToPage() },
  },
  viewOfChart: (state, { pending }) => ({
    drawn: state.matches("here"),
    waiting: pending.map(() => asksForQr),
  }),
  viewOnScreen: async (user) => ({
    tile: await user.has("img", "QR code of the TRC20 address"),
    drawn: await user.isVisible("[role=img] svg path"),
    waiting: user.pendingCalls(),
  }),
});
