/** The way back from a screen by its arrow, and from a form that was saved. Decision 9. */
import { useRouter, type RouterHistory } from "@tanstack/react-router";
import { useEffect } from "react";
import { cameFrom } from "../../machines/progress.ts";
import { useApp } from "./app.ts";
import type { App } from "./compose.ts";
import type { Place } from "./places.ts";
import { readTrail, writeTrail } from "./ports/trail.ts";
import type { AppRouter } from "./routes.tsx";

/** Steps back that the browser has yet to take: the second tap of two asks for no other. */
const stepping = new WeakSet<RouterHistory>();

type Travelled = Pick<App, "progress">;
const lasting = new WeakSet<App["progress"]>();

/** From here on, what is known of the steps back outlasts a reload. */
function keepTrail({ progress }: Travelled): void {
  if (lasting.has(progress)) return;
  lasting.add(progress);
  let written: object = {};
  progress.subscribe(({ context: { trail } }) => {
    if (trail === written) return;
    written = trail;
    writeTrail(trail);
  });
  progress.send({ type: "trail.recalled", trail: readTrail() });
}

/**
 * Leads back to `place`: by a step back where one came from there, else in this step's stead. So the phone's own way back
 * never leads on to what was left.
 */
export function goBack(router: AppRouter, { progress }: Travelled, place: Place): void {
  const { history } = router;
  const { context } = progress.getSnapshot();
  if (!cameFrom(context, place)) {
    return void router.navigate({ ...place, replace: true, state: { returns: true } });
  }
  // The history has stepped already, and the view is about to.
  if (stepping.has(history) || history.location.state.__TSR_key !== context.current?.entry) return;
  stepping.add(history);
  const heard = history.subscribe(() => {
    heard();
    stepping.delete(history);
  });
  history.back();
}

/** The arrow at the top of a screen: always to the same place. */
export function useBack(place: Place) {
  const router = useRouter();
  const app = useApp();
  useEffect(() => keepTrail(app), [app]);
  return () => goBack(router, app, place);
}
