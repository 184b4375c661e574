/** Where the focus goes when the focused element is removed: to the visible heading, so that a screen reader continues from there. */

/** A view that is being animated out does not count. */
const isSeen = (element: Element) =>
  element.isConnected &&
  !element.closest("[data-transition=leaving]") &&
  (element.checkVisibility?.() ?? true);

const findSeen = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)].find(isSeen);

/**
 * Focuses the screen's heading, which is not in the tab order. @param first a selector that takes precedence, if it
 * matches
 */
export function focusHeading(first = "h1"): void {
  const heading = findSeen(first) ?? findSeen("h1");
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/** Returns the focus to the element that had it or, if that is hidden or gone, to the heading. */
export function focusAgain(before: HTMLElement | undefined): void {
  if (before && isSeen(before)) before.focus({ preventScroll: true });
  else focusHeading();
}

/** As a `ref`: when the focused element is removed, the focus goes to the heading, unless another element takes it. */
export const leavesFocus = (element: HTMLElement | null) => () => {
  if (document.activeElement !== element) return;
  queueMicrotask(() => {
    if (document.activeElement === document.body) focusHeading();
  });
};

/**
 * Puts the text of messages into their live regions once more: while the page was inert, no screen reader announced them.
 * A moment later, when the page is there for it again.
 */
export const announceAgain = () =>
  setTimeout(() => {
    for (const text of document.querySelectorAll("[data-message]")) text.replaceWith(text);
  }, 150);

/** As a `ref`: scrolls a new element to the middle of the screen. */
export const bringIntoView = (element: HTMLElement | null): void =>
  element?.scrollIntoView({ block: "center" });
