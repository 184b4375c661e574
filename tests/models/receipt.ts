/** The receipt of an order, as a user meets it. Decision 33; Decisions, "Default timeout none". */
import { receiptMachine } from "../../machines/receipt.ts";
import type { OrderReading } from "../../machines/order-status.ts";
import { isLate, networkIsBack, toastText, userModel, userWhoSees, wait } from "../support/user-model.ts";
import { detail, ok } from "../support/replies.ts";
import { lost, readingOf, unloaded } from "../support/samples.ts";
import type { User } from "../user.ts";

const call = "/api/order/detail";
/** What the phone does beside the service, named as calls are. */
export const savesPicture = "the phone: a picture";
export const prints = "the phone: paper";

const transaction = "b7a1c64d0f2e8395b7a1c64d0f2e8395b7a1c64d0f2e8395b7a1c64d0f2e83d1";
const paid = {
  status: 1,
  paid_amount: "9.99",
  payment_method: "EbPay",
  paid_at: "2026-01-01T00:05:00.000Z",
  references: [transaction],
};
export const reading: OrderReading = readingOf(1, {
  amount: "9.99",
  unit: "USDT",
  packName: "Monthly",
  way: "TRC20",
  paidAt: paid.paid_at,
  references: paid.references,
});
export const picture = {
  file: "Everlit-A100",
  brand: "Everlit",
  title: "Receipt",
  amount: "9.99 USDT",
  lines: [["Order number", "A100"]],
} as const;

const blank = {
  loading: false,
  /** Whether the receipt is there, with the number of its transaction. */
  shown: false,
  /** Whether it says that there is none yet. */
  none: false,
  busy: false,
  slow: false,
  warned: "",
  toast: "",
  waiting: [] as string[],
};
const shown = { shown: true };
const unsaved = "The picture could not be saved. Take a screenshot instead.";
const unprinted = "This browser cannot print. Save the receipt as a picture instead.";

const person = userWhoSees(blank).createMachine({
  id: "person",
  initial: "loads",
  states: {
    loads: wait.of(
      { loading: true, waiting: [call] },
      { "it is paid": "#person.sees", "it is not paid": "#person.none", "is not heard": "#person.failed" },
      { "tries again": "#person.loads" },
    ),
    failed: { meta: { warned: unloaded }, on: { "tries again": "loads", "the network is back": "loads" } },
    // Money may have come meanwhile.
    none: { meta: { none: true }, on: { "the network is back": "loads" } },
    sees: { meta: shown, on: { "saves it": "saves", "prints it": "prints" } },
    saves: {
      meta: { ...shown, busy: true, waiting: [savesPicture] },
      on: { "it is saved": "told", "changes their mind": "sees", "it cannot be saved": "toldUnsaved" },
    },
    told: { meta: { ...shown, toast: "Receipt saved" }, on: { "three seconds pass": "sees" } },
    toldUnsaved: { meta: { ...shown, warned: unsaved }, on: { "three seconds pass": "sees" } },
    prints: {
      meta: { ...shown, waiting: [prints] },
      on: { "it is printed": "sees", "it cannot be printed": "toldUnprinted" },
    },
    toldUnprinted: { meta: { ...shown, warned: unprinted }, on: { "three seconds pass": "sees" } },
  },
});

const saving = { invoke: "savePicture", call: savesPicture };
const printing = { invoke: "print", call: prints };

export const receipt = userModel({
  chart: receiptMachine,
  input: { orderId: "A100" },
  person,
  defaultView: blank,
  actions: {
    "it is paid": { invoke: "readOrder", output: reading, call, reply: ok(detail(paid)) },
    "it is not paid": { invoke: "readOrder", output: readingOf(0), call, reply: ok(detail()) },
    "is not heard": { invoke: "readOrder", error: lost, call },
    "tries again": { sends: { type: "retry" }, does: (user) => user.tap("button", "Try again") },
    "the network is back": networkIsBack,
    ...wait.actions,
    "saves it": {
      sends: { type: "picture.requested", picture },
      does: (user: User) => user.tap("button", "Save as a picture"),
    },
    "it is saved": { ...saving, output: true, reply: ok(true) },
    "changes their mind": { ...saving, output: false, reply: ok(false) },
    "it cannot be saved": { ...saving, error: lost },
    "prints it": {
      sends: { type: "print.requested" },
      does: (user: User) => user.tap("button", "Print"),
    },
    "it is printed": { ...printing, output: undefined, reply: ok() },
    "it cannot be printed": { ...printing, error: lost },
    "three seconds pass": { ms: 3_000 },
  },
  viewOfChart: (state, { pending }) => ({
    loading: state.matches("loading"),
    shown: state.hasTag("paid"),
    none: state.matches("unpaid"),
    busy: state.hasTag("busy"),
    slow: state.hasTag("slow"),
    waiting: pending.map(
      ({ id }) => ({ readOrder: call, savePicture: savesPicture, print: prints })[id] ?? id,
    ),
  }),
  viewOnScreen: async (user) => {
    const warned = (await user.alertTexts()).join();
    return {
      loading: await user.isVisible("[aria-busy=true]:not(button)"),
      shown: (await user.texts("[data-receipt]")).join().includes(transaction),
      none: await user.hasText("No receipt yet"),
      busy: await user.isBusy("Save as a picture"),
      slow: await isLate(user),
      warned,
      toast: await toastText(user),
      waiting: user.pendingCalls(),
    };
  },
});
