/** The bill screen: Confirmed, Failed or Pending, by the API's status only. Specification, sections 2 (billDetail) and 4; Decisions, "Bill". */
import { Trans, useLingui } from "@lingui/react/macro";
import { shallowEqual, useSelector } from "@xstate/react";
import { ExternalLink, ReceiptText } from "lucide";
import { useEffect, type ReactNode } from "react";
import type { ActorRefFrom } from "xstate";
import {
  arrivedIn,
  begunAs,
  billMachine,
  billMessage,
  billStatus,
  deadlineIn,
  isCheckedAgain,
  isLateIn,
  isUnsent,
  missingIn,
  surplusIn,
  type BillMessage,
  type BillStatus,
} from "../../../machines/bill.ts";
import { clipboardMachine } from "../../../machines/clipboard.ts";
import { payableOf, type ChainTransfer, type OrderReading } from "../../../machines/order-status.ts";
import { isTransfer, keptOf } from "../../../machines/kept-orders.ts";
import {
  useApp,
  useChart,
  useKept,
  usePageVisible,
  useRouteParams,
  useSafeAddress,
  useWords,
} from "../runtime/hooks.ts";
import { formatMinute, shortReference } from "../components/format.ts";
import { linkWith, useBack } from "../components/link.tsx";
import { Button, ButtonAnchor, IconAnchor } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Page } from "../ui/page.tsx";
import { Row, RowAnchor, RowBody, RowContent, Rows, type RowContentProps } from "../ui/rows.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Stack } from "../ui/stack.tsx";
import { StateView } from "../ui/state-view.tsx";
import { StatusSeal } from "../ui/status-seal.tsx";
import { Figures, Note } from "../ui/text.tsx";
import { VisuallyHidden } from "../ui/visually-hidden.tsx";
import confirmedPicture from "../pictures/confirmed.svg";
import failedPicture from "../pictures/failed.svg";
import lost from "../pictures/lost.svg?no-inline";
import pendingPicture from "../pictures/pending.svg";
import { paymentOf } from "../navigation/destinations.ts";
import { errorMessage } from "../messages/error-messages.ts";
import { NetworkBehind } from "../components/network-behind.tsx";
import { OrderNumber } from "../components/copy-value.tsx";
import { PayLink } from "../components/pay-link.tsx";
import { SlowNote } from "../components/slow-notice.tsx";
import { SupportLink } from "../components/support-link.tsx";
import { TimeUp } from "../components/time-up.tsx";

const ButtonLink = linkWith(ButtonAnchor);
const IconLink = linkWith(IconAnchor);

type BillRef = ActorRefFrom<typeof billMachine>;

export default function Bill() {
  const { t } = useLingui();
  const back = useBack({ to: "account" }, { to: "orders" });
  const { order_id = "", pay_status } = useRouteParams();
  const bill = useChart(billMachine, { input: { orderId: order_id, claimed: Number(pay_status) } });
  usePageVisible(bill);
  const { readClock } = useApp();
  // The time may run out while the bill is looked at.
  useEffect(() => {
    const following = bill.subscribe(readClock);
    return () => following.unsubscribe();
  }, [bill, readClock]);
  const confirmed = useStatus(bill, order_id) === "confirmed";
  return (
    <Page
      title={<Trans>Your bill</Trans>}
      backLabel={t`Back`}
      onBack={back}
      trailing={
        confirmed ? (
          <IconLink to="receipt" params={{ order_id }} aria-label={t`Receipt`}>
            <Icon of={ReceiptText} />
          </IconLink>
        ) : null
      }
      foot={<Foot bill={bill} orderId={order_id} />}
    >
      <Stack data-gap="loose">
        <Status bill={bill} orderId={order_id} />
        <PendingExplanation bill={bill} orderId={order_id} />
        <Surplus bill={bill} />
        <Checkout bill={bill} orderId={order_id} />
        <Known bill={bill} orderId={order_id} />
        <Stack data-gap="none" data-align="centre">
          <Unsent bill={bill} orderId={order_id} />
          <SupportLink />
        </Stack>
      </Stack>
    </Page>
  );
}

const useKeptOrder = (orderId: string) =>
  useKept((orders, accountName) => keptOf(orders, accountName, orderId));

/** What this browser knows of a payment that it began in a provider's window. */
const useBegun = (orderId: string) => begunAs(useKeptOrder(orderId));

function useStatus(bill: BillRef, orderId: string) {
  const begun = useBegun(orderId);
  return useSelector(bill, (snapshot) => billStatus(snapshot, begun));
}

