/** Reminds a member of the end of their membership, at the foot of the landing page. Reads in the background: a failure is not shown. Decision 31. */
import { Trans, useLingui } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import { membershipMachine } from "../../../machines/membership.ts";
import { useChart, usePageVisible, useScreenActivated } from "../runtime/hooks.ts";
import { linkWith } from "./link.tsx";
import { EndWords } from "./membership-end.tsx";
import { ButtonAnchor } from "../ui/button.tsx";
import { ReminderBar } from "../ui/reminder-bar.tsx";

const ButtonLink = linkWith(ButtonAnchor);

export function MembershipReminder() {
  const { t } = useLingui();
  const membership = useChart(membershipMachine, { input: { quiet: true, lastKnown: null } });
  useScreenActivated(membership);
  usePageVisible(membership);
  const end = useSelector(membership, ({ context }) => context.end);
  return end === null ? null : (
    <ReminderBar aria-label={t`End of the membership`}>
      <div>
        <strong>
          <EndWords end={end} />
        </strong>
        <ButtonLink to="packages" data-tone="primary">
          <Trans>Renew</Trans>
        </ButtonLink>
      </div>
    </ReminderBar>
  );
}
