/** Keeps removed content mounted until its leave animation has ended. */
import { createElement, useLayoutEffect, useRef, useState, type ComponentType, type RefObject } from "react";

/**
 * `shown` is `value`, or the last value while it leaves, then null. The element in `ref` plays the leave animation
 * while `leaving` is true; without an animation it is removed at once.
 */
export function usePresence<T>(value: T | null, ref: RefObject<Element | null>) {
  const [shown, setShown] = useState(value);
  if (value !== null && value !== shown) setShown(value);
  const leaving = value === null && shown !== null;

  useLayoutEffect(() => {
    if (!leaving) return;
    const animations = ref.current?.getAnimations?.() ?? [];
    if (animations.length === 0) return setShown(null);
    let wanted = true;
    void Promise.allSettled(animations.map((animation) => animation.finished)).then(() => {
      if (wanted) setShown(null);
    });
    return () => {
      wanted = false;
      // The view was hidden meanwhile, so there is no animation left to end.
      setShown(null);
    };
  }, [leaving, ref]);

  return { shown: value ?? shown, leaving };
}

export interface Lingering {
  /** The element that plays the leave animation. */
  surface: RefObject<HTMLDialogElement | null>;
  leaving: boolean;
}

/** Wraps a component so that it is mounted while `open`, and until its leave animation has ended. */
export function lingering<Props extends object>(Shown: ComponentType<Props & Lingering>) {
  return function Lingerer({ open, ...rest }: Props & { open: boolean }) {
    const surface = useRef<HTMLDialogElement>(null);
    const { shown, leaving } = usePresence(open ? true : null, surface);
    return shown ? createElement(Shown, { ...(rest as unknown as Props), surface, leaving }) : null;
  };
}
