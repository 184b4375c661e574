/** Shows one chart, or all running ones. Highlights active states without rendering the picture again. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type PointerEvent } from "react";
import type { AnyTransitionDefinition } from "xstate";
import { rankedTransitions, transitionId } from "./chart.ts";
import { pictureOf } from "./layouter.ts";
import { stateWords } from "./readable.ts";
import type { ChartActor } from "./record.ts";

/** The chart's picture, once it is laid out. */
function usePicture({ chart }: ChartActor): string | null {
  const [drawn, setDrawn] = useState<{ config: object; svg: string } | null>(null);
  useEffect(() => {
    let isWanted = true;
    void pictureOf(chart).then((svg) => isWanted && setDrawn({ config: chart.config, svg }));
    return () => void (isWanted = false);
  }, [chart]);
  return drawn?.config === chart.config ? drawn.svg : null;
}

/** The same object for the same picture: otherwise React would insert it again, without highlights. */
const useContent = (svg: string | null) => useMemo(() => ({ __html: svg ?? "" }), [svg]);

type Lights = { states: SVGElement[]; transitions: SVGElement[] };

/** Highlights the active states and the transitions just taken. @returns the innermost states that became active */
function light({ states, transitions }: Lights, { snapshot, taken, isRunning }: ChartActor): SVGElement[] {
  const active = new Set(snapshot._nodes.map(({ id }) => id));
  const lit = states.filter((element) => {
    const is = active.has(element.dataset["state"] ?? "");
    const was = element.hasAttribute("data-active");
    if (is !== was) element.toggleAttribute("data-active", is);
    return is && !was && !element.classList.contains("nest");
  });
  const ids = new Set(isRunning ? taken.map(idOf) : []);
  for (const element of transitions) {
    const is = (element.dataset["transitions"] ?? "").split("|").some((id) => ids.has(id));
    if (is !== element.hasAttribute("data-taken")) element.toggleAttribute("data-taken", is);
  }
  return lit;
}

const ids = new WeakMap<AnyTransitionDefinition, string>();
function idOf(one: AnyTransitionDefinition): string {
  const id = ids.get(one);
  if (id !== undefined) return id;
  for (const { rank, one: other } of rankedTransitions(one.source)) ids.set(other, transitionId(other, rank));
  return ids.get(one) ?? "";
}

const readLights = (within: HTMLElement): Lights => ({
  states: [...within.querySelectorAll<SVGElement>("[data-state]")],
  transitions: [...within.querySelectorAll<SVGElement>("[data-transitions]")],
});

function useLights(actor: ChartActor, svg: string | null, follow?: (lit: SVGElement) => void) {
  const place = useRef<HTMLDivElement>(null);
  const lights = useRef<{ svg: string; lights: Lights } | null>(null);
  const { snapshot, taken, isRunning } = actor;
  useLayoutEffect(() => {
    if (!place.current || svg === null) return;
    if (lights.current?.svg !== svg) lights.current = { svg, lights: readLights(place.current) };
    const [first] = light(lights.current.lights, actor);
    if (first) follow?.(first);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the actor is always the same object; these are what changes in it
  }, [svg, snapshot, taken, isRunning]);
  return place;
}

export function Gallery({ actors, choose }: { actors: ChartActor[]; choose: (key: string) => void }) {
  return (
    <div className="gallery">
      {actors.map((actor) => (
        <Thumbnail key={actor.key} actor={actor} choose={choose} />
      ))}
    </div>
  );
}

function Thumbnail({ actor, choose }: { actor: ChartActor; choose: (key: string) => void }) {
  const svg = usePicture(actor);
  const place = useLights(actor, svg);
  const content = useContent(svg);
  return (
    <button type="button" className="thumbnail" data-chart={actor.name} onClick={() => choose(actor.key)}>
      <span className="who">{actor.name}</span>
      <span className="where">{stateWords(actor.snapshot.value)}</span>
      {/* Safe: the SVG is generated here from the chart, and its text is escaped. */}
      <div ref={place} dangerouslySetInnerHTML={content} />
    </button>
  );
}

const ZOOM_STEP = 1.2;
/** At a smaller scale the text is hard to read. */
const LEGIBLE = 0.66;

export function Stage({ actor }: { actor: ChartActor }) {
  const svg = usePicture(actor);
  const content = useContent(svg);
  const scroller = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState<number | null>(null);
  const place = useLights(actor, svg, (lit) => {
    const view = scroller.current?.getBoundingClientRect();
    const { left, right, top, bottom } = lit.getBoundingClientRect();
    if (!view || (left >= view.left && right <= view.right && top >= view.top && bottom <= view.bottom))
      return;
    scroller.current?.scrollBy({
      left: (left + right - view.left - view.right) / 2,
      top: (top + bottom - view.top - view.bottom) / 2,
      behavior: "smooth",
    });
  });
  const width = Number(/ width="([\d.]+)"/.exec(svg ?? "")?.[1] ?? 0);
  const height = Number(/ height="([\d.]+)"/.exec(svg ?? "")?.[1] ?? 0);
  const fit = () => {
    const view = scroller.current;
    return view ? Math.min(1, (view.clientWidth - 24) / width, (view.clientHeight - 24) / height) : 1;
  };
  const [first, setFirst] = useState(1);
  useLayoutEffect(() => {
    const view = scroller.current;
    if (view && width > 0) setFirst(Math.min(1, Math.max(LEGIBLE, (view.clientWidth - 24) / width)));
  }, [width]);
  const scale = zoom ?? first;
  const drag = useRef<{ x: number; y: number } | null>(null);
  const pan = (event: PointerEvent<HTMLDivElement>) => {
    if (!drag.current) return;
    scroller.current?.scrollBy(drag.current.x - event.clientX, drag.current.y - event.clientY);
    drag.current = { x: event.clientX, y: event.clientY };
  };
  return (
    <>
      <div className="caption">
        <h3>{actor.name}</h3>
        <p className="where">{stateWords(actor.snapshot.value)}</p>
        {actor.isRunning ? null : <p className="rest">at rest: its view is hidden or gone</p>}
        <div className="zoom">
          <button type="button" aria-label="Smaller" onClick={() => setZoom(scale / ZOOM_STEP)}>
            −
          </button>
          <button type="button" onClick={() => setZoom(fit())}>
            Fit
          </button>
          <button type="button" aria-label="Larger" onClick={() => setZoom(scale * ZOOM_STEP)}>
            +
          </button>
        </div>
      </div>
      <div
        className="scroller"
        ref={scroller}
        onPointerDown={(event) => {
          drag.current = { x: event.clientX, y: event.clientY };
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={pan}
        onPointerUp={() => (drag.current = null)}
        onPointerCancel={() => (drag.current = null)}
      >
        <div
          className="drawn"
          data-chart={actor.name}
          ref={place}
          style={{ width: width * scale, height: height * scale }}
          dangerouslySetInnerHTML={content}
        />
      </div>
    </>
  );
}
