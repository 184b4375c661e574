/** The payment screen: what to send, where, on which network, and by when. Specification, section 2 (payDetail); Decisions, "Payment details in a URL are not believed". */
import { Trans, useLingui } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import { useState, type ComponentProps, type ReactNode } from "react";
import { styled } from "styled-components";
import type { ActorRefFrom } from "xstate";
import { missingFrom } from "../../../machines/order-status.ts";
import { qrMachine } from "../../../machines/qr.ts";
import type { orderCheckMachine } from "../../../machines/order-check.ts";
import {
  isExpired,
  orderMachine,
  remainingSeconds,
  timeMessage,
  type OrderInput,
  type TimeMessage,
} from "../../../machines/order.ts";
import { isTransfer, keptOf } from "../../../machines/kept-orders.ts";
import { COUNTDOWN_SECONDS, type IssuedOrder } from "../../../machines/issued-order.ts";
import { networks } from "../../contract/calls.ts";
import { clipboardMachine } from "../../../machines/clipboard.ts";
import { useApp, useChart, useConfig, usePageVisible, useRouteParams } from "../runtime/hooks.ts";
import type { App } from "../runtime/create-app.ts";
import { linkWith, useBack } from "../components/link.tsx";
import { Address } from "../ui/address.tsx";
import { Button, ButtonAnchor } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { Countdown } from "../ui/countdown.tsx";
import { Page } from "../ui/page.tsx";
import { Qr } from "../ui/qr.tsx";
import { Row, Rows } from "../ui/rows.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Stack } from "../ui/stack.tsx";
import { StateView } from "../ui/state-view.tsx";
import { Heading, Note } from "../ui/text.tsx";
import lost from "../pictures/lost.svg?no-inline";
import { ActionFoot } from "../components/action-foot.tsx";
import { CopyValue, OrderNumber } from "../components/copy-value.tsx";
import { AsyncContent } from "../components/async-content.tsx";
import { NetworkBehind } from "../components/network-behind.tsx";
import { SlowNotice } from "../components/slow-notice.tsx";
import { SupportLink } from "../components/support-link.tsx";
import { TimeUp } from "../components/time-up.tsx";

const ButtonLink = linkWith(ButtonAnchor);

type OrderRef = ActorRefFrom<typeof orderMachine>;
type CheckRef = ActorRefFrom<typeof orderCheckMachine>;

