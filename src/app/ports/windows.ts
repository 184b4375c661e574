/** Windows opened for the user: blank within the tap, without an opener, then sent to a safe URL. Decisions, "Windows opened for the user". */

const isLoopback = (host: string) => ["localhost", "127.0.0.1", "[::1]"].includes(host);

/** A machine on the local network, whose name no certificate can cover. */
const isNearby = (host: string) =>
  /^(10|192\.168|172\.(1[6-9]|2\d|3[01])|169\.254)(\.\d+)+$|^\[f(c|d|e[89ab])|\.local$/.test(host);

/**
 * Whether a window may open the URL: https. In sandbox mode also http on this machine, or on the private address
 * that the page (`here`) came from, so that a phone can use a computer's sandbox.
 */
export function isSafeAddress(address: string, sandbox: boolean, here = window.location.origin): boolean {
  try {
    const { protocol, hostname, origin } = new URL(address);
    if (protocol === "https:") return true;
    if (!sandbox || protocol !== "http:") return false;
    return isLoopback(hostname) || (isNearby(hostname) && origin === here);
  } catch {
    return false;
  }
}

/** What a blank window says until it is sent on: on a slow network it covers the app for a while. */
function sayIn(opened: Window, words: string): void {
  try {
    const { document } = opened;
    const fit = document.createElement("meta");
    fit.name = "viewport";
    fit.content = "width=device-width";
    document.head.append(fit);
    document.title = words;
    document.body.style.cssText =
      "color-scheme:light dark;margin:40vh 16px;font:1rem system-ui;text-align:center";
    document.body.textContent = `${words}…`;
  } catch {
    // Then it stays blank.
  }
}

/**
 * Opens a window now, which says `words`, and sends it to the URL that `find` resolves with. Call it within the tap. Closes
 * the window when `find` rejects, which it passes on, or `signal` aborts. @returns the URL when the window was blocked
 * or closed; else null
 */
export async function openWindow(
  words: string,
  find: () => Promise<string>,
  signal?: AbortSignal,
): Promise<{ blocked: string | null }> {
  const opened = window.open("about:blank", "_blank");
  if (opened) {
    sayIn(opened, words);
    opened.opener = null;
  }
  signal?.addEventListener("abort", () => opened?.close());
  try {
    const address = await find();
    if (!opened || opened.closed) return { blocked: address };
    opened.location.replace(address);
    return { blocked: null };
  } catch (error) {
    opened?.close();
    throw error;
  }
}
