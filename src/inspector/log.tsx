/** The event log: sender, receiver and time. Renders only the visible lines, however long it is. */
import { useCallback, useLayoutEffect, useRef, useState } from "react";
import { eventWords, readable } from "./readable.ts";
import type { ChartActor, Entry, Recording, Sender } from "./record.ts";

const ROW = 22;
/** Lines rendered above and below the visible ones. */
const SPARE = 6;

export function Log({ record, actor }: { record: Recording; actor: ChartActor | null }) {
  const [isWhole, setWhole] = useState(false);
  const [wanted, setWanted] = useState("");
  const [chosen, setChosen] = useState<Entry | null>(null);
  const [view, setView] = useState({ top: 0, height: 300 });
  const list = useRef<HTMLDivElement>(null);
  /** A user who scrolled up is not moved by new lines. */
  const isAtEnd = useRef(true);

  const all = record.log.toArray();
  const entries = all.filter(
    (entry) =>
      (isWhole || !actor || entry.actor === actor) &&
      (wanted === "" ||
        [entry.event.type, eventWords(entry.event.type), entry.actor.name].some((words) =>
          words.includes(wanted),
        )),
  );
  const first = Math.max(0, Math.floor(view.top / ROW) - SPARE);
  const last = Math.ceil((view.top + view.height) / ROW) + SPARE;

  const height = entries.length * ROW;
  useLayoutEffect(() => {
    if (list.current && isAtEnd.current) list.current.scrollTop = height;
  }, [height]);
  const look = useCallback(() => {
    const { scrollTop, clientHeight, scrollHeight } = list.current ?? document.documentElement;
    isAtEnd.current = scrollTop + clientHeight >= scrollHeight - ROW;
    setView({ top: scrollTop, height: clientHeight });
  }, []);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(look);
    if (list.current) observer.observe(list.current);
    return () => observer.disconnect();
  }, [look]);

  return (
    <div className="log">
      <div className="tabs">
        <h4>Log</h4>
        {actor ? (
          <label>
            <input type="checkbox" checked={isWhole} onChange={() => setWhole(!isWhole)} /> all actors
          </label>
        ) : null}
        <input
          type="search"
          aria-label="Filter the log"
          placeholder="Filter"
          value={wanted}
          onChange={(event) => setWanted(event.currentTarget.value)}
        />
      </div>
      <div className="lines" ref={list} onScroll={look} role="log" aria-live="off">
        <ol style={{ height, paddingTop: first * ROW }}>
          {entries.slice(first, last).map((entry) => (
            <li key={entry.order} data-kind={entry.kind}>
              <button
                type="button"
                aria-pressed={entry === chosen}
                onClick={() => setChosen(entry === chosen ? null : entry)}
              >
                <time>{clockWords(entry.at)}</time>
                <span className="route">
                  <span className="sender">{senderWords(entry)}</span>
                  <i>→</i>
                  <span className="receiver">{entry.kind === "said" ? "listeners" : entry.actor.name}</span>
                </span>
                <span className="type" title={entry.event.type}>
                  {eventWords(entry.event.type)}
                </span>
              </button>
            </li>
          ))}
        </ol>
      </div>
      {chosen ? <pre className="json chosen">{readable(chosen.event)}</pre> : null}
    </div>
  );
}

function senderWords({ kind, sender, actor }: Entry): string {
  return kind === "said" ? actor.name : senderName(sender);
}

function senderName(sender: Sender): string {
  if (typeof sender === "string") return sender;
  return "call" in sender ? sender.call : sender.actor;
}

const padded = (value: number, digits = 2) => String(value).padStart(digits, "0");

/** The time of day to the millisecond. */
export function clockWords(at: number): string {
  const date = new Date(at);
  const [hours, minutes, seconds] = [date.getHours(), date.getMinutes(), date.getSeconds()];
  return `${[hours, minutes, seconds].map((part) => padded(part)).join(":")}.${padded(date.getMilliseconds(), 3)}`;
}
