/** A short text in a small pill: a discount, a membership, a status. */
import styled from "styled-components";

/** `data-tone`: `plain` (default), `accent`, `lamp`, `success`, `failure`. */
export const Badge = styled.span`
  display: inline-flex;
  align-items: center;
  gap: 4px;
  padding: 2px 8px;
  border-radius: 999px;
  background: var(--well);
  color: var(--soft);
  font-size: var(--size-12);
  font-weight: 600;
  line-height: 1.5;
  font-variant-numeric: tabular-nums;
  white-space: nowrap;

  .icon {
    width: 1.1em;
    height: 1.1em;
  }
  &[data-tone="accent"] {
    background: var(--accent-tint);
    color: var(--accent);
  }
  &[data-tone="lamp"] {
    background: var(--lamp);
    color: var(--on-lamp);
  }
  &[data-tone="success"] {
    background: var(--success-tint);
    color: var(--success);
  }
  &[data-tone="failure"] {
    background: var(--failure-tint);
    color: var(--failure);
  }
`;
