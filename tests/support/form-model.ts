/** What the user models of forms have in common: what is seen of a form, how it is refused, and how a wait for its answer ends. */
import { paths } from "../../src/contract/calls.ts";
import { no, notSignedIn } from "./replies.ts";
import { refusedFor, refusedWith } from "./samples.ts";
import { isLate, markedAmong, toastText, wait } from "./user-model.ts";
import type { User } from "../user.ts";

export const blankForm = {
  busy: false,
  slow: false,
  /** What is said beside the form. */
  warned: "",
  /** The names of the fields that are marked as wrong. */
  marked: [] as string[],
  toast: "",
  waiting: [] as string[],
};

/** What is seen of a form with these fields, sent by this button. */
export const formOnScreen = async (user: User, button: string, fields: readonly string[]) => ({
  busy: await user.isBusy(button),
  slow: await isLate(user),
  warned: (await user.alertTexts()).join(),
  marked: await markedAmong(user, fields),
  toast: await toastText(user),
  waiting: user.pendingCalls(),
});

type FormError<K extends string> =
  { kind: "refused"; fields: readonly string[]; message: string } | { kind: K; fields: readonly string[] };

/** What a chart's error says beside the form: the service's own message, or the text of its kind. */
export const besideForm = <K extends string>(
  formError: FormError<K> | null,
  texts: Readonly<Record<Exclude<K, "refused">, string>>,
) => ({
  warned:
    formError === null ? "" : "message" in formError ? formError.message : texts[formError.kind as never],
  marked: [...(formError?.fields ?? [])],
});

/** For `person`: the state `toast`, and two seconds later the state `name`, in which the same stays beside the form. */
export const toldIn = <T extends string, N extends string, View extends { warned: string }>(
  toast: T,
  name: N,
  view: View,
  on: Record<string, string>,
) =>
  ({
    [toast]: { meta: { ...view, toast: view.warned }, on: { "two seconds pass": name } },
    [name]: { meta: view, on },
  }) as { [K in N | T]: { meta: View; on: Record<string, string> } };

/** The actions of every form that is sent. */
export const formActions = {
  ...wait.actions,
  "stops waiting": wait.stop,
  "two seconds pass": { ms: 2_000 },
};

/** An action: the service refuses a call, for one of its fields or as a whole. */
export const refuses = (invoke: string, call: string, message: string, field?: string) => ({
  invoke,
  error: field === undefined ? refusedWith(message) : refusedFor(field, message),
  call,
  reply: no(message, field),
});

/**
 * The actions around a request that ends the session, from the form at `place`: that it is over, as the session tells, and
 * that the form is left meanwhile.
 */
export const endingActions = (call: string, place: string) =>
  ({
    "is signed out": { unmounts: true, call, reply: notSignedIn },
    "is signed out elsewhere": {
      unmounts: true,
      does: async (user: User) => {
        await user.visit("/sessions");
        await user.answer(paths.sessions, notSignedIn);
      },
    },
    "leaves, and returns": {
      unmounts: true,
      does: async (user: User) => {
        await user.visit("/setting");
        await user.visit(place);
      },
    },
  }) as const;

/** The actions of a button that shows a password, the first or another of the screen. */
export const looksAt = (name: string, shown = 0, hidden = 0) => ({
  [`looks at the ${name}`]: {
    sends: { type: "secret.toggled" } as const,
    does: (user: User) => user.tap("button", "Show the password", shown),
  },
  "looks away": {
    sends: { type: "secret.toggled" } as const,
    does: (user: User) => user.tap("button", "Hide the password", hidden),
  },
});
