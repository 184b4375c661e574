/** Words on the ground, by their rank. */
import styled, { css } from "styled-components";

/** Names a part of a screen. */
export const Heading = styled.h2`
  font-size: var(--size-20);
`;

/** What matters of what is said in a card. */
export const Lead = styled.p`
  font-weight: 650;
`;

/** Lines of even length. Chinese ones end where a clause does, not within a word, as far as a line has room for a clause. */
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

/** A price or a count: figures of one width. */
export const Figures = styled.span`
  font-variant-numeric: tabular-nums;
  white-space: nowrap;
`;
