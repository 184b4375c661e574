/** A modal overlay with a breathing flame, for an operation that must not be interrupted. */
import { useId, type ReactNode } from "react";
import styled from "styled-components";
import { edgeStyle } from "./edge.ts";
import { fadeIn, fadeOut } from "./fade.ts";
import { Flame } from "./flame.tsx";
import { lingering, type Lingering } from "./use-presence.ts";
import { useModal } from "./modal.ts";

const Surface = styled.dialog`
  position: fixed;
  inset: 0;
  width: fit-content;
  min-width: min(220px, 100% - 48px);
  max-width: min(320px, 100% - 48px);
  height: fit-content;
  margin: auto;
  padding: 32px 28px 28px;
  border: 0;
  border-radius: var(--radius-sheet);
  background: var(--card);
  color: var(--ink);
  box-shadow: var(--shadow-floating);
  ${edgeStyle}
  cursor: progress;
  animation: ${fadeIn} var(--move-time) ease-out;

  &[open] {
    display: grid;
    justify-items: center;
    gap: 20px;
  }
  &::backdrop {
    background: var(--veil, rgb(8 12 22 / 0.5));
    cursor: progress;
    animation: ${fadeIn} var(--move-time, 240ms) ease-out;
  }
  &[data-leaving] {
    animation: ${fadeOut} var(--touch-time) ease-in forwards;

    &::backdrop {
      animation: ${fadeOut} var(--touch-time, 120ms) ease-in forwards;
    }
  }
`;

/** The lamp's light around the flame. */
const Glow = styled.span`
  display: grid;
  place-items: center;
  width: 6rem;
  height: 6rem;
  border-radius: 50%;
  background: radial-gradient(circle, var(--glow) 0 44%, transparent 45%), var(--glow);
`;

const Words = styled.p`
  font-weight: 600;
  line-height: 1.45;
  text-align: center;
  text-wrap: balance;

  &:focus-visible {
    outline: none;
  }
`;

export interface BusyOverlayProps {
  /** Offered once the wait is long. */
  action?: ReactNode;
  /** The operation in progress. */
  children: ReactNode;
}

/** The user cannot close it: its owner does when the operation ends. */
export const BusyOverlay = lingering(OpenOverlay);

function OpenOverlay({ surface, leaving, action, children }: BusyOverlayProps & Lingering) {
  const words = useId();
  const modal = useModal(
    surface,
    () => {
      // Some browsers close a dialog on the second Escape without a cancel event, so it is opened again.
      if (surface.current && !surface.current.open) surface.current.showModal();
    },
    false,
  );
  return (
    <Surface
      ref={surface}
      {...modal}
      role="alertdialog"
      aria-labelledby={words}
      data-leaving={leaving ? "" : undefined}
    >
      <Glow>
        <Flame size={48} />
      </Glow>
      <Words id={words} tabIndex={-1} data-first-focus="">
        {children}
      </Words>
      {action}
    </Surface>
  );
}
