/** Confirms the chosen package and chooses the network. Specification, section 2 (pay). */
import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import { useState } from "react";
import type { ActorRefFrom } from "xstate";
import type { Network } from "../../../machines/issued-order.ts";
import { purchaseMachine } from "../../../machines/purchase.ts";
import { useApp, useChart } from "../runtime/hooks.ts";
import { useBack } from "../components/link.tsx";
import { Badge } from "../ui/badge.tsx";
import { Card } from "../ui/card.tsx";
import { Choice, Choices } from "../ui/choice.tsx";
import { Page } from "../ui/page.tsx";
import { Row, RowBody, Rows } from "../ui/rows.tsx";
import { Stack } from "../ui/stack.tsx";
import { Figures, Note } from "../ui/text.tsx";
import { ActionFoot } from "../components/action-foot.tsx";
import { EarlierPaymentDialog, usePayOnce } from "../components/pay-once.tsx";
import { PriceChangedDialog } from "../components/price-changed.tsx";
import { useLeaveGuard } from "../components/leave-guard.ts";

type PurchaseRef = ActorRefFrom<typeof purchaseMachine>;

export default function PayUsdt() {
  const { t } = useLingui();
  const back = useBack({ to: "packages" });
  const [input] = useState(useApp().purchaseInput);
  const purchase = useChart(purchaseMachine, { input });
  const payOnce = usePayOnce(purchase);
  const offer = useSelector(purchase, ({ context }) => context.offer);
  const charged = useSelector(purchase, ({ context }) => context.order?.amount ?? "");
  useLeaveGuard(purchase, msg`Nothing has been charged. You can come back and pay at any time.`);
  const price = offer.buy_price;
  return (
    <Page
      title={<Trans>Pay</Trans>}
      backLabel={t`Back`}
      onBack={back}
      foot={
        <ActionFoot actor={purchase} invoked={payOnce} onGo={() => purchase.send({ type: "pay.requested" })}>
          <Trans>Pay {price} USDT</Trans>
        </ActionFoot>
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
        <Networks purchase={purchase} />
        <Card data-tone="sunk">
          <Note>
            <Trans>
              Next, you get an address for this order only. You have 30 minutes to pay from any wallet or
              exchange, on the network you chose.
            </Trans>
          </Note>
        </Card>
      </Stack>
      <PriceChangedDialog actor={purchase} shown={`${price} USDT`} charged={`${charged} USDT`} />
      <EarlierPaymentDialog payOnce={payOnce} />
    </Page>
  );
}

function Networks({ purchase }: { purchase: PurchaseRef }) {
  const { t } = useLingui();
  const network = useSelector(purchase, ({ context }) => context.network);
  const checking = useSelector(usePayOnce(purchase), (snapshot) => snapshot?.hasTag("busy") ?? false);
  const ordering = useSelector(purchase, (snapshot) => snapshot.hasTag("busy"));
  const networks: { name: Network; badge?: string; description: string }[] = [
    { name: "TRC20", badge: t`Lower fees`, description: t`The Tron network. Sending costs little.` },
    { name: "ERC20", description: t`The Ethereum network. Sending costs more.` },
  ];
  return (
    <Choices
      legend={<Trans>Which network will you send on?</Trans>}
      layout="list"
      disabled={checking || ordering}
    >
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
  );
}
