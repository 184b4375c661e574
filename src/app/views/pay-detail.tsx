/** What to send, where, on which network, by when. Specification, section 2 (payDetail); Decisions, "Payment details in a URL are not believed". */
import { Trans, useLingui } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import { useState, type ReactNode } from "react";
import { styled } from "styled-components";
import type { ActorRefFrom } from "xstate";
import { missingOf } from "../../../machines/money.ts";
import { COUNTDOWN_SECONDS, secondsLeft } from "../../../machines/issued.ts";
import { qrMachine } from "../../../machines/qr.ts";
import { orderMachine, type OrderInput } from "../../../machines/order.ts";
import { isTransfer, keptOf } from "../../../machines/kept-orders.ts";
import type { IssuedOrder } from "../../../machines/purchase.ts";
import { networks } from "../../contract/calls.ts";
import { copyingMachine } from "../../../machines/copying.ts";
import { useApp, useChart, useConfig, usePageSeen, usePlace } from "../app.ts";
import type { App } from "../compose.ts";
import { createLink, useBack } from "../link.tsx";
import { Address } from "../parts/address.tsx";
import { Button, ButtonAnchor } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { Countdown } from "../parts/countdown.tsx";
import { Page } from "../parts/page.tsx";
import { Qr } from "../parts/qr.tsx";
import { Row, Rows } from "../parts/rows.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { Stack } from "../parts/stack.tsx";
import { StateView } from "../parts/state-view.tsx";
import { Heading, Note } from "../parts/text.tsx";
import lost from "../pictures/lost.svg?no-inline";
import { ActionFoot } from "./action-foot.tsx";
import { CopyingRow, OrderNumber } from "./copying-row.tsx";
import { Reading } from "./reading.tsx";
import { SupportLink } from "./support-link.tsx";

const ButtonLink = createLink(ButtonAnchor);

type OrderRef = ActorRefFrom<typeof orderMachine>;

/** What the address bar claims, beside what this browser kept of the API's answer for the account that is signed in. */
function inputFrom(place: Readonly<Record<string, string>>, { unfinished, session }: App): OrderInput {
  const { pay_type, pay_price = "", pay_address = "", pay_order_id = "" } = place;
  const { userName } = session.getSnapshot().context;
  const kept = keptOf(unfinished.getSnapshot().context.orders, userName, pay_order_id);
  return {
    claimed: {
      orderId: pay_order_id,
      network: networks.find((name) => name === pay_type) ?? null,
      amount: pay_price,
      address: pay_address,
    },
    kept: kept && isTransfer(kept) ? kept : null,
  };
}

export function PayDetail() {
  const { t } = useLingui();
  const back = useBack({ to: "/buy" });
  const app = useApp();
  const place = usePlace();
  const [input] = useState(() => inputFrom(place, app));
  const order = useChart(orderMachine, { input });
  usePageSeen(order);
  const unverified = useSelector(order, (snapshot) => snapshot.hasTag("unverified"));
  const unknown = useSelector(order, (snapshot) => snapshot.matches("unknown"));
  const issued = useSelector(order, ({ context }) => context.issued);
  const shown = useSelector(order, (snapshot) => snapshot.hasTag("shown"));
  return (
    <Page
      title={<Trans>Send the payment</Trans>}
      backLabel={t`Back`}
      onBack={back}
      foot={
        shown ? (
          <ActionFoot actor={order} onGo={() => order.send({ type: "pay.completed" })}>
            <Trans>Complete the payment</Trans>
          </ActionFoot>
        ) : null
      }
    >
      <Reading actor={order} during="verifying" without="unreachable">
        <Stack data-align="centre" data-gap="loose">
          <Skeleton height="56px" radius="var(--radius-card)" />
          <Skeleton height="194px" radius="var(--radius-card)" />
          <Skeleton width="220px" height="220px" radius="var(--radius-small)" />
        </Stack>
      </Reading>
      {unverified ? (
        <StateView
          role="alert"
          picture={<img src={lost} width={200} height={160} alt="" />}
          title={<Trans>We cannot verify this payment link</Trans>}
          actions={
            <>
              {unknown ? (
                <Button onClick={() => order.send({ type: "asked.again" })}>
                  <Trans>Try again</Trans>
                </Button>
              ) : null}
              <ButtonLink to="/buy" data-tone={unknown ? "secondary" : undefined}>
                <Trans>Make a new order</Trans>
              </ButtonLink>
            </>
          }
        >
          <Trans>
            It does not match any order in your account, so we show no address. Please do not send money to an
            address from a link like this.
          </Trans>
        </StateView>
      ) : null}
      {shown && issued ? <Payment order={order} issued={issued} /> : null}
    </Page>
  );
}

