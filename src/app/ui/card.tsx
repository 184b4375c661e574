/** A raised surface that groups related content. */
import styled from "styled-components";

/** `data-tone`: `plain` (default), `lamp` (the one warm surface of a screen), `sunk`, `success`, `failure`. */
export const Card = styled.section`
  padding: 20px;
  border: 1px solid var(--hairline);
  border-radius: var(--radius-card);
  background: var(--card);
  min-width: 0;

  &[data-tone="lamp"] {
    border-color: var(--lamp-tint);
    background: radial-gradient(120% 160% at 100% 0, var(--accent-tint), transparent 72%), var(--card);
  }
  &[data-tone="sunk"] {
    border-color: transparent;
    background: var(--well);
  }
  &[data-tone="success"] {
    border-color: transparent;
    background: var(--success-tint);
  }
  &[data-tone="failure"] {
    border-color: transparent;
    background: var(--failure-tint);
  }
  &[data-padding="none"] {
    padding: 0;
    overflow: hidden;
  }
`;
