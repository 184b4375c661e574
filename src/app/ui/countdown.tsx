/** The time left to pay: a ring that empties like oil, a flame on its level, and the minutes beside it. */
import { useId, type ReactNode } from "react";
import styled from "styled-components";
import { digitsOf, isWarm } from "./clock-face.ts";
import { VisuallyHidden } from "./visually-hidden.tsx";

const Line = styled.div`
  --tone: var(--soft);
  display: flex;
  align-items: center;
  gap: 14px;
  min-width: 0;

  &[data-warm] {
    --tone: var(--accent);
  }
`;

const Lamp = styled.svg`
  width: 3.5rem;
  height: 3.5rem;
  overflow: visible;

  .track {
    fill: var(--card);
    stroke: var(--hairline);
    stroke-width: 3;
  }
  .left {
    fill: none;
    stroke: var(--tone);
    stroke-width: 3;
    stroke-linecap: round;
    stroke-dasharray: 1;
    stroke-dashoffset: calc(1 - var(--share, 1));
    transform: rotate(-90deg);
    transform-origin: 50% 50%;
  }
  .oil {
    transform: translateY(calc((1 - var(--share, 1)) * 34px));
  }
  .oil path {
    fill: var(--lamp-tint);
  }
  .oil .flame {
    fill: var(--lamp);
  }
  /* A second moves it by a fiftieth of a pixel, so an animation would paint sixty times as often without a visible difference. */
  &[data-out] .flame,
  &[data-out] .left {
    opacity: 0;
  }
`;

const Words = styled.div`
  display: grid;
  min-width: 0;
`;

const Digits = styled.span`
  font-size: var(--size-26);
  font-weight: 660;
  line-height: 1.2;
  letter-spacing: -0.01em;
  font-variant-numeric: tabular-nums;
  transition: color var(--screen-time) linear;

  [data-warm] & {
    color: var(--accent);
  }
`;

const Caption = styled.span`
  font-size: var(--size-14);
  line-height: 1.4;
  color: var(--soft);
`;

export interface CountdownProps {
  /** Seconds to the deadline, and at the start. */
  remaining: number;
  total: number;
  /** The accessible name. */
  label: string;
  /** Announced to screen readers when it changes; change it only now and then, not every second. */
  announcement?: string | undefined;
  /** Below the digits. */
  children?: ReactNode;
}

export function Countdown({ remaining, total, label, announcement, children }: CountdownProps) {
  const clip = useId();
  const seconds = Math.max(0, Math.ceil(remaining));
  const share = total > 0 ? Math.min(1, seconds / total) : 0;
  return (
    <Line data-warm={isWarm(share) ? "" : undefined}>
      <Lamp
        viewBox="0 0 56 56"
        aria-hidden="true"
        data-filled="share"
        data-out={seconds === 0 ? "" : undefined}
        // A prerendered page has no style attributes: its policy refuses them.
        style={share === 1 ? undefined : { ["--share" as string]: share }}
      >
        <clipPath id={clip}>
          <circle cx="28" cy="28" r="22.5" />
        </clipPath>
        <circle className="track" cx="28" cy="28" r="26" />
        <g clipPath={`url(#${clip})`}>
          <g className="oil">
            <path d="M0 18C9 16.6 18 16.6 28 18S47 19.4 56 18V90H0Z" />
            <path
              className="flame"
              transform="translate(20.8 4.6) scale(0.42)"
              d="M18 .9C18.8 9 28 13.5 26 23.4C25 28.2 20.8 31 16 31C11.2 31 7 28.2 6 23.4C4.6 12.6 14 7.4 18 .9Z"
            />
          </g>
        </g>
        <circle className="left" cx="28" cy="28" r="26" pathLength="1" />
      </Lamp>
      <Words>
        <Digits role="timer" aria-label={label} translate="no">
          {digitsOf(seconds)}
        </Digits>
        {children ? <Caption>{children}</Caption> : null}
      </Words>
      <VisuallyHidden aria-live="polite">{announcement}</VisuallyHidden>
    </Line>
  );
}