function useTimeUp(bill: BillRef, orderId: string) {
  const { pendingOrders } = useApp();
  const kept = useKeptOrder(orderId);
  const deadline = useSelector(bill, (snapshot) => deadlineIn(snapshot, kept));
  return useSelector(pendingOrders, ({ context }) => deadline !== null && deadline <= context.now);
}

function Foot({ bill, orderId }: { bill: BillRef; orderId: string }) {
  const waiting = useSelector(bill, (snapshot) => snapshot.hasTag("asking") && !snapshot.hasTag("slow"));
  const status = useStatus(bill, orderId);
  const confirmed = status === "confirmed";
  const failed = status === "failed" || status === "returned";
  const dollars = useSelector(bill, ({ context }) => context.reading?.unit === "USD");
  return (
    <>
      {confirmed ? (
        <>
          <ButtonLink to="account">
            <Trans>See my membership</Trans>
          </ButtonLink>
          <ButtonLink to="landing" data-tone="quiet">
            <Trans>Get the app</Trans>
          </ButtonLink>
        </>
      ) : null}
      {failed ? (
        // The personal centre is the screen where cards are accepted.
        <ButtonLink to={dollars ? "account" : "packages"}>
          <Trans>Make a new order</Trans>
        </ButtonLink>
      ) : null}
      {confirmed || failed ? null : (
        <Button busy={waiting} onClick={() => bill.send({ type: "retry" })}>
          <Trans>Check again</Trans>
        </Button>
      )}
      {confirmed || (failed && dollars) ? null : <Onward bill={bill} orderId={orderId} />}
    </>
  );
}

/** Making another order forgets the payment begun in this browser. */
function Onward({ bill, orderId }: { bill: BillRef; orderId: string }) {
  const { pendingOrders } = useApp();
  const begun = useBegun(orderId);
  const timeUp = useTimeUp(bill, orderId);
  if (begun !== null)
    return (
      <ButtonLink
        to="account"
        data-tone="quiet"
        onClick={() => pendingOrders.send({ type: "order.dropped", orderId })}
      >
        <Trans>Make a new order</Trans>
      </ButtonLink>
    );
  return timeUp ? (
    <ButtonLink to="packages" data-tone="quiet">
      <Trans>Make a new order</Trans>
    </ButtonLink>
  ) : (
    <ButtonLink to="account" data-tone="quiet">
      <Trans>Personal center</Trans>
    </ButtonLink>
  );
}

const pendingSeal = (words: ReactNode) => (
  <StatusSeal
    key="pending"
    status="pending"
    picture={<img src={pendingPicture} width={200} height={160} alt="" />}
    word={<Trans>Pending</Trans>}
  >
    {words}
  </StatusSeal>
);

const failedSeal = (key: BillStatus, word: ReactNode, words: ReactNode) => (
  <StatusSeal
    key={key}
    status="failed"
    picture={<img src={failedPicture} width={200} height={160} alt="" />}
    word={word}
  >
    {words}
  </StatusSeal>
);

function Status({ bill, orderId }: { bill: BillRef; orderId: string }) {
  const status = useStatus(bill, orderId);
  // The keys: another status is another seal, which appears anew.
  const seals: Record<BillStatus, ReactNode> = {
    confirmed: (
      <StatusSeal
        key="confirmed"
        status="confirmed"
        before={<img src={pendingPicture} width={200} height={160} alt="" />}
        picture={<img src={confirmedPicture} width={200} height={160} alt="" />}
        word={<Trans>Confirmed</Trans>}
      >
        {/* Of an order of long ago, too, whose days are over. */}
        <Trans>Your days were added. Log in to the app with this account.</Trans>
      </StatusSeal>
    ),
    failed: failedSeal(
      "failed",
      <Trans>Failed</Trans>,
      <Trans>
        This payment did not go through. If money has left your wallet or card, contact support with the order
        number.
      </Trans>,
    ),
    returned: failedSeal(
      "returned",
      // The payment itself did not fail, so Chinese has another word here.
      <Trans context="order whose money was given back">Failed</Trans>,
      <Trans>
        The money for this order was given back, is contested, or was settled with you in another way, so this
        order no longer adds days to your membership. If you did not ask for that, contact support with the
        order number.
      </Trans>,
    ),
    unknown: (
      <StateView
        key="unknown"
        picture={<img src={lost} width={200} height={160} alt="" />}
        title={<Trans>We cannot find this order</Trans>}
      >
        <Trans>
          It may belong to another account. If you have paid, contact support with your proof of payment.
        </Trans>
      </StateView>
    ),
    held: pendingSeal(<Trans>Waiting to be checked</Trans>),
    partlyPaid: pendingSeal(<Trans>Part of it has arrived</Trans>),
    pending: pendingSeal(<Trans>Please Waiting for network confirmation</Trans>),
    reported: pendingSeal(<Trans>The payment was reported as failed</Trans>),
    unread: (
      <Stack key="unread" data-align="centre">
        <Skeleton width="200px" height="clamp(96px, 15vh, 160px)" radius="var(--radius-card)" />
        <Skeleton width="160px" height="32px" />
      </Stack>
    ),
  };
  return <div role="status">{seals[status]}</div>;
}

