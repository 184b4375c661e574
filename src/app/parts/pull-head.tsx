/** What shows above a page that is pulled down: a flame that grows with the pull, and a word. */
import { useLayoutEffect, useRef, type ReactNode } from "react";
import styled from "styled-components";
import Check from "lucide-react/icons/check";
import { Flame } from "./flame.tsx";

/** Height of the head at rest while it loads, and the most that a finger pulls out of it, in pixels. */
const full = 50;
const reach = 280;

/** Takes no room of its own: it slides out from under the bar, over the page, so that nothing below is laid out anew. */
const Head = styled.div`
  position: relative;
  z-index: 10;
  flex: none;
  height: 0;
  pointer-events: none;
`;

/** What is above it is behind the bar. */
const Window = styled.div`
  position: absolute;
  inset: 0 0 auto;
  height: ${reach}px;
  overflow: hidden;
`;

const Inside = styled.div`
  position: absolute;
  inset: 0;
  display: flex;
  align-items: flex-end;
  justify-content: center;
  background: var(--ground);
  border-bottom: 1px solid var(--hairline);
  will-change: transform;

  &[data-settling] {
    transition: transform 300ms var(--ease);
  }
  &[data-away] {
    visibility: hidden;
  }
  &[data-settling][data-away] {
    transition:
      transform 300ms var(--ease),
      visibility 0s 300ms;
  }
  @media (prefers-reduced-motion: reduce) {
    &&[data-settling] {
      transition: none;
    }
  }
`;

const Words = styled.div`
  display: flex;
  align-items: center;
  justify-content: center;
  gap: 8px;
  min-height: ${full}px;
  font-size: var(--size-14);
  color: var(--soft);
`;

const Light = styled.span`
  display: grid;
  place-items: center;
  width: 1.5rem;
  height: 1.5rem;
  transform-origin: 50% 100%;

  .lucide {
    width: 1.25rem;
    height: 1.25rem;
    color: var(--success);
  }
`;

export interface PullHeadProps {
  phase: "normal" | "pulling" | "loosing" | "loading" | "success";
  /** Tells how far it is out, in px, already eased: at once, and until the answer is called. */
  watch: (place: (distance: number) => void) => () => void;
  /** What the phase says. */
  children?: ReactNode;
}

export function PullHead({ phase, watch, children }: PullHeadProps) {
  const inside = useRef<HTMLDivElement>(null);
  const light = useRef<HTMLSpanElement>(null);
  const byFinger = phase === "pulling" || phase === "loosing";

  // Past React, and as what moves alone: a custom property would be inherited, and restyle all that is in it.
  useLayoutEffect(
    () =>
      watch((distance) => {
        // One more than all of it: the line at its lower edge.
        if (inside.current) inside.current.style.transform = `translate3d(0, ${distance - reach - 1}px, 0)`;
        if (!light.current) return;
        const pulled = byFinger ? Math.min(1, distance / full) : 1;
        light.current.style.opacity = String(0.25 + 0.75 * pulled);
        light.current.style.transform = `scale(${0.4 + 0.6 * pulled})`;
      }),
    [watch, byFinger],
  );

  return (
    <Head>
      <Window>
        <Inside
          ref={inside}
          data-settling={byFinger ? undefined : ""}
          data-away={phase === "normal" ? "" : undefined}
        >
          <Words role="status">
            {phase === "normal" ? null : (
              <Light ref={light}>
                {phase === "success" ? <Check aria-hidden="true" /> : <Flame size={22} still={byFinger} />}
              </Light>
            )}
            {children}
          </Words>
        </Inside>
      </Window>
    </Head>
  );
}
