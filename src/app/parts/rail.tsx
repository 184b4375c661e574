/** Cards in a row that is pushed sideways; the next one shows its edge. */
import type { ComponentProps, ReactNode } from "react";
import styled from "styled-components";

const Track = styled.ul`
  display: flex;
  gap: 12px;
  /* Out to the screen's edges, in line with the text; above and below there is room for badges and rings. */
  margin: -16px calc(-1 * var(--rail-bleed, var(--gutter)));
  padding: 16px var(--rail-bleed, var(--gutter));
  overflow-x: auto;
  overscroll-behavior-x: contain;
  scroll-snap-type: x proximity;
  scroll-padding-inline: var(--rail-bleed, var(--gutter));
  scrollbar-width: none;
  -webkit-overflow-scrolling: touch;

  &::-webkit-scrollbar {
    display: none;
  }
  &:focus-visible {
    outline-offset: -4px;
    border-radius: var(--radius-card);
  }
  /* With a mouse the bar is the handle. */
  @media (hover: hover) and (pointer: fine) {
    scrollbar-width: thin;
    scrollbar-color: var(--edge) transparent;

    &::-webkit-scrollbar {
      display: initial;
    }
  }
`;

/** `--rail-item` sets the width; by default a large card that leaves a part of the next in view. */
export const RailItem = styled.li`
  flex: none;
  width: var(--rail-item, min(80%, 18.75rem));
  scroll-snap-align: start;
`;

export interface RailProps extends Omit<ComponentProps<"ul">, "aria-label"> {
  /** Names the row, for the ear; it can be scrolled with the arrow keys. */
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
