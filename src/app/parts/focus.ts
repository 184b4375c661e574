/** Where the focus goes when what had it is gone: to the heading of what is seen, so that a reader goes on from there. */

/** Not in a view that is on its way out, which is to be seen for a moment longer. */
const isSeen = (element: Element) =>
  element.isConnected && !element.closest("[data-turn=leaving]") && (element.checkVisibility?.() ?? true);

/**
 * Focuses the heading of the screen, out of the order of Tab.
 * @param news whether to what has just become of it (`data-news`), where there is such
 */
export function focusHeading(news = false): void {
  const seen = [...document.querySelectorAll<HTMLElement>("h1, [data-news]")].filter(isSeen);
  const heading = seen.find((each) => (each.dataset["news"] !== undefined) === news) ?? seen[0];
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
