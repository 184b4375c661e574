/** The view of the moment, and the ones left before it: hidden, their inputs and their scroll intact. Specification, sections 2 and 3 ("Cached views"). */
import { useLingui } from "@lingui/react/macro";
import { CatchBoundary, type AsyncRouteComponent, type ErrorComponentProps } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { Activity, memo, Suspense, useEffect, useLayoutEffect, useRef, useState } from "react";
import { createGlobalStyle, keyframes, styled } from "styled-components";
import type { Direction, Visit } from "../../../machines/progress.ts";
import { languageOf } from "../../contract/languages.ts";
import { PlaceProvider, useApp, useWords } from "../app.ts";
import { screenOf } from "../screens.ts";
import { brands } from "../theme/brand.ts";
import { HomeBar } from "./home-bar.tsx";
import { settle, useKeptFocus } from "./kept-focus.ts";
import { Loading } from "./loading.tsx";
import { Lost } from "./lost.tsx";
import { Broken } from "./broken.tsx";

const leaveTo = (side: number) => keyframes`
  to { opacity: 0; transform: translateX(${side * 24}px); }
`;
const comeFrom = (side: number) => keyframes`
  from { opacity: 0; transform: translateX(${side * 40}px); }
`;

const Stage = styled.div`
  position: relative;
  flex: 1 0 auto;
  display: flex;
  flex-direction: column;
`;

const Frame = styled.div`
  flex: 1 0 auto;
  display: flex;
  flex-direction: column;
`;

/**
 * From view to view: the one leaves a little to the one side and the next comes from the other, on to the left and back
 * to the right. The new one can be touched before it has come to rest. Nothing is said here that is handed down: the
 * browser would style all of both views anew. Not among the styles that a page is written with. Decision 10.
 */
const Turning = createGlobalStyle`
  /* What comes from the side makes the page no wider. Not for good: pictures beyond the edge would not come ahead. */
  [data-moving] {
    overflow-x: clip;
  }
  /* Safari before 16: any other element would become what its bars stick to. */
  @supports not (overflow: clip) {
    html {
      overflow-x: hidden;
    }
  }
  [data-turn="coming"] {
    animation: ${comeFrom(0)} calc(var(--screen-time) - 80ms) var(--ease) 80ms backwards;

    &[data-way="forward"] { animation-name: ${comeFrom(1)}; }
    &[data-way="back"] { animation-name: ${comeFrom(-1)}; }
  }
  /* Under the one that comes, and where it was in the window. */
  [data-turn="leaving"] {
    position: absolute;
    z-index: -1;
    inset: 0 0 auto;
    animation: ${leaveTo(0)} var(--touch-time) ease-in forwards;

    &[data-way="forward"] { animation-name: ${leaveTo(-1)}; }
    &[data-way="back"] { animation-name: ${leaveTo(1)}; }
  }
  /* What nobody sees yet comes when the movement is over. */
  @media (max-width: 480px) and (max-height: 950px) {
    [data-turn="coming"][data-top] [data-below] {
      content-visibility: hidden;
      contain-intrinsic-height: auto 420px;
    }
  }
`;

type Turn = "coming" | "leaving" | undefined;

export function KeptViews() {
  const { page, progress } = useApp();
  const current = useSelector(progress, ({ context }) => context.current);
  const kept = useSelector(progress, ({ context }) => context.kept);
  const leaving = useSelector(progress, ({ context }) => context.leaving);
  const way = useSelector(progress, ({ context }) => context.way);
  const stage = useScroll(current?.key ?? "", kept.length === 0);
  useKeptFocus(current?.key ?? "");
  if (!current) return <Loading />;

  const visits = new Map(
    [...kept, ...(leaving ? [leaving] : []), current].map((visit) => [visit.key, visit]),
  );
  const turnOf = ({ key }: Visit): Turn => {
    if (leaving === null) return undefined;
    return key === current.key ? "coming" : key === leaving.key ? "leaving" : undefined;
  };
  return (
    <Stage ref={stage} data-moving={leaving ? "" : undefined}>
      <Title name={current.name} />
      {page === "ahead" ? null : <Turning />}
      {/* In one order for good: a view that moves in the document forgets its focus. */}
      {[...visits.values()]
        .sort((one, other) => (one.key < other.key ? -1 : 1))
        .map((visit) => (
          <KeptView
            key={visit.key}
            visit={visit}
            seen={visit.key === current.key}
            turn={turnOf(visit)}
            way={way}
          />
        ))}
    </Stage>
  );
}

