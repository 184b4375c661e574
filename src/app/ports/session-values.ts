/** What lasts as long as a tab, through a reload: session storage that never throws. */

/** Null where nothing is stored, or the browser forbids it. */
export function readSession(key: string): string | null {
  try {
    return window.sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Where the browser forbids it or there is no room, the value lasts no longer than the page. */
export function writeSession(key: string, value: string): void {
  try {
    window.sessionStorage.setItem(key, value);
  } catch {
    // Nothing can be done about it.
  }
}
