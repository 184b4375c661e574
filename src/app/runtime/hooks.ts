/** Hooks of the screens: the app, actors of their own, and the parameters of the route. */
import { useActorRef } from "@xstate/react";
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
} from "react";
import type { Actor, ActorOptions, AnyActorRef, AnyStateMachine, SnapshotFrom } from "xstate";
import { useLingui } from "@lingui/react";
import type { Words } from "../../../machines/notifications.ts";
import type { KeptOrder } from "../../../machines/kept-orders.ts";
import { isLate } from "../../../machines/pending-orders.ts";
import type { App } from "./create-app.ts";
import type { Emitted } from "./effects.ts";
import { listen } from "./listen.ts";
import type { Provided } from "./provide.ts";
import type { Config } from "../ports/config.ts";
import { onNetwork, onPageVisible } from "../ports/page.ts";
import { isSafeAddress } from "../ports/windows.ts";

const AppContext = createContext<App | null>(null);
export const AppProvider = AppContext.Provider;

/** The app that this view is part of. */
export function useApp(): App {
  const app = useContext(AppContext);
  if (!app) throw new Error("A view stands inside the app.");
  return app;
}

/** What the page shows, by actor, while it is hydrated. */
const hydratedFrom = new WeakMap<AnyActorRef, unknown>();

/** To be called as the page is fitted: what React renders first has to be the same, though another tab may change an actor meanwhile. */
export function beginHydration({ session, notifications, navigationActor }: App): void {
  for (const actor of [session, notifications, navigationActor]) hydratedFrom.set(actor, actor.getSnapshot());
}

/** Selects from an actor of the app. @param select a part of the snapshot, the same each time */
export function useAppSelector<A extends AnyActorRef, T>(
  actor: A,
  select: (snapshot: SnapshotFrom<A>) => T,
): T {
  const subscribe = useCallback(
    (changed: () => void) => {
      const following = actor.subscribe(changed);
      return () => following.unsubscribe();
    },
    [actor],
  );
  const now = () => actor.getSnapshot() as SnapshotFrom<A>;
  return useSyncExternalStore(
    subscribe,
    () => select(now()),
    () => select((hydratedFrom.get(actor) as SnapshotFrom<A> | undefined) ?? now()),
  );
}

/** The configuration of the deployment; null until it is read. */
export function useConfig(): Config | null {
  const { config, known } = useApp();
  const [read, setRead] = useState(known);
  useEffect(() => {
    let here = true;
    void config().then((answer) => {
      if (here) setRead(answer);
    });
    return () => {
      here = false;
    };
  }, [config]);
  return read;
}

/** A URL from storage; null where it is not safe to open. */
export function useSafeAddress(address: string | undefined): string | null {
  const config = useConfig();
  return address !== undefined && config !== null && isSafeAddress(address, config.sandbox) ? address : null;
}

/**
 * Whether the user is a visitor or a member. A prerendered page holds the parts for both, marked with `data-only`, and
 * shows the right ones when it opens (`bootstrap.ts`). Decision 13.
 */
export function useAudience(): { visitor: boolean; member: boolean; userName: string } {
  const { session, prerender } = useApp();
  const userName = useAppSelector(session, ({ context }) => context.userName);
  const all = prerender === "build";
  return { visitor: all || userName === null, member: all || userName !== null, userName: userName ?? "" };
}

/** Selects from the stored orders for the signed-in account. */
export function useKept<T>(find: (orders: readonly KeptOrder[], accountName: string | null) => T): T {
  const { pendingOrders, session } = useApp();
  const userName = useAppSelector(session, ({ context }) => context.userName);
  const orders = useAppSelector(pendingOrders, ({ context }) => context.orders);
  return find(orders, userName);
}

/** Whether the time to pay a kept order is over, looked at as its reminder is shown and whenever the page is seen again. */
export function useIsLate(order: KeptOrder): boolean {
  const { pendingOrders, readClock } = useApp();
  useEffect(readClock, [readClock]);
  return useAppSelector(pendingOrders, ({ context }) => isLate(order, context.now));
}

/** The parameters of the address that the view was opened at; a cached view keeps its own. */
const RouteParamsContext = createContext<Readonly<Record<string, string>>>({});
export const RouteParamsProvider = RouteParamsContext.Provider;
export const useRouteParams = () => useContext(RouteParamsContext);

/**
 * An actor that lives with its view; `effects.ts` has the effects of what it emits. When the view is left, kept or not,
 * its requests are cancelled without a message: a kept view would repeat them when it is shown again.
 */
export function useChart<T extends AnyStateMachine>(
  chart: T & Provided<T>,
  ...[options]: undefined extends Parameters<typeof useActorRef<T>>[1]
    ? [options?: ActorOptions<T>]
    : [ActorOptions<T>]
): Actor<T> {
  const app = useApp();
  const ref: Actor<T> = useActorRef(app.provide(chart), { ...app.options, ...options });
  // A layout effect: at its cleanup the actor still runs.
  useLayoutEffect(() => {
    const stopListening = listen(ref, (event) => app.handleEmitted(event as Emitted));
    return () => {
      stopListening();
      (ref as AnyActorRef).send({ type: "cancel" });
    };
  }, [app, ref]);
  return ref;
}

/** Tells an actor when its cached view is shown again, the language changes, or the network is back. */
export function useScreenActivated(ref: { send: (event: { type: "screen.activated" }) => void }) {
  const { i18n } = useLingui();
  useEffect(() => {
    let spoken: string | null = null;
    const shown = () => ref.send({ type: "screen.activated" });
    const heard = () => {
      // Loading another catalogue of the same language does not count.
      if (spoken === i18n.locale) return;
      spoken = i18n.locale;
      shown();
    };
    heard();
    const ways = [i18n.on("change", heard), onNetwork(() => undefined, shown)];
    return () => {
      for (const stop of ways) stop();
    };
  }, [ref, i18n]);
}

/** Tells an actor when the page is visible or online again. */
export function usePageVisible(ref: { send: (event: { type: "page.visible" }) => void }) {
  useEffect(() => onPageVisible(() => ref.send({ type: "page.visible" })), [ref]);
}

/** Translates a message of a chart; texts of the service stay as they are. */
export function useWords(): (words: Words) => string {
  const { i18n } = useLingui();
  return useCallback(
    (words) =>
      typeof words === "string"
        ? words
        : i18n._(words.id, words.values, words.message === undefined ? {} : { message: words.message }),
    [i18n],
  );
}
