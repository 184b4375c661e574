/** The receipt of a paid order: printed, or saved as a picture. Decision 33. */
import { Trans, useLingui } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import { Fragment } from "react";
import { createGlobalStyle, styled } from "styled-components";
import type { OrderReading } from "../../../machines/order-status.ts";
import { receiptMachine } from "../../../machines/receipt.ts";
import { useApp, useChart, useRouteParams, useScreenActivated } from "../runtime/hooks.ts";
import { AsyncContent } from "../components/async-content.tsx";
import { formatMinute } from "../components/format.ts";
import { linkWith, useBack } from "../components/link.tsx";
import { billOf } from "../navigation/destinations.ts";
import { brands } from "../theme/brand.ts";
import { languageOf } from "../../contract/languages.ts";
import { Button, ButtonAnchor } from "../ui/button.tsx";
import { Drawing } from "../ui/drawing.tsx";
import { Page } from "../ui/page.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { StateView } from "../ui/state-view.tsx";
import pendingPicture from "../pictures/pending.svg";

const ButtonLink = linkWith(ButtonAnchor);

/** On paper, the receipt stands alone, black on white. */
const OnPaper = createGlobalStyle`
  @media print {
    body:has([data-receipt]) {
      background: none;

      header, [role="status"], main > :not(:first-child), [data-only] {
        display: none !important;
      }
    }
  }
`;

const Paper = styled.article`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 20px;
  padding: 24px 20px 8px;
  border: 1px solid var(--hairline);
  border-radius: var(--radius-card);
  background: var(--card);

  @media print {
    border: 0;
    color: #000;
    background: none;
    --soft: #333;
    --hairline: #999;
  }
`;

const Sum = styled.p`
  font-size: var(--size-34);
  font-weight: 680;
  line-height: 1.2;
  font-variant-numeric: tabular-nums;
`;

const Word = styled.h2`
  font-size: var(--size-14);
  font-weight: 550;
  color: var(--soft);
`;

/** A value beside its label, or below it where it is long. */
const Facts = styled.dl`
  display: grid;
  grid-template-columns: auto minmax(0, 1fr);

  > * {
    padding-block: 14px;
    border-block-start: 1px solid var(--hairline);
  }
  dt {
    padding-inline-end: 16px;
    font-size: var(--size-14);
    color: var(--soft);
  }
  dd {
    text-align: end;
    font-weight: 550;
    font-variant-numeric: tabular-nums;
    overflow-wrap: anywhere;
  }
  dt[data-long] {
    grid-column: 1 / -1;
    padding-block-end: 0;
  }
  dd[data-long] {
    grid-column: 1 / -1;
    padding-block-start: 4px;
    border: 0;
    text-align: start;
    font-family: var(--mono);
    font-size: var(--size-14);
    font-weight: 400;
  }
`;

/** Longer than what fits beside a label. */
const LONG = 24;

export default function Receipt() {
  const { t, i18n } = useLingui();
  const { order_id = "" } = useRouteParams();
  const receipt = useChart(receiptMachine, { input: { orderId: order_id } });
  useScreenActivated(receipt);
  const isPaid = useSelector(receipt, (snapshot) => snapshot.hasTag("paid"));
  const isUnpaid = useSelector(receipt, (snapshot) => snapshot.matches("unpaid"));
  const isBusy = useSelector(receipt, (snapshot) => snapshot.hasTag("busy"));
  const reading = useSelector(receipt, ({ context }) => context.reading);
  const facts = useFacts(order_id, reading);
  const bill = billOf({ orderId: order_id, amount: reading?.amount ?? "0", ...reading });
  const back = useBack(bill, { to: "bill", params: { order_id } });
  const brand = brands[languageOf(i18n.locale)];
  const amount = `${reading?.amount} ${reading?.unit ?? ""}`;
  const save = () =>
    receipt.send({
      type: "picture.requested",
      picture: {
        file: `${brand.name}-${order_id}`,
        brand: brand.name,
        title: t`Receipt`,
        amount,
        lines: facts,
      },
    });
  return (
    <Page
      title={<Trans>Receipt</Trans>}
      backLabel={t`Back`}
      onBack={back}
      foot={
        isPaid ? (
          <>
            <Button busy={isBusy} onClick={save}>
              <Trans>Save as a picture</Trans>
            </Button>
            <Button tone="quiet" onClick={() => receipt.send({ type: "print.requested" })}>
              <Trans>Print</Trans>
            </Button>
          </>
        ) : null
      }
    >
      <OnPaper />
      <AsyncContent actor={receipt}>
        <Skeleton height="420px" radius="var(--radius-card)" />
      </AsyncContent>
      {isUnpaid ? (
        <StateView
          picture={<img src={pendingPicture} width={200} height={160} alt="" />}
          title={<Trans>No receipt yet</Trans>}
          actions={
            <ButtonLink {...bill}>
              <Trans>Show the bill</Trans>
            </ButtonLink>
          }
        >
          <Trans>There is one as soon as the payment is confirmed.</Trans>
        </StateView>
      ) : null}
      {isPaid ? (
        <Paper data-receipt="">
          <p role="img" aria-label={brand.name}>
            <Drawing {...brand.logo} />
          </p>
          <div>
            <Word>
              <Trans>Paid</Trans>
            </Word>
            <Sum translate="no">{amount}</Sum>
          </div>
          <Facts>
            {facts.map(([label, value]) => (
              <Fragment key={label + value}>
                <dt data-long={value.length > LONG ? "" : undefined}>{label}</dt>
                <dd translate="no" data-long={value.length > LONG ? "" : undefined}>
                  {value}
                </dd>
              </Fragment>
            ))}
          </Facts>
        </Paper>
      ) : null}
    </Page>
  );
}

/** What a receipt says, as far as the API tells. */
function useFacts(
  orderId: string,
  reading: OrderReading | null,
): readonly (readonly [label: string, value: string])[] {
  const { t, i18n } = useLingui();
  const accountName = useSelector(useApp().session, ({ context }) => context.userName);
  if (!reading) return [];
  const { packName, way, paidAt, createdAt, references = [] } = reading;
  const minute = (moment: string) => formatMinute(moment, i18n.locale);
  const transaction = t`Transaction`;
  const facts: [label: string, value: string | null | undefined][] = [
    [t`Package`, packName],
    [t`Account`, accountName],
    [t`Paid with`, way === "card" ? t`Card` : way],
    [t`Paid on`, paidAt && minute(paidAt)],
    [t`Ordered`, createdAt && minute(createdAt)],
    [t`Order number`, orderId],
    ...references.map((reference): [string, string] => [transaction, reference]),
  ];
  return facts.filter((fact): fact is [string, string] => Boolean(fact[1]));
}
