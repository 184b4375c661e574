/** The card payment screen and its result. Specification, sections 2 (Card payment screen), 4 and 5. */
import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import { useId, useState } from "react";
import { styled } from "styled-components";
import type { ActorRefFrom } from "xstate";
import type { CardField, Edit } from "../../../machines/card-fields.ts";
import { cardMachine, cardOutcome } from "../../../machines/card.ts";
import type { cardResultMachine } from "../../../machines/card-result.ts";
import { clipboardMachine } from "../../../machines/clipboard.ts";
import { useApp, useChart, usePageVisible, useScreenActivated } from "../runtime/hooks.ts";
import { linkWith, useBack } from "../components/link.tsx";
import { BusyOverlay } from "../ui/busy-overlay.tsx";
import { focusError } from "../components/forms.ts";
import { Button, ButtonAnchor } from "../ui/button.tsx";
import { Field, type FieldProps } from "../ui/field.tsx";
import { FormattedField } from "../ui/formatted-field.tsx";
import { Page } from "../ui/page.tsx";
import { Row, RowBody, Rows } from "../ui/rows.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Stack } from "../ui/stack.tsx";
import { StatusSeal } from "../ui/status-seal.tsx";
import { Figures, Note } from "../ui/text.tsx";
import cancelledPicture from "../pictures/cancelled.svg?no-inline";
import declinedPicture from "../pictures/declined.svg?no-inline";
import paidPicture from "../pictures/paid.svg?no-inline";
import { EarlierPaymentDialog, usePayOnce } from "../components/pay-once.tsx";
import { PriceChangedDialog } from "../components/price-changed.tsx";
import { useLeaveGuard } from "../components/leave-guard.ts";
import { AsyncContent } from "../components/async-content.tsx";
import { OrderNumber } from "../components/copy-value.tsx";
import { SlowNotice } from "../components/slow-notice.tsx";
import { SupportLink } from "../components/support-link.tsx";

const ButtonLink = linkWith(ButtonAnchor);

type CardRef = ActorRefFrom<typeof cardMachine>;

const Pair = styled.div`
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr));
  gap: 16px 12px;
`;

export default function CardPayment() {
  const { t } = useLingui();
  const back = useBack({ to: "account" });
  const [input] = useState(useApp().cardInput);
  const card = useChart(cardMachine, { input });
  useScreenActivated(card);
  usePageVisible(card);
  const payOnce = usePayOnce(card);
  const entering = useSelector(card, (snapshot) => snapshot.hasTag("step1"));
  const processing = useSelector(card, (snapshot) => snapshot.hasTag("step2"));
  const unpaid = useSelector(card, (snapshot) => snapshot.matches("unpaid"));
  const result = useSelector(card, (snapshot) => snapshot.matches("paid")) || unpaid;
  const underWay = useSelector(card, ({ context }) => context.unsettled);
  const agreed = useSelector(card, ({ context }) => context.agreed);
  const charged = useSelector(card, ({ context }) => context.order?.amount ?? "");
  useLeaveGuard(
    card,
    entering && !underWay
      ? msg`What you typed will be forgotten. Nothing has been charged.`
      : msg`What you typed will be forgotten. A payment that is under way may still go through.`,
  );
  const form = useId();
  return (
    <Page
      title={result ? <Trans>Payment results</Trans> : <Trans>Payment details</Trans>}
      backLabel={t`Back`}
      onBack={back}
      foot={<Foot card={card} form={form} />}
    >
      <AsyncContent actor={card} invoked={payOnce} during="preparing" without="unavailable">
        <Skeleton height="168px" radius="var(--radius-card)" />
        <Skeleton height="52px" />
        <Skeleton height="52px" />
      </AsyncContent>
      {entering || processing ? (
        <Stack data-gap="loose">
          <Bill card={card} />
          <Unsettled card={card} />
          <CardForm card={card} form={form} />
        </Stack>
      ) : null}
      <Stack data-gap="loose">
        <div role="status">{result ? <Result card={card} /> : null}</div>
        {result ? <Bill card={card} /> : null}
        {unpaid ? (
          <Stack data-gap="none" data-align="centre">
            <SupportLink />
          </Stack>
        ) : null}
      </Stack>
      <EarlierPaymentDialog payOnce={payOnce} />
      <PriceChangedDialog actor={card} shown={`USD ${agreed}`} charged={`USD ${charged}`} />
      <BusyOverlay open={processing} action={<Waiting card={card} />}>
        <Trans>Payment in Progress</Trans>
      </BusyOverlay>
    </Page>
  );
}