/** What stands in the place of a view that is broken. What did not come is not asked for again by being drawn again. */
const brokenOf = (View: AsyncRouteComponent<object>) =>
  function BrokenView({ reset }: ErrorComponentProps) {
    const tryAgain = async () => {
      await View.preload?.();
      reset();
    };
    return <Broken onAgain={tryAgain} />;
  };

/** Drawn anew when it is left or come back to, and by what it shows itself; not whenever another one is. */
const KeptView = memo(
  function KeptView({
    visit: { key, name, params },
    seen,
    turn,
    way,
  }: {
    visit: Visit;
    seen: boolean;
    turn: Turn;
    way: Direction;
  }) {
    const View: AsyncRouteComponent<object> = screenOf(name)?.view ?? Lost;
    const frame = useRef<HTMLDivElement>(null);
    const leaving = turn === "leaving";
    // Its effects end as it is left; what there was to see of it goes a moment later.
    useLayoutEffect(() => {
      if (!leaving) return;
      for (const part of frame.current?.children ?? []) (part as HTMLElement).style.removeProperty("display");
    }, [leaving]);
    // What was drawn stays what it is: React then leaves it out when only `seen` has changed.
    const [view] = useState(() => (
      <PlaceProvider value={params}>
        {name === "/home" ? <HomeBar /> : null}
        <CatchBoundary getResetKey={() => key} errorComponent={brokenOf(View)}>
          <Suspense fallback={<Loading />}>
            <View />
          </Suspense>
        </CatchBoundary>
      </PlaceProvider>
    ));
    return (
      <Frame
        ref={frame}
        data-turn={turn}
        data-way={seen || leaving ? way : undefined}
        hidden={!seen && !leaving}
        aria-hidden={leaving || undefined}
      >
        <Activity mode={seen ? "visible" : "hidden"}>{view}</Activity>
      </Frame>
    );
  },
  (one, other) => one.visit.key === other.visit.key && one.seen === other.seen && one.turn === other.turn,
);

/** The page's title: the route's, in the language in use. */
function Title({ name }: { name: string }) {
  const { i18n } = useLingui();
  const word = useWords();
  const { title } = screenOf(name) ?? {};
  const product = brands[languageOf(i18n.locale)].name;
  return <title>{title ? `${word(title)} · ${product}` : product}</title>;
}

/**
 * Keeps how far each view was scrolled, and puts it back there; all begin anew when none is kept any more (`dropped`).
 * What leaves stays where it was in the window. Returns the `ref` of what both stand in.
 */
function useScroll(key: string, dropped: boolean) {
  const { page, progress } = useApp();
  const stage = useRef<HTMLDivElement>(null);
  const positions = useRef(new Map<string, number>());
  // A page that was read before it came to life stays where its reader is.
  const still = useRef(page === "written");
  // Where it last was when it was drawn: whoever asks the page itself has it laid out, in the middle of a tap.
  const at = useRef(0);
  useEffect(() => {
    const look = () => void (at.current = window.scrollY);
    look();
    window.addEventListener("scroll", look, { passive: true });
    return () => window.removeEventListener("scroll", look);
  }, []);
  useLayoutEffect(() => {
    if (dropped) positions.current.clear();
  }, [dropped]);
  useLayoutEffect(() => {
    const top = positions.current.get(key) ?? 0;
    const scroll = () => {
      window.scrollTo({ top, behavior: "instant" });
      at.current = top;
    };
    for (const frame of stage.current?.children ?? []) {
      const { dataset, style } = frame as HTMLElement;
      if (dataset["turn"] === "leaving") style.top = `${top - at.current}px`;
      if (dataset["turn"] === "coming" && top === 0) dataset["top"] = "";
      else delete dataset["top"];
    }
    const scrolls = !still.current && (top > 0 || at.current > 0);
    const drop = scrolls ? settle(progress, scroll) : undefined;
    still.current = false;
    const leaving = progress.on("view.left", () => void positions.current.set(key, at.current));
    return () => {
      drop?.();
      leaving.unsubscribe();
    };
  }, [key, progress]);
  return stage;
}
