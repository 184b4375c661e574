/** Every order of the account, the latest first: what it costs, how it is paid, what became of it. Decision 30. */
import { Trans, useLingui } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import type { ReactNode } from "react";
import { styled } from "styled-components";
import { statusOf } from "../../../machines/bill.ts";
import { orderHistoryMachine, type PastOrder } from "../../../machines/order-history.ts";
import { useChart, usePageVisible, useScreenActivated } from "../runtime/hooks.ts";
import { AsyncContent } from "../components/async-content.tsx";
import { formatDay, shortReference } from "../components/format.ts";
import { linkWith, useBack } from "../components/link.tsx";
import { billOf } from "../navigation/destinations.ts";
import { Badge } from "../ui/badge.tsx";
import { Button, ButtonAnchor } from "../ui/button.tsx";
import { Page } from "../ui/page.tsx";
import { Row, RowAnchor, RowContent, Rows } from "../ui/rows.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Stack } from "../ui/stack.tsx";
import { StateView } from "../ui/state-view.tsx";
import { Figures } from "../ui/text.tsx";
import pendingPicture from "../pictures/pending.svg";

const ButtonLink = linkWith(ButtonAnchor);
const RowLink = linkWith(RowAnchor);

/** The day and the payment method at one end, the status at the other; stacked where there is no room. */
const Particulars = styled.span`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 4px 12px;
  margin-block-start: 4px;
`;

/** The payment method, on a line of its own. */
const Reference = styled.span`
  flex-basis: 100%;
  overflow-wrap: anywhere;
  font-variant-numeric: tabular-nums;
`;

export default function Orders() {
  const { t } = useLingui();
  const back = useBack({ to: "account" });
  const history = useChart(orderHistoryMachine);
  useScreenActivated(history);
  usePageVisible(history);
  const listed = useSelector(history, (snapshot) => snapshot.hasTag("listed"));
  const adding = useSelector(history, (snapshot) => snapshot.matches("adding"));
  const stuck = useSelector(history, (snapshot) => snapshot.matches("addingFailed"));
  const { orders, next } = useSelector(history, ({ context }) => context.list);
  return (
    <Page title={<Trans>My orders</Trans>} backLabel={t`Back`} onBack={back}>
      <AsyncContent actor={history}>
        <Skeleton height="84px" />
        <Skeleton height="84px" />
        <Skeleton height="84px" />
      </AsyncContent>
      {listed && orders.length === 0 ? <NoOrders /> : null}
      {orders.length === 0 ? null : (
        <Stack>
          <Rows>
            {orders.map((order) => (
              <Row key={order.orderId}>
                <OrderRow order={order} />
              </Row>
            ))}
          </Rows>
          <AsyncContent actor={history} during="adding" without="addingFailed" part>
            {null}
          </AsyncContent>
          {next === null || stuck ? null : (
            <Button tone="secondary" busy={adding} onClick={() => history.send({ type: "more.requested" })}>
              <Trans>Show earlier orders</Trans>
            </Button>
          )}
        </Stack>
      )}
    </Page>
  );
}

const NoOrders = () => (
  <StateView
    picture={<img src={pendingPicture} width={200} height={160} alt="" />}
    title={<Trans>No orders yet</Trans>}
    actions={
      <ButtonLink to="packages">
        <Trans>Choose a package</Trans>
      </ButtonLink>
    }
  >
    <Trans>What you buy is listed here.</Trans>
  </StateView>
);

function OrderRow({ order: { orderId, packName, way, reading } }: { order: PastOrder }) {
  const { i18n } = useLingui();
  const { amount, unit, status, createdAt, references: [reference, ...others] = [] } = reading;
  const further = others.length;
  return (
    <RowLink {...billOf({ orderId, amount, status, createdAt })}>
      <RowContent
        label={packName || <Figures translate="no">{orderId}</Figures>}
        value={
          <Figures translate="no">
            {amount} {unit}
          </Figures>
        }
        note={
          <Particulars>
            <span>
              {way === "card" ? (
                <span>
                  <Trans>Card</Trans>
                </span>
              ) : (
                <span translate="no">{way}</span>
              )}
              {createdAt === "" ? null : <span>{` · ${formatDay(createdAt, i18n.locale)}`}</span>}
            </span>
            <StatusBadge reading={reading} />
            {reference === undefined ? null : (
              <Reference translate="no">
                <span>{shortReference(reference)}</span>
                {further === 0 ? null : <span>{` +${further}`}</span>}
              </Reference>
            )}
          </Particulars>
        }
        mark="chevron"
      />
    </RowLink>
  );
}

function StatusBadge({ reading }: Pick<PastOrder, "reading">) {
  const looks: Record<ReturnType<typeof statusOf>, [tone: string, words: ReactNode]> = {
    confirmed: ["success", <Trans key="word">Confirmed</Trans>],
    failed: ["failure", <Trans key="word">Failed</Trans>],
    returned: [
      "failure",
      <Trans key="word" context="order whose money was given back">
        Failed
      </Trans>,
    ],
    held: ["accent", <Trans key="word">Waiting to be checked</Trans>],
    partlyPaid: ["accent", <Trans key="word">Part of it has arrived</Trans>],
    pending: ["plain", <Trans key="word">Pending</Trans>],
  };
  const [tone, words] = looks[statusOf(reading)];
  return <Badge data-tone={tone}>{words}</Badge>;
}
