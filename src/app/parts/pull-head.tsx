/** What shows above a page that is pulled down: a flame that grows with the pull, and a word. */
import type { ReactNode } from "react";
import styled from "styled-components";
import { Check } from "lucide-react";
import { Flame } from "./flame.tsx";

const Head = styled.div`
  position: relative;
  flex: none;
  height: var(--distance);
  overflow: hidden;

  &[data-settling] {
    transition: height 300ms var(--ease);
  }
  @media (prefers-reduced-motion: reduce) {
    &[data-settling] {
      transition: none;
    }
  }
`;

const Inside = styled.div`
  position: absolute;
  inset: auto 0 0;
  display: flex;
  align-items: center;
  justify-content: center;
  gap: 8px;
  min-height: 50px;
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

/** Height of the head at rest while it loads, in pixels. */
const full = 50;

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
    <Head
      data-settling={byFinger ? undefined : ""}
      style={{
        ["--distance" as string]: `${distance}px`,
        ["--pulled" as string]: byFinger ? Math.min(1, distance / full) : 1,
      }}
    >
      <Inside role="status">
        {phase === "normal" ? null : (
          <Light>
            {phase === "success" ? <Check aria-hidden="true" /> : <Flame size={22} still={byFinger} />}
          </Light>
        )}
        {children}
      </Inside>
    </Head>
  );
}
