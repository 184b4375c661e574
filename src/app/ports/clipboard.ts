/** The clipboard, also where the page is not a secure context. */

/** Puts `text` on the clipboard; rejects where the browser allows no way. */
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
    // The only way left over plain http.
    const done = document.execCommand("copy");
    field.remove();
    if (!done) throw new Error("The browser copies nothing.");
  }
}
