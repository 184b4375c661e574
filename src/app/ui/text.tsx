/** Text styles by rank. */
import styled, { css } from "styled-components";

/** The heading of a section. */
export const Heading = styled.h2`
  font-size: var(--size-20);
`;

/** The main text of a card. */
export const Lead = styled.p`
  font-weight: 650;
`;

/** Balanced lines. Chinese ones break between clauses, not within a word, if a clause fits on a line. */
export const linesStyle = css`
  text-wrap: balance;

  @media (min-width: 20em) {
    &:lang(zh) {
      word-break: var(--by-clause);
      overflow-wrap: anywhere;
    }
  }
`;

export const Note = styled.p`
  ${linesStyle}
  font-size: var(--size-14);
  color: var(--soft);

  &[data-tone="failure"] {
    color: var(--failure);
  }
  &[data-tone="success"] {
    color: var(--success);
  }
`;

/** A price or a count, in digits of one width. */
export const Figures = styled.span`
  font-variant-numeric: tabular-nums;
  white-space: nowrap;
`;
