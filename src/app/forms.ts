/** Reads a form as it is submitted: fields keep their own text, so that nothing typed is ever lost. */
import type { FormEvent } from "react";

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
