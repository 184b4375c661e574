/** Confirmed, Failed or Pending, on the API's word alone. Specification, sections 2 (billDetail) and 4; Decisions, "Bill". */
import { Trans, useLingui } from "@lingui/react/macro";
import { shallowEqual, useSelector } from "@xstate/react";
import type { ReactNode } from "react";
import type { ActorRefFrom } from "xstate";
import { arrivedIn, billMachine, missingIn, surplusIn } from "../../../machines/bill.ts";
import { copyingMachine } from "../../../machines/copying.ts";
import type { OrderReading } from "../../../machines/reading.ts";
import { isTransfer, keptOf } from "../../../machines/kept-orders.ts";
import { useApp, useChart, useKept, usePageSeen, usePlace, useWords } from "../app.ts";
import { formatMinute } from "../format.ts";
import { createLink, useBack } from "../link.tsx";
import { Button, ButtonAnchor } from "../parts/button.tsx";
import { Page } from "../parts/page.tsx";
import { Row, RowBody, Rows } from "../parts/rows.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { Stack } from "../parts/stack.tsx";
import { StateView } from "../parts/state-view.tsx";
import { StatusSeal } from "../parts/status-seal.tsx";
import { Figures, Note } from "../parts/text.tsx";
import confirmedPicture from "../pictures/confirmed.svg";
import failedPicture from "../pictures/failed.svg";
import lost from "../pictures/lost.svg?no-inline";
import pendingPicture from "../pictures/pending.svg";
import { paymentPlace } from "../places.ts";
import { wordFailure } from "../wording.ts";
import { OrderNumber } from "./copying-row.tsx";
import { SupportLink } from "./support-link.tsx";

const ButtonLink = createLink(ButtonAnchor);

type BillRef = ActorRefFrom<typeof billMachine>;

export function BillDetail() {
  const { t } = useLingui();
  const back = useBack({ to: "/personal_info" });
  const { order_id = "" } = usePlace();
  const bill = useChart(billMachine, { input: { orderId: order_id } });
  usePageSeen(bill);
  return (
    <Page
      title={<Trans>Your bill</Trans>}
      backLabel={t`Back`}
      onBack={back}
      foot={<Foot bill={bill} orderId={order_id} />}
    >
      <Stack data-gap="loose">
        <Status bill={bill} />
        <Told bill={bill} orderId={order_id} />
        <Surplus bill={bill} />
        <Known bill={bill} orderId={order_id} />
        <Stack data-gap="none" data-align="centre">
          <Unsent bill={bill} orderId={order_id} />
          <SupportLink />
        </Stack>
      </Stack>
    </Page>
  );
}

/** Whether this browser began it in somebody else's window, and nobody has said what came of it. */
const useBegun = (orderId: string) =>
  useKept((orders, accountName) => {
    const kept = keptOf(orders, accountName, orderId);
    return kept !== null && !isTransfer(kept);
  });

function Foot({ bill, orderId }: { bill: BillRef; orderId: string }) {
  const { unfinished } = useApp();
  const begun = useBegun(orderId);
  const waiting = useSelector(bill, (snapshot) => snapshot.hasTag("asking") && !snapshot.hasTag("slow"));
  const confirmed = useSelector(bill, (snapshot) => snapshot.matches({ bill: "confirmed" }));
  const failed = useSelector(bill, (snapshot) => snapshot.matches({ bill: "failed" }));
  const dollars = useSelector(bill, ({ context }) => context.reading?.unit === "USD");
  return (
    <>
      {confirmed ? (
        <ButtonLink to="/personal_info">
          <Trans>See my membership</Trans>
        </ButtonLink>
      ) : null}
      {failed ? (
        // Whoever paid by card chooses where cards are taken.
        <ButtonLink to={dollars ? "/personal_info" : "/buy"}>
          <Trans>Make a new order</Trans>
        </ButtonLink>
      ) : null}
      {confirmed || failed ? null : (
        <Button busy={waiting} onClick={() => bill.send({ type: "check.asked" })}>
          <Trans>Check again</Trans>
        </Button>
      )}
      {confirmed ? null : begun ? (
        <ButtonLink
          to="/personal_info"
          data-tone="quiet"
          onClick={() => unfinished.send({ type: "order.dropped", orderId })}
        >
          <Trans>Make a new order</Trans>
        </ButtonLink>
      ) : (
        <ButtonLink to="/personal_info" data-tone="quiet">
          <Trans>Personal center</Trans>
        </ButtonLink>
      )}
    </>
  );
}

function Status({ bill }: { bill: BillRef }) {
  const confirmed = useSelector(bill, (snapshot) => snapshot.matches({ bill: "confirmed" }));
  const failed = useSelector(bill, (snapshot) => snapshot.matches({ bill: "failed" }));
  const unknown = useSelector(bill, (snapshot) => snapshot.matches({ bill: "unknown" }));
  const pending = useSelector(bill, (snapshot) => snapshot.hasTag("pending"));
  const missing = useSelector(bill, ({ context }) => missingIn(context.reading));
  return (
    <div role="status">
      {confirmed ? (
        <StatusSeal
          status="confirmed"
          before={<img src={pendingPicture} width={200} height={160} alt="" />}
          picture={<img src={confirmedPicture} width={200} height={160} alt="" />}
          word={<Trans>Confirmed</Trans>}
        >
          <Trans>Your membership is active. Thank you.</Trans>
        </StatusSeal>
      ) : null}
      {failed ? (
        <StatusSeal
          status="failed"
          picture={<img src={failedPicture} width={200} height={160} alt="" />}
          word={<Trans>Failed</Trans>}
        >
          <Trans>
            This payment did not go through. If money has left your wallet or card, contact support with the
            order number.
          </Trans>
        </StatusSeal>
      ) : null}
      {unknown ? (
        <StateView
          picture={<img src={lost} width={200} height={160} alt="" />}
          title={<Trans>We cannot find this order</Trans>}
        >
          <Trans>
            It may belong to another account. If you have paid, contact support with your proof of payment.
          </Trans>
        </StateView>
      ) : null}
      {pending ? (
        <StatusSeal
          status="pending"
          picture={<img src={pendingPicture} width={200} height={160} alt="" />}
          word={<Trans>Pending</Trans>}
        >
          {missing === null ? (
            <Trans>Please Waiting for network confirmation</Trans>
          ) : (
            <Trans>Part of it has arrived</Trans>
          )}
        </StatusSeal>
      ) : null}
    </div>
  );
}

