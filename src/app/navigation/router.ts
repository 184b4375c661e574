/** The router over the route table: guards, prefetching, and what the charts learn of each navigation. Specification, section 2. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  redirect,
  type RouterHistory,
} from "@tanstack/react-router";
import type { ActorRefFrom, SnapshotFrom } from "xstate";
import type { Words } from "../../../machines/notifications.ts";
import type { overlaysMachine } from "../../../machines/overlays.ts";
import type { pendingOrdersMachine } from "../../../machines/pending-orders.ts";
import type { navigationMachine, Visit } from "../../../machines/navigation.ts";
import type { recoveryMachine } from "../../../machines/recovery.ts";
import type { sessionMachine } from "../../../machines/session.ts";
import { pause } from "../ports/page.ts";
import type { Prefetched } from "../ports/api-client.ts";
import { needsDocument, openAfresh } from "../ports/scripts.ts";
import type { AppStorage } from "../ports/storage.ts";
import { pleaseLogIn, signedOutElsewhere } from "../messages/error-messages.ts";
import { redirects, routeOf, routes, type GuardContext, type Route, type RouteName } from "./routes.ts";
import { screens } from "./screens.ts";
import { mayMove } from "./transitions.ts";

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** The entry replaced one that was left by the screen's arrow. */
    returns?: boolean;
  }
}

/** What the router reads from the app, and what it reports to it. */
export type RouterContext = {
  session: ActorRefFrom<typeof sessionMachine>;
  pendingOrders: ActorRefFrom<typeof pendingOrdersMachine>;
  overlays: ActorRefFrom<typeof overlaysMachine>;
  navigationActor: ActorRefFrom<typeof navigationMachine>;
  recovery: () => SnapshotFrom<typeof recoveryMachine> | undefined;
  storage: Pick<AppStorage, "readJson" | "readAll" | "lasts">;
  /** The address of the card provider's script. */
  cardScript: () => Promise<string>;
  /** Whether the document came with its screen prerendered. */
  prerendered: boolean;
  toast: (words: Words) => void;
  prefetch: (...call: Prefetched) => void;
  /** The screen is left: its requests are cancelled. */
  leaveScreen: () => void;
};

type Entering = {
  cause: "preload" | "enter" | "stay";
  params: Readonly<Record<string, string>>;
  matches: readonly { pathname: string }[];
};

/** A view's key: another account's view is another view. */
const keyOf = (session: RouterContext["session"], pathname = "") =>
  `${session.getSnapshot().context.userName ?? ""} ${pathname}`;

/** Runs the guard of a route, then begins its first calls. A redirect is thrown, as the router wants it. */
const enter = (entry: Route, context: RouterContext) => async (entering: Entering) => {
  const { membersOnly, guard, prefetch, script } = entry;
  const { session, pendingOrders, navigationActor, storage, toast } = context;
  const signedIn = session.getSnapshot();
  if (membersOnly && !signedIn.matches("signedIn")) {
    toast(signedIn.matches({ signedOut: "elsewhere" }) ? signedOutElsewhere : pleaseLogIn);
    throw redirect({ to: routes.login.path, replace: true });
  }
  const stays = entering.cause === "stay";
  const { current } = navigationActor.getSnapshot().context;
  const seen: GuardContext = {
    params: entering.params,
    stays,
    viewStays: stays && current?.key === keyOf(session, entering.matches.at(-1)?.pathname),
    userName: signedIn.context.userName,
    pendingOrders: pendingOrders.getSnapshot(),
    recovery: context.recovery(),
    storage,
  };
  const refused = guard?.(seen);
  if (refused) {
    if (refused.toast) toast(refused.toast);
    throw redirect({
      to: routes[refused.to as RouteName].path,
      params: refused.params ?? {},
      replace: true,
    });
  }
  // Not for a screen that stays, as when Back closes a sheet: it would take the answers only when they are old.
  if (entering.cause === "enter") for (const call of prefetch?.(seen) ?? []) context.prefetch(...call);
  // Without storage, a new document would lose the session. The download script is then not loaded at all.
  if (script && storage.lasts && (await needsDocument(script, context.cardScript))) await openAfresh();
};

