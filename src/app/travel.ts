/** The router set going, and all that the app asks of it. A page that is drawn does without it until it is touched. Decisions 9 and 18. */
import type { RouterHistory } from "@tanstack/react-router";
import { cameFrom } from "../../machines/progress.ts";
import type { App } from "./compose.ts";
import type { Place } from "./places.ts";
import { readTrail, writeTrail } from "./ports/trail.ts";
import { createAppRouter, type AppRouter } from "./routes.ts";
import type { Travel } from "./ways.ts";

/** Whatever is known of the steps back outlasts a reload. */
function keepTrail({ progress }: App): void {
  let written = {};
  progress.subscribe(({ context: { trail } }) => {
    if (trail === written) return;
    written = trail;
    writeTrail(trail);
  });
  progress.send({ type: "trail.recalled", trail: readTrail() });
}

/** Steps back that the browser has yet to take: the second tap of two asks for no other. */
const stepping = new WeakSet<RouterHistory>();

/**
 * Leads back to `place`: by a step back where one came from there, else in this step's stead. So the phone's own way back
 * never leads on to what was left.
 */
function goBack(router: AppRouter, { progress }: App, place: Place): void {
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

/**
 * Stays at once and goes later: while the question stands, the address bar names the screen it stands on, and a second
 * way back is an answer to the question.
 */
const hold = (history: RouterHistory, ...[held, ask]: Parameters<Travel["hold"]>) =>
  history.block({
    enableBeforeUnload: held,
    blockerFn: ({ currentLocation, nextLocation, action }) => {
      if (!held()) return false;
      const by = nextLocation.state.__TSR_index - currentLocation.state.__TSR_index;
      const unasked = { ignoreBlocker: true };
      void ask().then((leaves) => {
        if (!leaves) return;
        if (action === "PUSH") history.push(nextLocation.href, nextLocation.state, unasked);
        else if (action === "REPLACE") history.replace(nextLocation.href, nextLocation.state, unasked);
        else history.go(by, unasked);
      });
      return true;
    },
  });

/** From here on the views are where the address bar is. Settles when the first of them is. */
export async function startTravel(app: App, router = createAppRouter(app)): Promise<Travel> {
  keepTrail(app);
  router.history.subscribe((change) => void router.load(change));
  router.updateLatestLocation();
  const { pathname, publicHref } = router.latestLocation;
  const asItIs = { search: true, params: true, hash: true, state: true } as const;
  const proper = router.buildLocation({ to: pathname, ...asItIs });
  // Not so with a slash at its end.
  if (proper.publicHref === publicHref) await router.load();
  else await router.commitLocation({ ...proper, replace: true, ignoreBlocker: true });
  return {
    go: (place, { replace = false, unasked = false } = {}) =>
      void router.navigate({ ...place, replace, ignoreBlocker: unasked }),
    goBack: (place) => goBack(router, app, place),
    reconsider: () => void router.invalidate(),
    hold: (held, ask) => hold(router.history, held, ask),
  };
}
