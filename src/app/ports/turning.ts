/** Whether views may be seen to move. */

/** Not where nobody looks, or nobody wants movement. */
export const mayMove = () =>
  document.visibilityState === "visible" &&
  typeof window.matchMedia === "function" &&
  window.matchMedia("(prefers-reduced-motion: no-preference)").matches;
