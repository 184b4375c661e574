/** Reminds a member at the foot of the landing page: of a pending order, or else of the end of their membership. Decisions, "Closing and payment"; decision 31. */
import { Trans, useLingui } from "@lingui/react/macro";
import { isTransfer, unfinishedOf, type KeptOrder } from "../../../machines/kept-orders.ts";
import type { Standing } from "../../../machines/pending-orders.ts";
import { canContinue } from "../../../machines/reminder.ts";
import { useIsLate, useKept } from "../runtime/hooks.ts";
import { latePart } from "../runtime/late-part.ts";
import { withWords } from "../runtime/late-words.ts";
import { linkWith } from "./link.tsx";
import { MembershipReminder } from "./membership-reminder.tsx";
import { ButtonAnchor } from "../ui/button.tsx";
import { ReminderBar } from "../ui/reminder-bar.tsx";
import { Sentence } from "../ui/sentence.tsx";
import { billOf, paymentOf } from "../navigation/destinations.ts";

const ButtonLink = linkWith(ButtonAnchor);

function Reminder() {
  const order = useKept(unfinishedOf);
  return order ? <PendingOrder order={order} /> : <MembershipReminder />;
}

/** Its messages load with it, to keep the landing page small. */
const WithWords = withWords(Reminder, "screens");

export default function LandingReminder() {
  return <WithWords />;
}

const OrderStatus = latePart(() => import("./order-status.tsx"));

function PendingOrder({ order }: { order: KeptOrder }) {
  // The phone's clock may be wrong, and the order paid by now.
  return useIsLate(order) ? (
    <OrderStatus order={order} fallback={<PendingOrderBar order={order} late />}>
      {(standing) => <PendingOrderBar order={order} late standing={standing} />}
    </OrderStatus>
  ) : (
    <PendingOrderBar order={order} late={false} />
  );
}

function PendingOrderBar({
  order,
  late,
  standing = null,
}: {
  order: KeptOrder;
  late: boolean;
  standing?: Standing;
}) {
  const { t } = useLingui();
  const { packName, amount } = order;
  const title = late ? t`Your last payment` : t`You have an unfinished payment`;
  const payable = canContinue(order, standing, late);
  return (
    <ReminderBar aria-label={title}>
      <div>
        <div>
          <strong>
            <Sentence>{title}</Sentence>
          </strong>
          <small key={order.orderId} translate="no">
            {packName === "" ? "" : `${packName} · `}
            {isTransfer(order) ? `${amount} USDT` : `USD ${amount}`}
          </small>
        </div>
        <ButtonLink {...(payable ? paymentOf(order) : billOf(order))} data-tone="primary">
          {late && !payable ? <Trans>See the bill</Trans> : <Trans>Continue</Trans>}
        </ButtonLink>
      </div>
    </ReminderBar>
  );
}
