/** Account recovery in three screens: the account, the new password, the answer to the security question. Specification, sections 2 (forgetPassword…), 4 and 5; Decisions, "A password never enters a URL". */
import { assign, emit, setup, type PromiseActorLogic } from "xstate";
import { type RequestFailed, requestFailed } from "./call-error.ts";
import { type Failed, fieldErrorOf, type FieldError, showFieldErrorIn, submitting } from "./form.ts";
import { pair, passwordError, type NewPassword, type PasswordError } from "../src/contract/password-rules.ts";
import { invariant } from "./invariant.ts";
import { secret } from "./password-visibility.ts";
import { waitingDelays } from "./slow-request.ts";

export type Answer = { security_problem: string; security_problem_value: string };

export type RecoveryPorts = {
  resetPassword: PromiseActorLogic<void, NewPassword & Answer & { account_name: string }>;
};

/** What the answer screen lacks: the first error, with every empty field. */
export type AnswerError = {
  kind: "problemMissing" | "answerMissing";
  fields: readonly (keyof Answer)[];
};

/** The fields of the three screens. */
const typed = ["account_name", ...pair, "security_problem_value"] as const;

/**
 * The API's error, of one field of any screen or of the whole form. It never says which of account, question and
 * answer does not match.
 */
export type RecoveryFieldError = FieldError<(typeof typed)[number]>;

/** The current screen's error. */
export type RecoveryError =
  | { kind: "accountMissing"; fields: readonly ["account_name"] }
  | PasswordError
  | AnswerError
  | RecoveryFieldError;

type RecoveryEvent =
  | { type: "account.submitted"; account_name: string }
  /** `handle` is a fresh random word that stands in the URL in place of the password. */
  | ({ type: "password.submitted"; account_name: string; handle: string } & NewPassword)
  | ({ type: "answer.submitted" } & Answer)
  | { type: "form.edited" }
  | { type: "secret.toggled" }
  | { type: "cancel" }
  /** A user signed in or out. */
  | { type: "account.changed" };

export type RecoveryEmitted =
  | { type: "recovery.named"; accountName: string }
  | { type: "recovery.passwordKept"; accountName: string; handle: string }
  | { type: "recovery.succeeded" }
  | RequestFailed;

/** The new password, kept in memory only and only until the recovery ends. */
type Kept = NewPassword & { account_name: string; handle: string };

type RecoveryContext = { formError: RecoveryError | null; kept: Kept | null; answer: Answer | null };

export function answerError(answer: Answer): AnswerError | null {
  const fields = (["security_problem", "security_problem_value"] as const).filter(
    (name) => answer[name].trim() === "",
  );
  if (fields.length === 0) return null;
  return { kind: fields.includes("security_problem") ? "problemMissing" : "answerMissing", fields };
}

export const recoveryMachine = setup({
  types: {
    context: {} as RecoveryContext,
    events: {} as RecoveryEvent,
    emitted: {} as RecoveryEmitted,
    tags: {} as "busy" | "slow",
  },
  actors: {} as RecoveryPorts,
  delays: waitingDelays,
  guards: {
    isNamed: (_, { account_name }: { account_name: string }) => account_name.trim() !== "",
    isSound: (_, password: NewPassword) => passwordError(password) === null,
    isAnswered: ({ context }, answer: Answer) => context.kept !== null && answerError(answer) === null,
  },
  actions: {
    clearFormError: assign({ formError: null }),
    missAccount: assign({ formError: { kind: "accountMissing", fields: ["account_name"] } }),
    judgePassword: assign({ formError: (_, password: NewPassword) => passwordError(password) }),
    judgeAnswer: assign({ formError: (_, answer: Answer) => answerError(answer) }),
    keepFieldError: assign({ formError: (_, failed: Failed) => fieldErrorOf(failed, typed) }),
    // Sent again by a second tap, it keeps its handle: Back would reach the URL of the one that is replaced.
    keepPassword: assign({
      kept: (
        { context: { kept } },
        { account_name, handle, new_password, new_password_confirmation }: Kept,
      ) => {
        const isSame = kept?.account_name === account_name && kept.new_password === new_password;
        return {
          account_name,
          handle: isSame ? kept.handle : handle,
          new_password,
          new_password_confirmation,
        };
      },
    }),
    keepAnswer: assign({
      answer: (_, { security_problem, security_problem_value }: Answer) => ({
        security_problem,
        security_problem_value,
      }),
    }),
    dropAnswer: assign({ answer: null }),
    dropAll: assign({ kept: null, answer: null, formError: null }),
    announceName: emit((_, { account_name }: { account_name: string }) => ({
      type: "recovery.named" as const,
      accountName: account_name.trim(),
    })),
    announcePassword: emit(({ context: { kept } }) => ({
      type: "recovery.passwordKept" as const,
      accountName: kept?.account_name ?? "",
      handle: kept?.handle ?? "",
    })),
    announceSuccess: emit({ type: "recovery.succeeded" }),
    announceError: emit(requestFailed),
  },
}).createMachine({
  id: "recovery",
  type: "parallel",
  context: { formError: null, kept: null, answer: null },
  states: {
    // A password shown by one user must not be visible to the next.
    secret: { ...secret, on: { "account.changed": ".hidden", "account.submitted": ".hidden" } },
    form: {
      initial: "editing",
      on: { "account.changed": { target: ".editing", actions: "dropAll" } },
      states: {
        // The three screens are three URLs; the user may go back and forth between them.
        editing: {
          on: {
            "form.edited": { actions: "clearFormError" },
            "account.submitted": [
              {
                guard: { type: "isNamed", params: ({ event }) => event },
                actions: ["dropAll", { type: "announceName", params: ({ event }) => event }],
              },
              { actions: "missAccount" },
            ],
            "password.submitted": [
              {
                guard: { type: "isSound", params: ({ event }) => event },
                actions: [
                  "clearFormError",
                  { type: "keepPassword", params: ({ event }) => event },
                  "announcePassword",
                ],
              },
              { actions: { type: "judgePassword", params: ({ event }) => event } },
            ],
            "answer.submitted": [
              {
                guard: { type: "isAnswered", params: ({ event }) => event },
                target: "submitting",
                actions: ["clearFormError", { type: "keepAnswer", params: ({ event }) => event }],
              },
              { actions: { type: "judgeAnswer", params: ({ event }) => event } },
            ],
          },
        },
        submitting: {
          ...submitting("editing", "dropAnswer"),
          invoke: {
            id: "resetPassword",
            src: "resetPassword",
            input: ({ context: { kept, answer } }) => {
              const { account_name, new_password, new_password_confirmation } = invariant(kept);
              return { account_name, new_password, new_password_confirmation, ...invariant(answer) };
            },
            onDone: { target: "editing", actions: ["dropAll", "announceSuccess"] },
            onError: showFieldErrorIn("editing", "dropAnswer"),
          },
        },
      },
    },
  },
});
