/** What became of a payment: the lamp in its state, one word, and what it means. */
import type { ReactNode } from "react";
import styled from "styled-components";

const Frame = styled.div`
  display: grid;
  justify-items: center;
  padding: 8px 0 4px;
  text-align: center;
`;

const Picture = styled.div`
  display: grid;
  place-items: center;
  min-height: 160px;
  margin-bottom: 12px;

  img {
    width: 200px;
    height: 160px;
  }
`;

const Word = styled.h2`
  font-size: var(--size-26);
  font-weight: 680;

  [data-status="confirmed"] > & {
    color: var(--success);
  }
  [data-status="failed"] > & {
    color: var(--failure);
  }
`;

const Meaning = styled.div`
  max-width: 24em;
  margin-top: 6px;
  color: var(--soft);
  text-wrap: balance;
`;

/** Stands in a region of role `status` that was there before it, so that a change of it is heard. */
export interface StatusSealProps {
  status: "confirmed" | "pending" | "failed" | "cancelled";
  /** An `img` of 200 × 160; decoration. */
  picture: ReactNode;
  word: ReactNode;
  children?: ReactNode;
}

export function StatusSeal({ status, picture, word, children }: StatusSealProps) {
  return (
    <Frame data-status={status}>
      <Picture>{picture}</Picture>
      <Word>{word}</Word>
      {children ? <Meaning>{children}</Meaning> : null}
    </Frame>
  );
}
