/** The round mark of a radio card; follows the state of the radio beside it. */
import styled from "styled-components";
import { Check } from "lucide";
import { Icon } from "./icon.tsx";

const Ring = styled.span`
  display: grid;
  place-items: center;
  flex: none;
  width: 1.5rem;
  height: 1.5rem;
  border: 1.5px solid var(--edge);
  border-radius: 50%;
  background: var(--card);
  color: var(--mark-ink, var(--on-primary));
  transition:
    background-color var(--touch-time) var(--ease),
    border-color var(--touch-time) var(--ease);

  .icon {
    width: 1rem;
    height: 1rem;
    stroke-width: 2.5;
    opacity: 0;
    transform: scale(0.5);
    transition:
      opacity var(--touch-time) var(--ease),
      transform var(--move-time) var(--ease);
  }
  input:checked + * & {
    border-color: var(--mark-colour, var(--primary));
    background: var(--mark-colour, var(--primary));

    .icon {
      opacity: 1;
      transform: none;
    }
  }
`;

/** Render it inside the element that follows the radio input. */
export function RadioMark() {
  return (
    <Ring>
      <Icon of={Check} />
    </Ring>
  );
}
