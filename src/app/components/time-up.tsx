/** Says that the time to pay is over and nothing has come: on the payment screen, and on its bill. */
import { Trans } from "@lingui/react/macro";

export function TimeUp() {
  return (
    <Trans>
      The time is up. Already sent it? Do not worry: it is credited once the network confirms it. Nothing sent
      yet? Please make a new order.
    </Trans>
  );
}
