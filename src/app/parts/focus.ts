/** Where the focus goes when what had it is gone: to the heading of what is seen, so that a reader goes on from there. */

/** Not in a view that is on its way out, which is to be seen for a moment longer. */
const isSeen = (element: Element) =>
  element.isConnected && !element.closest("[data-turn=leaving]") && (element.checkVisibility?.() ?? true);

const findSeen = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)].find(isSeen);

/**
 * Focuses the heading of the screen, out of the order of Tab.
 * @param first what is focused before it, where there is such
 */
export function focusHeading(first = "h1"): void {
  const heading = findSeen(first) ?? findSeen("h1");
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/** Gives the focus back to what had it, or where that is not to be seen any more, to the heading. */
export function focusAgain(before: HTMLElement | undefined): void {
  if (before && isSeen(before)) before.focus({ preventScroll: true });
  else focusHeading();
}

/** As a `ref`: what has the focus when it goes leaves it to the heading, unless somebody else takes it. */
export const leavesFocus = (element: HTMLElement | null) => () => {
  if (document.activeElement !== element) return;
  queueMicrotask(() => {
    if (document.activeElement === document.body) focusHeading();
  });
};

/** As a `ref`: what comes is in the middle of the screen. */
export const bringIntoView = (element: HTMLElement | null): void =>
  element?.scrollIntoView({ block: "center" });
