/** The chosen package and the network to pay on. Specification, section 2 (pay). */
import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import { useState } from "react";
import { purchaseMachine, type Network } from "../../../machines/purchase.ts";
import { useApp, useBack, useChart } from "../app.ts";
import { Badge } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { Choice, Choices } from "../parts/choice.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Page } from "../parts/page.tsx";
import { Row, RowBody, Rows } from "../parts/rows.tsx";
import { Stack } from "../parts/stack.tsx";
import { Figures, Note } from "../parts/text.tsx";
import { useLeaveGuard } from "./leave-guard.ts";
import { Slow } from "./slow.tsx";

export function Pay() {
  const { t } = useLingui();
  const back = useBack({ to: "/buy" });
  const app = useApp();
  const [input] = useState(() => {
    const offer = app.storage.readJson("selectedItem");
    if (!offer) throw new Error("The route lets nobody in without a package.");
    return { offer, visit: app.newVisit() };
  });
  const purchase = useChart(purchaseMachine, { input });
  const { offer, network, order } = useSelector(purchase, ({ context }) => context);
  const busy = useSelector(purchase, (snapshot) => snapshot.hasTag("busy"));
  const slow = useSelector(purchase, (snapshot) => snapshot.hasTag("slow"));
  const repriced = useSelector(purchase, (snapshot) => snapshot.matches("repriced"));
  useLeaveGuard(purchase, msg`Nothing has been charged. You can come back and pay at any time.`);
  const price = offer.buy_price;
  const amount = order?.amount ?? price;
  const networks: { name: Network; badge?: string; description: string }[] = [
    { name: "TRC20", badge: t`Lower fees`, description: t`The Tron network. Sending costs little.` },
    { name: "ERC20", description: t`The Ethereum network. Sending costs more.` },
  ];
  return (
    <Page
      title={<Trans>Pay</Trans>}
      backLabel={t`Back`}
      onBack={back}
      foot={
        <>
          <Slow shown={slow} onGoOn={() => purchase.send({ type: "waiting.dropped" })}>
            <Trans>Stop waiting</Trans>
          </Slow>
          <Button busy={busy} onClick={() => purchase.send({ type: "pay.asked" })}>
            <Trans>Pay {price} USDT</Trans>
          </Button>
        </>
      }
    >
      <Stack data-gap="loose">
        <Rows>
          <Row>
            <RowBody reading label={<Trans>Package</Trans>} value={offer.name} />
          </Row>
          <Row>
            <RowBody
              reading
              label={<Trans>Price</Trans>}
              value={<Figures translate="no">USD {price}</Figures>}
            />
          </Row>
          <Row>
            <RowBody
              reading
              label={<Trans>Pay with</Trans>}
              value={<span translate="no">USDT</span>}
              note={<Trans>Tether, 1 USDT for each US dollar</Trans>}
            />
          </Row>
        </Rows>
        <Choices legend={<Trans>Which network will you send on?</Trans>} layout="list" disabled={busy}>
          {networks.map(({ name, badge, description }) => (
            <Choice
              key={name}
              name="network"
              value={name}
              checked={name === network}
              onChange={() => purchase.send({ type: "network.chosen", network: name })}
              title={<span translate="no">{name}</span>}
              badge={badge ? <Badge data-tone="success">{badge}</Badge> : null}
              description={description}
            />
          ))}
        </Choices>
        <Card data-tone="sunk">
          <Note>
            <Trans>
              Next you get an address that is made for this order alone, and 30 minutes to send to it from any
              wallet or exchange.
            </Trans>
          </Note>
        </Card>
      </Stack>
      <Dialog
        open={repriced}
        title={<Trans>The price has changed</Trans>}
        confirmLabel={<Trans>Pay {amount} USDT</Trans>}
        cancelLabel={<Trans>Not now</Trans>}
        onConfirm={() => purchase.send({ type: "price.accepted" })}
        onCancel={() => purchase.send({ type: "price.declined" })}
      >
        <Trans>
          This package now costs {amount} USDT instead of {price} USDT.
        </Trans>
      </Dialog>
    </Page>
  );
}
