/** Windows opened for a person: blank within the tap, opener severed, then sent to a safe address only. Decisions, "Windows opened for the user". */

const isLoopback = (host: string) => ["localhost", "127.0.0.1", "[::1]"].includes(host);

/** A machine of the same house: it has no name that a certificate could vouch for. */
const isNearby = (host: string) =>
  /^(10|192\.168|172\.(1[6-9]|2\d|3[01])|169\.254)(\.\d+)+$|^\[f(c|d|e[89ab])|\.local$/.test(host);

/**
 * Whether a window may be sent there: https, and in sandbox mode http on this machine, or at the private address that
 * the page itself (`here`) came from, for a phone that tries a computer's sandbox over the same network.
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

/**
 * Opens a blank window now, and sends it to the address that `find` comes to.
 * Call it within the tap. Rejects as `find` does, the window closed again; closed too when `signal` gives up.
 * @returns the address where no window went there, because the browser refused it or the person closed it; else null.
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
    if (!opened || opened.closed) return { blocked: address };
    opened.location.replace(address);
    return { blocked: null };
  } catch (error) {
    opened?.close();
    throw error;
  }
}
