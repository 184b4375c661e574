/** An outline for surfaces without a border in forced-colours mode, which removes shadows and backgrounds. */
import { css } from "styled-components";

/** Not for focusable elements: it would replace their focus ring. */
export const edgeStyle = css`
  outline: 1px solid transparent;
`;
