/** A checkbox with its label; it shakes when it was required and not ticked. */
import { useId, type ComponentProps, type ReactNode } from "react";
import styled, { keyframes } from "styled-components";
import { Check } from "lucide";
import { ErrorMessage } from "./field.tsx";
import { Icon } from "./icon.tsx";
import { linesStyle } from "./text.tsx";

const shake = keyframes`
  10%, 90% { transform: translateX(-2px); }
  25%, 75% { transform: translateX(4px); }
  40%, 60% { transform: translateX(-6px); }
  50% { transform: translateX(6px); }
`;

const flash = keyframes`
  30%, 70% { background-color: var(--failure-tint); }
`;

const Row = styled.div`
  display: grid;
  grid-template-columns: auto 1fr;
  align-items: start;
  border-radius: var(--radius-small);

  &[data-shaking] {
    animation: ${shake} 500ms linear both;
  }
  @media (prefers-reduced-motion: reduce) {
    &[data-shaking] {
      animation: ${flash} 500ms ease-out both;
    }
  }
`;

const Target = styled.span`
  position: relative;
  display: grid;
  place-items: center;
  width: 2.75rem;
  height: 2.75rem;
  margin-inline-start: -0.6875rem;
`;

const Box = styled.input`
  appearance: none;
  position: absolute;
  inset: 0;
  margin: 0;
  border-radius: var(--radius-small);
  cursor: pointer;

  &:focus-visible {
    outline-offset: -6px;
  }
`;

const Face = styled.span`
  display: grid;
  place-items: center;
  width: 1.375rem;
  height: 1.375rem;
  border: 1.5px solid var(--edge);
  border-radius: 7px;
  background: var(--card);
  color: var(--on-primary);
  pointer-events: none;
  transition:
    background-color var(--touch-time) var(--ease),
    border-color var(--touch-time) var(--ease);

  .icon {
    width: 1rem;
    height: 1rem;
    stroke-width: 2.5;
    opacity: 0;
    transform: scale(0.6);
    transition:
      opacity var(--touch-time) var(--ease),
      transform var(--touch-time) var(--ease);
  }
  input:checked + & {
    border-color: var(--primary);
    background: var(--primary);

    .icon {
      opacity: 1;
      transform: none;
    }
  }
  input[aria-invalid="true"] + & {
    border-color: var(--failure);
    box-shadow: 0 0 0 1px var(--failure);
  }
`;

const Words = styled.label`
  ${linesStyle}
  padding: 0.7rem 0;
  font-size: var(--size-14);
  line-height: 1.55;
  color: var(--soft);
  cursor: pointer;

  [data-invalid] > & {
    color: var(--failure);
  }
`;

const Said = styled.div`
  grid-column: 1 / -1;
`;

export interface CheckboxProps extends Omit<ComponentProps<"input">, "type"> {
  /** The label; links in it stay links. */
  children: ReactNode;
  /** Shakes once, for 500 ms; with reduced motion it flashes. */
  shaking?: boolean | undefined;
  /** The error and how to fix it. Marks the checkbox as invalid. */
  error?: ReactNode;
}

export function Checkbox({ children, shaking, error, id, ...input }: CheckboxProps) {
  const ownId = useId();
  const inputId = id ?? ownId;
  return (
    <Row data-shaking={shaking ? "" : undefined} data-invalid={error ? "" : undefined}>
      <Target>
        <Box
          type="checkbox"
          {...input}
          id={inputId}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${inputId}-error` : undefined}
        />
        <Face>
          <Icon of={Check} />
        </Face>
      </Target>
      <Words htmlFor={inputId}>{children}</Words>
      {error ? (
        <Said>
          <ErrorMessage id={`${inputId}-error`}>{error}</ErrorMessage>
        </Said>
      ) : null}
    </Row>
  );
}
