/** Why a call failed, in one shape for every chart: kind, code and the sentence for the user. Errors without a sentence of their own are worded in `src/app/messages/error-messages.ts`. Also the helpers by which charts handle errors and answers. Specification, section 8. */

export type CallError =
  /** The API refused, with a message in the request's language and, if it says so, the field concerned. */
  | {
      readonly kind: "refused";
      readonly code: number;
      readonly message: string;
      readonly field?: string | undefined;
    }
  /** Code 4001, or -1 with `Unauthenticated.`: the user is not signed in. */
  | { readonly kind: "signedOut" }
  /** An HTTP status other than 200. `path` has no query string. */
  | { readonly kind: "http"; readonly status: number; readonly path: string }
  /** No response. */
  | { readonly kind: "network" }
  /** A provider's script that the browser does not load or run, although the network is there. */
  | { readonly kind: "barred" }
  /** A file of the app that a newer release has removed. */
  | { readonly kind: "outdated" }
  /** A response that does not match section 7, or a bug in the app. */
  | { readonly kind: "unreadable" };

/** What ports reject with. */
export class CallFailed extends Error {
  readonly error: CallError;
  constructor(error: CallError) {
    super(error.kind);
    this.name = "CallFailed";
    this.error = error;
  }
}

/** Whether too many tries came from this account or network. */
export const isTooMany = (error: CallError): boolean => error.kind === "http" && error.status === 429;

/** For `params` of an `onError`: why the invoked port failed; any other error than its own is `unreadable`. */
export const errorOf = ({ event }: { event: { error: unknown } }): { error: CallError } => ({
  error: event.error instanceof CallFailed ? event.error.error : { kind: "unreadable" },
});

/** For `onError`: the chart goes to `target` and keeps the error, which is shown there. */
export const showErrorIn = <T extends string>(target: T) =>
  ({ target, actions: { type: "keepError", params: errorOf } }) as const;

/** For `params` of an `onDone`: the answer of the invoked port. */
export const outputOf = <T>({ event }: { event: { output: T } }): T => event.output;

/** For `onDone`: the chart goes to `target`, and `action` keeps the answer. */
export const keepOutputIn = <T extends string, A extends string>(target: T, action: A) =>
  ({ target, actions: { type: action, params: outputOf } }) as const;

/** The state of a screen that could not load: the user retries, or comes back to it. */
export const loadFailed = { on: { retry: "loading", "screen.activated": "loading" } } as const;

/** Emitted by every chart whose errors are shown as a toast. `inForm`: the form shows it, too. */
export type RequestFailed = { type: "request.failed"; error: CallError; inForm?: true };

/** For `emit`: reports an error. */
export const requestFailed = (_: unknown, failed: Omit<RequestFailed, "type">): RequestFailed => ({
  type: "request.failed",
  ...failed,
});

/** For `onError`: the chart goes to `target` and reports the error. */
export const announceErrorIn = <T extends string>(target: T) =>
  ({ target, actions: { type: "announceError", params: errorOf } }) as const;
