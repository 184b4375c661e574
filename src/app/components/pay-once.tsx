/** Tells the user of an earlier payment before asking for money again, and lets them decide. Decisions, "Pay once". */
import { Trans } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import { useState } from "react";
import type { ActorRefFrom, AnyActorRef } from "xstate";
import type { EarlierPayment } from "../../../machines/earlier-orders.ts";
import type { payOnceMachine } from "../../../machines/pay-once.ts";
import { Dialog } from "../ui/dialog.tsx";

type PayOnceRef = ActorRefFrom<typeof payOnceMachine>;

/** @returns the chart while `actor` invokes it */
export const usePayOnce = (
  actor: Pick<AnyActorRef, "subscribe"> & {
    getSnapshot: () => { children: { payOnce?: PayOnceRef | undefined } };
  },
): PayOnceRef | undefined => useSelector(actor, ({ children }) => children.payOnce);

export function EarlierPaymentDialog({ payOnce }: { payOnce: PayOnceRef | undefined }) {
  const found = useSelector(payOnce, (snapshot) =>
    snapshot?.matches("telling") ? snapshot.context.earlier : null,
  );
  // Keeps the text during the dialog's leave animation.
  const [told, setTold] = useState(found);
  if (found !== null && found !== told) setTold(found);
  const { title, text, follow, pass } = wordsFor(told);
  return (
    <Dialog
      open={found !== null}
      title={title}
      confirmLabel={follow}
      cancelLabel={pass}
      onConfirm={() => payOnce?.send({ type: "earlier.followed" })}
      onCancel={() => payOnce?.send({ type: "earlier.passed" })}
      onDismiss={() => payOnce?.send({ type: "earlier.dismissed" })}
    >
      {text}
    </Dialog>
  );
}

function wordsFor(told: EarlierPayment | null) {
  const packName = told?.order.packName ?? "";
  const amount = told?.order.amount ?? "";
  const received = told?.received ?? "";
  const missing = told?.missing ?? "";
  const bill = <Trans>See the bill</Trans>;
  const anew = <Trans>Make a new order</Trans>;
  switch (told?.kind) {
    case "paid":
      return {
        title: <Trans>Your earlier payment went through</Trans>,
        text: <Trans>{packName} is paid. If you go on, you buy another membership on top of it.</Trans>,
        follow: bill,
        pass: <Trans>Buy another</Trans>,
      };
    case "arrived":
      return {
        title: <Trans>Your earlier payment has arrived</Trans>,
        text: (
          <Trans>
            {received} USDT has arrived for {packName}, and is still being checked. If you pay for a new order
            as well, you pay twice.
          </Trans>
        ),
        follow: bill,
        pass: anew,
      };
    case "part":
      return {
        title: <Trans>Part of an earlier payment has arrived</Trans>,
        text: (
          <Trans>
            {received} USDT has arrived for {packName}. Send the missing {missing} USDT to its address and it
            is paid. A new order does not count what you have sent.
          </Trans>
        ),
        follow: <Trans>Continue payment</Trans>,
        pass: anew,
      };
    default:
      return {
        title: <Trans>An earlier payment is not settled yet</Trans>,
        text: (
          <Trans>
            Your payment of USD {amount} for {packName} may still go through. If you pay for a new order as
            well, you pay twice.
          </Trans>
        ),
        follow: bill,
        pass: anew,
      };
  }
}
