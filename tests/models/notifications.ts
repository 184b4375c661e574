/** What is said over any screen, as a user meets it. Specification, section 4 ("Toast 2000 ms default; notify 3000 ms"; "Dialog confirm resolves, cancel rejects"). */
import { setup, type EventFrom } from "xstate";
import { notificationsMachine, type Dialog } from "../../machines/notifications.ts";
import { userModel } from "../support/user-model.ts";
import type { User } from "../user.ts";

/** How the app comes to say something: any screen may. */
export type Says = (event: EventFrom<typeof notificationsMachine>) => Promise<void>;

/* What passes by itself. */

const air = { said: [] as string[], warned: [] as string[] };
const warned = { warned: ["Careful"] };

const listener = setup({ types: { meta: {} as Partial<typeof air> } }).createMachine({
  id: "listener",
  initial: "quiet",
  states: {
    quiet: { on: { "is told": "toastShown", "is warned": "warned" } },
    toastShown: {
      meta: { said: ["Saved"] },
      on: {
        "is told another thing": "otherToast",
        "a second passes": "toastForASecond",
        "is warned": "both",
      },
    },
    toastForASecond: {
      meta: { said: ["Saved"] },
      on: { "is told": "toastShown", "is told another thing": "otherToast", "a second passes": "quiet" },
    },
    otherToast: { meta: { said: ["Lost"] }, on: { "a second passes": "otherToastForASecond" } },
    otherToastForASecond: { meta: { said: ["Lost"] }, on: { "a second passes": "quiet" } },
    both: { meta: { said: ["Saved"], ...warned }, on: { "a second passes": "bothForASecond" } },
    bothForASecond: { meta: { said: ["Saved"], ...warned }, on: { "a second passes": "warnedForTwo" } },
    warned: { meta: warned, on: { "a second passes": "warnedForOne", "is told": "both" } },
    warnedForOne: { meta: warned, on: { "a second passes": "warnedForTwo", "is warned": "warned" } },
    warnedForTwo: { meta: warned, on: { "a second passes": "quiet", "is warned": "warned" } },
  },
});

const by = (says: Says, sends: EventFrom<typeof notificationsMachine>) => ({
  sends,
  does: () => says(sends),
});

export const hearing = (says: Says) =>
  userModel({
    chart: notificationsMachine,
    person: listener,
    defaultView: air,
    actions: {
      "is told": by(says, { type: "toast.requested", toast: { words: "Saved", tone: "success" } }),
      "is told another thing": by(says, {
        type: "toast.requested",
        toast: { words: "Lost", tone: "failure" },
      }),
      "is warned": by(says, { type: "notify.requested", notify: { words: "Careful" } }),
      "a second passes": { ms: 1_000 },
    },
    viewOfChart: ({ context: { toast, notify } }) => ({
      said: toast ? [String(toast.words)] : [],
      warned: notify ? [String(notify.words)] : [],
    }),
    viewOnScreen: async (user) => ({ said: await user.statusTexts(), warned: await user.alertTexts() }),
  });

/* What waits for an answer. */

const table = { question: null as string | null, answers: [] as string[] };
const answers = ["Yes", "No"];

const asked = setup({ types: { meta: {} as Partial<typeof table> } }).createMachine({
  id: "asked",
  initial: "unasked",
  states: {
    unasked: { on: { "is asked": "asked" } },
    asked: {
      meta: { question: "Really?", answers },
      on: {
        "says yes": "unasked",
        "says no": "unasked",
        "is asked another thing": "askedOther",
        "need not answer": "unasked",
      },
    },
    // It takes the place of the first.
    askedOther: {
      meta: { question: "Truly?", answers },
      on: {
        "says yes": "unasked",
        "says no": "unasked",
        "minutes pass": "askedOther",
        "need not answer": "askedOther",
      },
    },
  },
});

const dialogOf = (id: string, title: string): Dialog => ({
  id,
  title,
  text: "It cannot be undone.",
  confirm: "Yes",
  cancel: "No",
  tone: "plain",
});
const questions = ["Really?", "Truly?"];

const inTurn = async (words: readonly string[], isSeen: (one: string) => Promise<boolean>) => {
  const seen: string[] = [];
  for (const one of words) if (await isSeen(one)) seen.push(one);
  return seen;
};

export const answering = (says: Says) =>
  userModel({
    chart: notificationsMachine,
    person: asked,
    defaultView: table,
    actions: {
      "is asked": by(says, { type: "dialog.requested", dialog: dialogOf("1", "Really?") }),
      "is asked another thing": by(says, { type: "dialog.requested", dialog: dialogOf("2", "Truly?") }),
      "says yes": {
        sends: { type: "dialog.confirmed" },
        does: (user: User) => user.tap("button", "Yes"),
      },
      "says no": {
        sends: { type: "dialog.cancelled" },
        does: (user: User) => user.tap("button", "No"),
      },
      // The first question, that is.
      "need not answer": by(says, { type: "dialog.withdrawn", id: "1" }),
      "minutes pass": { ms: 300_000 },
    },
    viewOfChart: ({ context: { dialog } }) => ({ question: dialog ? String(dialog.title) : null }),
    viewOnScreen: async (user) => {
      const [question = null] = await inTurn(questions, (title) => user.has("alertdialog", title));
      return { question, answers: await inTurn(answers, (answer) => user.has("button", answer)) };
    },
  });
