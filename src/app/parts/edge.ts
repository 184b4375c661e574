/** What a surface without a border has where the system chooses the colours, and leaves neither its shadow nor its ground: an edge. */
import { css } from "styled-components";

/** Not for what can be focused itself: it would stand in the place of the ring. */
export const edgeStyle = css`
  outline: 1px solid transparent;
`;
