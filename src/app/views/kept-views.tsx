/** The view of the moment, and the ones left before it: hidden, their inputs and their scroll intact. Specification, sections 2 and 3 ("Cached views"). */
import { useLingui } from "@lingui/react/macro";
import { CatchBoundary, type AsyncRouteComponent, type ErrorComponentProps } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { Activity, memo, Suspense, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Visit } from "../../../machines/progress.ts";
import { languageOf } from "../../contract/languages.ts";
import { PlaceProvider, useApp, useWords } from "../app.ts";
import { screenOf } from "../screens.ts";
import { brands } from "../theme/brand.ts";
import { useKeptFocus } from "./kept-focus.ts";
import { Loading } from "./loading.tsx";
import { Lost } from "./lost.tsx";
import { Broken } from "./broken.tsx";

export function KeptViews() {
  const { progress } = useApp();
  const current = useSelector(progress, ({ context }) => context.current);
  const kept = useSelector(progress, ({ context }) => context.kept);
  useScroll(current?.key ?? "", kept.length === 0);
  useKeptFocus(current?.key ?? "");
  if (!current) return <Loading />;

  const visits = kept.some(({ key }) => key === current.key) ? kept : [...kept, current];
  return (
    <>
      <Title name={current.name} />
      {/* In one order for good: a view that moves in the document forgets its focus. */}
      {[...visits]
        .sort((one, other) => (one.key < other.key ? -1 : 1))
        .map((visit) => (
          <KeptView key={visit.key} visit={visit} seen={visit.key === current.key} />
        ))}
    </>
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
  function KeptView({ visit: { key, name, params }, seen }: { visit: Visit; seen: boolean }) {
    const View: AsyncRouteComponent<object> = screenOf(name)?.view ?? Lost;
    // What was drawn stays what it is: React then leaves it out when only `seen` has changed.
    const [view] = useState(() => (
      <PlaceProvider value={params}>
        <CatchBoundary getResetKey={() => key} errorComponent={brokenOf(View)}>
          <Suspense fallback={<Loading />}>
            <View />
          </Suspense>
        </CatchBoundary>
      </PlaceProvider>
    ));
    return <Activity mode={seen ? "visible" : "hidden"}>{view}</Activity>;
  },
  (one, other) => one.visit.key === other.visit.key && one.seen === other.seen,
);

/** The page's title: the route's, in the language in use. */
function Title({ name }: { name: string }) {
  const { i18n } = useLingui();
  const word = useWords();
  const { title } = screenOf(name) ?? {};
  const product = brands[languageOf(i18n.locale)].name;
  return <title>{title ? `${word(title)} · ${product}` : product}</title>;
}

/** Keeps how far each view was scrolled, and puts it back there; all begin anew when none is kept any more (`dropped`). */
function useScroll(key: string, dropped: boolean) {
  const { page, progress } = useApp();
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
    if (!still.current && (top > 0 || at.current > 0)) {
      window.scrollTo({ top, behavior: "instant" });
      at.current = top;
    }
    still.current = false;
    const leaving = progress.on("view.left", () => void positions.current.set(key, at.current));
    return () => leaving.unsubscribe();
  }, [key, progress]);
  return null;
}
