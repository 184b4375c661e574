/** Where a reader and a keyboard are when the screen changes: at the heading of a new one, and where they were on one that they come back to. */
import { useLayoutEffect, useRef } from "react";
import { useApp } from "../app.ts";
import { focusAgain } from "../parts/focus.ts";

/** @param key of the view that is seen; "" before the first */
export function useKeptFocus(key: string): void {
  const { progress } = useApp();
  // An element holds its whole view: one that was thrown away, secrets and all, is not kept by it.
  const left = useRef(new Map<string, WeakRef<HTMLElement>>());
  const last = useRef("");
  useLayoutEffect(() => {
    // The first screen of a visit is read from the beginning of the document.
    if (last.current !== "" && last.current !== key) focusAgain(left.current.get(key)?.deref());
    last.current = key;
    const leaving = progress.on("view.left", () => {
      const { activeElement } = document;
      if (activeElement instanceof HTMLElement && activeElement !== document.body) {
        left.current.set(key, new WeakRef(activeElement));
      }
    });
    return () => leaving.unsubscribe();
  }, [key, progress]);
}
