/** How the shop stands: what waits for a person first, then money, orders, memberships, networks, the last backup. */
import { Trans, useLingui } from "@lingui/react/macro";
import { CatchBoundary, Link } from "@tanstack/react-router";
import { lazy, Suspense, type ReactNode } from "react";
import type { AlarmKind, Today } from "../../contract/console.ts";
import { Badge } from "../../app/ui/badge.tsx";
import { Card } from "../../app/ui/card.tsx";
import { Skeleton } from "../../app/ui/skeleton.tsx";
import { Stack } from "../../app/ui/stack.tsx";
import { Heading, Note } from "../../app/ui/text.tsx";
import { shownAge, shownDate, shownNumber, shownTime } from "../parts/format.ts";
import { Facts, Grid, TableBox } from "../parts/layout.tsx";
import { ReadingView } from "../parts/reading.tsx";
import { useReading } from "../runtime.tsx";

const Plot = lazy(async () => import("../parts/plot.tsx"));

export function TodayScreen() {
  const { ref, items } = useReading<Today>({ call: "today" });
  const [today] = items;
  return (
    <>
      <h1>
        <Trans>Today</Trans>
      </h1>
      <ReadingView of={ref}>{today ? <TodayView today={today} /> : null}</ReadingView>
    </>
  );
}

function Fact({ name, children, alarm }: { name: ReactNode; children: ReactNode; alarm?: boolean }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{alarm ? <Badge data-tone="failure">{children}</Badge> : children}</dd>
    </>
  );
}

/** What is wrong, and where it is mended if that is on this page. */
function AlarmName({ alarm: { kind, about, what } }: { alarm: Today["alarms"][number] }) {
  const on = about ?? "";
  switch (kind) {
    case "network silent":
    case "provider silent":
      return <Trans>{on} is not read</Trans>;
    case "network stands still":
      return <Trans>{on} stands still</Trans>;
    case "network lags":
      return <Trans>{on} is read late</Trans>;
    case "payments unmatched":
      return (
        <Link to="/unmatched" search={{ filter: "open" }}>
          <Trans>Money waits for you</Trans>
        </Link>
      );
    case "events late":
      return (
        <Link to="/events" search={{ filter: "undelivered" }}>
          <Trans>Events are not delivered</Trans>
        </Link>
      );
    case "events given up":
      return (
        <Link to="/events" search={{ filter: "given-up" }}>
          <Trans>Events were given up</Trans>
        </Link>
      );
    case "backup old":
      return (
        <Link to="/books">
          <Trans>The last backup is old</Trans>
        </Link>
      );
    case null:
    default:
      return <span lang="en">{what}</span>;
  }
}

