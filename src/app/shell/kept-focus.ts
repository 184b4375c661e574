/** Focus after a navigation: the heading of a new view, or the element that had it on a cached one. */
import { useLayoutEffect, useRef } from "react";
import { useApp } from "../runtime/hooks.ts";
import type { App } from "../runtime/create-app.ts";
import { focusAgain } from "../ui/focus.ts";
import { beforeDrawing } from "../ports/page.ts";

/**
 * Does what takes the page's layout once a view has changed: at once, or where it is seen to move, with the next picture
 * of it, for else the page would be laid out within the task that changes it. Returns the way to leave it undone.
 */
export function settle(navigationActor: App["navigationActor"], run: () => void): (() => void) | undefined {
  if (navigationActor.getSnapshot().context.leaving) return beforeDrawing(run);
  run();
  return undefined;
}

/** @param key of the view that is seen; "" before the first */
export function useKeptFocus(key: string): void {
  const { navigationActor } = useApp();
  // An element holds its whole view: one that was thrown away, secrets and all, is not kept by it.
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
