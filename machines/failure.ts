/** Why a request failed, in one shape for every chart. The app words it for the user. Specification, section 8. */

export type Failure =
  /** The API refused, with a message in the request's language and, if it says so, the fields concerned. */
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
  /** A file of the app that a newer release has removed. */
  | { readonly kind: "outdated" }
  /** A response that does not match section 7, or a bug in the app. */
  | { readonly kind: "unreadable" };

/** The error that ports reject with. */
export class CallFailed extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.kind);
    this.name = "CallFailed";
    this.failure = failure;
  }
}

/** The failure behind a port's rejection; any other error is `unreadable`. */
function failureOf(error: unknown): Failure {
  return error instanceof CallFailed ? error.failure : { kind: "unreadable" };
}

/** For `params` of an `onError`: the failure of the invoked port. */
export const failed = ({ event }: { event: { error: unknown } }) => ({ failure: failureOf(event.error) });

/** For `onError`: the chart goes to `target` and keeps the failure, which is shown there. */
export const showFailureIn = <T extends string>(target: T) =>
  ({ target, actions: { type: "keepFailure", params: failed } }) as const;

/** For `onError` of a form: back to `target`, the refused fields marked there, and a toast. */
export const showRefusalIn = <T extends string>(target: T) =>
  ({
    target,
    actions: [
      { type: "keepRefusal", params: failed },
      { type: "announceFailure", params: failed },
    ],
  }) as const;

/** The state of a screen that could not load: the user retries, or comes back to it. */
export const loadFailed = { on: { retry: "loading", "screen.activated": "loading" } } as const;

/** Emitted by every chart whose failures are shown as a toast. */
export type RequestFailed = { type: "request.failed"; failure: Failure };

/** For `emit`: reports a failure. */
export const requestFailed = (_: unknown, { failure }: { failure: Failure }): RequestFailed => ({
  type: "request.failed",
  failure,
});
