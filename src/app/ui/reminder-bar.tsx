/** A line at the foot of a page, with what may be done about it. */
import { styled } from "styled-components";

/** Sticky while the page scrolls; it ends below the footer and never covers it. */
export const ReminderBar = styled.aside`
  position: sticky;
  inset-block-end: 0;
  z-index: 2;
  padding: 12px calc(16px + var(--safe-right)) calc(12px + env(safe-area-inset-bottom, 0px))
    calc(16px + var(--safe-left));
  border-block-start: 1px solid var(--hairline);
  background: var(--card);

  > div {
    display: grid;
    grid-template-columns: 1fr auto;
    align-items: center;
    gap: 12px;
    max-width: 1120px;
    margin-inline: auto;
  }
  strong {
    display: block;
    font-size: var(--size-14);
    line-height: 1.35;
  }
  small {
    display: block;
    font-size: var(--size-14);
    line-height: 1.35;
    color: var(--soft);
    font-variant-numeric: tabular-nums;
  }
  a {
    white-space: nowrap;
    padding-inline: 20px;
  }
`;
