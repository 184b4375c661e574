/** Focus after a navigation: the heading of a new view, or the element that had it on a cached one. */
import { useLayoutEffect, useRef } from "react";
import { useApp } from "../runtime/hooks.ts";
import type { App } from "../runtime/create-app.ts";
import { focusAgain } from "../ui/focus.ts";
import { beforeDrawing } from "../ports/page.ts";

/**
 * Runs `run` once the view has changed: at once, or with the next frame while a transition plays, so that layout is not
 * forced in the same task. Returns a function that cancels it.
 */
export function settle(navigationActor: App["navigationActor"], run: () => void): (() => void) | undefined {
  if (navigationActor.getSnapshot().context.leaving) return beforeDrawing(run);
  run();
  return undefined;
}

/** @param key of the view that is seen; "" before the first */
export function useKeptFocus(key: string): void {
  const { navigationActor } = useApp();
  // Weak: an element would keep its whole view in memory, secrets included, after the view was dropped.
  const left = useRef(new Map<string, WeakRef<HTMLElement>>());
  const last = useRef("");
  useLayoutEffect(() => {
    // The first screen of a visit is read from the beginning of the document.
    const moves = last.current !== "" && last.current !== key;
    const drop = moves
      ? settle(navigationActor, () => focusAgain(left.current.get(key)?.deref()))
      : undefined;
    last.current = key;
    const leaving = navigationActor.on("view.left", () => {
      const { activeElement } = document;
      if (activeElement instanceof HTMLElement && activeElement !== document.body) {
        left.current.set(key, new WeakRef(activeElement));
      }
    });
    return () => {
      drop?.();
      leaving.unsubscribe();
    };
  }, [key, navigationActor]);
}
