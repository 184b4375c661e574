/** A value that is copied with one tap, and says so: alone, so that nothing around it is drawn anew. Specification, section 2 (payDetail). */
import { Trans, useLingui } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import type { ActorRefFrom } from "xstate";
import type { Copyable, copyingMachine } from "../../../machines/copying.ts";
import { CopyRow, type CopyRowProps } from "../parts/copy-row.tsx";

/** @param copying the chart of the screen: of all its rows, one says at a time that it was copied. */
export function CopyingRow({
  copying,
  copyable,
  ...row
}: Omit<CopyRowProps, "copied" | "onCopy"> & {
  copying: ActorRefFrom<typeof copyingMachine>;
  copyable: Copyable;
}) {
  const copied = useSelector(
    copying,
    (snapshot) => snapshot.matches("copied") && snapshot.context.copied?.what === copyable.what,
  );
  return <CopyRow {...row} copied={copied} onCopy={() => copying.send({ type: "copy.asked", copyable })} />;
}

/** The number of an order, which support asks for. */
export function OrderNumber({
  copying,
  orderId,
}: {
  copying: ActorRefFrom<typeof copyingMachine>;
  orderId: string;
}) {
  const { t } = useLingui();
  return (
    <CopyingRow
      copying={copying}
      copyable={{ what: "orderId", text: orderId }}
      label={<Trans>Order number</Trans>}
      copyLabel={t`Copy the order number`}
      copiedLabel={t`Order number copied`}
    >
      {orderId}
    </CopyingRow>
  );
}
