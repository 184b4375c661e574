/** A date on three wheels: year, month and day, in the order of the user's language. */
import styled from "styled-components";
import { Wheel } from "./wheel.tsx";

const Columns = styled.div`
  display: grid;
  grid-auto-flow: column;
  container-type: inline-size;
  /* Small enough for the longest month at 320 px, with the row height to match. */
  @supports (width: 1cqi) {
    --option-height: max(44px, min(2.75rem, 15cqi));
    --option-face: min(var(--size-20), 6.6cqi);
  }
  /* One highlight across the three wheels. */
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

/** Shares of the width: a month's name may be long. */
const shares = { year: "1fr", month: "1.3fr", day: "1fr" };

export interface DateWheelsProps {
  value: Record<Part, number>;
  /** The options of each wheel, ascending, within the allowed span (`dayChoices` of the dates). */
  choices: { years: readonly number[]; months: readonly number[]; days: readonly number[] };
  /** One wheel stopped on another number; the owner adjusts the date to it. */
  onTurn: (part: Part, to: number) => void;
  /** By language: year, month, day in Chinese; month, day, year or day, month, year in English. */
  order: readonly Part[];
  /** The accessible name of each wheel. */
  labels: Record<Part, string>;
  /** The option's label, such as `2001年`, `3月`, `5日`, or `2001`, `March`, `5`. */
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