/** What there is to know and to do while nothing is settled. */
function Told({ bill, orderId }: { bill: BillRef; orderId: string }) {
  const word = useWords();
  const pending = useSelector(bill, (snapshot) => snapshot.hasTag("pending"));
  const missing = useSelector(bill, ({ context }) => missingIn(context.reading));
  const failure = useSelector(bill, ({ context }) => context.failure);
  const stopped = useSelector(bill, (snapshot) => snapshot.matches({ bill: "stopped" }));
  const slow = useSelector(bill, (snapshot) => snapshot.hasTag("slow"));
  const checked = useSelector(
    bill,
    (snapshot) => snapshot.context.byHand && snapshot.context.failure === null && !snapshot.hasTag("asking"),
  );
  const begun = useBegun(orderId);
  const unit = useSelector(bill, ({ context }) => context.reading?.unit);
  const arrived = useSelector(bill, ({ context }) => arrivedIn(context.reading));
  // Nothing may have been paid in somebody else's window.
  const elsewhere = unit === "USD" || begun;
  if (!pending) return null;
  return (
    <Stack data-gap="tight" data-align="centre" role="status">
      <Note>
        {missing !== null ? (
          <Trans>
            Send the missing {missing} USDT to the same address. Your membership then starts automatically.
          </Trans>
        ) : arrived !== null ? (
          <Trans>
            {arrived} USDT has arrived, and the network is still confirming it. There is nothing more to send:
            your membership starts automatically.
          </Trans>
        ) : stopped ? (
          <Trans>
            We have stopped checking automatically. If you have paid, your money is not lost: check again at
            any time, here or in the personal center.
          </Trans>
        ) : elsewhere ? (
          <Trans>
            The payment result is not in yet. If it went through, your membership starts automatically.
          </Trans>
        ) : (
          <Trans>
            Once you have paid, this takes about 3 minutes. You can leave this page; your membership starts
            automatically when the payment is confirmed.
          </Trans>
        )}
      </Note>
      {checked ? (
        <Note>
          <Trans>Checked again: it is not confirmed yet.</Trans>
        </Note>
      ) : null}
      {failure ? <Note data-tone="failure">{word(wordFailure(failure))}</Note> : null}
      {begun ? (
        <Note>
          <Trans>
            The first payment may still go through. If you pay for a new order as well, you pay twice.
          </Trans>
        </Note>
      ) : null}
      {slow ? (
        <Note>
          <Trans>This is taking longer than usual. Your connection may be slow.</Trans>
        </Note>
      ) : null}
    </Stack>
  );
}

/** Whoever has sent twice, or more than was asked, learns that it came and whom to ask: nothing gives it back by itself. */
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

/** The order as the API knows it, and its address again where a part is missing. */
function Known({ bill, orderId }: { bill: BillRef; orderId: string }) {
  // Told the same once more, it shows nothing new.
  const reading = useSelector(bill, ({ context }) => context.reading, shallowEqual);
  const pending = useSelector(bill, (snapshot) => snapshot.hasTag("pending"));
  return (
    <>
      {pending && missingIn(reading) !== null ? (
        <Address orderId={orderId} tone="secondary">
          <Trans>Show the address</Trans>
        </Address>
      ) : null}
      {reading ? <Details orderId={orderId} reading={reading} /> : null}
      {pending && !reading ? <Skeleton height="168px" radius="var(--radius-card)" /> : null}
    </>
  );
}

/** The way back to the address, for whoever has sent nothing: all that has come would be sent twice by it. */
function Unsent({ bill, orderId }: { bill: BillRef; orderId: string }) {
  const unsent = useSelector(bill, (snapshot) => {
    const { reading } = snapshot.context;
    const touched = missingIn(reading) ?? arrivedIn(reading);
    return snapshot.hasTag("pending") && reading !== null && touched === null;
  });
  return unsent ? (
    <Address orderId={orderId} tone="text">
      <Trans>Not sent yet? Show the address</Trans>
    </Address>
  ) : null;
}

/** Leads to the payment's screen, where this browser made the order. */
function Address({
  orderId,
  tone,
  children,
}: {
  orderId: string;
  tone: "secondary" | "text";
  children: ReactNode;
}) {
  const order = useKept((orders, accountName) => keptOf(orders, accountName, orderId));
  return order && isTransfer(order) ? (
    <ButtonLink {...paymentPlace(order)} data-tone={tone}>
      {children}
    </ButtonLink>
  ) : null;
}

function Details({ orderId, reading }: { orderId: string; reading: OrderReading }) {
  const { i18n } = useLingui();
  const copying = useChart(copyingMachine);
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
