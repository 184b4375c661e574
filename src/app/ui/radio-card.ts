/** Shared by all radio cards: the visually hidden native input and the card that shows its state. */
import styled, { css } from "styled-components";
import { edgeStyle } from "./edge.ts";

export const RadioLabel = styled.label`
  position: relative;
  display: block;
  min-width: 0;
  cursor: pointer;
`;

/** Covers the whole card, invisible: taps, keys and form values stay native. */
export const RadioInput = styled.input.attrs({ type: "radio" })`
  appearance: none;
  position: absolute;
  z-index: 1;
  inset: 0;
  width: 100%;
  height: 100%;
  opacity: 0;
  cursor: inherit;
`;

/** The visible card, directly after the input. `--chosen` is the ring's colour. */
export const radioFaceStyle = css`
  border-radius: var(--radius-card);
  background: var(--card);
  box-shadow: inset 0 0 0 1px var(--hairline);
  color: var(--ink);
  ${edgeStyle}
  transition:
    box-shadow var(--touch-time) var(--ease),
    background-color var(--touch-time) var(--ease);

  input:checked + & {
    box-shadow: inset 0 0 0 2px var(--chosen, var(--primary));
  }
  input:focus-visible + & {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
  input:active:not(:disabled) + & {
    background: var(--well);
  }
  input:disabled + & {
    background: var(--well);
    color: var(--faint);
  }
`;
