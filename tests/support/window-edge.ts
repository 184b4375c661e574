/** What a reader would miss at an edge of the window: for any browser that runs a function in its page. */

/**
 * Words and controls that reach beyond the window's left or right edge, cut off there or not. What can be pushed aside
 * within a rail may; nothing else. Runs in the page.
 */
export function beyondTheEdge(): string[] {
  const width = document.documentElement.clientWidth;
  const isInRail = ({ parentElement }: Element): boolean =>
    parentElement !== null &&
    (/auto|scroll/.test(getComputedStyle(parentElement).overflowX) || isInRail(parentElement));
  return [...document.querySelectorAll<HTMLElement>("a, button, label, input, p, h1, h2, h3, li, dt, dd")]
    .filter((part) => part.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    .filter((part) => {
      const { left, right } = part.getBoundingClientRect();
      return (left < -1 || right > width + 1) && !isInRail(part);
    })
    .map((part) => `${part.localName} “${part.innerText.slice(0, 30)}”`);
}