/** The explanation and the actions while the order is pending. */
function PendingExplanation({ bill, orderId }: { bill: BillRef; orderId: string }) {
  const word = useWords();
  const pending = useSelector(bill, (snapshot) => snapshot.hasTag("pending"));
  const missing = useSelector(bill, ({ context }) => missingIn(context.reading));
  const error = useSelector(bill, ({ context }) => context.error);
  const slow = useSelector(bill, (snapshot) => snapshot.hasTag("slow"));
  const checked = useSelector(bill, isCheckedAgain);
  const begun = useBegun(orderId);
  const timeUp = useTimeUp(bill, orderId);
  const late = useSelector(bill, ({ context }) => isLateIn(context.reading));
  const arrived = useSelector(bill, ({ context }) => arrivedIn(context.reading));
  const message = useSelector(bill, (snapshot) => billMessage(snapshot, begun, timeUp));
  const messages: Record<BillMessage, ReactNode> = {
    held: (
      <Trans>
        Your payment has arrived, but late or on another network, so a person has to check it. Contact support
        with the order number. Do not pay again.
      </Trans>
    ),
    partMissing: (
      <Trans>
        Send the missing {missing} USDT to the same address. Your membership then starts automatically.
      </Trans>
    ),
    confirming: (
      <Trans>
        {arrived} USDT has arrived, and the network is still confirming it. There is nothing more to send:
        your membership starts automatically.
      </Trans>
    ),
    checksStopped: (
      <Trans>
        We have stopped checking automatically. If you have paid, your money is not lost: check again at any
        time, here or in the personal center.
      </Trans>
    ),
    reported: (
      <Trans>
        If your card was charged all the same, your membership starts automatically once we hear of it.
      </Trans>
    ),
    timeUp: <TimeUp />,
    paidElsewhere: (
      <Trans>
        The payment result is not in yet. If it went through, your membership starts automatically.
      </Trans>
    ),
    waiting: (
      <Trans>
        Once you have paid, this takes about 3 minutes. You can leave this page; your membership starts
        automatically when the payment is confirmed.
      </Trans>
    ),
  };
  if (!pending) return null;
  return (
    <Stack data-gap="tight" data-align="centre" role="status">
      {message === null ? null : <Note>{messages[message]}</Note>}
      {checked ? (
        <Note>
          <Trans>Checked again: it is not confirmed yet.</Trans>
        </Note>
      ) : null}
      {error ? <Note data-tone="failure">{word(errorMessage(error))}</Note> : null}
      {late ? <NetworkBehind /> : null}
      {begun !== null ? (
        <Note>
          <Trans>
            The first payment may still go through. If you pay for a new order as well, you pay twice.
          </Trans>
        </Note>
      ) : null}
      {slow ? <SlowNote /> : null}
    </Stack>
  );
}

/** A user who paid twice or too much is told that it arrived and whom to contact, because nothing is refunded by itself. */
function Surplus({ bill }: { bill: BillRef }) {
  const surplus = useSelector(bill, ({ context }) => surplusIn(context.reading));
  const unit = useSelector(bill, ({ context }) => context.reading?.unit ?? "USDT");
  return surplus === null ? null : (
    <Stack data-align="centre" role="status">
      <Note>
        <Trans>
          You have paid {surplus} {unit} more than this order costs. Contact support with the order number
          about the difference.
        </Trans>
      </Note>
    </Stack>
  );
}

/** The link to the provider's page until the payment is settled: its window may have been blocked or closed. */
function Checkout({ bill, orderId }: { bill: BillRef; orderId: string }) {
  const pending = useSelector(bill, (snapshot) => snapshot.hasTag("pending"));
  const payUrl = useSafeAddress(
    useKept((orders, accountName) => {
      const kept = keptOf(orders, accountName, orderId);
      return kept && !isTransfer(kept) ? kept.payUrl : undefined;
    }),
  );
  return pending && payUrl !== null ? (
    <Stack data-gap="tight">
      <Stack data-align="centre">
        <Note>
          <Trans>Did the payment page not open, or did you close it? It is still here.</Trans>
        </Note>
      </Stack>
      <PayLink address={payUrl} tone="secondary" />
    </Stack>
  ) : null;
}

