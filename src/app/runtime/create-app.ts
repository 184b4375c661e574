/** Creates the app: the actors that live as long as the page, the router, and what a screen may ask of them. */
import {
  createActor,
  type Actor,
  type ActorRefFrom,
  type AnyActorLogic,
  type AnyActorRef,
  type AnyStateMachine,
  type EmittedFrom,
  type EventFrom,
} from "xstate";
import type { checkoutMachine } from "../../../machines/checkout.ts";
import { languageMachine } from "../../../machines/language.ts";
import {
  notificationsMachine,
  type Dialog,
  type Toast,
  type Words,
} from "../../../machines/notifications.ts";
import { overlaysMachine } from "../../../machines/overlays.ts";
import { pendingOrdersMachine } from "../../../machines/pending-orders.ts";
import { navigationMachine } from "../../../machines/navigation.ts";
import type { recoveryMachine } from "../../../machines/recovery.ts";
import { sessionMachine } from "../../../machines/session.ts";
import { createNavigation } from "../navigation/navigation.ts";
import { createAppRouter, startRouter, type AppRouter } from "../navigation/router.ts";
import { createApiClient } from "../ports/api-client.ts";
import { createOrderStore } from "../ports/order-store.ts";
import { oncePageVisible } from "../ports/page.ts";
import { todayBy } from "../ports/clock.ts";
import type { Dependencies } from "./dependencies.ts";
import { createEffects, type EffectContext, type Emitted } from "./effects.ts";
import { createInputs } from "./inputs.ts";
import { listen } from "./listen.ts";
import { createOverlays } from "./overlays.ts";
import { createPayOnce } from "./pay-once.ts";
import { createProvide, type Provided } from "./provide.ts";

export type App = ReturnType<typeof createApp>;

