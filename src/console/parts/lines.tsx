/** Lines of lists: orders, money that no rule settles, audit entries; and the story of an order or a member. */
import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import type { EntryLine, Moment, OrderLine, RowLine } from "../../contract/console.ts";
import { Badge } from "../../app/ui/badge.tsx";
import { Button } from "../../app/ui/button.tsx";
import { Note } from "../../app/ui/text.tsx";
import {
  balanceWords,
  daysWords,
  entryWords,
  movementWords,
  ownReasonWords,
  reasonWords,
  statusWords,
} from "../words.ts";
import { Actions, ChangePanel } from "./change.tsx";
import { shownDate, shownTime } from "./format.ts";
import { Code, Ending, LineNote, Lines, Story } from "./layout.tsx";
import { useNames, useSubjects } from "./names.ts";

const tones = { pending: "plain", confirmed: "success", failed: "failure" } as const;

export function StatusBadge({ status }: { status: OrderLine["status"] }) {
  const name = useNames();
  return <Badge data-tone={tones[status]}>{name(statusWords, status)}</Badge>;
}

export function OrderLines({ orders }: { orders: readonly OrderLine[] }) {
  const { i18n } = useLingui();
  return (
    <Lines>
      {orders.map((order) => (
        <li key={order.id}>
          <div>
            <Link to="/order/$id" params={{ id: order.id }}>
              <Code translate="no">{order.id}</Code>
            </Link>
            <LineNote>
              <span translate="no">{order.member}</span> · {shownTime(order.at, i18n.locale)} ·{" "}
              <span translate="no">{order.by}</span>
            </LineNote>
          </div>
          <Ending>
            <span translate="no">
              {order.amount} {order.currency}
            </span>
            <StatusBadge status={order.status} />
          </Ending>
        </li>
      ))}
    </Lines>
  );
}

/** A row that leaves the list while its change is open, because it is settled, stays until that is closed: what was done can be undone there. */
export function RowLines({ rows }: { rows: readonly RowLine[] }) {
  const [held, setHeld] = useState<readonly RowLine[]>([]);
  const settled = held
    .filter(({ id }) => !rows.some((row) => row.id === id))
    .map((row) => ({ ...row, resolution: "", actions: [] }));
  const hold = (row: RowLine, isOpen: boolean) =>
    setHeld((before) => [...before.filter(({ id }) => id !== row.id), ...(isOpen ? [row] : [])]);
  const shown = [...rows, ...settled].toSorted(
    (one, other) => other.at.localeCompare(one.at) || other.id - one.id,
  );
  return shown.length === 0 ? (
    <NothingHere />
  ) : (
    <Lines>
      {shown.map((row) => (
        <li key={row.id}>
          <RowView row={row} onChosen={(isOpen) => hold(row, isOpen)} />
        </li>
      ))}
    </Lines>
  );
}

export const NothingHere = () => (
  <Note>
    <Trans>Nothing here.</Trans>
  </Note>
);

function RowView({ row, onChosen }: { row: RowLine; onChosen?: (isOpen: boolean) => void }) {
  const { i18n } = useLingui();
  const name = useNames();
  return (
    <>
      <div>
        <strong>{name(reasonWords, row.reason)}</strong>
        <LineNote>
          {shownTime(row.at, i18n.locale)} · <Trans>Row {row.id}</Trans>
          {/* Of USDT, the amount says it. */}
          {row.rail === "usdt" ? null : <span translate="no"> · {row.rail}</span>}
          {row.order === null ? null : (
            <>
              {" · "}
              <Link to="/order/$id" params={{ id: row.order }}>
                <Code translate="no">{row.order}</Code>
              </Link>
            </>
          )}
        </LineNote>
        {[row.payment, row.reference, row.path].map((each) =>
          each === null || each === "" ? null : (
            <LineNote key={each}>
              <Code translate="no">{each}</Code>
            </LineNote>
          ),
        )}
        {row.resolution === null ? null : <LineNote>{row.resolution}</LineNote>}
      </div>
      <Ending>
        <span translate="no">
          {row.amount ?? "?"} {row.currency ?? ""}
        </span>
        <Badge data-tone={row.resolution === null ? "accent" : "plain"}>
          {row.resolution === null ? <Trans>Open</Trans> : <Trans>Settled</Trans>}
        </Badge>
      </Ending>
      <Actions names={row.actions} args={[String(row.id)]} onChosen={onChosen} />
    </>
  );
}

