/** What the API has against a form, for the charts of forms: the app's first load does without it. */
import type { Failure } from "./failure.ts";

/** A refusal of a form, about one of its fields or, without `fields`, about all of it. Unlike a toast it stays in sight until the form is edited. */
export type FieldRefused<N extends string> = {
  kind: "refused";
  fields: readonly N[];
  message: string;
};

/** @returns null for a failure that is no refusal, or says nothing */
export function fieldRefused<N extends string>(
  failure: Failure,
  names: readonly N[],
): FieldRefused<N> | null {
  if (failure.kind !== "refused" || failure.message === "") return null;
  const { message, field } = failure;
  return { kind: "refused", fields: names.filter((name) => name === field), message };
}
