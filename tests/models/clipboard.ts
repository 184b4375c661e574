/** Copying what is to be paid, as a user meets it. Specification, sections 2 (payDetail) and 8 (success toasts). */
import { clipboardMachine, type Copyable } from "../../machines/clipboard.ts";
import { userWhoSees, userModel } from "../support/user-model.ts";
import { address } from "../support/replies.ts";
import type { User } from "../user.ts";

/** What the clipboard holds to begin with. */
export const COPIED_BEFORE = "milk, bread, stamps";

const blank = {
  /** The button that says that it has copied. */
  marked: [] as string[],
  said: [] as string[],
  warned: [] as string[],
  clipboard: COPIED_BEFORE,
};
type View = typeof blank;

const holdsAddress = { clipboard: address };
const addressCopied = { ...holdsAddress, marked: ["Address copied"], said: ["Copied"] };
const { createMachine } = userWhoSees(blank);

const copier = createMachine({
  id: "person",
  initial: "begins",
  states: {
    begins: {
      on: { "copies the address": "address", "copies the amount": "amount", "copies the number": "number" },
    },
    address: {
      meta: addressCopied,
      on: { "a second passes": "addressLate", "copies the amount": "amount" },
    },
    addressLate: {
      meta: addressCopied,
      on: {
        "a second passes": "holdsAddress",
        // The two seconds begin anew.
        "copies the address": "addressAgain",
        "copies the number": "number",
      },
    },
    addressAgain: { meta: addressCopied, on: { "a second passes": "addressLate" } },
    holdsAddress: { meta: holdsAddress, on: { "copies the amount": "amount" } },
    amount: {
      meta: { clipboard: "9.99", marked: ["Amount copied"], said: ["Copied"] },
      on: { "two seconds pass": "holdsAmount" },
    },
    holdsAmount: { meta: { clipboard: "9.99" } },
    number: {
      meta: { clipboard: "A100", marked: ["Order number copied"], said: ["Replicating Success"] },
      on: { "copies the address": "address", "two seconds pass": "holdsNumber" },
    },
    holdsNumber: { meta: { clipboard: "A100" } },
  },
});

const forbidden = createMachine({
  id: "person",
  initial: "begins",
  states: {
    begins: { on: { "copies the address": "toastShown", "copies the amount": "toastShown" } },
    toastShown: {
      meta: { warned: ["Copying is blocked here. Press and hold the text to copy it."] },
      on: { "three seconds pass": "begins", "copies the amount": "toastShown" },
    },
  },
});

const marks = {
  address: "Address copied",
  amount: "Amount copied",
  orderId: "Order number copied",
  payUrl: "Payment page’s address copied",
};

const copies = (what: Copyable["what"], text: string, name: string) => ({
  sends: { type: "copy.requested", copyable: { what, text } } as const,
  // Once copied, it says so.
  does: (user: User) => user.tap("button", new RegExp(`^(${name}|${marks[what]})$`)),
});
const copiesAddress = copies("address", address, "Copy the address");
const copiesAmount = copies("amount", "9.99", "Copy the amount");

const common = {
  chart: clipboardMachine,
  defaultView: blank,
  viewOnScreen: async (user: User): Promise<View> => {
    const marked = [];
    for (const name of Object.values(marks)) if (await user.has("button", name)) marked.push(name);
    return {
      marked,
      said: await user.statusTexts(),
      warned: await user.alertTexts(),
      clipboard: await user.clipboard(),
    };
  },
};

export const copying = userModel({
  ...common,
  immediate: { copyText: () => undefined },
  person: copier,
  actions: {
    "copies the address": copiesAddress,
    "copies the amount": copiesAmount,
    "copies the number": copies("orderId", "A100", "Copy the order number"),
    "a second passes": { ms: 1_000 },
    "two seconds pass": { ms: 2_000 },
  },
  viewOfChart: (state, { calls }) => ({
    marked:
      state.matches("copied") && state.context.copied !== null ? [marks[state.context.copied.what]] : [],
    clipboard: (calls.at(-1)?.input as { text: string } | undefined)?.text ?? COPIED_BEFORE,
  }),
});

/** Where the browser forbids copying. */
export const copyingForbidden = userModel({
  ...common,
  immediate: { copyText: () => new Error("denied") },
  person: forbidden,
  actions: {
    "copies the address": copiesAddress,
    "copies the amount": copiesAmount,
    "three seconds pass": { ms: 3_000 },
  },
  viewOfChart: (state) => ({ marked: state.matches("copied") ? ["something"] : [] }),
});
