/** A wallet address in groups of four with emphasised ends. Selected or read aloud, it contains no spaces. */
import styled from "styled-components";

const Whole = styled.span`
  display: block;
  font-family: var(--mono);
  font-size: var(--size-16);
  font-weight: 400;
  line-height: 1.7;
  letter-spacing: 0;
  color: var(--soft);
  text-wrap: balance;
`;

const Four = styled.span`
  display: inline-block;
  margin-inline-end: 0.5em;
  overflow-wrap: normal;

  &:last-child {
    margin-inline-end: 0;
  }
`;

const End = styled.b`
  font-weight: 700;
  color: var(--ink);
`;

/** How many characters are emphasised at each end, because careful payers compare those. */
const compared = 6;

export interface AddressProps {
  value: string;
}

export function Address({ value }: AddressProps) {
  const fours = value.match(/.{1,4}/g) ?? [];
  return (
    <Whole translate="no" dir="ltr" data-filled="address">
      {fours.map((four, index) => {
        const start = index * 4;
        const head = Math.min(Math.max(compared - start, 0), four.length);
        const tail = Math.max(Math.min(value.length - compared - start, four.length), head);
        return (
          <Four key={start}>
            {head > 0 ? <End>{four.slice(0, head)}</End> : null}
            {four.slice(head, tail)}
            {tail < four.length ? <End>{four.slice(tail)}</End> : null}
          </Four>
        );
      })}
    </Whole>
  );
}
