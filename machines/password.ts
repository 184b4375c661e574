/** Changing the password. Specification, sections 2 (changePassword), 4 and 5. */
import { assign, emit, setup, type PromiseActorLogic } from "xstate";
import { type RequestFailed, requestFailed } from "./call-error.ts";
import {
  type Failed,
  fieldErrorOf,
  type FieldError,
  formEvents,
  type FormEvent,
  isOverUnheard,
  mayBeDone,
  quietForm,
  showFieldErrorOrEndIn,
  submitting,
} from "./form.ts";
import { isShort, pair, type PasswordChange, type PasswordError } from "../src/contract/password-rules.ts";
import { secret } from "./password-visibility.ts";
import { waitingDelays } from "./slow-request.ts";

export type PasswordPorts = {
  /** `quiet`: an answer "not signed in" does not end the session, because this chart knows why it is over. */
  changePassword: PromiseActorLogic<void, PasswordChange & { quiet: boolean }>;
};

/** The form's error, by its own rules or by the API's. */
export type ChangeError = PasswordError | FieldError<keyof PasswordChange>;

export type PasswordEmitted =
  /** The API ended every session of the account together with the old password. */
  | { type: "password.changed" }
  /** The session is over: by an earlier request whose answer was not heard, or by another device. */
  | { type: "password.unsure" }
  | RequestFailed;

/** The first error, or null. The two must match before their length counts; an empty field is marked with any error. */
export function changeError(change: PasswordChange): PasswordError | null {
  const errorIn = (kind: PasswordError["kind"], names: PasswordError["fields"]): PasswordError => ({
    kind,
    fields: (["old_password", ...pair] as const).filter(
      (name) => names.includes(name) || change[name] === "",
    ),
  });
  const { old_password, new_password, new_password_confirmation } = change;
  if (new_password !== new_password_confirmation) {
    // If one of the two is empty, only the empty field is marked.
    return errorIn("different", new_password === "" || new_password_confirmation === "" ? [] : pair);
  }
  if (isShort(new_password)) return errorIn("short", pair);
  return old_password === "" ? errorIn("missing", []) : null;
}

export const passwordMachine = setup({
  types: {
    context: {} as {
      formError: ChangeError | null;
      /** A request was sent whose answer was not heard: it may have changed the password, or may still do so. */
      unheard: boolean;
    },
    events: {} as FormEvent<PasswordChange> | { type: "secret.toggled" },
    emitted: {} as PasswordEmitted,
    tags: {} as "busy" | "slow",
  },
  actors: {} as PasswordPorts,
  delays: waitingDelays,
  guards: { isComplete: (_, change: PasswordChange) => changeError(change) === null, isOverUnheard },
  actions: {
    judge: assign({ formError: (_, change: PasswordChange) => changeError(change) }),
    keepFieldError: assign({
      formError: (_, failed: Failed) => fieldErrorOf(failed, ["old_password", ...pair]),
    }),
    clearFormError: assign({ formError: null }),
    keepUnheard: assign({ unheard: true }),
    judgeUnheard: assign({
      unheard: ({ context }, failed: Failed) => context.unheard || mayBeDone(failed),
    }),
    announceChange: emit({ type: "password.changed" }),
    announceUnsure: emit({ type: "password.unsure" }),
    announceError: emit(requestFailed),
  },
}).createMachine({
  id: "password",
  type: "parallel",
  context: { formError: null, unheard: false },
  states: {
    secret,
    form: {
      initial: "editing",
      states: {
        editing: { on: formEvents("submitting") },
        submitting: {
          ...submitting("editing", "keepUnheard"),
          invoke: {
            id: "changePassword",
            src: "changePassword",
            input: quietForm,
            onDone: { target: "done", actions: "announceChange" },
            onError: showFieldErrorOrEndIn("editing", "done"),
          },
        },
        // Until the next screen is shown.
        done: { tags: "busy" },
      },
    },
  },
});
