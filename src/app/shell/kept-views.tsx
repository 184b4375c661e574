/** The current view and the cached ones: hidden, with their inputs and scroll positions intact. Specification, sections 2 and 3 ("Cached views"). */
import { useLingui } from "@lingui/react/macro";
import { CatchBoundary, type AsyncRouteComponent, type ErrorComponentProps } from "@tanstack/react-router";
import {
  Activity,
  createContext,
  memo,
  Suspense,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type RefObject,
} from "react";
import { createGlobalStyle, keyframes, styled } from "styled-components";
import { opensAsLeft, type Direction, type Visit } from "../../../machines/navigation.ts";
import { languageOf } from "../../contract/languages.ts";
import { RouteParamsProvider, useApp, useAppSelector, useWords } from "../runtime/hooks.ts";
import { routeOf } from "../navigation/routes.ts";
import { screenOf } from "../navigation/screens.ts";
import { brands } from "../theme/brand.ts";
import { fieldsIn, putBack } from "../ports/typed-values.ts";
import { LandingBar } from "../components/landing-bar.tsx";
import { settle, useKeptFocus } from "./kept-focus.ts";
import { Loading } from "../components/loading.tsx";
import { NotFound } from "../components/not-found.tsx";
import { ErrorFallback } from "../components/error-fallback.tsx";

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
 * The transition between views: forward to the left, back to the right. The new view can be touched before it rests. No
 * rule here is inherited, or the browser would restyle both views. Not part of a prerendered page. Decision 10.
 */
const ViewTransition = createGlobalStyle`
  /* The entering view must not widen the page. Only while it moves: pictures beyond the edge would not preload. */
  [data-moving] {
    overflow-x: clip;
  }
  /* Safari before 16: on any other element, sticky bars would stick to it. */
  @supports not (overflow: clip) {
    html {
      overflow-x: hidden;
    }
  }
  [data-transition="coming"] {
    animation: ${comeFrom(0)} calc(var(--screen-time) - 80ms) var(--ease) 80ms backwards;

    &[data-direction="forward"] { animation-name: ${comeFrom(1)}; }
    &[data-direction="back"] { animation-name: ${comeFrom(-1)}; }
  }
  /* Below the entering view, at its old position in the window. */
  [data-transition="leaving"] {
    position: absolute;
    z-index: -1;
    inset: 0 0 auto;
    animation: ${leaveTo(0)} var(--touch-time) ease-in forwards;

    &[data-direction="forward"] { animation-name: ${leaveTo(-1)}; }
    &[data-direction="back"] { animation-name: ${leaveTo(1)}; }
  }
  /* What is below the fold is laid out when the transition is over. */
  @media (max-width: 480px) and (max-height: 950px) {
    [data-transition="coming"][data-top] [data-below] {
      content-visibility: hidden;
      contain-intrinsic-height: auto 420px;
    }
  }
`;

type Transition = "coming" | "leaving" | undefined;

export function KeptViews() {
  const { prerender, navigationActor } = useApp();
  const current = useAppSelector(navigationActor, ({ context }) => context.current);
  const kept = useAppSelector(navigationActor, ({ context }) => context.kept);
  const leaving = useAppSelector(navigationActor, ({ context }) => context.leaving);
  const direction = useAppSelector(navigationActor, ({ context }) => context.direction);
  const stage = useScroll(current?.key ?? "", kept.length === 0);
  useKeptFocus(current?.key ?? "");
  if (!current) return <Loading />;

  const visits = new Map(
    [...kept, ...(leaving ? [leaving] : []), current].map((visit) => [visit.key, visit]),
  );
  const transitionOf = ({ key }: Visit): Transition => {
    if (leaving === null) return undefined;
    return key === current.key ? "coming" : key === leaving.key ? "leaving" : undefined;
  };
  return (
    <Stage ref={stage} data-moving={leaving ? "" : undefined}>
      <Title name={current.name} />
      {prerender === "build" ? null : <ViewTransition />}
      {/* In a stable order: an element that moves in the document loses its focus. */}
      {[...visits.values()]
        .sort((one, other) => (one.key < other.key ? -1 : 1))
        .map((visit) => (
          <KeptView
            key={visit.key}
            visit={visit}
            seen={visit.key === current.key}
            transition={transitionOf(visit)}
            direction={direction}
          />
        ))}
    </Stage>
  );
}

/** The element that a view is rendered in. */
const FrameContext = createContext<RefObject<HTMLElement | null>>({ current: null });

