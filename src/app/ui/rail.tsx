/** A row of cards that scrolls sideways; the next card is partly visible. */
import type { ComponentProps, ReactNode } from "react";
import styled from "styled-components";

const Track = styled.ul`
  display: flex;
  gap: 12px;
  /* Extends to the screen's edges, aligned with the text; the padding above and below is for badges and focus rings. */
  margin: -16px calc(-1 * var(--rail-bleed, var(--gutter)));
  padding: 16px var(--rail-bleed, var(--gutter));
  overflow-x: auto;
  overscroll-behavior-x: contain;
  scroll-snap-type: x proximity;
  scroll-padding-inline: var(--rail-bleed, var(--gutter));
  scrollbar-width: none;

  &::-webkit-scrollbar {
    display: none;
  }
  &:focus-visible {
    outline-offset: -4px;
    border-radius: var(--radius-card);
  }
  /* With a mouse the scrollbar is needed. */
  @media (hover: hover) and (pointer: fine) {
    scrollbar-width: thin;
    scrollbar-color: var(--edge) transparent;

    &::-webkit-scrollbar {
      display: initial;
    }
  }
`;

/** `--rail-item` sets the width; by default a large card that leaves part of the next one visible. */
export const RailItem = styled.li`
  flex: none;
  width: var(--rail-item, min(80%, 18.75rem));
  scroll-snap-align: start;
`;

export interface RailProps extends Omit<ComponentProps<"ul">, "aria-label"> {
  /** The accessible name of the row, which scrolls with the arrow keys. */
  label: string;
  /** Width of each card, a CSS length. */
  itemWidth?: string | undefined;
  /** `RailItem`s. */
  children: ReactNode;
}

export function Rail({ label, itemWidth, children, ...rest }: RailProps) {
  return (
    <Track
      tabIndex={0}
      {...rest}
      aria-label={label}
      style={itemWidth === undefined ? undefined : { ["--rail-item" as string]: itemWidth }}
    >
      {children}
    </Track>
  );
}
