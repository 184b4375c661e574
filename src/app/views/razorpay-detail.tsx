/** Paying by card, and what came of it. Specification, sections 2 (Card payment screen), 4 and 5. */
import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import { useId, useState } from "react";
import { styled } from "styled-components";
import type { ActorRefFrom } from "xstate";
import type { CardField, Edit } from "../../../machines/card-fields.ts";
import { cardMachine } from "../../../machines/card.ts";
import { useApp, useChart, usePageShown } from "../app.ts";
import { useBack } from "../link.tsx";
import { BusyOverlay } from "../parts/busy-overlay.tsx";
import { focusFault } from "../forms.ts";
import { Button } from "../parts/button.tsx";
import { Field, type FieldProps } from "../parts/field.tsx";
import { FormattedField } from "../parts/formatted-field.tsx";
import { Page } from "../parts/page.tsx";
import { Row, RowBody, Rows } from "../parts/rows.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { Stack } from "../parts/stack.tsx";
import { StatusSeal } from "../parts/status-seal.tsx";
import { Figures, Note } from "../parts/text.tsx";
import cancelledPicture from "../pictures/cancelled.svg";
import declinedPicture from "../pictures/declined.svg";
import paidPicture from "../pictures/paid.svg";
import { useLeaveGuard } from "./leave-guard.ts";
import { Reading } from "./reading.tsx";
import { Slow } from "./slow.tsx";

type CardRef = ActorRefFrom<typeof cardMachine>;

const Pair = styled.div`
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr));
  gap: 16px 12px;
`;

export function RazorpayDetail() {
  const { t } = useLingui();
  const back = useBack({ to: "/personal_info" });
  const app = useApp();
  const [input] = useState(() => {
    const offer = app.storage.readJson("selectedItem");
    if (!offer) throw new Error("The route lets nobody in without a package.");
    return { offer, visit: app.newVisit(), today: app.today() };
  });
  const card = useChart(cardMachine, { input });
  usePageShown(card);
  const entering = useSelector(card, (snapshot) => snapshot.hasTag("step1"));
  const processing = useSelector(card, (snapshot) => snapshot.hasTag("step2"));
  const verifying = useSelector(card, (snapshot) => snapshot.matches("verifying"));
  const result = useSelector(card, (snapshot) => snapshot.matches("paid") || snapshot.matches("unpaid"));
  const slow = useSelector(card, (snapshot) => snapshot.hasTag("slow"));
  const underWay = useSelector(card, ({ context }) => context.unsettled);
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
      <Reading actor={card} during="preparing" without="unavailable">
        <Skeleton height="168px" radius="var(--radius-card)" />
        <Skeleton height="52px" />
        <Skeleton height="52px" />
      </Reading>
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
      </Stack>
      <BusyOverlay
        open={processing}
        action={
          <Slow
            shown={slow}
            onGoOn={() => card.send({ type: "waiting.dropped" })}
            // A bank's own window, or its app, takes a person longer than that.
            why={
              verifying ? undefined : (
                <Trans>Waiting for your bank. If it has opened a window, confirm there.</Trans>
              )
            }
          >
            {verifying ? <Trans>See the bill</Trans> : <Trans>Stop waiting</Trans>}
          </Slow>
        }
      >
        <Trans>Payment in Progress</Trans>
      </BusyOverlay>
    </Page>
  );
}

/** The one thing to do, by the step. */
function Foot({ card, form }: { card: CardRef; form: string }) {
  const entering = useSelector(card, (snapshot) => snapshot.hasTag("step1"));
  const filled = useSelector(card, (snapshot) => snapshot.matches({ entering: "filled" }));
  const paid = useSelector(card, (snapshot) => snapshot.hasTag("step3"));
  const unpaid = useSelector(card, (snapshot) => snapshot.matches("unpaid"));
  const busy = useSelector(card, (snapshot) => snapshot.hasTag("busy"));
  const slow = useSelector(card, (snapshot) => snapshot.hasTag("slow"));
  return (
    <>
      {entering ? (
        <Button type="submit" form={form} disabled={!filled}>
          <Trans>Payment</Trans>
        </Button>
      ) : null}
      {paid ? (
        <Button onClick={() => card.send({ type: "close.asked" })}>
          <Trans>Close</Trans>
        </Button>
      ) : null}
      {unpaid ? (
        <>
          <Slow shown={slow} onGoOn={() => card.send({ type: "waiting.dropped" })}>
            <Trans>Stop waiting</Trans>
          </Slow>
          <Button busy={busy} onClick={() => card.send({ type: "retry.asked" })}>
            <Trans>Retry Payment</Trans>
          </Button>
        </>
      ) : null}
    </>
  );
}

function Bill({ card }: { card: CardRef }) {
  const offer = useSelector(card, ({ context }) => context.offer);
  const order = useSelector(card, ({ context }) => context.order);
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
      <Row>
        <RowBody
          reading
          label={<Trans>Order number</Trans>}
          value={<span translate="no">{order?.orderId}</span>}
        />
      </Row>
    </Rows>
  );
}

/** Whoever tries again while the bank may still let the first attempt through has to know that. */
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
      id={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        focusFault(event.currentTarget);
        card.send({ type: "pay.asked" });
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

/** A field whose text is the chart's, which formats it; alone, so that a key draws no other field anew. */
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
  return of === "card_number" || of === "expiry" ? (
    <FormattedField {...field} onEdit={edit} />
  ) : (
    <Field {...field} onChange={({ target }) => edit({ text: target.value })} />
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
  const paid = useSelector(card, (snapshot) => snapshot.hasTag("step3"));
  const cancelled = useSelector(card, (snapshot) => snapshot.hasTag("step5"));
  const open = useSelector(card, (snapshot) => snapshot.hasTag("open"));
  if (paid) {
    return (
      <StatusSeal
        status="confirmed"
        picture={<img src={paidPicture} width={200} height={160} alt="" />}
        word={<Trans>Payment Succeeded</Trans>}
      >
        <Trans>Your membership is active. Thank you.</Trans>
      </StatusSeal>
    );
  }
  const failed = !cancelled && !open;
  const ended = failed ? <Trans>Payment Failed</Trans> : <Trans>Payment Cancelled</Trans>;
  return (
    <StatusSeal
      status={failed ? "failed" : "cancelled"}
      picture={<img src={failed ? declinedPicture : cancelledPicture} width={200} height={160} alt="" />}
      word={open ? <Trans>Result not known yet</Trans> : ended}
    >
      {open ? (
        <Trans>Your bank may still approve this payment. If you retry, we check first whether it did.</Trans>
      ) : (
        (description ?? (
          <Trans>
            You can try again, with this card or another. We check first, so you do not pay twice.
          </Trans>
        ))
      )}
    </StatusSeal>
  );
}