function TodayView({ today }: { today: Today }) {
  const { i18n } = useLingui();
  const { waiting, orders, memberships, networks, backup, alarms } = today;
  const number = (each: number) => shownNumber(each, i18n.locale);
  const isOn = (kind: AlarmKind, on: string | null = null) =>
    alarms.some((alarm) => alarm.kind === kind && alarm.about === on);
  return (
    <>
      {alarms.length === 0 ? (
        <Note>
          <Trans>No alarm is on.</Trans>
        </Note>
      ) : (
        <Card aria-labelledby="alarms" data-tone="failure">
          <Stack>
            <Heading id="alarms">
              <Trans>Alarms</Trans>
            </Heading>
            <Facts data-wide="">
              {alarms.map((alarm) => (
                <Fact
                  key={`${alarm.kind ?? alarm.what} ${alarm.about ?? ""}`}
                  name={<AlarmName alarm={alarm} />}
                >
                  <Trans>since {shownTime(alarm.since, i18n.locale)}</Trans>
                </Fact>
              ))}
            </Facts>
          </Stack>
        </Card>
      )}
      <Grid>
        <Card aria-labelledby="waiting" data-tone={waiting.unmatched > 0 ? "lamp" : undefined}>
          <Stack>
            <Heading id="waiting">
              <Trans>Waits for you</Trans>
            </Heading>
            <Facts>
              <Fact
                name={
                  <Link to="/unmatched" search={{ filter: "open" }}>
                    <Trans>Unsettled money</Trans>
                  </Link>
                }
                alarm={isOn("payments unmatched")}
              >
                {number(waiting.unmatched)}
              </Fact>
              <Fact
                name={
                  <Link to="/orders" search={{ filter: "part-paid" }}>
                    <Trans>Part-paid orders</Trans>
                  </Link>
                }
              >
                {number(waiting.partPaid)}
              </Fact>
              <Fact
                name={
                  <Link to="/events" search={{ filter: "undelivered" }}>
                    <Trans>Late events</Trans>
                  </Link>
                }
                alarm={isOn("events late")}
              >
                {number(waiting.eventsLate)}
              </Fact>
              <Fact
                name={
                  <Link to="/events" search={{ filter: "given-up" }}>
                    <Trans>Events given up</Trans>
                  </Link>
                }
                alarm={isOn("events given up")}
              >
                {number(waiting.eventsGivenUp)}
              </Fact>
              <Fact
                name={
                  <Link to="/books">
                    <Trans>Last backup</Trans>
                  </Link>
                }
                alarm={isOn("backup old")}
              >
                {backup === null ? <Trans>None yet</Trans> : shownTime(backup, i18n.locale)}
              </Fact>
            </Facts>
          </Stack>
        </Card>
        <Card aria-labelledby="orders">
          <Stack>
            <Heading id="orders">
              <Trans>Orders, 30 days</Trans>
            </Heading>
            <Facts>
              {(["confirmed", "pending", "failed"] as const).map((filter) => (
                <Fact
                  key={filter}
                  name={
                    <Link to="/orders" search={{ filter }}>
                      {filter === "confirmed" ? (
                        <Trans>Confirmed</Trans>
                      ) : filter === "pending" ? (
                        <Trans>Pending</Trans>
                      ) : (
                        <Trans>Failed</Trans>
                      )}
                    </Link>
                  }
                >
                  {number(orders[filter])}
                </Fact>
              ))}
            </Facts>
          </Stack>
        </Card>
        <Card aria-labelledby="memberships">
          <Stack>
            <Heading id="memberships">
              <Trans>Memberships</Trans>
            </Heading>
            <Facts>
              <Fact name={<Trans>Running now</Trans>}>{number(memberships.running)}</Fact>
              <Fact name={<Trans>Paid in the last 7 days</Trans>}>{number(memberships.paidThisWeek)}</Fact>
              <Fact name={<Trans>End in the next 7 days</Trans>}>{number(memberships.endThisWeek)}</Fact>
              <Fact name={<Trans>Ended in the last 7 days</Trans>}>{number(memberships.endedLastWeek)}</Fact>
            </Facts>
          </Stack>
        </Card>
        {networks.map(({ network, head, age, unread, checkedAt }) => (
          <Card key={network} aria-labelledby={network}>
            <Stack>
              <Heading id={network} translate="no">
                {network}
              </Heading>
              <Facts>
                <Fact name={<Trans>Newest block</Trans>}>{head === null ? "–" : number(head)}</Fact>
                <Fact name={<Trans>Its age</Trans>} alarm={isOn("network stands still", network)}>
                  {age === null ? "–" : shownAge(age, i18n.locale)}
                </Fact>
                <Fact name={<Trans>Blocks not read yet</Trans>} alarm={isOn("network lags", network)}>
                  {unread === null ? "–" : number(unread)}
                </Fact>
                <Fact name={<Trans>Last asked</Trans>} alarm={isOn("network silent", network)}>
                  {checkedAt === null ? <Trans>Never</Trans> : shownTime(checkedAt, i18n.locale)}
                </Fact>
              </Facts>
            </Stack>
          </Card>
        ))}
      </Grid>
      <Card>
        <Stack>
          <Heading id="revenue">
            <Trans>Revenue by day</Trans>
          </Heading>
          {/* The table says the same. */}
          <CatchBoundary getResetKey={() => today.at} errorComponent={() => null}>
            <Suspense fallback={<Skeleton height="180px" />}>
              <Plot revenue={today.revenue} locale={i18n.locale} />
            </Suspense>
          </CatchBoundary>
          <TableBox tabIndex={0} role="region" aria-labelledby="revenue">
            <table>
              <thead>
                <tr>
                  <th scope="col">
                    <Trans>Day</Trans>
                  </th>
                  <th scope="col">USDT</th>
                  <th scope="col">
                    <Trans>Card</Trans>
                  </th>
                  <th scope="col">Stripe</th>
                </tr>
              </thead>
              <tbody>
                {today.revenue.toReversed().map(({ day, usdt, card, stripe }) => (
                  <tr key={day}>
                    <th scope="row">{shownDate(day, i18n.locale)}</th>
                    <td>{usdt}</td>
                    <td>{card}</td>
                    <td>{stripe}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </TableBox>
          <Note>
            <Trans>What was credited less what was taken back. All days and times are UTC.</Trans>
          </Note>
        </Stack>
      </Card>
    </>
  );
}
