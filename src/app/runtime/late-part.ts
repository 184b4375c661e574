/** A part of a screen whose code is loaded when it is first shown: React's `lazy`, which tries again after a failure. */
import { createElement, useEffect, useState, type ComponentType, type ReactNode } from "react";
import { onPageVisible } from "../ports/page.ts";

/**
 * A load that failed is repeated when the part or the page is shown again, or the network is back. Until the code is there,
 * `fallback` is shown, or nothing.
 */
export const latePart = <P extends object>(load: () => Promise<{ default: ComponentType<P> }>) =>
  function LatePart({ fallback = null, ...props }: P & { fallback?: ReactNode }): ReactNode {
    const [part, setPart] = useState<ComponentType<P> | null>(null);
    useEffect(() => {
      if (part) return undefined;
      const read = () =>
        void load().then(
          (code) => setPart(() => code.default),
          () => {},
        );
      read();
      return onPageVisible(read);
    }, [part]);
    return part ? createElement(part, props as unknown as P) : fallback;
  };
