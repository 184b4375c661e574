/** Registering, then logging in with the same credentials. Specification, sections 2, 4 and 5 ("Register"). */
import { assign, emit, setup, type PromiseActorLogic } from "xstate";
import { errorOf, type CallError, type RequestFailed, requestFailed, outputOf } from "./call-error.ts";
import {
  type Failed,
  fieldErrorOf,
  type FieldError,
  type FormEvent,
  showFieldErrorIn,
  submitting,
} from "./form.ts";
import { invariant } from "./invariant.ts";
import type { Credentials, LoginEmitted, LoginPorts } from "./login.ts";
import { LEAST_ACCOUNT_LENGTH, LEAST_PASSWORD_LENGTH, lengthOf } from "../src/contract/password-rules.ts";
import { secret } from "./password-visibility.ts";
import { waitingDelays } from "./slow-request.ts";

export type RegisterPorts = LoginPorts & {
  /** One request; resolves when the account exists. */
  register: PromiseActorLogic<void, Credentials>;
};

/**
 * The form's error: the first one in the specification's order, with every empty field, or the API's error of a
 * field.
 */
export type RegisterError =
  | { kind: "accountShort" | "passwordShort"; fields: readonly (keyof Credentials)[] }
  | { kind: "unticked"; fields: readonly "agreement"[] }
  | FieldError<keyof Credentials>;

type Form = Credentials & { agreement: boolean };

function registerError({ account_name, password, agreement }: Form): RegisterError | null {
  if (lengthOf(account_name.trim()) < LEAST_ACCOUNT_LENGTH)
    return {
      kind: "accountShort",
      fields: password === "" ? ["account_name", "password"] : ["account_name"],
    };
  if (lengthOf(password) < LEAST_PASSWORD_LENGTH) return { kind: "passwordShort", fields: ["password"] };
  return agreement ? null : { kind: "unticked", fields: ["agreement"] };
}

export type RegisterEmitted =
  | LoginEmitted
  /** The API gave the name to a new account: no other had it by then. */
  | { type: "account.created"; accountName: string }
  /** The account exists, but logging in with it failed. */
  | { type: "register.succeeded" }
  | RequestFailed;

/** For states in which a form was sent; throws otherwise. */
const credentialsOf = ({ credentials }: { credentials: Credentials | null }): Credentials =>
  invariant(credentials);

export const registerMachine = setup({
  types: {
    context: {} as {
      formError: RegisterError | null;
      credentials: Credentials | null;
      /** The last requested name unless it was refused: the account may exist even if the response was lost. */
      unheard: string | null;
    },
    events: {} as FormEvent<Form> | { type: "secret.toggled" },
    emitted: {} as RegisterEmitted,
    tags: {} as "busy" | "slow",
  },
  actors: {} as RegisterPorts,
  delays: { ...waitingDelays, shake: 500 },
  guards: {
    isComplete: (_, form: Form) => registerError(form) === null,
    isUnticked: (_, form: Form) => registerError(form)?.kind === "unticked",
    mayBeMade: ({ context }, form: Form) =>
      registerError(form) === null && context.unheard === form.account_name.trim(),
  },
  actions: {
    judge: assign({ formError: (_, form: Form) => registerError(form) }),
    keepFieldError: assign({
      formError: (_, failed: Failed) => fieldErrorOf(failed, ["account_name", "password"]),
    }),
    clearFormError: assign({ formError: null }),
    /** Kept only until the login that follows. */
    keepCredentials: assign({
      credentials: (_, { account_name, password }: Form) => ({ account_name: account_name.trim(), password }),
    }),
    forgetCredentials: assign({ credentials: null }),
    keepUnheard: assign({ unheard: ({ context }) => credentialsOf(context).account_name }),
    judgeUnheard: assign({
      unheard: ({ context }, { error }: { error: CallError }) =>
        error.kind === "refused" ? null : context.unheard,
    }),
    announceLogin: emit((_, { accountName }: { accountName: string }) => ({
      type: "login.succeeded" as const,
      accountName,
    })),
    announceCreated: emit(({ context }) => ({
      type: "account.created" as const,
      accountName: credentialsOf(context).account_name,
    })),
    announceAccount: emit({ type: "register.succeeded" }),
    announceError: emit(requestFailed),
  },
}).createMachine({
  id: "register",
  type: "parallel",
  context: { formError: null, credentials: null, unheard: null },
  states: {
    secret,
    form: {
      initial: "editing",
      states: {
        editing: {
          initial: "resting",
          states: {
            resting: {},
            shaking: { after: { shake: "resting" } },
          },
          on: {
            "form.edited": { actions: "clearFormError" },
            // Left, the form is kept, but not what the API said: the language may be another by then.
            cancel: { actions: "clearFormError" },
            "form.submitted": [
              {
                guard: { type: "isUnticked", params: ({ event }) => event },
                target: ".shaking",
                actions: { type: "judge", params: ({ event }) => event },
              },
              {
                guard: { type: "mayBeMade", params: ({ event }) => event },
                target: "claiming",
                actions: ["clearFormError", { type: "keepCredentials", params: ({ event }) => event }],
              },
              {
                guard: { type: "isComplete", params: ({ event }) => event },
                target: "registering",
                actions: ["clearFormError", { type: "keepCredentials", params: ({ event }) => event }],
              },
              { actions: { type: "judge", params: ({ event }) => event } },
            ],
          },
        },
        // If the first request created the account, logging in works with the same password. Others learn nothing
        // from it.
        claiming: {
          ...submitting("editing", "forgetCredentials"),
          invoke: {
            id: "claim",
            src: "logIn",
            input: ({ context }) => credentialsOf(context),
            onDone: {
              target: "done",
              actions: { type: "announceLogin", params: outputOf },
            },
            onError: "registering",
          },
        },
        registering: {
          ...submitting("editing", "forgetCredentials"),
          entry: "keepUnheard",
          invoke: {
            id: "register",
            src: "register",
            input: ({ context }) => credentialsOf(context),
            onDone: { target: "loggingIn", actions: "announceCreated" },
            onError: showFieldErrorIn("editing", "forgetCredentials", {
              type: "judgeUnheard",
              params: errorOf,
            }),
          },
        },
        loggingIn: {
          // The account exists now; if the user returns to the form, it is as they left it.
          ...submitting("editing", "forgetCredentials", "announceAccount"),
          invoke: {
            id: "logIn",
            src: "logIn",
            input: ({ context }) => credentialsOf(context),
            onDone: {
              target: "done",
              actions: { type: "announceLogin", params: outputOf },
            },
            onError: { target: "done", actions: "announceAccount" },
          },
        },
        // Until the next screen is shown.
        done: { tags: "busy", entry: "forgetCredentials" },
      },
    },
  },
});
