/** The thin progress bar at the top during a navigation. */
import styled from "styled-components";

const Track = styled.div`
  position: fixed;
  z-index: 60;
  inset: 0 0 auto;
  height: calc(3px + var(--safe-top));
  overflow: hidden;
  opacity: 0;
  pointer-events: none;
  transition: opacity var(--move-time) ease-out var(--touch-time);

  &[data-visible] {
    opacity: 1;
    transition-delay: 0ms;
  }
  &::after {
    content: "";
    position: absolute;
    inset: auto 0 0;
    height: 3px;
    border-radius: 0 2px 2px 0;
    background: var(--lamp);
    box-shadow: 0 0 8px var(--lamp);
    transform: translateX(calc((var(--value, 0) - 1) * 100%));
  }
  &[data-visible]::after {
    transition: transform 500ms var(--ease);
  }
  @media (prefers-reduced-motion: reduce) {
    &&::after {
      transition: none;
    }
  }
`;

export interface ProgressBarProps {
  /** 0 to 1. */
  value: number;
  visible: boolean;
}

export function ProgressBar({ value, visible }: ProgressBarProps) {
  return (
    <Track
      aria-hidden="true"
      data-visible={visible ? "" : undefined}
      // A prerendered page has no style attributes: its policy refuses them.
      style={value === 0 ? undefined : { ["--value" as string]: value }}
    />
  );
}
