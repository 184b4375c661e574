/** How a view reaches the app: its long-lived actors, the charts of its own, and the parameters of the address it was opened at. */
import { useActorRef, useSelector } from "@xstate/react";
import { createContext, useCallback, useContext, useEffect, useLayoutEffect, useState } from "react";
import type { Actor, ActorOptions, AnyActorRef, AnyStateMachine } from "xstate";
import { useLingui } from "@lingui/react";
import type { Words } from "../../machines/notice.ts";
import type { KeptOrder } from "../../machines/kept-orders.ts";
import type { App } from "./compose.ts";
import type { Emitted } from "./consequences.ts";
import type { Supplied } from "./supply.ts";
import type { Config } from "./ports/config.ts";
import { onNetwork, onPageSeen } from "./ports/page.ts";

const AppContext = createContext<App | null>(null);
export const AppProvider = AppContext.Provider;

/** The app that this view is part of. */
export function useApp(): App {
  const app = useContext(AppContext);
  if (!app) throw new Error("A view stands inside the app.");
  return app;
}

/** What the deployment says of itself; null until it is known. */
export function useConfig(): Config | null {
  const { config, known } = useApp();
  const [read, setRead] = useState(known);
  useEffect(() => {
    let here = true;
    void config().then((said) => {
      if (here) setRead(said);
    });
    return () => {
      here = false;
    };
  }, [config]);
  return read;
}

/**
 * Who looks at this: a visitor, or a member by name. In a page that is written ahead it is both, each part marked with
 * `data-only`, and the page shows the fitting one as it opens (`early.ts`). Decision 13.
 */
export function useAudience(): { visitor: boolean; member: boolean; userName: string } {
  const { session, page } = useApp();
  const userName = useSelector(session, ({ context }) => context.userName);
  const all = page === "ahead";
  return { visitor: all || userName === null, member: all || userName !== null, userName: userName ?? "" };
}

/** What this browser keeps for whoever is signed in, as `find` picks it out of its orders. */
export function useKept<T>(find: (orders: readonly KeptOrder[], accountName: string | null) => T): T {
  const { unfinished, session } = useApp();
  const userName = useSelector(session, ({ context }) => context.userName);
  const orders = useSelector(unfinished, ({ context }) => context.orders);
  return find(orders, userName);
}

/** The parameters of the address that this view was opened at; a kept view keeps its own. */
const PlaceContext = createContext<Readonly<Record<string, string>>>({});
export const PlaceProvider = PlaceContext.Provider;
export const usePlace = () => useContext(PlaceContext);

/**
 * An actor that lives with its view; what follows from what it says stands in consequences.ts. A view that is left, kept
 * or not, gives up what it was doing (it would do it once more when it is shown again), and says nothing of it.
 */
export function useChart<T extends AnyStateMachine>(
  chart: T & Supplied<T>,
  ...[options]: undefined extends Parameters<typeof useActorRef<T>>[1]
    ? [options?: ActorOptions<T>]
    : [ActorOptions<T>]
): Actor<T> {
  const app = useApp();
  const ref: Actor<T> = useActorRef(app.give(chart), { ...app.options, ...options });
  // Not an effect like others: at its end the actor still runs.
  useLayoutEffect(() => {
    const listening = ref.on("*", (event) => app.hear(event as Emitted));
    return () => {
      listening.unsubscribe();
      (ref as AnyActorRef).send({ type: "waiting.dropped" });
    };
  }, [app, ref]);
  return ref;
}

/** Tells an actor when its view is shown again (it is kept while hidden), speaks another language, or has a network again. */
export function usePageShown(ref: { send: (event: { type: "page.shown" }) => void }) {
  const { i18n } = useLingui();
  useEffect(() => {
    let spoken: string | null = null;
    const shown = () => ref.send({ type: "page.shown" });
    const heard = () => {
      // More words of the same language are nothing new.
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

/** Tells an actor when the person comes back to the page, or the network to the phone. */
export function usePageSeen(ref: { send: (event: { type: "page.seen" }) => void }) {
  useEffect(() => onPageSeen(() => ref.send({ type: "page.seen" })), [ref]);
}

/** Words of a chart or the service, in the language in use. */
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
