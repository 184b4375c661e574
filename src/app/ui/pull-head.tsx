/** Pull-to-refresh indicator above the page: a flame that grows with the pull, and a status text. */
import { useLayoutEffect, useRef, type ReactNode } from "react";
import styled from "styled-components";
import { Check } from "lucide";
import { Flame } from "./flame.tsx";
import { Icon } from "./icon.tsx";
import { usePresence } from "./use-presence.ts";

/** Height of the head while it loads, which is also the most a touch can pull out, in pixels. */
const full = 50;
const reach = 280;

/** Takes no space: it slides from under the bar over the page, so that pulling causes no layout below. */
const Head = styled.div`
  position: relative;
  z-index: 10;
  flex: none;
  height: 0;
  pointer-events: none;
`;

/** Clips what is above it, behind the bar. */
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
    transition:
      transform 300ms var(--ease),
      visibility 300ms;
  }
  &[data-away] {
    visibility: hidden;
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
  padding-inline: 24px;
  font-size: var(--size-14);
  color: var(--soft);
`;

const Light = styled.span`
  display: grid;
  place-items: center;
  width: 1.5rem;
  height: 1.5rem;
  transform-origin: 50% 100%;

  .icon {
    width: 1.25rem;
    height: 1.25rem;
    color: var(--success);
  }
`;

type Phase = "normal" | "pulling" | "loosing" | "loading" | "success" | "offline";

export interface PullHeadProps {
  phase: Phase;
  /** Reports how far it is pulled out, in eased px: at once, and until the returned function is called. */
  watch: (place: (distance: number) => void) => () => void;
  /** The text of each phase; none when hidden. */
  words: Record<Exclude<Phase, "normal">, ReactNode>;
}

export function PullHead({ phase, watch, words }: PullHeadProps) {
  const inside = useRef<HTMLDivElement>(null);
  const light = useRef<HTMLSpanElement>(null);
  const { shown } = usePresence(phase === "normal" ? null : phase, inside);
  const isLit = shown !== null;

  // Without React, and on the moving element only: a custom property would be inherited and restyle its
  // descendants.
  useLayoutEffect(
    () =>
      watch((distance) => {
        // One pixel more hides the line at the lower edge, too.
        if (inside.current) inside.current.style.transform = `translate3d(0, ${distance - reach - 1}px, 0)`;
        // The flame stays lit while the head moves out.
        if (!isLit || !light.current || distance === 0) return;
        const pulled = Math.min(1, distance / full);
        light.current.style.opacity = String(0.25 + 0.75 * pulled);
        light.current.style.transform = `scale(${0.4 + 0.6 * pulled})`;
      }),
    [watch, isLit],
  );

  return (
    <Head>
      <Window>
        <Inside
          ref={inside}
          data-settling={phase === "pulling" || phase === "loosing" ? undefined : ""}
          data-away={phase === "normal" ? "" : undefined}
        >
          <Words role="status">
            {shown ? (
              <>
                <Light ref={light}>
                  {shown === "success" ? (
                    <Icon of={Check} />
                  ) : (
                    <Flame size={22} still={shown !== "loading"} />
                  )}
                </Light>
                {words[shown]}
              </>
            ) : null}
          </Words>
        </Inside>
      </Window>
    </Head>
  );
}
