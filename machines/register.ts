/** Registering, then logging in with the same credentials. Specification, sections 2, 4 and 5 ("Register"). */
import { assign, emit, setup, type PromiseActorLogic } from "xstate";
import { errorOf, type CallError, type RequestFailed, requestFailed } from "./call-error.ts";
import { fieldErrorOf, type FieldError } from "./field-error.ts";
import type { Credentials, LoginEmitted, LoginPorts } from "./login.ts";
import { LEAST_ACCOUNT_LENGTH, LEAST_PASSWORD_LENGTH, lengthOf } from "../src/contract/password-rules.ts";
import { secret } from "./password-visibility.ts";
import { waiting, waitingDelays } from "./slow-request.ts";

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

type RegisterEvent =
  | ({ type: "form.submitted" } & Form)
  | { type: "form.edited" }
  | { type: "secret.toggled" }
  | { type: "cancel" };

export type RegisterEmitted =
  | LoginEmitted
  /** The account exists, but logging in with it failed. */
  | { type: "register.succeeded" }
  | RequestFailed;

/** For states in which a form was sent; throws otherwise. */
const credentialsOf = ({ credentials }: { credentials: Credentials | null }): Credentials => {
  if (!credentials) throw new Error("Only what was sent makes an account.");
  return credentials;
};

export const registerMachine = setup({
  types: {
    context: {} as {
      formError: RegisterError | null;
      credentials: Credentials | null;
      /** The last requested name unless it was refused: the account may exist even if the response was lost. */
      unheard: string | null;
    },
    events: {} as RegisterEvent,
    emitted: {} as RegisterEmitted,
    tags: {} as "busy" | "slow",
  },
  actors: {} as RegisterPorts,
  delays: { ...waitingDelays, shake: 500 },
  guards: {
    isAccountShort: (_, { account_name }: Form) => lengthOf(account_name.trim()) < LEAST_ACCOUNT_LENGTH,
    isPasswordShort: (_, { password }: Form) => lengthOf(password) < LEAST_PASSWORD_LENGTH,
    isUnticked: (_, { agreement }: Form) => !agreement,
    mayBeMade: ({ context }, { account_name }: Form) => context.unheard === account_name.trim(),
  },
  actions: {
    missAccount: assign({
      formError: (_, { password }: Form): RegisterError => ({
        kind: "accountShort",
        fields: password === "" ? ["account_name", "password"] : ["account_name"],
      }),
    }),
    missAgreement: assign({ formError: { kind: "unticked", fields: ["agreement"] } }),
    missPassword: assign({ formError: { kind: "passwordShort", fields: ["password"] } }),
    keepFieldError: assign({
      formError: (_, { error }: { error: CallError }) => fieldErrorOf(error, ["account_name", "password"]),
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
            "form.submitted": [
              {
                guard: { type: "isAccountShort", params: ({ event }) => event },
                actions: { type: "missAccount", params: ({ event }) => event },
              },
              {
                guard: { type: "isPasswordShort", params: ({ event }) => event },
                actions: "missPassword",
              },
              {
                guard: { type: "isUnticked", params: ({ event }) => event },
                target: ".shaking",
                actions: "missAgreement",
              },
              {
                guard: { type: "mayBeMade", params: ({ event }) => event },
                target: "claiming",
                actions: ["clearFormError", { type: "keepCredentials", params: ({ event }) => event }],
              },
              {
                target: "registering",
                actions: ["clearFormError", { type: "keepCredentials", params: ({ event }) => event }],
              },
            ],
          },
        },
        // If the first request created the account, logging in works with the same password. Others learn nothing
        // from it.
        claiming: {
          tags: "busy",
          invoke: {
            id: "claim",
            src: "logIn",
            input: ({ context }) => credentialsOf(context),
            onDone: {
              target: "done",
              actions: { type: "announceLogin", params: ({ event }) => event.output },
            },
            onError: "registering",
          },
          ...waiting,
          on: { cancel: { target: "editing", actions: "forgetCredentials" } },
        },
        registering: {
          tags: "busy",
          entry: "keepUnheard",
          invoke: {
            id: "register",
            src: "register",
            input: ({ context }) => credentialsOf(context),
            onDone: "loggingIn",
            onError: {
              target: "editing",
              actions: [
                "forgetCredentials",
                { type: "judgeUnheard", params: errorOf },
                { type: "keepFieldError", params: errorOf },
                { type: "announceError", params: errorOf },
              ],
            },
          },
          ...waiting,
          on: { cancel: { target: "editing", actions: "forgetCredentials" } },
        },
        loggingIn: {
          tags: "busy",
          invoke: {
            id: "logIn",
            src: "logIn",
            input: ({ context }) => credentialsOf(context),
            onDone: {
              target: "done",
              actions: { type: "announceLogin", params: ({ event }) => event.output },
            },
            onError: { target: "done", actions: "announceAccount" },
          },
          ...waiting,
          // The account exists now; if the user returns to the form, it is as they left it.
          on: { cancel: { target: "editing", actions: ["forgetCredentials", "announceAccount"] } },
        },
        // Until the next screen is shown.
        done: { tags: "busy", entry: "forgetCredentials" },
      },
    },
  },
});
