/** The end of a membership: in words, and as the line of the personal center. Decision 31. */
import { Trans, useLingui } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { styled } from "styled-components";
import type { MembershipEnd } from "../../../machines/membership-end.ts";
import { ButtonAnchor } from "../ui/button.tsx";
import { formatDay, formatHour } from "./format.ts";
import { linkWith } from "./link.tsx";

const ButtonLink = linkWith(ButtonAnchor);

/** Quiet, and warmer from the third day before the end on. */
const Line = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 8px 12px;
  padding: 10px 12px 10px 16px;
  border-radius: var(--radius-small);
  background: var(--well);
  font-size: var(--size-14);

  &:not([data-phase="week"]) {
    background: var(--accent-tint);
  }
  > p {
    flex: 1 1 11em;
    font-weight: 550;
    text-wrap: balance;
  }
`;

export function EndWords({ end: { message, text, days } }: { end: MembershipEnd }): ReactNode {
  const { i18n } = useLingui();
  const day = formatDay(text, i18n.locale);
  const hour = formatHour(text, i18n.locale);
  const words: Record<MembershipEnd["message"], ReactNode> = {
    inDays: <Trans>Your membership ends in {days} days</Trans>,
    tomorrow: <Trans>Your membership ends tomorrow</Trans>,
    today: <Trans>Your membership ends today</Trans>,
    todayAt: <Trans>Your membership ends today at {hour}</Trans>,
    over: <Trans>Your membership ended on {day}</Trans>,
    overToday: <Trans>Your membership ended today at {hour}</Trans>,
  };
  return words[message];
}

export function EndLine({ end }: { end: MembershipEnd }) {
  return (
    <Line data-phase={end.phase}>
      <p>
        <EndWords end={end} />
      </p>
      <ButtonLink to="packages" data-tone="secondary" data-size="small">
        <Trans>Renew</Trans>
      </ButtonLink>
    </Line>
  );
}
