/** Keeps what has been taken away on the screen until its leaving animation has ended. */
import { createElement, useLayoutEffect, useRef, useState, type ComponentType, type RefObject } from "react";

/**
 * `shown` is `value`, or the last one while it leaves; null when it has gone. The element in `ref` plays the
 * leaving animation as soon as `leaving` is true; where nothing animates, it goes at once.
 */
export function useLinger<T>(value: T | null, ref: RefObject<Element | null>) {
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
      // Its view has been hidden meanwhile, and leaves nothing to end when it comes back.
      setShown(null);
    };
  }, [leaving, ref]);

  return { shown: value ?? shown, leaving };
}

export interface Lingering {
  /** The element that plays the leaving animation. */
  surface: RefObject<HTMLDialogElement | null>;
  leaving: boolean;
}

/** Makes a component that is there while it is `open`, and until it has left. */
export function lingering<Props extends object>(Shown: ComponentType<Props & Lingering>) {
  return function Lingerer({ open, ...rest }: Props & { open: boolean }) {
    const surface = useRef<HTMLDialogElement>(null);
    const { shown, leaving } = useLinger(open ? true : null, surface);
    return shown ? createElement(Shown, { ...(rest as unknown as Props), surface, leaving }) : null;
  };
}
