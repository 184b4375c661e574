/** A placeholder in the shape of content that is loading, with a passing shimmer. */
import styled, { keyframes } from "styled-components";

const pass = keyframes`to { transform: translateX(100%); }`;

const Block = styled.span`
  position: relative;
  display: block;
  width: var(--width, 100%);
  max-width: 100%;
  height: var(--height, 1em);
  border-radius: var(--round, 8px);
  background: var(--well);
  overflow: hidden;

  &::after {
    content: "";
    position: absolute;
    inset: 0;
    background: linear-gradient(100deg, transparent 20%, var(--glow) 50%, transparent 80%);
    transform: translateX(-100%);
    animation: ${pass} 1.8s ease-in-out infinite;
  }
  @media (prefers-reduced-motion: reduce) {
    &::after {
      animation: none;
    }
  }
`;

export interface SkeletonProps {
  /** CSS lengths. */
  width?: string | undefined;
  height?: string | undefined;
  radius?: string | undefined;
}

export function Skeleton({ width, height, radius }: SkeletonProps) {
  return (
    <Block
      aria-hidden="true"
      style={{
        ["--width" as string]: width,
        ["--height" as string]: height,
        ["--round" as string]: radius,
      }}
    />
  );
}
