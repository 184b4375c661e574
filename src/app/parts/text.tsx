/** Words on the ground, by their rank. */
import styled from "styled-components";

/** Names a part of a screen. */
export const Heading = styled.h2`
  font-size: var(--size-20);
`;

export const Note = styled.p`
  font-size: var(--size-14);
  color: var(--soft);
  text-wrap: balance;

  &[data-tone="failure"] {
    color: var(--failure);
  }
  &[data-tone="success"] {
    color: var(--success);
  }
`;

/** A price or a count: figures of one width. */
export const Figures = styled.span`
  font-variant-numeric: tabular-nums;
  white-space: nowrap;
`;