function Payment({ order, issued }: { order: OrderRef; issued: IssuedOrder }) {
  const { t } = useLingui();
  const copying = useChart(copyingMachine);
  const { network, address, orderId } = issued;
  const missing = useSelector(order, ({ context }) => missingOf(issued.amount, context.received));
  const amount = missing ?? issued.amount;
  // No line ends between the two.
  const sum = `${amount}\u00A0USDT`;
  return (
    <Stack data-gap="loose">
      <Remaining order={order} issued={issued} />
      <Rows>
        <Row>
          <CopyingRow
            copying={copying}
            copyable={{ what: "amount", text: amount }}
            label={missing === null ? <Trans>Send exactly</Trans> : <Trans>Still to send</Trans>}
            size="large"
            copyLabel={t`Copy the amount`}
            copiedLabel={t`Amount copied`}
          >
            {amount} USDT
          </CopyingRow>
        </Row>
        <Row>
          <CopyingRow
            copying={copying}
            copyable={{ what: "address", text: address }}
            label={<Trans>To this {network} address</Trans>}
            size="long"
            copyLabel={t`Copy the address`}
            copiedLabel={t`Address copied`}
          >
            <Address value={address} />
          </CopyingRow>
        </Row>
      </Rows>
      <Stack data-align="centre" data-gap="tight">
        <Code issued={issued} />
        <Note>
          <Trans>Send only USDT, and only on {network}. Anything else may be lost.</Trans>
        </Note>
      </Stack>
      <TestWallet issued={{ ...issued, amount }} />
      <Advice data-gap="tight">
        <Heading>
          <Trans>Before you pay</Trans>
        </Heading>
        <Note>
          <Trans>
            Please do not close this page until you have paid. The address is for this order only: each new
            purchase makes a new order.
          </Trans>
        </Note>
        <Note>
          <Trans>
            Sent late, or in two parts? It still counts towards this order. Your membership starts once the
            full amount has arrived.
          </Trans>
        </Note>
        <Note>
          <Trans>
            If your exchange charges a fee, add it on top so that {sum} arrives. If you used another network,
            the money is not credited automatically and may be lost: contact support.
          </Trans>
        </Note>
      </Advice>
      <Rows>
        <Row>
          <OrderNumber copying={copying} orderId={orderId} />
        </Row>
      </Rows>
      <Stack data-align="centre">
        <SupportLink />
      </Stack>
    </Stack>
  );
}

/** The address as wallets read it. */
function Code({ issued: { network, address } }: { issued: IssuedOrder }) {
  const { t } = useLingui();
  const qr = useChart(qrMachine);
  usePageSeen(qr);
  const here = useSelector(qr, (snapshot) => snapshot.matches("here"));
  return <Qr value={here ? address : null} title={t`QR code of the ${network} address`} />;
}

const Told = styled.div`
  display: grid;
  gap: 16px;

  &:not(:empty) {
    margin-top: 16px;
  }
`;

/** Longer than other notes: English ones fill their lines. */
const Advice = styled(Stack)`
  p:lang(en) {
    text-wrap: pretty;
  }
`;

/** The countdown, and what there is to say about it. */
function Remaining({ order, issued }: { order: OrderRef; issued: IssuedOrder }) {
  const over = useSelector(order, ({ context }) => secondsLeft(context) === 0);
  const received = useSelector(order, ({ context }) => context.received);
  const missing = missingOf(issued.amount, received);
  return (
    <div>
      <TimeLeft order={order}>
        {over ? <Trans>The time is up</Trans> : <Trans>left to send the payment</Trans>}
      </TimeLeft>
      <Told role="status">
        {missing !== null ? (
          <Card data-tone="lamp">
            <Note>
              {over ? (
                <Trans>
                  {received} USDT has arrived. The time is up, but the rest still counts: please send the
                  missing {missing} USDT to the same address.
                </Trans>
              ) : (
                <Trans>
                  {received} USDT has arrived. Please send the missing {missing} USDT to the same address.
                </Trans>
              )}
            </Note>
          </Card>
        ) : over ? (
          <Card data-tone="lamp">
            <Stack>
              <Note>
                <Trans>
                  The time is up. Already sent it? Do not worry: it is credited once the network confirms it.
                  Nothing sent yet? Please make a new order.
                </Trans>
              </Note>
              <ButtonLink to="/buy" data-tone="secondary">
                <Trans>Make a new order</Trans>
              </ButtonLink>
            </Stack>
          </Card>
        ) : null}
      </Told>
    </div>
  );
}

/** It alone ticks; the rest of the screen does not, its caption included. */
function TimeLeft({ order, children }: { order: OrderRef; children: ReactNode }) {
  const { t } = useLingui();
  const remaining = useSelector(order, ({ context }) => secondsLeft(context));
  const minutes = Math.ceil(remaining / 300) * 5;
  return (
    <Countdown
      remaining={remaining}
      total={COUNTDOWN_SECONDS}
      label={t`Time left to pay`}
      announcement={remaining === 0 ? undefined : t`Less than ${minutes} minutes left to pay`}
    >
      {children}
    </Countdown>
  );
}

/** In the sandbox: a wallet that sends test money, filled in for this order. */
function TestWallet({ issued: { network, address, amount } }: { issued: IssuedOrder }) {
  const { i18n } = useLingui();
  const config = useConfig();
  const { page } = useApp();
  const filled = new URLSearchParams({ network, address, amount, language: i18n.locale });
  return config?.sandbox === true || page === "ahead" ? (
    <ButtonAnchor
      data-only="sandbox"
      data-tone="secondary"
      href={config ? `${config.apiBaseUrl}/sandbox/wallet?${filled}` : undefined}
      target="_blank"
      rel="noreferrer"
    >
      <Trans>Pay from the test wallet</Trans>
    </ButtonAnchor>
  ) : null;
}
