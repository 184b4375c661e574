/** The status of a payment: the lamp's picture, one word, and what it means. */
import type { ReactNode } from "react";
import styled, { keyframes } from "styled-components";
import { fadeIn } from "./fade.ts";
import { linesStyle } from "./text.tsx";

const goOut = keyframes`from { opacity: 1; }`;
const spread = keyframes`
  from { opacity: 0; transform: scale(0.3); }
  40% { opacity: 1; }
  to { opacity: 0; transform: scale(1.25); }
`;
const settle = keyframes`from { opacity: 0; transform: translateY(6px); }`;

const Frame = styled.div`
  display: grid;
  justify-items: center;
  padding: 8px 0 4px;
  text-align: center;
`;

const Picture = styled.div`
  position: relative;
  display: grid;
  place-items: center;
  margin-bottom: 12px;

  > * {
    grid-area: 1 / 1;
  }
  /* Smaller in a low window, so that the payment's details are visible too. */
  img {
    width: auto;
    height: clamp(96px, 15vh, 160px);
    aspect-ratio: 5 / 4;
  }
  /* The success animation: the small flame becomes the lamp, and its light spreads over the screen once. */
  &[data-lights] {
    img:last-child {
      animation: ${fadeIn} 700ms ease-out 180ms both;
    }
    img:not(:last-child) {
      opacity: 0;
      animation: ${goOut} 700ms ease-in 180ms both;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    &&[data-lights] img {
      animation-duration: var(--move-time);
      animation-delay: 0s;
    }
  }
`;

const Shine = styled.span`
  width: 220px;
  height: 220px;
  margin: -60px;
  border-radius: 50%;
  background: radial-gradient(circle, rgb(242 163 58 / 0.5), rgb(242 163 58 / 0.16) 45%, transparent 68%);
  opacity: 0;
  pointer-events: none;
  animation: ${spread} 1.4s var(--ease) 180ms;

  @media (prefers-reduced-motion: reduce) {
    animation: none;
  }
`;

const Word = styled.h2`
  font-size: var(--size-26);
  font-weight: 680;

  /* Only the app focuses it, for screen readers. */
  &:focus-visible {
    outline: none;
  }

  [data-status="confirmed"] > & {
    color: var(--success);
    animation: ${settle} var(--screen-time) var(--ease) 420ms both;
  }
  @media (prefers-reduced-motion: reduce) {
    [data-status="confirmed"] > & {
      animation: none;
    }
  }
  [data-status="failed"] > & {
    color: var(--failure);
  }
`;

const Meaning = styled.div`
  ${linesStyle}
  max-width: 24em;
  margin-top: 6px;
  color: var(--soft);
`;

/** Render it in an existing region with role `status`, so that changes are announced. */
export interface StatusSealProps {
  status: "confirmed" | "pending" | "failed" | "cancelled";
  /** An `img` of 200 × 160; decorative. */
  picture: ReactNode;
  /** Confirmed: the picture of the state before, from which the lamp lights up. */
  before?: ReactNode;
  word: ReactNode;
  children?: ReactNode;
}

export function StatusSeal({ status, picture, before, word, children }: StatusSealProps) {
  const lights = status === "confirmed";
  return (
    <Frame data-status={status}>
      <Picture data-lights={lights ? "" : undefined}>
        {lights ? <Shine aria-hidden="true" /> : null}
        {before}
        {picture}
      </Picture>
      <Word data-news="">{word}</Word>
      {children ? <Meaning>{children}</Meaning> : null}
    </Frame>
  );
}
