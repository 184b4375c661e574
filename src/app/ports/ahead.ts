/** What is done while nothing else is, so that no tap has to wait for it. */

/** Calls back when the page has nothing to do, if the browser can tell; the answer takes it back. */
export function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback !== "function") return () => undefined;
  const waiting = requestIdleCallback(work);
  return () => cancelIdleCallback(waiting);
}

/**
 * Has the browser look for the letters of a text that the page shows later. The first Han letter on a page of Latin ones
 * makes it search the phone's typefaces, which takes longer than all else in the sheet that they stand in.
 */
export function findLetters(text: string): void {
  if (typeof OffscreenCanvas !== "function") return;
  const paper = new OffscreenCanvas(1, 1).getContext("2d");
  if (!paper) return;
  paper.font = getComputedStyle(document.body).font;
  paper.measureText(text);
}
