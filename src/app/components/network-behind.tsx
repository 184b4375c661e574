/** Says that payments on an order's network show late at the moment: on the payment screen, and on its bill. */
import { Trans } from "@lingui/react/macro";
import { Note } from "../ui/text.tsx";

export function NetworkBehind() {
  return (
    <Note>
      <Trans>
        Payments on this network show up later than usual at the moment. Nothing is lost: yours is credited as
        soon as we see it, even if the time is up by then.
      </Trans>
    </Note>
  );
}