/** The error boundary's fallback: "Try again" loads the code anew and restores what was typed. */
const brokenOf = (View: AsyncRouteComponent<object>) => {
  let typed: HTMLInputElement[] = [];
  return function BrokenView({ reset }: ErrorComponentProps) {
    const frame = useContext(FrameContext);
    // Runs before React removes the view from the page.
    useState(() => {
      const fields = fieldsIn(frame.current);
      if (fields.length > 0) typed = fields;
    });
    // Runs after React has rendered the view again.
    useEffect(
      () => () => {
        putBack(typed, frame.current);
        if (fieldsIn(frame.current).length > 0) typed = [];
      },
      [frame],
    );
    const tryAgain = async () => {
      await View.preload?.();
      reset();
    };
    return <ErrorFallback onAgain={tryAgain} />;
  };
};

/** Renders when it is left or returned to, and by its own state; not when another view changes. */
const KeptView = memo(
  function KeptView({
    visit: { key, name, params },
    seen,
    transition,
    direction,
  }: {
    visit: Visit;
    seen: boolean;
    transition: Transition;
    direction: Direction;
  }) {
    const View: AsyncRouteComponent<object> = screenOf(name) ?? NotFound;
    const frame = useRef<HTMLDivElement>(null);
    const leaving = transition === "leaving";
    // Its effects end as it is left; it stays visible during the transition.
    useLayoutEffect(() => {
      if (!leaving) return;
      for (const part of frame.current?.children ?? []) (part as HTMLElement).style.removeProperty("display");
    }, [leaving]);
    // The same element each time: React then skips it when only `seen` has changed.
    const [view] = useState(() => (
      <RouteParamsProvider value={params}>
        {name === "landing" ? <LandingBar /> : null}
        <CatchBoundary getResetKey={() => key} errorComponent={brokenOf(View)}>
          <Suspense fallback={<Loading />}>
            <View />
          </Suspense>
        </CatchBoundary>
      </RouteParamsProvider>
    ));
    return (
      <Frame
        ref={frame}
        data-transition={transition}
        data-direction={seen || leaving ? direction : undefined}
        hidden={!seen && !leaving}
        aria-hidden={leaving || undefined}
      >
        <FrameContext value={frame}>
          <Activity mode={seen ? "visible" : "hidden"}>{view}</Activity>
        </FrameContext>
      </Frame>
    );
  },
  (one, other) =>
    one.visit.key === other.visit.key && one.seen === other.seen && one.transition === other.transition,
);

/** The document's title: the route's, in the current language. */
function Title({ name }: { name: string }) {
  const { i18n } = useLingui();
  const word = useWords();
  const { title } = routeOf(name) ?? {};
  const product = brands[languageOf(i18n.locale)].name;
  return <title>{title ? `${word(title)} · ${product}` : product}</title>;
}

/**
 * Restores the scroll position of a view that opens as it was left; all are forgotten when the cached views are
 * (`dropped`). A leaving view keeps its place in the window. Returns the `ref` of the element around the views.
 */
function useScroll(key: string, dropped: boolean) {
  const { prerender, navigationActor } = useApp();
  const stage = useRef<HTMLDivElement>(null);
  const positions = useRef(new Map<string, number>());
  // A prerendered page was scrolled by its reader before hydration: it stays there.
  const still = useRef(prerender === "hydrate");
  // Tracked by the scroll event: reading it from the page would force a layout in the middle of a tap.
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
    const asLeft = opensAsLeft(navigationActor.getSnapshot().context);
    const top = (asLeft && positions.current.get(key)) || 0;
    const scroll = () => {
      window.scrollTo({ top, behavior: "instant" });
      at.current = top;
    };
    for (const frame of stage.current?.children ?? []) {
      const { dataset, style } = frame as HTMLElement;
      if (dataset["transition"] === "leaving") style.top = `${top - at.current}px`;
      if (dataset["transition"] === "coming" && top === 0) dataset["top"] = "";
      else delete dataset["top"];
    }
    const scrolls = !still.current && (top > 0 || at.current > 0);
    const drop = scrolls ? settle(navigationActor, scroll) : undefined;
    still.current = false;
    const leaving = navigationActor.on("view.left", () => void positions.current.set(key, at.current));
    return () => {
      drop?.();
      leaving.unsubscribe();
    };
  }, [key, navigationActor]);
  return stage;
}