function routeTree(context: RouterContext) {
  const root = createRootRoute();
  const getParentRoute = () => root;
  const routed = (Object.keys(routes) as RouteName[]).map((name) =>
    createRoute({
      getParentRoute,
      path: routes[name].path,
      component: screens[name],
      beforeLoad: enter(routes[name], context),
    }),
  );
  const others = Object.entries(redirects).map(([path, name]) =>
    createRoute({
      getParentRoute,
      path,
      beforeLoad: () => {
        throw redirect({ to: routes[name].path, replace: true });
      },
    }),
  );
  return root.addChildren([...routed, ...others]);
}

export type AppRouter = ReturnType<typeof createAppRouter>;

const names = new Map<string, RouteName>(
  (Object.keys(routes) as RouteName[]).map((name) => [routes[name].path, name]),
);

/** The router's current view, for the navigation chart; null before the first navigation. */
function visitHere(
  { state: { matches, location } }: Pick<AppRouter, "state">,
  session: RouterContext["session"],
): Visit | null {
  const match = matches.at(-1);
  if (!match) return null;
  const { __TSR_index: step, __TSR_key: entry = "", returns = false } = location.state;
  const name = names.get(match.routeId) ?? "";
  return {
    name,
    key: keyOf(session, match.pathname),
    noCache: routeOf(name)?.cached === false,
    params: match.params,
    step,
    entry,
    returns,
  };
}

/** @param history by default the browser's */
export function createAppRouter(context: RouterContext, history?: RouterHistory) {
  const { overlays, navigationActor, session, prerendered } = context;
  const router = createRouter({
    routeTree: routeTree(context),
    notFoundMode: "root",
    // The kept views restore their scroll position themselves.
    scrollRestoration: () => false,
    // The app has no query parameters of its own.
    parseSearch: () => ({}),
    stringifySearch: () => "",
    ...(history ? { history } : {}),
  });
  // Back closes an open overlay before it leaves the screen. Chromium on Android closes a dialog by itself; other browsers ask here.
  router.history.block({
    enableBeforeUnload: false,
    blockerFn: ({ action }) => {
      const closes = action === "BACK" && overlays.getSnapshot().hasTag("covered");
      if (closes) overlays.send({ type: "back.requested" });
      return closes;
    },
  });
  router.subscribe("onBeforeNavigate", ({ fromLocation, hrefChanged }) => {
    if (prerendered && fromLocation === undefined) return;
    if (hrefChanged) context.leaveScreen();
    navigationActor.send({ type: "navigation.started" });
  });
  let latest: Visit | undefined;
  router.subscribe("onResolved", ({ fromLocation }) => {
    const visit = visitHere(router, session);
    if (!visit) return;
    latest = visit;
    const { current } = navigationActor.getSnapshot().context;
    const moves = current !== null && mayMove();
    const arrive = () => {
      // Of two navigations at once, the later one counts.
      if (latest === visit) navigationActor.send({ type: "navigation.finished", visit, moves });
    };
    if (prerendered && fromLocation === undefined) navigationActor.send({ type: "page.opened", visit });
    // The tap is answered first.
    else if (moves) void pause().then(arrive);
    else arrive();
  });
  return router;
}

/** Opens the screen of the present address; from then on the router follows the history. Settles when the screen is loaded. */
export async function startRouter(
  router: AppRouter,
  { navigationActor, session }: Pick<RouterContext, "navigationActor" | "session">,
): Promise<void> {
  router.history.subscribe((change) => void router.load(change));
  router.updateLatestLocation();
  const { pathname, publicHref } = router.latestLocation;
  const unchanged = { search: true, params: true, hash: true, state: true } as const;
  const canonical = router.buildLocation({ to: pathname, ...unchanged });
  // A slash at its end, for example, is not canonical.
  if (canonical.publicHref === publicHref) await router.load();
  else await router.commitLocation({ ...canonical, replace: true, ignoreBlocker: true });
  // While the build renders the pages, the router sends no `onResolved`.
  const visit = visitHere(router, session);
  if (visit && navigationActor.getSnapshot().context.current === null)
    navigationActor.send({ type: "page.opened", visit });
}
