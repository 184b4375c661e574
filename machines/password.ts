/** Changing the password. Specification, sections 2 (changePassword), 4 and 5. */
import { assign, emit, setup, type PromiseActorLogic } from "xstate";
import { type RequestFailed, requestFailed } from "./call-error.ts";
import {
  type Failed,
  fieldErrorOf,
  type FieldError,
  formEvents,
  type FormEvent,
  mayBeDone,
  sentForm,
  showEndingErrorIn,
  submitting,
} from "./form.ts";
import { isShort, pair, type PasswordChange, type PasswordError } from "../src/contract/password-rules.ts";
import { secret } from "./password-visibility.ts";
import type { EndingRefused, EndingSent } from "./session.ts";
import { waitingDelays } from "./slow-request.ts";

export type PasswordPorts = {
  changePassword: PromiseActorLogic<void, PasswordChange>;
};

/** The form's error, by its own rules or by the API's. */
export type ChangeError = PasswordError | FieldError<keyof PasswordChange>;

export type PasswordEmitted =
  /** The API ended every session of the account together with the old password. */
  { type: "password.changed" } | EndingSent | EndingRefused | RequestFailed;

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
    },
    events: {} as FormEvent<PasswordChange> | { type: "secret.toggled" },
    emitted: {} as PasswordEmitted,
    tags: {} as "busy" | "slow",
  },
  actors: {} as PasswordPorts,
  delays: waitingDelays,
  guards: { isComplete: (_, change: PasswordChange) => changeError(change) === null, mayBeDone },
  actions: {
    judge: assign({ formError: (_, change: PasswordChange) => changeError(change) }),
    keepFieldError: assign({
      formError: (_, failed: Failed) => fieldErrorOf(failed, ["old_password", ...pair]),
    }),
    clearFormError: assign({ formError: null }),
    announceChange: emit({ type: "password.changed" }),
    announceSent: emit({ type: "ending.sent", ending: "password" }),
    announceRefused: emit({ type: "ending.refused" }),
    announceError: emit(requestFailed),
  },
}).createMachine({
  id: "password",
  type: "parallel",
  context: { formError: null },
  states: {
    secret,
    form: {
      initial: "editing",
      states: {
        editing: { on: formEvents("submitting") },
        submitting: {
          ...submitting("editing"),
          entry: "announceSent",
          invoke: {
            id: "changePassword",
            src: "changePassword",
            input: sentForm,
            onDone: { target: "done", actions: "announceChange" },
            onError: showEndingErrorIn("editing"),
          },
        },
        // Until the next screen is shown.
        done: { tags: "busy" },
      },
    },
  },
});
