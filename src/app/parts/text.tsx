/** Words on the ground, by their rank. */
import styled from "styled-components";

/** Names a part of a screen. */
export const Heading = styled.h2`
  font-size: var(--size-20);
`;

/** Names a group of rows or cards. */
export const Label = styled.h2`
  font-size: var(--size-14);
  font-weight: 550;
  letter-spacing: 0;
  color: var(--soft);
`;

export const Text = styled.p`
  color: var(--soft);
`;

export const Note = styled.p`
  font-size: var(--size-14);
  color: var(--soft);

  &[data-tone="failure"] {
    color: var(--failure);
  }
  &[data-tone="success"] {
    color: var(--success);
  }
`;

export const Fine = styled.p`
  font-size: var(--size-12);
  color: var(--faint);
`;

/** A price or a count: figures of one width. */
export const Figures = styled.span`
  font-variant-numeric: tabular-nums;
  white-space: nowrap;
`;
