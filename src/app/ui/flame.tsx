/** The brand's flame, animated as a progress indicator. */
import styled, { keyframes } from "styled-components";

const breathe = keyframes`
  0%, 100% { transform: scale(1, 1) skewX(0deg); }
  30% { transform: scale(0.97, 1.04) skewX(-2deg); }
  65% { transform: scale(1.02, 0.97) skewX(1.6deg); }
`;

const signal = keyframes`
  0%, 55%, 100% { opacity: 1; }
  25% { opacity: 0.32; }
`;

const Drawing = styled.svg`
  width: var(--flame-size, 1.25em);
  height: var(--flame-size, 1.25em);
  overflow: visible;
  fill: var(--flame-colour, var(--lamp));

  g {
    transform-origin: 50% 100%;
  }
  &:not([data-still]) g {
    animation: ${breathe} 1.8s ease-in-out infinite;
  }
  &:not([data-still]) path {
    animation: ${signal} 1.8s ease-in-out infinite;
  }
  &:not([data-still]) path:nth-child(2) {
    animation-delay: 0.18s;
  }
  &:not([data-still]) path:nth-child(1) {
    animation-delay: 0.36s;
  }
  @media (prefers-reduced-motion: reduce) {
    &&:not([data-still]) g {
      animation: none;
    }
    &&:not([data-still]) path {
      animation-duration: 3.6s;
      animation-delay: 0s;
    }
  }
`;

export interface FlameProps {
  /** Pixels; by default slightly larger than the text beside it. */
  size?: number | undefined;
  /** Not animated, because nothing is pending. */
  still?: boolean | undefined;
}

export function Flame({ size, still }: FlameProps) {
  return (
    <Drawing
      viewBox="0 0 32 32"
      aria-hidden="true"
      data-still={still ? "" : undefined}
      style={size === undefined ? undefined : { ["--flame-size" as string]: `${size / 16}rem` }}
    >
      <g>
        <path d="M18 .9C18.6 6.9 24.1 11.3 25.4 17.6A14.7 14.7 0 0 0 6.6 17.6C7.9 10.4 14.5 6.4 18 .9Z" />
        <path d="M6.3 21.4A12.2 12.2 0 0 1 25.7 21.4C25.5 23.5 24.8 25.3 23.8 26.8A8.1 8.1 0 0 0 8.2 26.8C7.2 25.3 6.5 23.5 6.3 21.4Z" />
        <path d="M10.4 29.1A5.6 5.6 0 0 1 21.6 29.1C20 30.3 18.1 31 16 31S12 30.3 10.4 29.1Z" />
      </g>
    </Drawing>
  );
}
