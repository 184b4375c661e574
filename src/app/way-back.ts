/** The way back from a screen by its arrow, and from a form that was saved. Decision 9. */
import { useRouter, type RouterHistory } from "@tanstack/react-router";
import { cameFrom } from "../../machines/progress.ts";
import { useApp } from "./app.ts";
import type { App } from "./compose.ts";
import type { Place } from "./places.ts";
import type { AppRouter } from "./routes.tsx";

/** Steps back that the browser has yet to take: the second tap of two asks for no other. */
const stepping = new WeakSet<RouterHistory>();

/**
 * Leads back to `place`: by a step back where one came from there, else in this step's stead. So the phone's own way back
 * never leads on to what was left.
 */
export function goBack(router: AppRouter, { progress }: Pick<App, "progress">, place: Place): void {
  const { history } = router;
  const { context } = progress.getSnapshot();
  if (!cameFrom(context, place)) {
    return void router.navigate({ ...place, replace: true, state: { returns: true } });
  }
  // The history has stepped already, and the view is about to.
  if (stepping.has(history) || history.location.state.__TSR_index !== context.current?.step) return;
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
  return () => goBack(router, app, place);
}
