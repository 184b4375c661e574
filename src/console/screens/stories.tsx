/** An order and a member: the facts, what can be done now, and everything that happened; and what a pasted text names. */
import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import type { Found, MemberStory, OrderStory } from "../../contract/console.ts";
import { Badge } from "../../app/ui/badge.tsx";
import { Card } from "../../app/ui/card.tsx";
import { Stack } from "../../app/ui/stack.tsx";
import { Heading, Note } from "../../app/ui/text.tsx";
import { Actions } from "../parts/change.tsx";
import { shownTime } from "../parts/format.ts";
import { Code, Facts, Grid, Lines } from "../parts/layout.tsx";
import { useNames } from "../parts/names.ts";
import { OrderLines, RowLines, StatusBadge, StoryLines } from "../parts/lines.tsx";
import { ReadingView } from "../parts/reading.tsx";
import { useReading } from "../runtime.tsx";
import { balanceWords } from "../words.ts";

export function OrderScreen({ id }: { id: string }) {
  const { ref, items } = useReading<OrderStory>({ call: "order", order: id });
  const [story] = items;
  return (
    <>
      <h1>
        <Trans>Order</Trans> <Code translate="no">{id}</Code>
      </h1>
      <ReadingView of={ref}>{story ? <OrderView story={story} /> : null}</ReadingView>
    </>
  );
}

function OrderView({ story: { order, actions, moments } }: { story: OrderStory }) {
  const { i18n } = useLingui();
  const name = useNames();
  const balances = Object.entries(order.balances).filter(([balance]) => balance in balanceWords);
  return (
    <>
      <Grid>
        <Card>
          <Facts>
            <dt>
              <Trans>State</Trans>
            </dt>
            <dd>
              <StatusBadge status={order.status} />
            </dd>
            <dt>
              <Trans>Member</Trans>
            </dt>
            <dd>
              <Link to="/member/$name" params={{ name: order.member }} translate="no">
                {order.member}
              </Link>
            </dd>
            <dt>
              <Trans>Price</Trans>
            </dt>
            <dd translate="no">
              {order.amount} {order.currency}
            </dd>
            <dt>
              <Trans>Brings</Trans>
            </dt>
            <dd>
              <Plural value={order.days} one="# day" other="# days" />
            </dd>
            <dt>
              <Trans>Ordered</Trans>
            </dt>
            <dd>{shownTime(order.at, i18n.locale)}</dd>
          </Facts>
        </Card>
        <Card>
          <Facts>
            {balances.map(([balance, amount]) => [
              <dt key={balance}>{name(balanceWords, balance)}</dt>,
              <dd key={`${balance}=`} translate="no">
                {amount} {order.currency}
              </dd>,
            ])}
            <dt>
              <Trans>Paid by</Trans>
            </dt>
            <dd translate="no">{order.by}</dd>
            {order.address === null ? null : (
              <>
                <dt>
                  <Trans>Paid to</Trans>
                </dt>
                <dd>
                  <Code translate="no">{order.address}</Code>
                </dd>
              </>
            )}
            {order.path === null ? null : (
              <>
                <dt>
                  <Trans>Key path</Trans>
                </dt>
                <dd>
                  <Code translate="no">{order.path}</Code>
                </dd>
              </>
            )}
          </Facts>
        </Card>
      </Grid>
      <Actions names={actions} args={[order.id]} />
      <Heading>
        <Trans>What happened</Trans>
      </Heading>
      <StoryLines moments={moments} />
    </>
  );
}

export function MemberScreen({ name }: { name: string }) {
  const { ref, items } = useReading<MemberStory>({ call: "member", name });
  const [story] = items;
  return (
    <>
      <h1>
        <Trans>Member</Trans> <span translate="no">{name}</span>
      </h1>
      <ReadingView of={ref}>{story ? <MemberView story={story} /> : null}</ReadingView>
    </>
  );
}

function MemberView({ story: { member, orders, earlierOrders, moments, actions } }: { story: MemberStory }) {
  const { i18n } = useLingui();
  return (
    <>
      <Card>
        <Facts data-wide="">
          <dt>
            <Trans>Membership</Trans>
          </dt>
          <dd>
            <Badge data-tone={member.isRunning ? "success" : "plain"}>
              {member.isRunning ? <Trans>Running</Trans> : <Trans>None</Trans>}
            </Badge>
          </dd>
          {member.ends === null ? null : (
            <>
              <dt>{member.isRunning ? <Trans>Ends</Trans> : <Trans>Ended</Trans>}</dt>
              <dd>{shownTime(member.ends, i18n.locale)}</dd>
            </>
          )}
          <dt>
            <Trans>Account</Trans>
          </dt>
          <dd>
            {member.isLocked ? (
              <Badge data-tone="failure">
                <Trans>Locked</Trans>
              </Badge>
            ) : (
              <Trans context="account">Open</Trans>
            )}
          </dd>
          <dt>
            <Trans>Logged in on</Trans>
          </dt>
          <dd>
            <Plural value={member.sessions} one="# device" other="# devices" />
          </dd>
          <dt>
            <Trans>Security question</Trans>
          </dt>
          <dd>{member.hasQuestion ? <Trans>Set</Trans> : <Trans>Not set</Trans>}</dd>
        </Facts>
      </Card>
      <Actions names={actions} args={[member.name]} />
      {orders.length === 0 ? null : (
        <>
          <Heading>
            <Trans>Orders</Trans>
          </Heading>
          <OrderLines orders={orders} />
          {earlierOrders === 0 ? null : (
            <Note>
              <Plural
                value={earlierOrders}
                one="# earlier order is not shown"
                other="# earlier orders are not shown"
              />
            </Note>
          )}
        </>
      )}
      <Heading>
        <Trans>What happened</Trans>
      </Heading>
      <StoryLines moments={moments} />
    </>
  );
}

export function FindScreen({ text }: { text: string }) {
  const { ref, items } = useReading<Found>({ call: "find", text });
  const [found] = items;
  return (
    <>
      <h1>
        <Trans>Search</Trans>
      </h1>
      <Note>
        <Code translate="no">{text}</Code>
      </Note>
      <ReadingView of={ref}>{found ? <FoundView found={found} /> : null}</ReadingView>
    </>
  );
}

function FoundView({ found: { orders, members, rows, removed } }: { found: Found }) {
  const isNothing = orders.length + members.length + rows.length === 0;
  return (
    <Stack data-gap="loose">
      {isNothing && removed === null ? (
        <Note role="status">
          <Trans>Nothing is known by that. Paste a number, a name, an address or a transaction.</Trans>
        </Note>
      ) : null}
      {removed === null ? null : (
        <Note role="status">
          <Trans>
            Order {removed.order} of {removed.member} was never paid and has been removed.
          </Trans>
        </Note>
      )}
      {members.length === 0 ? null : (
        <Lines>
          {members.map((name) => (
            <li key={name}>
              <Link to="/member/$name" params={{ name }} translate="no">
                {name}
              </Link>
              <Badge>
                <Trans>Member</Trans>
              </Badge>
            </li>
          ))}
        </Lines>
      )}
      {orders.length === 0 ? null : <OrderLines orders={orders} />}
      {rows.length === 0 ? null : (
        <>
          <Heading>
            <Trans>Unsettled money</Trans>
          </Heading>
          <RowLines rows={rows} />
        </>
      )}
    </Stack>
  );
}
