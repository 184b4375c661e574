/** The payments begun in this browser and not yet settled, in the personal centre. Decisions, "Closing and payment". */
import { Trans } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import { useEffect } from "react";
import type { KeptOrder, KeptTransfer } from "../../../machines/kept-orders.ts";
import { canDrop, isFunded, type Standing } from "../../../machines/pending-orders.ts";
import { canContinue, openOf, reminderMessage } from "../../../machines/reminder.ts";
import { useApp, useIsLate, useKept } from "../runtime/hooks.ts";
import { latePart } from "../runtime/late-part.ts";
import { billOf, paymentOf } from "../navigation/destinations.ts";
import { linkWith } from "./link.tsx";
import { Button, ButtonAnchor } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Row, RowAnchor, RowContent, Rows } from "../ui/rows.tsx";
import { Stack } from "../ui/stack.tsx";
import { Heading, Note } from "../ui/text.tsx";

const ButtonLink = linkWith(ButtonAnchor);
const RowLink = linkWith(RowAnchor);

export function PendingOrders() {
  const { latest, earlier } = useKept(openOf);
  return (
    <>
      {latest.map((order) => (
        <PendingOrderCard key={order.orderId} order={order} />
      ))}
      {earlier.length === 0 ? null : <EarlierOrders orders={earlier} />}
      <ForgetDialog />
    </>
  );
}

/** Once dismissed, the order's bill, with its address, is still there among all orders. */
function ForgetDialog() {
  const { pendingOrders } = useApp();
  const open = useSelector(pendingOrders, (snapshot) => snapshot.matches("asking"));
  // The question goes with the screen.
  useEffect(() => () => pendingOrders.send({ type: "drop.declined" }), [pendingOrders]);
  return (
    <Dialog
      open={open}
      tone="danger"
      title={<Trans>Forget this payment?</Trans>}
      confirmLabel={<Trans>Forget it</Trans>}
      cancelLabel={<Trans>Keep it</Trans>}
      onConfirm={() => pendingOrders.send({ type: "drop.confirmed" })}
      onCancel={() => pendingOrders.send({ type: "drop.declined" })}
    >
      <Trans>
        If you have already paid, it still counts. You are not reminded of it here any more; its bill stays
        under My orders.
      </Trans>
    </Dialog>
  );
}

function EarlierOrders({ orders }: { orders: readonly KeptTransfer[] }) {
  return (
    <Stack>
      <Heading>
        <Trans>Earlier unfinished payments</Trans>
      </Heading>
      <Rows>
        {orders.map((order) => (
          <EarlierOrder key={order.orderId} order={order} />
        ))}
      </Rows>
    </Stack>
  );
}

function EarlierOrder({ order }: { order: KeptTransfer }) {
  const late = useIsLate(order);
  return (
    <Row>
      <RowLink {...(canContinue(order, null, late) ? paymentOf(order) : billOf(order))}>
        <RowContent
          label={order.packName}
          value={`${order.amount} USDT`}
          note={
            <span translate="no">
              {order.network} · {order.orderId}
            </span>
          }
          mark="chevron"
        />
      </RowLink>
    </Row>
  );
}

const OrderStatus = latePart(() => import("./order-status.tsx"));

function PendingOrderCard({ order }: { order: KeptOrder }) {
  const late = useIsLate(order);
  return (
    <Card data-tone="lamp">
      <Stack>
        <Heading>
          {late ? <Trans>Your last payment</Trans> : <Trans>You have an unfinished payment</Trans>}
        </Heading>
        {/* Until the status can be read, the stored order is shown. */}
        <OrderStatus order={order} fallback={<PendingOrderActions order={order} late={late} />}>
          {(standing) => <PendingOrderActions order={order} late={late} standing={standing} />}
        </OrderStatus>
      </Stack>
    </Card>
  );
}

function PendingOrderActions({
  order,
  late,
  standing = null,
}: {
  order: KeptOrder;
  late: boolean;
  standing?: Standing;
}) {
  const { pendingOrders } = useApp();
  const { amount, orderId, packName } = order;
  const words = {
    gone: (
      <Trans>
        We cannot find the order for {packName} any more. Please send nothing to its address. If you have
        paid, contact support.
      </Trans>
    ),
    part: (
      <Trans>
        {packName}, {amount} USDT. Part of it has arrived.
      </Trans>
    ),
    arrived: (
      <Trans>
        {packName}, {amount} USDT. Your payment has arrived and is being checked. Do not pay again.
      </Trans>
    ),
    unsent: (
      <Trans>
        {packName}, {amount} USDT. Not paid yet, or waiting for the network.
      </Trans>
    ),
    reported: (
      <Trans>
        {packName}, USD {amount}. The payment was reported as failed. If your card was charged all the same,
        the bill shows it.
      </Trans>
    ),
    unknown: (
      <Trans>
        {packName}, USD {amount}. The payment result is not in yet.
      </Trans>
    ),
  };
  return (
    <>
      <Note>{words[reminderMessage(order, standing)]}</Note>
      <Stack data-gap="tight" data-align="centre">
        {canContinue(order, standing, late) ? (
          <ButtonLink {...paymentOf(order)} data-tone="secondary">
            <Trans>Continue payment</Trans>
          </ButtonLink>
        ) : (
          <ButtonLink {...billOf(order)} data-tone="secondary">
            <Trans>See the bill</Trans>
          </ButtonLink>
        )}
        {/* There from the start, so that nothing below it moves when the API answers. */}
        {isFunded(standing) ? null : (
          <Button
            tone="text"
            disabled={!canDrop(standing)}
            onClick={() => pendingOrders.send({ type: "drop.requested", orderId, standing })}
          >
            <Trans>Do not remind me</Trans>
          </Button>
        )}
      </Stack>
    </>
  );
}