/** A long wait for the bank, or for the API's confirmation. */
function Waiting({ card }: { card: CardRef }) {
  const result = useSelector(card, ({ children }) => children.result);
  const verifying = useSelector(card, (snapshot) => snapshot.matches("verifying"));
  const slow = useSelector(card, (snapshot) => snapshot.hasTag("slow"));
  const unconfirmed = useSelector(result, (snapshot) => snapshot?.hasTag("slow"));
  const goOn = () => card.send({ type: "cancel" });
  return verifying ? (
    <SlowNotice shown={unconfirmed === true} onGoOn={goOn}>
      <Trans>See the bill</Trans>
    </SlowNotice>
  ) : (
    <SlowNotice
      shown={slow}
      onGoOn={goOn}
      // The bank's own window or app may take longer than the slow-request time.
      why={<Trans>Waiting for your bank. If it has opened a window, confirm there.</Trans>}
    >
      <Trans>Stop waiting</Trans>
    </SlowNotice>
  );
}

/** The primary action of each step. */
function Foot({ card, form }: { card: CardRef; form: string }) {
  const entering = useSelector(card, (snapshot) => snapshot.hasTag("step1"));
  const filled = useSelector(card, (snapshot) => snapshot.matches({ entering: "filled" }));
  const paid = useSelector(card, (snapshot) => snapshot.hasTag("step3"));
  const retry = useSelector(card, (snapshot) =>
    snapshot.matches("unpaid") ? snapshot.children.result : undefined,
  );
  return (
    <>
      {entering ? (
        <Button type="submit" form={form} disabled={!filled}>
          <Trans>Payment</Trans>
        </Button>
      ) : null}
      {paid ? (
        <>
          <Button onClick={() => card.send({ type: "close.requested" })}>
            <Trans>Close</Trans>
          </Button>
          <ButtonLink to="landing" data-tone="quiet">
            <Trans>Get the app</Trans>
          </ButtonLink>
        </>
      ) : null}
      {retry ? <Retry result={retry} /> : null}
    </>
  );
}

function Retry({ result }: { result: ActorRefFrom<typeof cardResultMachine> }) {
  const busy = useSelector(result, (snapshot) => snapshot.hasTag("busy"));
  const slow = useSelector(result, (snapshot) => snapshot.hasTag("slow"));
  return (
    <>
      <SlowNotice shown={slow} onGoOn={() => result.send({ type: "cancel" })}>
        <Trans>Stop waiting</Trans>
      </SlowNotice>
      <Button busy={busy} onClick={() => result.send({ type: "retry" })}>
        <Trans>Retry Payment</Trans>
      </Button>
    </>
  );
}

function Bill({ card }: { card: CardRef }) {
  const offer = useSelector(card, ({ context }) => context.offer);
  const order = useSelector(card, ({ context }) => context.order);
  const copying = useChart(clipboardMachine);
  return (
    <Rows>
      <Row>
        <RowBody
          reading
          label={<Trans>Amount</Trans>}
          value={<Figures translate="no">USD {order?.amount ?? offer.buy_price}</Figures>}
        />
      </Row>
      <Row>
        <RowBody reading label={<Trans>Package</Trans>} value={offer.name} />
      </Row>
      {order ? (
        <Row>
          <OrderNumber copying={copying} orderId={order.orderId} />
        </Row>
      ) : null}
    </Rows>
  );
}

/** A user who retries must know that the bank may still accept the first attempt. */
function Unsettled({ card }: { card: CardRef }) {
  const unsettled = useSelector(card, ({ context }) => context.unsettled);
  return unsettled ? (
    <Note>
      <Trans>The result of your first attempt is not in yet. If the bank approves both, you pay twice.</Trans>
    </Note>
  ) : null;
}

