/** Changing the password. Specification, sections 2 (changePassword), 4 and 5. */
import { assertEvent, assign, emit, setup, type PromiseActorLogic } from "xstate";
import { type CallError, type RequestFailed, requestFailed, showFieldErrorIn } from "./call-error.ts";
import { fieldErrorOf, type FieldError } from "./field-error.ts";
import { isShort, pair, type PasswordChange, type PasswordError } from "../src/contract/password-rules.ts";
import { secret } from "./password-visibility.ts";
import { waiting, waitingDelays } from "./slow-request.ts";

export type PasswordPorts = { changePassword: PromiseActorLogic<void, PasswordChange> };

type PasswordEvent =
  | ({ type: "form.submitted" } & PasswordChange)
  | { type: "form.edited" }
  | { type: "secret.toggled" }
  | { type: "cancel" };

/** The form's error, by its own rules or by the API's. */
export type ChangeError = PasswordError | FieldError<keyof PasswordChange>;

/** The API ended every session of the account together with the old password. */
export type PasswordEmitted = { type: "password.changed" } | RequestFailed;

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
    context: {} as { formError: ChangeError | null },
    events: {} as PasswordEvent,
    emitted: {} as PasswordEmitted,
    tags: {} as "busy" | "slow",
  },
  actors: {} as PasswordPorts,
  delays: waitingDelays,
  guards: { isSound: (_, change: PasswordChange) => changeError(change) === null },
  actions: {
    judge: assign({ formError: (_, change: PasswordChange) => changeError(change) }),
    keepFieldError: assign({
      formError: (_, { error }: { error: CallError }) => fieldErrorOf(error, ["old_password", ...pair]),
    }),
    clearFormError: assign({ formError: null }),
    announceChange: emit({ type: "password.changed" }),
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
        editing: {
          on: {
            "form.edited": { actions: "clearFormError" },
            "form.submitted": [
              {
                guard: { type: "isSound", params: ({ event }) => event },
                target: "submitting",
                actions: "clearFormError",
              },
              { actions: { type: "judge", params: ({ event }) => event } },
            ],
          },
        },
        submitting: {
          tags: "busy",
          invoke: {
            id: "changePassword",
            src: "changePassword",
            input: ({ event }) => {
              assertEvent(event, "form.submitted");
              const { old_password, new_password, new_password_confirmation } = event;
              return { old_password, new_password, new_password_confirmation };
            },
            onDone: { target: "done", actions: "announceChange" },
            onError: showFieldErrorIn("editing"),
          },
          ...waiting,
          on: { cancel: "editing" },
        },
        // Until the next screen is shown.
        done: { tags: "busy" },
      },
    },
  },
});
