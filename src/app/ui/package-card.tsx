/** A package to select: its length, its price in total and per day, and the discount. */
import type { ComponentProps, ReactNode } from "react";
import styled, { css, type RuleSet } from "styled-components";
import { Badge } from "./badge.tsx";
import { Flame } from "./flame.tsx";
import { radioFaceStyle, RadioInput, RadioLabel } from "./radio-card.ts";
import { RadioMark } from "./radio-mark.tsx";
import { Sentence } from "./sentence.tsx";

/** Packages in a column, with room for the badges on their upper edges. */
export const PackageList = styled.div`
  container-type: inline-size;
  display: grid;
  gap: 18px;
`;

/**
 * A group of packages. In a long list (`data-many`) groups far from the viewport skip style and layout, so that a
 * thousand packages scroll like four. Groups, because the browser would otherwise track each package; padding keeps
 * badges and focus rings inside what a group may paint.
 */
export const PackageGroup = styled(PackageList)`
  &[data-many] {
    margin: -16px -8px;
    padding: 16px 8px;
    content-visibility: auto;
    contain-intrinsic-block-size: auto 2214px;
  }
`;

/** On a narrow card. Safari 15 and Chrome before 105 use the window's width instead of the card's. Decision 15. */
const onNarrow = (style: RuleSet) => css`
  @container (width < 20em) {
    ${style}
  }
  @supports not (width: 1cqi) {
    @media (max-width: 22em) {
      ${style}
    }
  }
`;

/** All cards use the same layout at a given width: cards that wrap one by one would look uneven. */
const Face = styled.span`
  ${radioFaceStyle}
  --chosen: var(--lamp);
  --mark-colour: var(--lamp);
  --mark-ink: var(--on-lamp);
  --far: end;
  display: grid;
  grid-template:
    "mark ." auto
    "mark ." auto / calc(1.5rem + 8px) 1fr;
  align-content: center;
  align-items: baseline;
  gap: 3px 8px;
  min-height: 92px;
  padding: 1.125rem 16px;

  > :first-child {
    grid-area: mark;
    align-self: center;
  }
  ${onNarrow(css`
    grid-template:
      "mark name price price"
      "mark day day was"
      "mark off off off" / calc(1.5rem + 8px) auto 1fr auto;
  `)}
  /* A very large text size. */
  @container (width < 16em) {
    grid-template:
      "mark name"
      "price price"
      "was was"
      "day day"
      "off off" / calc(1.5rem + 8px) 1fr;
    --far: start;
    column-gap: 0;
    padding-inline: 12px;
  }

  input:checked + && {
    background: var(--chosen-ground, var(--card));
    box-shadow:
      inset 0 0 0 2px var(--lamp),
      0 0 0 4px var(--glow);
  }
`;

/** One line of content, if there is room; a narrow card places its parts separately. */
const Line = styled.span`
  display: flex;
  align-items: baseline;
  gap: 8px;

  > :first-child {
    margin-inline-end: auto;
  }
  ${onNarrow(css`
    display: contents;
  `)}
`;

const nameStyle = css`
  min-width: 0;
  font-weight: 620;
  line-height: 1.35;
  /* A long package name must not push the price off the screen. */
  overflow-wrap: anywhere;
`;

const Name = styled.span`
  ${nameStyle}
  grid-area: name;
  font-size: 1.0625rem;
`;

const PerDay = styled.span`
  grid-area: day;
  font-size: var(--size-14);
  line-height: 1.4;
  color: var(--soft);
  font-variant-numeric: tabular-nums;
`;

const Price = styled.span`
  grid-area: price;
  justify-self: var(--far);
  font-size: 1.5rem;
  font-weight: 680;
  line-height: 1.15;
  letter-spacing: -0.02em;
  font-variant-numeric: tabular-nums;
  white-space: nowrap;
`;

const Currency = styled.span`
  font-size: var(--size-12);
  font-weight: 600;
  letter-spacing: 0.02em;
  color: var(--soft);
`;

const ListPrice = styled.s`
  grid-area: was;
  justify-self: var(--far);
  font-size: var(--size-14);
  line-height: 1.4;
  color: var(--faint);
  font-variant-numeric: tabular-nums;
  text-decoration-thickness: 1px;
`;

const Discount = styled(Badge)`
  grid-area: off;
  justify-self: var(--far);
`;

