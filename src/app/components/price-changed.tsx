/** Asks whether the amount that the API charges is agreed to, where it is not the price shown. Decisions, "A changed price". */
import { Trans } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import { useState } from "react";
import type { AnyActorRef } from "xstate";
import { Dialog } from "../ui/dialog.tsx";

/**
 * @param actor has the state `repriced`, and is told the answer
 * @param shown the price shown, and `charged` the amount, each with its currency
 */
export function PriceChangedDialog({
  actor,
  ...prices
}: {
  actor: Pick<AnyActorRef, "subscribe" | "send"> & {
    getSnapshot: () => { matches: (state: "repriced") => boolean };
  };
  shown: string;
  charged: string;
}) {
  const open = useSelector(actor, (snapshot) => snapshot.matches("repriced"));
  // Keeps the text during the dialog's leave animation.
  const [latest, setLatest] = useState(prices);
  const { shown, charged } = latest;
  if (open && (shown !== prices.shown || charged !== prices.charged)) setLatest(prices);
  return (
    <Dialog
      open={open}
      title={<Trans>The price has changed</Trans>}
      confirmLabel={<Trans>Pay {charged}</Trans>}
      cancelLabel={<Trans>Not now</Trans>}
      onConfirm={() => actor.send({ type: "price.accepted" })}
      onCancel={() => actor.send({ type: "price.declined" })}
    >
      <Trans>
        This package now costs {charged} instead of {shown}.
      </Trans>
    </Dialog>
  );
}
