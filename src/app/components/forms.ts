/** Reads a form on submit and marks its errors. Fields are uncontrolled, so that typed text is never lost. */
import { useId, type FormEvent } from "react";

/** Focuses the first invalid field as soon as the screen has marked it. */
export function focusError(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
}

/** The values of the named fields, "" for a missing one. Prevents the browser from submitting the form itself. */
export function readForm<N extends string>(
  event: FormEvent<HTMLFormElement>,
  ...names: N[]
): Record<N, string> {
  event.preventDefault();
  focusError(event.currentTarget);
  const data = new FormData(event.currentTarget);
  const textOf = (name: N) => {
    const value = data.get(name);
    return typeof value === "string" ? value : "";
  };
  return Object.fromEntries(names.map((name) => [name, textOf(name)])) as Record<N, string>;
}

/** The error props of a `Field`. */
export type Mark = { invalid?: boolean; error?: string | undefined; errorId?: string };

/** Marks the invalid fields of a form: all are described by the same error, shown under the last of them. */
export function useMarks<N extends string>(wrong: readonly N[], words: string | undefined) {
  const errorId = useId();
  return (name: N): Mark =>
    wrong.includes(name) ? { invalid: true, error: name === wrong.at(-1) ? words : undefined, errorId } : {};
}