export function EntryLines({ entries }: { entries: readonly EntryLine[] }) {
  return (
    <Lines>
      {entries.map((entry) => (
        <li key={entry.id}>
          <EntryView entry={entry} />
        </li>
      ))}
    </Lines>
  );
}

/** An entry of the audit, with its undoing where that is possible. */
export function EntryView({ entry }: { entry: EntryLine }) {
  const { i18n } = useLingui();
  const name = useNames();
  const subject = useSubjects();
  const [isUndoing, setUndoing] = useState(false);
  return (
    <>
      <div>
        <strong>{name(entryWords, entry.action)}</strong> <span translate="no">{subject(entry.subject)}</span>
        <LineNote>
          {shownTime(entry.at, i18n.locale)} ·{" "}
          <Trans>
            {entry.actor}, entry {entry.id}
          </Trans>
        </LineNote>
        <LineNote>{name(ownReasonWords, entry.reason)}</LineNote>
      </div>
      <Ending>
        {entry.canUndo ? (
          <Button tone="text" aria-expanded={isUndoing} onClick={() => setUndoing(!isUndoing)}>
            <Trans>Undo</Trans>
          </Button>
        ) : null}
      </Ending>
      {isUndoing ? (
        <div style={{ gridColumn: "1 / -1" }}>
          <ChangePanel command="undo" args={[String(entry.id)]} onClose={() => setUndoing(false)} />
        </div>
      ) : null}
    </>
  );
}

/** Everything that happened, the earliest first. */
export function StoryLines({ moments }: { moments: readonly Moment[] }) {
  const { i18n } = useLingui();
  return (
    <Story>
      {moments.map((moment, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a story only grows at its end
        <li key={at} data-tone={moment.kind === "moved" ? "money" : undefined}>
          <MomentView moment={moment} when={<LineNote>{shownTime(moment.at, i18n.locale)}</LineNote>} />
        </li>
      ))}
    </Story>
  );
}

function MomentView({ moment, when }: { moment: Moment; when: ReactNode }) {
  const { i18n } = useLingui();
  const name = useNames();
  switch (moment.kind) {
    case "registered":
      return (
        <div>
          <Trans>Registered</Trans>
          {when}
        </div>
      );
    case "ordered":
      return (
        <div>
          <Trans>Ordered</Trans>
          {when}
        </div>
      );
    case "transfer":
      return (
        <>
          <div>
            {name(statusWords, moment.state)}
            {moment.heldFor === null ? null : ` · ${name(reasonWords, moment.heldFor)}`}
            {when}
            <Code translate="no">{moment.transaction}</Code>
          </div>
          <span translate="no">{moment.amount} USDT</span>
        </>
      );
    case "moved":
      return (
        <>
          <div>
            {name(movementWords, moment.how)}
            {moment.to in balanceWords && moment.from in balanceWords
              ? ` · ${name(balanceWords, moment.from)} → ${name(balanceWords, moment.to)}`
              : null}
            {when}
            {moment.reference === null ? null : <Code translate="no">{moment.reference}</Code>}
          </div>
          <span translate="no">
            {moment.amount} {moment.currency}
          </span>
        </>
      );
    case "membership":
      return (
        <>
          <div>
            <Trans>
              Membership: {name(daysWords, moment.reason)}, until {shownDate(moment.ends, i18n.locale)}
            </Trans>
            {when}
            {moment.order === null ? null : (
              <Link to="/order/$id" params={{ id: moment.order }}>
                <Code translate="no">{moment.order}</Code>
              </Link>
            )}
          </div>
          <span>
            {moment.days > 0 ? "+" : ""}
            <Plural value={moment.days} one="# day" other="# days" />
          </span>
        </>
      );
    case "row":
      return <RowView row={moment.row} />;
    case "entry":
    default:
      return <EntryView entry={moment.entry} />;
  }
}
