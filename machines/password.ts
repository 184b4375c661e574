/** Changing the password. Specification, sections 2 (changePassword), 4 and 5. */
import { assertEvent, assign, emit, setup, type PromiseActorLogic } from "xstate";
import { type Failure, type RequestFailed, requestFailed, showRefusalIn } from "./failure.ts";
import { fieldRefused, type FieldRefused } from "./field-refused.ts";
import { isShort, pair, type PasswordChange, type PasswordFault } from "../src/contract/password-rules.ts";
import { secret } from "./password-visibility.ts";
import { waiting, waitingDelays } from "./slow-request.ts";

export type PasswordPorts = { changePassword: PromiseActorLogic<void, PasswordChange> };

type PasswordEvent =
  | ({ type: "form.submitted" } & PasswordChange)
  | { type: "form.edited" }
  | { type: "secret.toggled" }
  | { type: "cancel" };

/** The form's error, by its own rules or by the API's. */
export type ChangeFault = PasswordFault | FieldRefused<keyof PasswordChange>;

/** The API ended every session of the account together with the old password. */
export type PasswordEmitted = { type: "password.changed" } | RequestFailed;

/** The first error, or null. The two must match before their length counts; an empty field is marked with any error. */
export function changeFault(change: PasswordChange): PasswordFault | null {
  const faultIn = (kind: PasswordFault["kind"], names: PasswordFault["fields"]): PasswordFault => ({
    kind,
    fields: (["old_password", ...pair] as const).filter(
      (name) => names.includes(name) || change[name] === "",
    ),
  });
  const { old_password, new_password, new_password_confirmation } = change;
  if (new_password !== new_password_confirmation) {
    // If one of the two is empty, only the empty field is marked.
    return faultIn("different", new_password === "" || new_password_confirmation === "" ? [] : pair);
  }
  if (isShort(new_password)) return faultIn("short", pair);
  return old_password === "" ? faultIn("missing", []) : null;
}

export const passwordMachine = setup({
  types: {
    context: {} as { fault: ChangeFault | null },
    events: {} as PasswordEvent,
    emitted: {} as PasswordEmitted,
    tags: {} as "busy" | "slow",
  },
  actors: {} as PasswordPorts,
  delays: waitingDelays,
  guards: { isSound: (_, change: PasswordChange) => changeFault(change) === null },
  actions: {
    judge: assign({ fault: (_, change: PasswordChange) => changeFault(change) }),
    keepRefusal: assign({
      fault: (_, { failure }: { failure: Failure }) => fieldRefused(failure, ["old_password", ...pair]),
    }),
    clearFault: assign({ fault: null }),
    announceChange: emit({ type: "password.changed" }),
    announceFailure: emit(requestFailed),
  },
}).createMachine({
  id: "password",
  type: "parallel",
  context: { fault: null },
  states: {
    secret,
    form: {
      initial: "editing",
      states: {
        editing: {
          on: {
            "form.edited": { actions: "clearFault" },
            "form.submitted": [
              {
                guard: { type: "isSound", params: ({ event }) => event },
                target: "submitting",
                actions: "clearFault",
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
            onError: showRefusalIn("editing"),
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
