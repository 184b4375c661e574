/** The API's error about a form, for the charts of forms. A file of its own, so that the first load does without it. */
import type { CallError } from "./call-error.ts";

/**
 * An error of some of a form's fields or, without `fields`, of the whole form. Unlike a toast it stays visible
 * until the form is edited.
 */
export type FieldError<N extends string> = {
  kind: "refused";
  fields: readonly N[];
  message: string;
};

/** @returns null when the API did not refuse, or gave no message */
export function fieldErrorOf<N extends string>(error: CallError, names: readonly N[]): FieldError<N> | null {
  if (error.kind !== "refused" || error.message === "") return null;
  const { message, field } = error;
  return { kind: "refused", fields: names.filter((name) => name === field), message };
}
