/** The inspector's panel: the actors at the left, one chart or all of them, the selected actor's details, and the log. */
import { useEffect, useRef, useState, useSyncExternalStore, type PointerEvent } from "react";
import { createRoot } from "react-dom/client";
import { Details } from "./details.tsx";
import { Log } from "./log.tsx";
import { outcomes, stateWords } from "./readable.ts";
import type { ChartActor, PortCall, Recording } from "./record.ts";
import { Gallery, Stage } from "./stage.tsx";

type Controls = {
  record: Recording;
  /** The user drags the panel's upper left corner here. */
  resize: (x: number, y: number) => void;
  close: () => void;
};

/** @returns a function that removes the panel */
export function mountPanel(frame: HTMLElement, controls: Controls): () => void {
  const root = createRoot(frame);
  root.render(<Panel {...controls} />);
  return () => root.unmount();
}

/** Rendering may take one part in so many of the page's time. */
const SHARE = 5;

/** Rerenders in animation frames, less often the longer a render takes. */
function framed(record: Recording) {
  let shown = record.order;
  return {
    shown: () => shown,
    subscribe: (look: () => void) => {
      let isPlanned = false;
      let frame = 0;
      let timer: ReturnType<typeof setTimeout>;
      let rested = 0;
      const draw = () => {
        const began = performance.now();
        shown = record.order;
        look();
        // After the frame is painted.
        timer = setTimeout(() => {
          isPlanned = false;
          const ended = performance.now();
          rested = ended + (ended - began) * (SHARE - 1);
          if (record.order !== shown) plan();
        });
      };
      const plan = () => {
        if (isPlanned) return;
        isPlanned = true;
        timer = setTimeout(
          () => {
            frame = requestAnimationFrame(draw);
          },
          Math.max(0, rested - performance.now()),
        );
      };
      const silence = record.listen(plan);
      return () => {
        silence();
        clearTimeout(timer);
        cancelAnimationFrame(frame);
      };
    },
  };
}

/** Wide enough for the log beside the details, in pixels. */
const ROOMY = 620;

function Panel({ record, resize, close }: Controls) {
  const [frames] = useState(() => framed(record));
  useSyncExternalStore(frames.subscribe, frames.shown);
  const [chosenKey, choose] = useState<string | null>(null);
  const [isRoomy, setRoomy] = useState(true);
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!root.current) return undefined;
    const observer = new ResizeObserver(([entry]) => setRoomy((entry?.contentRect.width ?? 0) >= ROOMY));
    observer.observe(root.current);
    return () => observer.disconnect();
  }, []);

  // The newest first, because they belong to the current screen.
  const actors = [...record.actors.values()].reverse();
  const running = actors.filter(({ isRunning }) => isRunning);
  const resting = actors.filter(({ isRunning }) => !isRunning);
  const chosen = actors.find(({ key }) => key === chosenKey) ?? null;
  return (
    <div className="panel" ref={root} data-roomy={isRoomy || undefined}>
      <Handle resize={resize} />
      <header className="top">
        <h2>Inspector</h2>
        <p className="counts">
          <b>{running.length}</b> running <i>·</i> <b>{record.log.pushed}</b> events
        </p>
        <button type="button" className="plain" onClick={close} aria-label="Close the inspector">
          <svg viewBox="0 0 16 16" aria-hidden="true">
            <path d="M4 4l8 8M12 4l-8 8" />
          </svg>
        </button>
      </header>
      <nav className="rail" aria-label="Actors">
        <button type="button" className="all" aria-pressed={!chosen} onClick={() => choose(null)}>
          All charts
        </button>
        {running.map((actor) => (
          <RailRow key={actor.key} actor={actor} isChosen={actor === chosen} choose={choose} />
        ))}
        {resting.length === 0 ? null : <h3 title="Their views are hidden or gone">At rest</h3>}
        {resting.map((actor) => (
          <RailRow key={actor.key} actor={actor} isChosen={actor === chosen} choose={choose} />
        ))}
      </nav>
      <main className="stage">
        {chosen ? <Stage key={chosen.key} actor={chosen} /> : <Gallery actors={running} choose={choose} />}
      </main>
      <section className="foot">
        {chosen ? (
          <Details
            key={chosen.key}
            record={record}
            actor={chosen}
            log={isRoomy ? null : <Log record={record} actor={chosen} />}
          />
        ) : null}
        {isRoomy || !chosen ? <Log record={record} actor={chosen} /> : null}
      </section>
    </div>
  );
}

function RailRow(props: { actor: ChartActor; isChosen: boolean; choose: (key: string) => void }) {
  const { actor, isChosen, choose } = props;
  const words = stateWords(actor.snapshot.value);
  return (
    <div className="actor" data-resting={!actor.isRunning || undefined}>
      <button type="button" aria-pressed={isChosen} onClick={() => choose(actor.key)}>
        <span className="who">{actor.name}</span>
        <span className="where" title={words}>
          {words}
        </span>
      </button>
      {actor.isRunning && actor.calls.size > 0 ? (
        <ul>
          {[...actor.calls.values()].map((call) => (
            <CallRow key={call.id} call={call} />
          ))}
        </ul>
      ) : null}
    </div>
  );
}

function CallRow({ call: { id, status, times } }: { call: PortCall }) {
  return (
    <li data-status={status} title={outcomes[status]}>
      <span className="bead" aria-label={outcomes[status]} />
      {id}
      {times > 1 ? <small>×{times}</small> : null}
    </li>
  );
}

function Handle({ resize }: { resize: Controls["resize"] }) {
  const move = (event: PointerEvent<HTMLDivElement>) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) resize(event.clientX, event.clientY);
  };
  return (
    <div
      className="handle"
      aria-hidden="true"
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={move}
    />
  );
}