export function createApp(dependencies: Dependencies) {
  const { storage, clock } = dependencies;
  const orderStore = createOrderStore(storage);
  const options = dependencies.inspect ? { inspect: dependencies.inspect } : {};
  const storedName = () =>
    storage.readText("user_name") ?? storage.readJson("user_key")?.account_name ?? null;
  /**
   * Tells the session when another tab changed the stored account. Returns whether it is still the same: this tab may
   * have been frozen, or in the back/forward cache.
   */
  const syncAccount = (): boolean => {
    const userName = storedName();
    if (userName === session.getSnapshot().context.userName) return true;
    session.send({ type: "storage.changed", userName });
    return false;
  };
  const { api, prefetch, cancelPrefetched } = createApiClient(
    dependencies.connect({ refused: () => session.send({ type: "session.refused" }), syncAccount }),
  );
  const payOnce = createPayOnce({
    orderStore,
    api,
    dependencies,
    userName: () => session.getSnapshot().context.userName,
    syncAccount,
  });
  const provide = createProvide(dependencies, api, payOnce);

  const startActor = <L extends AnyActorLogic>(
    actor: Actor<L> & (EmittedFrom<L> extends Emitted ? unknown : never),
  ): Actor<L> => {
    listen(actor, (event) => handleEmitted(event as Emitted));
    return actor.start();
  };
  /** Actors that work for a screen and outlive it, by the ids of their charts. */
  const screenActors: {
    checkout?: ActorRefFrom<typeof checkoutMachine>;
    recovery?: ActorRefFrom<typeof recoveryMachine>;
  } = {};
  /** The app-scoped actor of such a chart, whose code comes with its screen. */
  const appActor = <M extends typeof checkoutMachine | typeof recoveryMachine>(
    chart: M & Provided<M> & (EmittedFrom<M> extends Emitted ? unknown : never),
  ): ActorRefFrom<M> => {
    const actors: Partial<Record<string, AnyActorRef>> = screenActors;
    actors[chart.id] ??= startActor(createActor<AnyStateMachine>(provide<M>(chart), options));
    return actors[chart.id] as ActorRefFrom<M>;
  };
  const tellScreenActors: EffectContext["tellScreenActors"] = (event) => {
    for (const actor of Object.values<AnyActorRef>(screenActors)) actor.send(event);
  };

  const session = createActor(sessionMachine, { ...options, input: { userName: storedName() } });
  const notifications = startActor(createActor(notificationsMachine, options));
  const navigationActor = createActor(navigationMachine, options).start();
  const language = startActor(createActor(provide(languageMachine), options));
  const overlays = startActor(createActor(overlaysMachine, options));
  const pendingOrders = startActor(
    createActor(pendingOrdersMachine, {
      ...options,
      input: { orders: orderStore.orders(), now: clock.now() },
    }),
  );
  const { overlayContext, dismiss } = createOverlays(overlays, options);

  const questions = new Map<string, (confirmed: boolean) => void>();
  let questionCount = 0;
  /** Asks the user; settles exactly once, with "no" where no answer comes, or `signal` takes the question back. */
  const confirm = (dialog: Omit<Dialog, "id">, signal?: AbortSignal) =>
    new Promise<boolean>((resolve) => {
      questionCount += 1;
      const id = String(questionCount);
      questions.set(id, resolve);
      signal?.addEventListener("abort", () => notifications.send({ type: "dialog.withdrawn", id }));
      notifications.send({ type: "dialog.requested", dialog: { ...dialog, id } });
    });
  let unseen = new AbortController();
  // Its seconds begin when it is seen.
  const tell = (event: EventFrom<typeof notificationsMachine>) =>
    oncePageVisible(() => notifications.send(event), unseen.signal);
  const dropUnseen = () => {
    unseen.abort();
    unseen = new AbortController();
  };
  const toast = (words: Words, tone: Toast["tone"] = "plain", silent?: boolean) =>
    tell({ type: "toast.requested", toast: { words, tone, silent } });

  let created: AppRouter | undefined;
  /** Creates the router on first use, so that this can be a task of its own. */
  const router = () =>
    (created ??= createAppRouter(
      {
        session,
        pendingOrders,
        overlays,
        navigationActor,
        recovery: () => screenActors.recovery?.getSnapshot(),
        storage,
        cardScript: async () => (await dependencies.config()).cardScriptUrl,
        prerendered: (dependencies.prerender ?? null) !== null,
        toast,
        prefetch,
        // The requests of actors that outlive the screen are cancelled with it.
        leaveScreen: () => {
          cancelPrefetched();
          tellScreenActors({ type: "cancel" });
          session.send({ type: "screen.left" });
        },
      },
      dependencies.history,
    ));
  const navigation = createNavigation(router, navigationActor);
  const effects = createEffects(dependencies, {
    session,
    tell,
    dropUnseen,
    language,
    navigationActor,
    orderStore,
    navigation,
    storedName,
    toast,
    settleQuestion: (id, confirmed) => {
      questions.get(id)?.(confirmed);
      questions.delete(id);
    },
    dismiss,
    tellScreenActors,
    cancelPrefetched,
    endSession: (token) => void api.logOut(token).catch(() => {}),
  });
  const handleEmitted = <T extends Emitted["type"]>(event: Extract<Emitted, { type: T }>) => {
    const effect: (event: Extract<Emitted, { type: T }>) => void = effects[event.type];
    effect(event);
  };

  startActor(session);
  for (const key of ["user_name", "user_key"] as const) storage.watch(key, syncAccount);
  const readOrders = () => pendingOrders.send({ type: "storage.changed", orders: orderStore.orders() });
  orderStore.watch(readOrders);
  const readClock = () => pendingOrders.send({ type: "clock.read", now: clock.now() });
  clock.onCorrected(readClock);
  dependencies.onPageVisible(() => {
    syncAccount();
    readOrders();
    readClock();
  });

  return {
    config: dependencies.config,
    known: dependencies.known ?? null,
    prerender: dependencies.prerender ?? null,
    offers: dependencies.offers ?? null,
    session,
    notifications,
    navigationActor,
    overlays,
    pendingOrders,
    readClock,
    router,
    navigation,
    /** Opens the screen of the present address. */
    start: () => startRouter(router(), { navigationActor, session }),
    overlayContext,
    appActor,
    today: () => todayBy(clock),
    confirm,
    toast,
    handleEmitted,
    newVisit: dependencies.randomWord,
    ...createInputs(dependencies, payOnce),
    options,
    provide,
  };
}
