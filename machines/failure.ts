/** Why a call came to nothing, in one shape for every chart. The app words it for people. Specification, section 8. */

export type Failure =
  /** The API's own "no", with its message in the language of the request, and what of the request it is about, if it says so. */
  | {
      readonly kind: "refused";
      readonly code: number;
      readonly message: string;
      readonly field?: string | undefined;
    }
  /** Code 4001, or -1 with `Unauthenticated.`: nobody is signed in. */
  | { readonly kind: "signedOut" }
  /** An HTTP status that is not 200. `path` carries no query string. */
  | { readonly kind: "http"; readonly status: number; readonly path: string }
  /** No answer at all. */
  | { readonly kind: "network" }
  /** A file of the app that a newer release has taken away. */
  | { readonly kind: "outdated" }
  /** An answer that is not of section 7, or a fault of our own. */
  | { readonly kind: "unreadable" };

/** What a port rejects with. */
export class CallFailed extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.kind);
    this.name = "CallFailed";
    this.failure = failure;
  }
}

/** The failure in whatever a port rejected with; anything unforeseen is `unreadable`. */
export function failureOf(error: unknown): Failure {
  return error instanceof CallFailed ? error.failure : { kind: "unreadable" };
}

/** Emitted by every chart whose failures are told in a toast. */
export type FailureMet = { type: "failure.met"; failure: Failure };

/** For `emit`: tells a failure. */
export const failureMet = (_: unknown, { failure }: { failure: Failure }): FailureMet => ({
  type: "failure.met",
  failure,
});
