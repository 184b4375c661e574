/** Why a call of the operator's page failed, in one shape for its charts. */

export type ConsoleFailure =
  /** A command says why not, in its own words. */
  | { readonly kind: "refused"; readonly words: string }
  /** No session: never had, ended, or not let in by this link. */
  | { readonly kind: "signedOut" }
  /** Too many wrong links came from this network. */
  | { readonly kind: "tooMany" }
  /** No answer, or none that can be read: what was asked may have been done. */
  | { readonly kind: "unknown" };

/** The error that the page's ports reject with. */
export class ConsoleCallFailed extends Error {
  readonly failure: ConsoleFailure;
  constructor(failure: ConsoleFailure) {
    super(failure.kind);
    this.name = "ConsoleCallFailed";
    this.failure = failure;
  }
}

/** For `params` of an `onError`; any other error is one of the page's own, after which nothing is known. */
export const consoleFailed = ({ event }: { event: { error: unknown } }) => ({
  failure:
    event.error instanceof ConsoleCallFailed ? event.error.failure : ({ kind: "unknown" } as ConsoleFailure),
});

/** For a guard of an `onError`. */
export const isKind = (error: unknown, kind: ConsoleFailure["kind"]) =>
  error instanceof ConsoleCallFailed ? error.failure.kind === kind : kind === "unknown";
