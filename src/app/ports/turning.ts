/** Turns from one view to the next as one picture to another, where the browser can. */

/**
 * Makes the change, and lets the browser move the old picture of the page out and the new one in (`theme/style.ts` says
 * how, by the `data-way` that `change` answers with). At once where there is nothing to move, or nobody wants movement.
 */
export function turnPage(change: () => string): void {
  const still =
    typeof document.startViewTransition !== "function" ||
    document.visibilityState === "hidden" ||
    window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (still) return void change();
  const root = document.documentElement;
  const turning = document.startViewTransition(() => {
    root.dataset["way"] = change();
  });
  // A turn that is overtaken by the next has made its change all the same.
  turning.ready.catch(() => undefined);
  turning.finished.catch(() => undefined);
}
