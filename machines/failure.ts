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

/** A refusal about one field of a form. Unlike a toast it stays in sight until the form is edited. */
export type FieldRefused<N extends string> = {
  kind: "refused";
  fields: readonly N[];
  message: string;
};

/** @returns null for a failure that is about none of `names`, or says nothing */
export function fieldRefused<N extends string>(
  failure: Failure,
  names: readonly N[],
): FieldRefused<N> | null {
  if (failure.kind !== "refused" || failure.message === "") return null;
  const { message, field } = failure;
  const fields = names.filter((name) => name === field);
  return fields.length > 0 ? { kind: "refused", fields, message } : null;
}

/** Emitted by every chart whose failures are told in a toast. */
export type FailureMet = { type: "failure.met"; failure: Failure };

/** For `emit`: tells a failure. */
export const failureMet = (_: unknown, { failure }: { failure: Failure }): FailureMet => ({
  type: "failure.met",
  failure,
});
