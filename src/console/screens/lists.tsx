/** The lists: orders, unsettled money, events, the audit. What they are narrowed down to stands in the address. */
import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import {
  filters,
  type EntryLine,
  type EventLine,
  type ListName,
  type OrderLine,
  type RowLine,
} from "../../contract/console.ts";
import { Badge } from "../../app/ui/badge.tsx";
import { Button } from "../../app/ui/button.tsx";
import { ChangePanel } from "../parts/change.tsx";
import { shownTime } from "../parts/format.ts";
import { Buttons, Code, Ending, Filters, LineNote, Lines } from "../parts/layout.tsx";
import { useNames } from "../parts/names.ts";
import { EntryLines, NothingHere, OrderLines, RowLines } from "../parts/lines.tsx";
import { ReadingView } from "../parts/reading.tsx";
import { useCommand, useReading } from "../runtime.tsx";
import { filterWords } from "../words.ts";

/** @param filter what the address says; anything unknown is the list's first */
const filterOf = (list: ListName, filter: string | undefined): string => {
  const choices: readonly string[] = filters[list];
  return filter !== undefined && choices.includes(filter) ? filter : (choices[0] ?? "");
};

interface Shown {
  list: ListName;
  title: ReactNode;
  filter: string | undefined;
  show: (items: readonly unknown[]) => ReactNode;
  above?: ReactNode;
}

function ListScreen({ list, title, filter, show, above }: Shown) {
  const { t } = useLingui();
  const name = useNames();
  const chosen = filterOf(list, filter);
  return (
    <>
      <h1>{title}</h1>
      {filters[list].length < 2 ? null : (
        <Filters role="group" aria-label={t`Show`}>
          {filters[list].map((each) => (
            <Link
              key={each}
              to="."
              search={{ filter: each }}
              aria-current={each === chosen ? "true" : undefined}
              activeProps={{}}
            >
              {name(filterWords, each)}
            </Link>
          ))}
        </Filters>
      )}
      {above}
      <ListView key={chosen} list={list} filter={chosen} show={show} />
    </>
  );
}

function ListView({ list, filter, show }: Pick<Shown, "list" | "show"> & { filter: string }) {
  const { ref, items } = useReading<unknown>({ call: "list", list, filter });
  return <ReadingView of={ref}>{show(items)}</ReadingView>;
}

/** @param show of one item or more */
const orNothing = (show: Shown["show"]) => (items: readonly unknown[]) =>
  items.length === 0 ? <NothingHere /> : show(items);

const showOrders = orNothing((items) => <OrderLines orders={items as OrderLine[]} />);
const showRows = (items: readonly unknown[]) => <RowLines rows={items as RowLine[]} />;
const showEntries = orNothing((items) => <EntryLines entries={items as EntryLine[]} />);
const showEvents = orNothing((items) => (
  <Lines>
    {(items as EventLine[]).map((event) => (
      <li key={event.id}>
        <EventView event={event} />
      </li>
    ))}
  </Lines>
));

export const OrdersScreen = ({ filter }: { filter: string | undefined }) => (
  <ListScreen list="orders" title={<Trans>Orders</Trans>} filter={filter} show={showOrders} />
);

export const UnmatchedScreen = ({ filter }: { filter: string | undefined }) => (
  <ListScreen list="unmatched" title={<Trans>Unsettled money</Trans>} filter={filter} show={showRows} />
);

export const AuditScreen = () => (
  <ListScreen list="audit" title={<Trans>Audit</Trans>} filter={undefined} show={showEntries} />
);

export function EventsScreen({ filter }: { filter: string | undefined }) {
  const [chosen, choose] = useState<"replay-events" | "announce-members" | null>(null);
  const canReplay = useCommand("replay-events") !== undefined;
  const canAnnounce = useCommand("announce-members") !== undefined;
  return (
    <ListScreen
      list="events"
      title={<Trans>Events</Trans>}
      filter={filter}
      above={
        <>
          <Buttons>
            {canReplay ? (
              <Button tone="secondary" onClick={() => choose("replay-events")}>
                <Trans>Deliver all that wait or were given up</Trans>
              </Button>
            ) : null}
            {canAnnounce ? (
              <Button tone="secondary" onClick={() => choose("announce-members")}>
                <Trans>Announce all members</Trans>
              </Button>
            ) : null}
          </Buttons>
          {chosen === null ? null : (
            <ChangePanel key={chosen} command={chosen} args={[]} onClose={() => choose(null)} />
          )}
        </>
      }
      show={showEvents}
    />
  );
}

function EventView({ event }: { event: EventLine }) {
  const { i18n } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const canReplay = useCommand("replay-events") !== undefined;
  return (
    <>
      <div>
        <strong translate="no">{event.type}</strong>
        <LineNote>
          {shownTime(event.at, i18n.locale)} · <Plural value={event.attempts} one="# try" other="# tries" />
        </LineNote>
        <LineNote>
          <Code translate="no">{event.id}</Code>
        </LineNote>
        {event.error === null ? null : <LineNote lang="en">{event.error}</LineNote>}
      </div>
      <Ending>
        <Badge data-tone={event.next === null ? "failure" : "plain"}>
          {event.next === null ? <Trans>Given up</Trans> : <Trans>Tried again</Trans>}
        </Badge>
        {canReplay ? (
          <Button tone="text" onClick={() => setOpen(!isOpen)}>
            <Trans>Deliver again</Trans>
          </Button>
        ) : null}
      </Ending>
      {isOpen ? (
        <div style={{ gridColumn: "1 / -1" }}>
          <ChangePanel command="replay-events" args={[event.id]} onClose={() => setOpen(false)} />
        </div>
      ) : null}
    </>
  );
}
