/** Reads a form as it is submitted, and marks what is wrong with it: fields keep their own text, so that nothing typed is ever lost. */
import { useId, type FormEvent } from "react";

/** Leads to the first field that is wrong, as soon as the screen says which one is. */
export function focusFault(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
}

/** The texts of the named fields; a field that is not there is "". Stops the browser from sending the form itself. */
export function readForm<N extends string>(
  event: FormEvent<HTMLFormElement>,
  ...names: N[]
): Record<N, string> {
  event.preventDefault();
  focusFault(event.currentTarget);
  const data = new FormData(event.currentTarget);
  const textOf = (name: N) => {
    const value = data.get(name);
    return typeof value === "string" ? value : "";
  };
  return Object.fromEntries(names.map((name) => [name, textOf(name)])) as Record<N, string>;
}

/** What makes a field wrong, as `Field` takes it. */
export type Mark = { invalid?: boolean; error?: string | undefined; errorId?: string };

/** Marks the fields of a form that are wrong: all are described by the same words, which stand under the last of them. */
export function useMarks<N extends string>(wrong: readonly N[], words: string | undefined) {
  const errorId = useId();
  return (name: N): Mark =>
    wrong.includes(name) ? { invalid: true, error: name === wrong.at(-1) ? words : undefined, errorId } : {};
}
