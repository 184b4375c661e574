/** The flame that breathes while something is being waited for. */
import styled, { keyframes } from "styled-components";

const breathe = keyframes`
  0%, 100% { transform: scale(1, 1) skewX(0deg); }
  30% { transform: scale(0.95, 1.06) skewX(-2.5deg); }
  62% { transform: scale(1.03, 0.94) skewX(2deg); }
`;

const glow = keyframes`
  0%, 100% { opacity: 1; transform: scale(1); }
  50% { opacity: 0.55; transform: scale(0.86); }
`;

const fade = keyframes`
  0%, 100% { opacity: 1; }
  50% { opacity: 0.6; }
`;

const Drawing = styled.svg`
  width: var(--flame-size, 1.25em);
  height: var(--flame-size, 1.25em);
  overflow: visible;

  path {
    transform-box: fill-box;
    transform-origin: 50% 100%;
  }
  .body {
    fill: var(--flame-body, var(--lamp));
  }
  .heart {
    fill: var(--flame-heart, #fff3d9);
  }
  &:not([data-still]) {
    .body {
      animation: ${breathe} 1.9s ease-in-out infinite;
    }
    .heart {
      animation: ${glow} 1.9s ease-in-out infinite;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    &&:not([data-still]) .body {
      animation: ${fade} 2.4s ease-in-out infinite;
    }
    &&:not([data-still]) .heart {
      animation: none;
    }
  }
`;

/** The outlines, on a 24 × 24 grid, for parts that draw the flame their own way. */
export const flameBody =
  "M12.9 1.6c.5 3-1 4.9-2.9 7.1-2.1 2.4-4.3 4.6-4.3 8a6.6 6.6 0 0 0 6.6 6.5 6.3 6.3 0 0 0 6.2-6.4c0-2.7-1.2-4.5-2.6-6.6-1.6-2.4-3.2-4.9-3-8.6Z";
export const flameHeart =
  "M12.3 12.6c.1 1.5-.7 2.3-1.5 3.3-.7.8-1.2 1.6-1.2 2.7a2.75 2.75 0 0 0 5.5.1c0-1.2-.5-2-1.2-3-.7-.9-1.4-1.8-1.6-3.1Z";

export interface FlameProps {
  /** Pixels; by default a little more than the text beside it. */
  size?: number | undefined;
  /** Does not breathe: the light is on and nothing is awaited. */
  still?: boolean | undefined;
}

export function Flame({ size, still }: FlameProps) {
  return (
    <Drawing
      viewBox="0 0 24 24"
      aria-hidden="true"
      data-still={still ? "" : undefined}
      style={size === undefined ? undefined : { ["--flame-size" as string]: `${size / 16}rem` }}
    >
      <path className="body" d={flameBody} />
      <path className="heart" d={flameHeart} />
    </Drawing>
  );
}