/** The order as the API knows it, with a link to its address while a part is missing. */
function Known({ bill, orderId }: { bill: BillRef; orderId: string }) {
  // An equal status causes no rerender.
  const reading = useSelector(bill, ({ context }) => context.reading, shallowEqual);
  const pending = useSelector(bill, (snapshot) => snapshot.hasTag("pending"));
  return (
    <>
      {pending && reading && missingIn(reading) !== null ? (
        <Address orderId={orderId} reading={reading} tone="secondary">
          <Trans>Show the address</Trans>
        </Address>
      ) : null}
      {reading ? <Details orderId={orderId} reading={reading} /> : null}
      {pending && !reading ? <Skeleton height="168px" radius="var(--radius-card)" /> : null}
    </>
  );
}

/** The link to the address, only before any payment: after a full payment it would invite a second one. */
function Unsent({ bill, orderId }: { bill: BillRef; orderId: string }) {
  const unsent = useSelector(bill, isUnsent);
  const timeUp = useTimeUp(bill, orderId);
  const reading = useSelector(bill, ({ context }) => context.reading, shallowEqual);
  return unsent && reading ? (
    <Address orderId={orderId} reading={reading} tone="text">
      {timeUp ? <Trans>Show the address</Trans> : <Trans>Not sent yet? Show the address</Trans>}
    </Address>
  ) : null;
}

/** A link to the payment screen, where this browser or the API knows what is to be paid. */
function Address({
  orderId,
  reading,
  tone,
  children,
}: {
  orderId: string;
  reading: OrderReading;
  tone: "secondary" | "text";
  children: ReactNode;
}) {
  const kept = useKeptOrder(orderId);
  const order = payableOf(orderId, reading, kept);
  return order ? (
    <ButtonLink {...paymentOf(order)} data-tone={tone}>
      {children}
    </ButtonLink>
  ) : null;
}

/** How far the network has confirmed a transfer, with a link to an explorer. */
function Confirmations({ transaction, confirmations, needed, explorerUrl }: ChainTransfer) {
  const content: RowContentProps = {
    reading: true,
    label: <Trans>Confirmations</Trans>,
    value: (
      <Figures translate="no">
        <Trans>
          {confirmations} of {needed}
        </Trans>
      </Figures>
    ),
    note: <Figures translate="no">{shortReference(transaction)}</Figures>,
  };
  return explorerUrl === null ? (
    <RowBody {...content} />
  ) : (
    <RowAnchor href={explorerUrl} target="_blank" rel="noreferrer">
      <RowContent {...content} end={<Icon of={ExternalLink} />} />
      <VisuallyHidden>
        <Trans>Show the transaction in an explorer</Trans>
      </VisuallyHidden>
    </RowAnchor>
  );
}

function Details({ orderId, reading }: { orderId: string; reading: OrderReading }) {
  const { i18n } = useLingui();
  const copying = useChart(clipboardMachine);
  const missing = missingIn(reading);
  return (
    <Rows>
      <Row>
        <RowBody
          reading
          label={<Trans>Amount</Trans>}
          value={
            <Figures translate="no">
              {reading.amount} {reading.unit}
            </Figures>
          }
        />
      </Row>
      {surplusIn(reading) === null ? null : (
        <Row>
          <RowBody
            reading
            label={<Trans>Received</Trans>}
            value={
              <Figures translate="no">
                {reading.received} {reading.unit}
              </Figures>
            }
          />
        </Row>
      )}
      {missing === null ? null : (
        <Row>
          <RowBody
            reading
            label={<Trans>Still to send</Trans>}
            value={<Figures translate="no">{missing} USDT</Figures>}
          />
        </Row>
      )}
      {reading.transfers?.map((transfer, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- one transaction may hold several; they only grow in number
        <Row key={`${at} ${transfer.transaction}`}>
          <Confirmations {...transfer} />
        </Row>
      ))}
      {reading.createdAt === "" ? null : (
        <Row>
          <RowBody
            reading
            label={<Trans>Ordered</Trans>}
            value={formatMinute(reading.createdAt, i18n.locale)}
          />
        </Row>
      )}
      <Row>
        <OrderNumber copying={copying} orderId={orderId} />
      </Row>
    </Rows>
  );
}
