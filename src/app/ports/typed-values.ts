/** Keeps what was typed when React renders the fields of a screen anew: fields hold their own text, so it would be lost with the old ones. In memory only. Decision 21. */

/** The fields of `root` whose text is their own. Card fields are the chart's, and are kept nowhere else. */
export const fieldsIn = (root: ParentNode | null): HTMLInputElement[] => [
  ...(root?.querySelectorAll<HTMLInputElement>(
    "input[name]:not([type=hidden], [type=radio], [readonly], [autocomplete^=cc-])",
  ) ?? []),
];

/** Puts what was typed in `fields` that have been taken out of the page into those of the same name in `root`. */
export function putBack(fields: readonly HTMLInputElement[], root: ParentNode | null): void {
  const present = fieldsIn(root);
  for (const field of fields) {
    const successor = field.isConnected ? undefined : present.find(({ name }) => name === field.name);
    if (!successor) continue;
    successor.checked = field.checked;
    if (field.type === "checkbox") continue;
    successor.value = field.value;
    successor.setSelectionRange(field.selectionStart, field.selectionEnd);
  }
}

/** Watches the fields of a page that React takes over, until it is told to forget them. */
export function watchTyped(root: ParentNode) {
  let fields = fieldsIn(root);
  let focused = document.activeElement;
  const watch = new AbortController();
  const how = { signal: watch.signal };
  document.addEventListener("focusin", () => (focused = document.activeElement), how);
  const onLeave = ({ target }: FocusEvent) =>
    // A removed field loses the focus, too, although the user has not left it.
    queueMicrotask(() => {
      if (focused === target && focused?.isConnected) focused = null;
    });
  document.addEventListener("focusout", onLeave, how);
  return {
    /** Whether there are such fields. */
    any: fields.length > 0,
    /** Call it after React has drawn. */
    putBack: () => {
      putBack(fields, root);
      const left = fields.find((field) => field === focused && !field.isConnected);
      if (!left || document.activeElement !== document.body) return;
      fieldsIn(root)
        .find(({ name }) => name === left.name)
        ?.focus({ preventScroll: true });
    },
    forget: () => {
      watch.abort();
      fields = [];
      focused = null;
    },
  };
}
