/** Points to the top right corner of the screen, where in-app browsers have the menu for opening the page in another browser. */
import { useId, type ReactNode } from "react";
import styled, { keyframes } from "styled-components";
import hint from "../pictures/wechat-hint.svg?no-inline";
import { Button } from "./button.tsx";
import { fadeIn, fadeOut } from "./fade.ts";
import { lingering, type Lingering } from "./use-presence.ts";
import { useModal } from "./modal.ts";
import { linesStyle } from "./text.tsx";

const point = keyframes`
  0%, 100% { transform: none; }
  50% { transform: translate(6px, -6px); }
`;

/** Dark in both colour schemes, so that only the hint stands out. */
const Surface = styled.dialog`
  position: fixed;
  inset: 0;
  width: 100%;
  max-width: none;
  height: 100%;
  max-height: none;
  padding: calc(12px + var(--safe-top)) calc(20px + var(--safe-right)) calc(24px + var(--safe-bottom))
    calc(20px + var(--safe-left));
  border: 0;
  background: rgb(10 15 28 / 0.94);
  color: #fbf8f2;
  overflow-y: auto;
  animation: ${fadeIn} var(--move-time) ease-out;

  &[open] {
    display: flex;
    flex-direction: column;
    align-items: flex-end;
  }
  &::backdrop {
    background: none;
  }
  &[data-leaving] {
    animation: ${fadeOut} var(--touch-time) ease-in forwards;
    pointer-events: none;
  }
`;

const Picture = styled.img`
  flex: none;
  animation: ${point} 1.8s ease-in-out infinite;

  @media (prefers-reduced-motion: reduce) {
    animation: none;
  }
`;

const Words = styled.p`
  ${linesStyle}
  width: 100%;
  max-width: 22em;
  margin: 20px auto 28px;
  font-size: var(--size-20);
  font-weight: 600;
  line-height: 1.45;
  text-align: center;

  &:focus-visible {
    outline: none;
  }
`;

const Leave = styled.div`
  align-self: center;

  > button[data-tone] {
    --face-colour: transparent;
    --text-colour: #fbf8f2;
    --edge-colour: #9a968e;
    --pressed-colour: #26314c;
  }
`;

export interface HintOverlayProps {
  closeLabel: ReactNode;
  /** By the button, a tap anywhere, or Escape. */
  onClose: () => void;
  /** What to tap there, and why. */
  children: ReactNode;
}

export const HintOverlay = lingering(OpenHint);

function OpenHint({ closeLabel, onClose, children, surface, leaving }: HintOverlayProps & Lingering) {
  const words = useId();
  const modal = useModal(surface, onClose, !leaving);
  return (
    <Surface
      ref={surface}
      {...modal}
      aria-labelledby={words}
      data-leaving={leaving ? "" : undefined}
      onClick={onClose}
    >
      <Picture src={hint} width={160} height={160} alt="" />
      <Words id={words} tabIndex={-1} data-first-focus="">
        {children}
      </Words>
      <Leave>
        <Button tone="secondary" size="small">
          {closeLabel}
        </Button>
      </Leave>
    </Surface>
  );
}