function CardForm({ card, form }: { card: CardRef; form: string }) {
  const { t } = useLingui();
  const tip = useId();
  return (
    <form
      method="post"
      id={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        focusError(event.currentTarget);
        card.send({ type: "pay.requested" });
      }}
    >
      <Stack>
        <CardInput
          card={card}
          of="card_number"
          tip={tip}
          label={<Trans>Card number</Trans>}
          autoComplete="cc-number"
          inputMode="numeric"
          enterKeyHint="next"
          placeholder="0000 0000 0000 0000"
        />
        <Pair>
          <CardInput
            card={card}
            of="expiry"
            tip={tip}
            label={<Trans>Expiry</Trans>}
            autoComplete="cc-exp"
            inputMode="numeric"
            enterKeyHint="next"
            placeholder="MM/YYYY"
          />
          <CardInput
            card={card}
            of="cvv"
            tip={tip}
            type="password"
            label={<Trans>Security code</Trans>}
            autoComplete="cc-csc"
            inputMode="numeric"
            enterKeyHint="next"
            maxLength={4}
            placeholder="CVV"
          />
        </Pair>
        <CardInput
          card={card}
          of="cardholder"
          tip={tip}
          label={<Trans>Name on the card</Trans>}
          autoComplete="cc-name"
          enterKeyHint="go"
          autoCapitalize="words"
          autoCorrect="off"
          spellCheck={false}
          placeholder={t`As printed on the card`}
        />
        <Incorrect card={card} tip={tip} />
        <Note>
          <Trans>Your card details go straight to the payment provider. We never see or store them.</Trans>
        </Note>
      </Stack>
    </form>
  );
}

/** A field whose text the chart formats; a component of its own, so that typing rerenders no other field. */
function CardInput({
  card,
  of,
  tip,
  ...rest
}: Omit<FieldProps, "value" | "onChange" | "name"> & { card: CardRef; of: CardField; tip: string }) {
  const value = useSelector(card, ({ context }) => context.card[of]);
  const wrong = useSelector(card, ({ context }) => context.wrong.includes(of));
  const edit = (made: Edit) => card.send({ type: "card.edited", field: of, ...made });
  const field = {
    ...rest,
    name: of,
    value,
    required: true,
    invalid: wrong,
    ...(wrong ? { "aria-describedby": tip } : {}),
  };
  return of === "cardholder" ? (
    <Field {...field} onChange={({ target }) => edit({ text: target.value })} />
  ) : (
    <FormattedField {...field} onEdit={edit} />
  );
}

function Incorrect({ card, tip }: { card: CardRef; tip: string }) {
  const wrong = useSelector(card, ({ context }) => context.wrong.length > 0);
  return (
    <div role="alert">
      {wrong ? (
        <Note data-tone="failure" id={tip}>
          <Trans>
            Some information is incorrect, Please check the red fields and correct them before submitting.
          </Trans>
        </Note>
      ) : null}
    </div>
  );
}

function Result({ card }: { card: CardRef }) {
  const description = useSelector(card, ({ context }) => context.description);
  const outcome = useSelector(card, cardOutcome);
  const why = description ?? (
    <Trans>You can try again, with this card or another. We check first, so you do not pay twice.</Trans>
  );
  const seals = {
    paid: { status: "confirmed", picture: paidPicture, word: <Trans>Payment Succeeded</Trans> },
    failed: { status: "failed", picture: declinedPicture, word: <Trans>Payment Failed</Trans> },
    cancelled: { status: "cancelled", picture: cancelledPicture, word: <Trans>Payment Cancelled</Trans> },
    open: { status: "cancelled", picture: cancelledPicture, word: <Trans>Result not known yet</Trans> },
  } as const;
  const words = {
    paid: <Trans>Your membership is active. Log in to the app with this account.</Trans>,
    failed: why,
    cancelled: why,
    open: (
      <Trans>Your bank may still approve this payment. If you retry, we check first whether it did.</Trans>
    ),
  };
  const { status, picture, word } = seals[outcome];
  return (
    <StatusSeal status={status} picture={<img src={picture} width={200} height={160} alt="" />} word={word}>
      {words[outcome]}
    </StatusSeal>
  );
}
