/** The selected actor: the events it accepts, its context, its history and its invocations. */
import { useMemo, useState, type ReactNode } from "react";
import type { AnyEventObject, AnyMachineSnapshot } from "xstate";
import { jump } from "./jump.ts";
import { clockWords } from "./log.tsx";
import { eventWords, outcomes, readable, stateWords } from "./readable.ts";
import type { ChartActor, Moment, Recording } from "./record.ts";

type Tab = "now" | "moments" | "asked" | "log";

/** `log` when there is no room for it elsewhere. */
export function Details({ record, actor, log }: { record: Recording; actor: ChartActor; log: ReactNode }) {
  const [tab, setTab] = useState<Tab>("now");
  const shown = tab === "log" && !log ? "now" : tab;
  const tabs: [Tab, string][] = [
    ["now", "Now"],
    ["moments", "Moments"],
    ["asked", "Asked"],
    ...(log ? [["log", "Log"] satisfies [Tab, string]] : []),
  ];
  return (
    <div className="details">
      <div className="tabs" role="tablist">
        {tabs.map(([name, words]) => (
          <button
            key={name}
            type="button"
            role="tab"
            aria-selected={shown === name}
            onClick={() => setTab(name)}
          >
            {words}
          </button>
        ))}
      </div>
      {shown === "now" ? <Now record={record} actor={actor} /> : null}
      {shown === "moments" ? <Moments record={record} actor={actor} /> : null}
      {shown === "asked" ? <CallList actor={actor} /> : null}
      {shown === "log" ? log : null}
    </div>
  );
}

/** The events that the active states accept, without xstate's own. */
const acceptedBy = (snapshot: AnyMachineSnapshot): string[] =>
  [...new Set(snapshot._nodes.flatMap(({ ownEvents }) => ownEvents as string[]))].filter(
    (type) => type !== "" && !type.startsWith("xstate."),
  );

function Now({ record, actor }: { record: Recording; actor: ChartActor }) {
  const { snapshot } = actor;
  const context = useMemo(() => readable(snapshot.context), [snapshot]);
  const [payload, setPayload] = useState("");
  const [fault, setFault] = useState<string | null>(null);

  function send(type: string): void {
    try {
      const rest: unknown = payload.trim() === "" ? {} : JSON.parse(payload);
      if (typeof rest !== "object" || rest === null || Array.isArray(rest)) throw new Error("not an object");
      record.send(actor, { ...rest, type });
      setFault(null);
    } catch (error) {
      setFault(
        `The payload must be a JSON object: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  /** The payload of the last event of this type. */
  const lastPayload = (type: string): string | null => {
    const last = actor.moments
      .toArray()
      .reverse()
      .find(({ event }) => event.type === type)?.event;
    const { type: _, ...rest }: Partial<AnyEventObject> = last ?? {};
    return Object.keys(rest).length > 0 ? readable(rest) : null;
  };

  const accepted = actor.isRunning ? acceptedBy(snapshot) : [];
  return (
    <div className="page">
      <h4>Takes</h4>
      {accepted.length === 0 ? (
        <p className="note">{actor.isRunning ? "No event from outside." : "Nothing while it is at rest."}</p>
      ) : (
        <>
          <div className="chips">
            {accepted.map((type) => {
              const last = lastPayload(type);
              return (
                <span key={type} className="chip">
                  <button type="button" title={`Send ${type}`} onClick={() => send(type)}>
                    {type}
                  </button>
                  {last === null ? null : (
                    <button
                      type="button"
                      title="Take the payload of the last one"
                      onClick={() => setPayload(last)}
                    >
                      ⟲
                    </button>
                  )}
                </span>
              );
            })}
          </div>
          <textarea
            aria-label="Payload"
            placeholder='Payload, e.g. {"text": "…"}'
            rows={payload.split("\n").length > 1 ? 5 : 1}
            spellCheck={false}
            value={payload}
            onChange={(event) => setPayload(event.currentTarget.value)}
          />
          {fault === null ? null : (
            <p className="fault" role="alert">
              {fault}
            </p>
          )}
        </>
      )}
      <h4>Context</h4>
      <Json text={context} />
    </div>
  );
}

function Moments({ record, actor }: { record: Recording; actor: ChartActor }) {
  const moments = actor.moments.toArray().reverse();
  const [open, setOpen] = useState<number | null>(null);
  return (
    <div className="page">
      <p className="note">
        Going back moves the running actor: ports that were being asked are asked again, and delays start
        again at full length. What it has said since, and what that changed elsewhere (addresses, toasts,
        storage, the service), stays as it is.
      </p>
      <ol className="moments">
        {moments.map((moment, index) => (
          <MomentRow
            key={moment.order}
            moment={moment}
            isNow={index === 0}
            isOpen={open === moment.order}
            toggle={() => setOpen(open === moment.order ? null : moment.order)}
            back={actor.isRunning ? () => jump(record, actor, moment) : null}
          />
        ))}
      </ol>
    </div>
  );
}

function MomentRow(props: {
  moment: Moment;
  isNow: boolean;
  isOpen: boolean;
  toggle: () => void;
  back: (() => void) | null;
}) {
  const { moment, isNow, isOpen, toggle, back } = props;
  const { at, event, snapshot } = moment;
  return (
    <li data-now={isNow || undefined}>
      <button type="button" className="moment" aria-expanded={isOpen} onClick={toggle}>
        <time>{clockWords(at)}</time>
        <span className="state">{stateWords(snapshot.value)}</span>
        <span className="type">{eventWords(event.type)}</span>
      </button>
      {isNow || !back ? null : (
        <button type="button" className="back" onClick={back}>
          Go back
        </button>
      )}
      {isOpen ? <Json text={readable(snapshot.context)} /> : null}
    </li>
  );
}

function CallList({ actor }: { actor: ChartActor }) {
  const calls = [...actor.calls.values()];
  if (calls.length === 0) return <p className="note page">It has asked no port yet.</p>;
  return (
    <div className="page">
      {calls.map(({ id, src, status, times, began, ended, input, answer }) => (
        <details key={id} className="asked">
          <summary data-status={status}>
            <span className="bead" />
            <b>{id}</b>
            {src === id ? null : <span className="src">{src}</span>}
            <span className="outcome">
              {outcomes[status]}
              {ended === null ? "" : ` in ${ended - began} ms`}
            </span>
            <small>×{times}</small>
          </summary>
          <Json text={readable({ input, answer })} />
        </details>
      ))}
    </div>
  );
}

/** JSON with its value types coloured. */
export function Json({ text }: { text: string }) {
  const pieces = useMemo(() => [...text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|([^"]+)/g)], [text]);
  return (
    <pre className="json">
      {pieces.map(([whole, string, colon], index) =>
        string === undefined ? (
          whole
        ) : colon === undefined ? (
          // oxlint-disable-next-line react/no-array-index-key -- a piece has no name but its place
          <span key={index} className="string">
            {string}
          </span>
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- a piece has no name but its place
          <span key={index} className="key">
            {string.slice(1, -1)}
            {colon}
          </span>
        ),
      )}
    </pre>
  );
}
