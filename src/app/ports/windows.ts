/** Windows opened for a person: blank within the tap, opener severed, then sent to a safe address only. Decisions, "Windows opened for the user". */

/** Whether a window may be sent there: https, or http on this machine in sandbox mode. */
export function isSafeAddress(address: string, sandbox: boolean): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  if (protocol === "https:") return true;
  return sandbox && protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}

/**
 * Opens a blank window now, and sends it to the address that `find` comes to.
 * Call it within the tap. Rejects as `find` does, the window closed again; closed too when `signal` gives up.
 * @returns the address where the browser refused the window, or null.
 */
export async function openWindow(
  find: () => Promise<string>,
  signal?: AbortSignal,
): Promise<{ blocked: string | null }> {
  const opened = window.open("about:blank", "_blank");
  if (opened) opened.opener = null;
  signal?.addEventListener("abort", () => opened?.close());
  try {
    const address = await find();
    if (!opened) return { blocked: address };
    opened.location.replace(address);
    return { blocked: null };
  } catch (error) {
    opened?.close();
    throw error;
  }
}
