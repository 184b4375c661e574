/** The clipboard, including pages without a secure context. */

/** Writes `text` to the clipboard; rejects when the browser does not allow it. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    field.readOnly = true;
    field.style.cssText = "position:fixed;inset-block-start:0;opacity:0;font-size:16px";
    document.body.append(field);
    field.select();
    // The only method over plain http.
    const done = document.execCommand("copy");
    field.remove();
    if (!done) throw new Error("The browser copies nothing.");
  }
}