/** The URL's claim, and what this browser stored of the API's answer for the signed-in account. */
function inputFrom(place: Readonly<Record<string, string>>, { pendingOrders, session }: App): OrderInput {
  const { pay_type, pay_price = "", pay_address = "", pay_order_id = "" } = place;
  const { userName } = session.getSnapshot().context;
  const kept = keptOf(pendingOrders.getSnapshot().context.orders, userName, pay_order_id);
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

export default function PaymentScreen() {
  const { t } = useLingui();
  const app = useApp();
  const place = useRouteParams();
  const back = useBack(
    { to: "packages" },
    { to: "account" },
    { to: "bill", params: { order_id: place["pay_order_id"] ?? "" } },
    { to: "landing" },
  );
  const [input] = useState(() => inputFrom(place, app));
  const order = useChart(orderMachine, { input });
  usePageVisible(order);
  const unverified = useSelector(order, (snapshot) => snapshot.hasTag("unverified"));
  const unknown = useSelector(order, (snapshot) => snapshot.matches("unknown"));
  const issued = useSelector(order, ({ context }) => context.issued);
  const check = useSelector(order, ({ children }) => children.check);
  const shown = useSelector(check, (snapshot) => snapshot?.hasTag("shown"));
  const gone = useSelector(check, (snapshot) => snapshot?.hasTag("gone"));
  return (
    <Page
      title={<Trans>Send the payment</Trans>}
      backLabel={t`Back`}
      onBack={back}
      foot={
        check && shown ? (
          <ActionFoot actor={check} onGo={() => check.send({ type: "pay.completed" })}>
            <Trans>Complete the payment</Trans>
          </ActionFoot>
        ) : null
      }
    >
      <AsyncContent actor={order} during="verifying" without="unreachable">
        <Stack data-align="centre" data-gap="loose">
          <Skeleton height="56px" radius="var(--radius-card)" />
          <Skeleton height="194px" radius="var(--radius-card)" />
          <Skeleton width="220px" height="220px" radius="var(--radius-small)" />
        </Stack>
      </AsyncContent>
      {unverified ? (
        <StateView
          role="alert"
          picture={<img src={lost} width={200} height={160} alt="" />}
          title={<Trans>We cannot verify this payment link</Trans>}
          actions={
            <>
              {unknown ? (
                <Button onClick={() => order.send({ type: "retry" })}>
                  <Trans>Try again</Trans>
                </Button>
              ) : null}
              <ButtonLink to="packages" data-tone={unknown ? "secondary" : undefined}>
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
      {check && shown && issued ? <Payment order={order} check={check} issued={issued} /> : null}
      {check && gone ? <Gone check={check} /> : null}
    </Page>
  );
}

/** The order's number for customer support, and the link to it. */
const OrderHelp = (number: ComponentProps<typeof OrderNumber>) => (
  <>
    <Rows>
      <Row>
        <OrderNumber {...number} />
      </Row>
    </Rows>
    <Stack data-align="centre">
      <SupportLink />
    </Stack>
  </>
);

/** An order that the API no longer knows: its address may by now belong to another user, so it is not shown. */
function Gone({ check }: { check: CheckRef }) {
  const copying = useChart(clipboardMachine);
  const orderId = useSelector(check, ({ context }) => context.orderId);
  const busy = useSelector(check, (snapshot) => snapshot.hasTag("busy"));
  const slow = useSelector(check, (snapshot) => snapshot.hasTag("slow"));
  return (
    <Stack data-gap="loose">
      <StateView
        role="alert"
        picture={<img src={lost} width={200} height={160} alt="" />}
        title={<Trans>We cannot find this order any more</Trans>}
        actions={
          <>
            <ButtonLink to="packages">
              <Trans>Make a new order</Trans>
            </ButtonLink>
            <SlowNotice shown={slow} onGoOn={() => check.send({ type: "cancel" })}>
              <Trans>Stop waiting</Trans>
            </SlowNotice>
            <Button tone="quiet" busy={busy} onClick={() => check.send({ type: "retry" })}>
              <Trans>Try again</Trans>
            </Button>
          </>
        }
      >
        <Trans>
          Please send nothing to its address: the money might not be credited to you. If you have already
          paid, contact support with the order number.
        </Trans>
      </StateView>
      <OrderHelp copying={copying} orderId={orderId} />
    </Stack>
  );
}

function Payment({ order, check, issued }: { order: OrderRef; check: CheckRef; issued: IssuedOrder }) {
  const { t } = useLingui();
  const copying = useChart(clipboardMachine);
  const { network, address, orderId } = issued;
  const missing = useSelector(check, ({ context }) => missingFrom({ ...context, amount: issued.amount }));
  const amount = missing ?? issued.amount;
  // No line break between the two.
  const sum = `${amount}\u00A0USDT`;
  return (
    <Stack data-gap="loose">
      <Remaining order={order} check={check} issued={issued} />
      <Rows>
        <Row>
          <CopyValue
            copying={copying}
            copyable={{ what: "amount", text: amount }}
            label={missing === null ? <Trans>Send exactly</Trans> : <Trans>Still to send</Trans>}
            size="large"
            copyLabel={t`Copy the amount`}
            copiedLabel={t`Amount copied`}
          >
            {amount} USDT
          </CopyValue>
        </Row>
        <Row>
          <CopyValue
            copying={copying}
            copyable={{ what: "address", text: address }}
            label={<Trans>To this {network} address</Trans>}
            size="long"
            copyLabel={t`Copy the address`}
            copiedLabel={t`Address copied`}
          >
            <Address value={address} />
          </CopyValue>
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
      <OrderHelp copying={copying} orderId={orderId} />
    </Stack>
  );
}

/** The address as a QR code for wallets. */
function Code({ issued: { network, address } }: { issued: IssuedOrder }) {
  const { t } = useLingui();
  const qr = useChart(qrMachine);
  usePageVisible(qr);
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

/** Longer than other notes, so its English lines are filled instead of balanced. */
const Advice = styled(Stack)`
  p:lang(en) {
    text-wrap: pretty;
  }
`;

/** The countdown and its messages. */
function Remaining({ order, check, issued }: { order: OrderRef; check: CheckRef; issued: IssuedOrder }) {
  const over = useSelector(order, isExpired);
  const received = useSelector(check, ({ context }) => context.received);
  const missing = useSelector(check, ({ context }) => missingFrom({ ...context, amount: issued.amount }));
  const messages: Record<TimeMessage, ReactNode> = {
    part: (
      <Trans>
        {received} USDT has arrived. Please send the missing {missing} USDT to the same address.
      </Trans>
    ),
    partLate: (
      <Trans>
        {received} USDT has arrived. The time is up, but the rest still counts: please send the missing{" "}
        {missing} USDT to the same address.
      </Trans>
    ),
    late: <TimeUp />,
    none: null,
  };
  const message = timeMessage(over, missing);
  const behind = useSelector(check, ({ context }) => context.networkBehind);
  return (
    <div>
      <TimeLeft order={order}>
        {over ? <Trans>The time is up</Trans> : <Trans>left to send the payment</Trans>}
      </TimeLeft>
      <Told role="status">
        {message === "none" ? null : (
          <Card data-tone="lamp">
            <Stack>
              <Note>{messages[message]}</Note>
              {message === "late" ? (
                <ButtonLink to="packages" data-tone="secondary">
                  <Trans>Make a new order</Trans>
                </ButtonLink>
              ) : null}
            </Stack>
          </Card>
        )}
        {behind ? (
          <Card data-tone="sunk">
            <NetworkBehind />
          </Card>
        ) : null}
      </Told>
    </div>
  );
}

/** Rerenders every second; the rest of the screen, including its caption, does not. */
function TimeLeft({ order, children }: { order: OrderRef; children: ReactNode }) {
  const { t } = useLingui();
  const remaining = useSelector(order, remainingSeconds);
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

/** In the sandbox: a test wallet, prefilled for this order. */
function TestWallet({ issued: { network, address, amount } }: { issued: IssuedOrder }) {
  const { i18n } = useLingui();
  const config = useConfig();
  const { prerender } = useApp();
  const filled = new URLSearchParams({ network, address, amount, language: i18n.locale });
  return config?.sandbox === true || prerender === "build" ? (
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
