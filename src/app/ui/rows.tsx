/** Rows in a card: settings to open, options to select, details to read. */
import type { ComponentProps, ReactNode } from "react";
import styled, { css } from "styled-components";
import { Check, ChevronRight } from "lucide";
import { leavesFocus } from "./focus.ts";
import { Icon } from "./icon.tsx";
import { Sentence } from "./sentence.tsx";

export const Rows = styled.ul`
  border: 1px solid var(--hairline);
  border-radius: var(--radius-card);
  background: var(--card);
  overflow: hidden;

  &[data-bare] {
    border: 0;
    border-radius: 0;
    background: none;
  }
`;

/** One row; holds a `RowButton`, a link with the row's look, or only a `RowBody`. */
export const Row = styled.li`
  position: relative;

  & + &::before {
    content: "";
    position: absolute;
    z-index: 1;
    inset: 0 16px auto var(--row-inset, 16px);
    border-top: 1px solid var(--hairline);
  }
`;

const bodyStyle = css`
  display: flex;
  align-items: center;
  gap: 4px 12px;
  width: 100%;
  min-height: 56px;
  padding: 12px 16px;
  color: var(--ink);
  text-align: start;
  text-decoration: none;
`;

const Static = styled.div`
  ${bodyStyle}
`;

/** The look of a row that can be tapped. */
export const rowStyle = css`
  ${bodyStyle}
  cursor: pointer;
  transition: background-color var(--touch-time) var(--ease);

  &:focus-visible {
    outline-offset: -2px;
    border-radius: var(--radius-card);
  }
  @media (hover: hover) {
    &:hover:not(:disabled) {
      background: var(--well);
    }
  }
  &:active:not(:disabled) {
    background: var(--well);
  }
  &:disabled {
    cursor: default;
    color: var(--faint);
  }
`;

const PlainRowButton = styled.button`
  ${rowStyle}
`;

/** A row to tap; needs a `RowContent`. */
export const RowButton = (props: ComponentProps<"button">) => (
  <PlainRowButton type="button" ref={leavesFocus} {...props} />
);

/** A row that is a link; pass it to `linkWith`, with a `RowContent` inside. */
export const RowAnchor = styled.a`
  ${rowStyle}
`;

const Start = styled.span`
  display: grid;
  place-items: center;
  color: var(--soft);

  .icon {
    width: 1.375rem;
    height: 1.375rem;
  }
`;

const Main = styled.span`
  flex: 1 1 0;
  display: flex;
  flex-wrap: wrap;
  align-items: baseline;
  justify-content: space-between;
  gap: 0 16px;
  min-width: 0;
  line-height: 1.45;
`;

const Name = styled.span`
  min-width: 0;

  [data-tone="danger"] > & {
    color: var(--failure);
  }
  [data-reading] > & {
    font-size: var(--size-14);
    color: var(--soft);
  }
`;

const Value = styled.span`
  min-width: 0;
  margin-inline-start: auto;
  text-align: end;
  font-variant-numeric: tabular-nums;
  overflow-wrap: anywhere;
  color: var(--soft);

  [data-reading] > & {
    color: var(--ink);
    font-weight: 550;
  }
`;

const Small = styled.span`
  flex-basis: 100%;
  font-size: var(--size-14);
  color: var(--faint);
`;

const End = styled.span`
  display: grid;
  color: var(--faint);

  .icon {
    width: 1.25rem;
    height: 1.25rem;
  }
  &[data-mark="check"] {
    color: var(--accent);

    .icon {
      stroke-width: 2.25;
    }
  }
`;

export interface RowContentProps {
  label: ReactNode;
  value?: ReactNode;
  /** A second line, smaller. */
  note?: ReactNode;
  icon?: ReactNode;
  /** At the end: a chevron, the tick of the current option, or any small element. */
  mark?: "chevron" | "check" | "none" | undefined;
  end?: ReactNode;
  tone?: "plain" | "danger" | undefined;
  /** A detail to read: the label is muted, the value is not. */
  reading?: boolean | undefined;
}

/** The text may contain amounts. */
const sentence = (words: ReactNode) => (typeof words === "string" ? <Sentence>{words}</Sentence> : words);

export function RowContent({ label, value, note, icon, mark, end, tone, reading }: RowContentProps) {
  return (
    <>
      {icon ? <Start>{icon}</Start> : null}
      <Main data-tone={tone} data-reading={reading ? "" : undefined}>
        <Name>{sentence(label)}</Name>
        {value === undefined || value === null ? null : <Value>{sentence(value)}</Value>}
        {note ? <Small>{sentence(note)}</Small> : null}
      </Main>
      {end}
      {mark === "chevron" ? (
        <End>
          <Icon of={ChevronRight} />
        </End>
      ) : null}
      {mark === "check" ? (
        <End data-mark="check">
          <Icon of={Check} />
        </End>
      ) : null}
    </>
  );
}

/** A row without an action. */
export function RowBody(props: RowContentProps) {
  return (
    <Static>
      <RowContent {...props} />
    </Static>
  );
}
