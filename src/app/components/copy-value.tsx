/** A value that is copied with one tap and confirms it; a component of its own, so that nothing around it rerenders. Specification, section 2 (payDetail). */
import { Trans, useLingui } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import type { ActorRefFrom } from "xstate";
import type { Copyable, clipboardMachine } from "../../../machines/clipboard.ts";
import { CopyRow, type CopyRowProps } from "../ui/copy-row.tsx";

/** @param copying the screen's clipboard chart: only one of its rows confirms at a time. */
export function CopyValue({
  copying,
  copyable,
  ...row
}: Omit<CopyRowProps, "copied" | "onCopy"> & {
  copying: ActorRefFrom<typeof clipboardMachine>;
  copyable: Copyable;
}) {
  const copied = useSelector(
    copying,
    (snapshot) => snapshot.matches("copied") && snapshot.context.copied?.what === copyable.what,
  );
  return (
    <CopyRow {...row} copied={copied} onCopy={() => copying.send({ type: "copy.requested", copyable })} />
  );
}

/** An order's number, which support asks for. */
export function OrderNumber({
  copying,
  orderId,
}: {
  copying: ActorRefFrom<typeof clipboardMachine>;
  orderId: string;
}) {
  const { t } = useLingui();
  return (
    <CopyValue
      copying={copying}
      copyable={{ what: "orderId", text: orderId }}
      label={<Trans>Order number</Trans>}
      copyLabel={t`Copy the order number`}
      copiedLabel={t`Order number copied`}
    >
      {orderId}
    </CopyValue>
  );
}
