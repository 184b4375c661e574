/** The end of a membership in words: when it is, or was. Decision 31. */
import { Trans, useLingui } from "@lingui/react/macro";
import type { ReactNode } from "react";
import type { MembershipEnd } from "../../../machines/membership-end.ts";
import { formatDay, formatHour } from "./format.ts";

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
