/** A column with even gaps. */
import styled from "styled-components";

/** `data-gap`: `none`, `tight` 8 px, `even` 16 px (default), `loose` 24 px, `wide` 32 px. `data-align="centre"` centres. */
export const Stack = styled.div`
  display: flex;
  flex-direction: column;
  gap: 16px;
  min-width: 0;

  &[data-gap="none"] {
    gap: 0;
  }
  &[data-gap="tight"] {
    gap: 8px;
  }
  &[data-gap="loose"] {
    gap: 24px;
  }
  &[data-gap="wide"] {
    gap: 32px;
  }
  &[data-align="centre"] {
    align-items: center;
    text-align: center;
  }
`;
