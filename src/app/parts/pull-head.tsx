/** What shows above a page that is pulled down: a flame that grows with the pull, and a word. */
import type { ReactNode } from "react";
import styled from "styled-components";
import { Check } from "lucide-react";
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
  transform: translate3d(0, calc(var(--distance) - 100% - 1px), 0);
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
  opacity: calc(0.25 + 0.75 * var(--pulled));
  transform: scale(calc(0.4 + 0.6 * var(--pulled)));
  transform-origin: 50% 100%;

  .lucide {
    width: 1.25rem;
    height: 1.25rem;
    color: var(--success);
  }
`;

export interface PullHeadProps {
  phase: "normal" | "pulling" | "loosing" | "loading" | "success";
  /** Pixels, already eased. */
  distance: number;
  /** What the phase says. */
  children?: ReactNode;
}

export function PullHead({ phase, distance, children }: PullHeadProps) {
  const byFinger = phase === "pulling" || phase === "loosing";
  return (
    <Head>
      <Window>
        <Inside
          data-settling={byFinger ? undefined : ""}
          data-away={phase === "normal" ? "" : undefined}
          style={{
            ["--distance" as string]: `${distance}px`,
            ["--pulled" as string]: byFinger ? Math.min(1, distance / full) : 1,
          }}
        >
          <Words role="status">
            {phase === "normal" ? null : (
              <Light>
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
