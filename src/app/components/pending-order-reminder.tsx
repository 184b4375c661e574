/** Reminds a member of a pending order, at the foot of the landing page. Decisions, "Closing and payment". */
import { Trans, useLingui } from "@lingui/react/macro";
import { styled } from "styled-components";
import { isTransfer, unfinishedOf } from "../../../machines/kept-orders.ts";
import { useKept } from "../runtime/hooks.ts";
import { linkWith } from "./link.tsx";
import { ButtonAnchor } from "../ui/button.tsx";
import { billOf, paymentOf } from "../navigation/destinations.ts";

const ButtonLink = linkWith(ButtonAnchor);

/** Sticky while the page scrolls; it ends below the footer and never covers it. */
const Bar = styled.aside`
  position: sticky;
  inset-block-end: 0;
  z-index: 2;
  padding: 12px calc(16px + var(--safe-right)) calc(12px + env(safe-area-inset-bottom, 0px))
    calc(16px + var(--safe-left));
  border-block-start: 1px solid var(--hairline);
  background: var(--card);

  > div {
    display: grid;
    grid-template-columns: 1fr auto;
    align-items: center;
    gap: 12px;
    max-width: 1120px;
    margin-inline: auto;
  }
  strong {
    display: block;
    font-size: var(--size-14);
    line-height: 1.35;
  }
  small {
    display: block;
    font-size: var(--size-14);
    line-height: 1.35;
    color: var(--soft);
    font-variant-numeric: tabular-nums;
  }
  a {
    white-space: nowrap;
    padding-inline: 20px;
  }
`;

export default function PendingOrderReminder() {
  const { t } = useLingui();
  const order = useKept(unfinishedOf);
  if (!order) return null;
  const { packName, amount } = order;
  return (
    <Bar aria-label={t`Unfinished payment`}>
      <div>
        <div>
          <strong>
            <Trans>You have an unfinished payment</Trans>
          </strong>
          <small key={order.orderId} translate="no">
            {packName === "" ? "" : `${packName} · `}
            {isTransfer(order) ? `${amount} USDT` : `USD ${amount}`}
          </small>
        </div>
        <ButtonLink {...(isTransfer(order) ? paymentOf(order) : billOf(order))} data-tone="primary">
          <Trans>Continue</Trans>
        </ButtonLink>
      </div>
    </Bar>
  );
}
