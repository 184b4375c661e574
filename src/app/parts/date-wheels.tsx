/** A day on three wheels: year, month and day, in the order of the reader's language. */
import styled from "styled-components";
import { Wheel } from "./wheel.tsx";

const Columns = styled.div`
  display: grid;
  grid-auto-flow: column;
  container-type: inline-size;
  /* No larger than what leaves room for the longest month at 320 px, and no higher than that needs. */
  @supports (width: 1cqi) {
    --option-height: max(44px, min(2.75rem, 15cqi));
    --option-face: min(var(--size-20), 6.6cqi);
  }
  /* One light across the three. */
  > * {
    --light-radius: 0;
  }
  > :first-child {
    --light-radius: var(--radius-small) 0 0 var(--radius-small);
  }
  > :last-child {
    --light-radius: 0 var(--radius-small) var(--radius-small) 0;
  }
`;

type Part = "year" | "month" | "day";

/** Shares of the width: the month may be a long word. */
const shares = { year: "1fr", month: "1.3fr", day: "1fr" };

export interface DateWheelsProps {
  value: Record<Part, number>;
  /** What each wheel holds, ascending, under whatever bounds there are (`dayChoices` of the dates). */
  choices: { years: readonly number[]; months: readonly number[]; days: readonly number[] };
  /** One wheel has come to rest on another number; the owner fits the day to it. */
  onTurn: (part: Part, to: number) => void;
  /** As the language has it: year, month, day in Chinese; month, day, year or day, month, year in English. */
  order: readonly Part[];
  /** What each wheel chooses, for the ear. */
  labels: Record<Part, string>;
  /** What stands on it, such as `2001年`, `3月`, `5日`, or `2001`, `March`, `5`. */
  format: Record<Part, (value: number) => string>;
}

export function DateWheels({ value, choices, onTurn, order, labels, format }: DateWheelsProps) {
  const numbers = { year: choices.years, month: choices.months, day: choices.days };
  return (
    <Columns style={{ gridTemplateColumns: order.map((part) => shares[part]).join(" ") }}>
      {order.map((part) => (
        <Wheel
          key={part}
          label={labels[part]}
          options={numbers[part].map((one) => ({ value: String(one), label: format[part](one) }))}
          value={String(value[part])}
          onChange={(to) => onTurn(part, Number(to))}
        />
      ))}
    </Columns>
  );
}
