/** The API's refusal of a form, for the charts of forms. A file of its own, so that the first load does without it. */
import type { Failure } from "./failure.ts";

/**
 * A refusal of some of a form's fields or, without `fields`, of the whole form. Unlike a toast it stays visible
 * until the form is edited.
 */
export type FieldRefused<N extends string> = {
  kind: "refused";
  fields: readonly N[];
  message: string;
};

/** @returns null when the failure is not a refusal or has no message */
export function fieldRefused<N extends string>(
  failure: Failure,
  names: readonly N[],
): FieldRefused<N> | null {
  if (failure.kind !== "refused" || failure.message === "") return null;
  const { message, field } = failure;
  return { kind: "refused", fields: names.filter((name) => name === field), message };
}
