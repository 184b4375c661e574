/** What the API has against one field of a form, for the charts of forms: the app's first load does without it. */
import type { Failure } from "./failure.ts";

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
