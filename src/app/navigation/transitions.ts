/** Whether view transitions are shown: not in a hidden page, nor where the user prefers reduced motion. */
export const mayMove = () =>
  document.visibilityState === "visible" &&
  typeof window.matchMedia === "function" &&
  window.matchMedia("(prefers-reduced-motion: no-preference)").matches;