const Corner = styled.span`
  position: absolute;
  z-index: 2;
  top: 0;
  inset-inline-end: 16px;
  transform: translateY(-50%);
  display: inline-flex;
  align-items: center;
  gap: 4px;
  padding: 2px 10px 2px 7px;
  border-radius: 999px;
  background: var(--lamp-tint);
  box-shadow: 0 0 0 2px var(--ground);
  color: var(--ink);
  font-size: var(--size-12);
  font-weight: 620;
  line-height: 1.5;
  white-space: nowrap;
  pointer-events: none;
`;

function CornerBadge({ children }: { children: ReactNode }) {
  return (
    <Corner>
      <Flame size={12} still />
      {children}
    </Corner>
  );
}

export interface PackageFaceProps {
  name: ReactNode;
  /** `USD`; shown small before the figures. */
  currency: string;
  /** The figures only: `59.99`. */
  price: string;
  /** Before the discount; struck through, and hidden from screen readers because `discount` says it. */
  listPrice?: ReactNode;
  /** As a full text: `USD 0.16 a day`. */
  perDay?: ReactNode;
  /** As a full text: `Save 40%`. */
  discount?: ReactNode;
  /** On the upper edge, with a small flame. */
  badge?: ReactNode;
}

interface RadioProps extends Omit<ComponentProps<"input">, "name" | "type"> {
  /** The radio group's name; its value is the API's `pack_id`. */
  group: string;
}

export interface PackageCardProps extends PackageFaceProps, RadioProps {}

/** One of several in a `fieldset`: a native radio, so that arrow keys and forms work. */
export function PackageCard(props: PackageCardProps) {
  const { group, name, currency, price, listPrice, perDay, discount, badge, ...input } = props;
  return (
    <RadioLabel>
      <RadioInput {...input} name={group} />
      <Face>
        <RadioMark />
        <Line>
          <Name>{name}</Name>
          {listPrice ? (
            <ListPrice aria-hidden="true" translate="no">
              {listPrice}
            </ListPrice>
          ) : null}
          <Price translate="no">
            <Currency>{currency}</Currency> {price}
          </Price>
        </Line>
        <Line>
          <PerDay>
            <Sentence>{perDay}</Sentence>
          </PerDay>
          {discount ? (
            <Discount data-tone="accent">
              <Sentence>{discount}</Sentence>
            </Discount>
          ) : null}
        </Line>
      </Face>
      {badge ? <CornerBadge>{badge}</CornerBadge> : null}
    </RadioLabel>
  );
}

const TileShell = styled.button`
  position: relative;
  display: flex;
  flex-direction: column;
  align-items: flex-start;
  gap: 2px;
  width: 100%;
  height: 100%;
  min-height: 136px;
  padding: 1.125rem 16px 14px;
  border-radius: var(--radius-card);
  background: var(--card);
  box-shadow: inset 0 0 0 1px var(--hairline);
  text-align: start;
  transition:
    background-color var(--touch-time) var(--ease),
    transform var(--touch-time) var(--ease);

  &:active:not(:disabled) {
    background: var(--well);
    transform: scale(0.985);
  }
  @media (forced-colors: active) {
    border: 1px solid;
  }
  @media (hover: hover) {
    &:hover:not(:disabled) {
      background: var(--well);
    }
  }
`;

const TileName = styled.span`
  ${nameStyle}
  font-size: var(--size-14);
  color: var(--soft);
`;

const TilePrice = styled(Price)`
  margin-top: 4px;
  white-space: normal;
`;

const TileEnd = styled.span`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 4px 8px;
  margin-top: auto;
  padding-top: 10px;
`;

export interface PackageTileProps extends PackageFaceProps, Omit<ComponentProps<"button">, "name"> {}

/** The small card of the personal centre: a tap opens the payment methods. */
export function PackageTile(props: PackageTileProps) {
  const { name, currency, price, listPrice, perDay, discount, badge, ...button } = props;
  return (
    <TileShell type="button" aria-haspopup="dialog" {...button}>
      <TileName>{name}</TileName>
      <TilePrice translate="no">
        <Currency>{currency}</Currency> {price}
      </TilePrice>
      {perDay ? (
        <PerDay>
          <Sentence>{perDay}</Sentence>
        </PerDay>
      ) : null}
      {listPrice || discount ? (
        <TileEnd>
          {discount ? (
            <Discount data-tone="accent">
              <Sentence>{discount}</Sentence>
            </Discount>
          ) : null}
          {listPrice ? (
            <ListPrice aria-hidden="true" translate="no">
              {listPrice}
            </ListPrice>
          ) : null}
        </TileEnd>
      ) : null}
      {badge ? <CornerBadge>{badge}</CornerBadge> : null}
    </TileShell>
  );
}
