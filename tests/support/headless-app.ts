/** The app without its views: the real runtime, router, effects, storage and API port; each route starts the charts that its screen starts. */
import { createMemoryHistory } from "@tanstack/react-router";
import {
  createActor,
  type AnyActorRef,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type InputFrom,
} from "xstate";
import { billMachine } from "../../machines/bill.ts";
import { cardMachine } from "../../machines/card.ts";
import { catalogueMachine } from "../../machines/catalogue.ts";
import { checkoutMachine } from "../../machines/checkout.ts";
import { isTransfer, keptOf } from "../../machines/kept-orders.ts";
import { openOf } from "../../machines/reminder.ts";
import { loginMachine } from "../../machines/login.ts";
import { membershipMachine } from "../../machines/membership.ts";
import { orderMachine } from "../../machines/order.ts";
import { passwordMachine } from "../../machines/password.ts";
import { profileMachine } from "../../machines/profile.ts";
import { purchaseMachine } from "../../machines/purchase.ts";
import { registerMachine } from "../../machines/register.ts";
import { networks } from "../../src/contract/calls.ts";
import type { RouteName } from "../../src/app/navigation/routes.ts";
import { createApi } from "../../src/app/ports/api.ts";
import { startClock } from "../../src/app/ports/clock.ts";
import { openStorage } from "../../src/app/ports/storage.ts";
import { createApp, type App } from "../../src/app/runtime/create-app.ts";
import type { Dependencies } from "../../src/app/runtime/dependencies.ts";
import type { Emitted } from "../../src/app/runtime/effects.ts";
import { listen } from "../../src/app/runtime/listen.ts";
import type { Provided } from "../../src/app/runtime/provide.ts";

type Params = Readonly<Record<string, string>>;
type Open = <T extends AnyStateMachine>(
  chart: T & Provided<T>,
  ...[input]: undefined extends InputFrom<T> ? [] : [input: InputFrom<T>]
) => void;

/** The kept orders whose status the account screen shows. */
const shownOrders = ({ pendingOrders, session }: App) => {
  const { latest, earlier } = openOf(
    pendingOrders.getSnapshot().context.orders,
    session.getSnapshot().context.userName,
  );
  return [...latest, ...earlier];
};

/** What each screen starts when it is shown. */
const screens: Partial<Record<RouteName, (app: App, open: Open, params: Params) => void>> = {
  login: (_, open) => open(loginMachine),
  register: (_, open) => open(registerMachine),
  packages: (app, open) => open(catalogueMachine, { ...app.catalogueInput(null), knownOffers: [] }),
  account: (app, open) => {
    open(membershipMachine, { quiet: false, lastKnown: null });
    open(catalogueMachine, { wanted: null, picked: null, knownOffers: [] });
    app.appActor(checkoutMachine);
    for (const { orderId } of shownOrders(app)) open(billMachine, { orderId });
  },
  profile: (app, open) => open(profileMachine, { today: app.today() }),
  changePassword: (_, open) => open(passwordMachine),
  payUsdt: (app, open) => open(purchaseMachine, app.purchaseInput()),
  cardPayment: (app, open) => open(cardMachine, app.cardInput()),
  bill: (_, open, { order_id: orderId = "" }) => open(billMachine, { orderId }),
  payment: ({ session, pendingOrders }, open, params) => {
    const { pay_type, pay_price = "", pay_address = "", pay_order_id: orderId = "" } = params;
    const { userName } = session.getSnapshot().context;
    const kept = keptOf(pendingOrders.getSnapshot().context.orders, userName, orderId);
    open(orderMachine, {
      claimed: {
        orderId,
        network: networks.find((name) => name === pay_type) ?? null,
        amount: pay_price,
        address: pay_address,
      },
      kept: kept && isTransfer(kept) ? kept : null,
    });
  },
};

/** A browser's storage that holds those texts. */
export function emptyArea(entries: Record<string, string>): Storage {
  const kept = new Map(Object.entries(entries));
  return {
    get length() {
      return kept.size;
    },
    clear: () => kept.clear(),
    getItem: (key) => kept.get(key) ?? null,
    key: (at) => [...kept.keys()][at] ?? null,
    removeItem: (key) => void kept.delete(key),
    setItem: (key, value) => void kept.set(key, value),
  };
}

export type HeadlessApp = ReturnType<typeof openHeadless>;

/** @param heard every event that a chart emits */
export function openHeadless({
  area,
  payByCard,
  openWindow,
  heard,
}: Pick<Dependencies, "payByCard" | "openWindow"> & { area: Storage; heard: (event: Emitted) => void }) {
  const config = async () => ({
    apiBaseUrl: "",
    providerSite: "https://everlit.example",
    downloadSdk: null,
    cardScriptUrl: "/sandbox/card.js",
    sandbox: true,
  });
  const silent = () => new Promise<never>(() => {});
  const storage = openStorage(area);
  const clock = startClock(storage);
  let words = 0;
  const app = createApp({
    config,
    storage,
    clock,
    connect: (session) => {
      const api = createApi({ config, storage, clock, language: () => "en", ...session });
      return async () => api;
    },
    onPageVisible: () => () => undefined,
    randomWord: () => `word${(words += 1)}`,
    copyText: async () => undefined,
    loadQr: async () => undefined,
    savePicture: async () => true,
    print: async () => undefined,
    loadCardScript: async () => undefined,
    payByCard,
    readBuilds: silent,
    install: silent,
    openWindow,
    setLocale: async () => true,
    history: createMemoryHistory({ initialEntries: ["/home"] }),
  });

  let shown: { key: string; name: RouteName; actors: AnyActorRef[]; leave: () => void } | undefined;
  const show = () => {
    const { current } = app.navigationActor.getSnapshot().context;
    const key = JSON.stringify([current?.key, current?.entry]);
    if (!current || shown?.key === key) return;
    shown?.leave();
    const left: (() => void)[] = [];
    const actors: AnyActorRef[] = [];
    shown = { key, name: current.name as RouteName, actors, leave: () => left.forEach((stop) => stop()) };
    const open: Open = (chart, ...[input]: unknown[]) => {
      const actor: AnyActorRef = createActor<AnyStateMachine>(app.provide(chart), { ...app.options, input });
      const stopListening = listen(actor, (event) => {
        heard(event as Emitted);
        app.handleEmitted(event as Emitted);
      });
      left.push(() => {
        stopListening();
        actor.send({ type: "cancel" });
        actor.stop();
      });
      actors.push(actor);
      actor.start();
    };
    screens[shown.name]?.(app, open, current.params);
  };
  app.navigationActor.subscribe(show);
  const stopHearing = [app.session, app.pendingOrders].map((actor) =>
    listen(actor, (event) => heard(event as Emitted)),
  );
  let checkoutHeard = false;

  return {
    app,
    storage,
    start: () => app.start(),
    screen: () => shown?.name,
    /** The actors of the screen and those that live longer, with the ones that they invoke; a checkout is seen on its own screen alone. */
    actors: (): AnyActorRef[] => {
      const checkout = app.appActor(checkoutMachine);
      if (!checkoutHeard) listen(checkout, (event) => heard(event as Emitted));
      checkoutHeard = true;
      const own = [
        ...(shown?.actors ?? []),
        ...(shown?.name === "account" ? [checkout] : []),
        app.session,
        app.pendingOrders,
      ] as AnyActorRef[];
      return own.flatMap((actor) => [actor, ...childrenOf(actor)]);
    },
    close: () => {
      shown?.leave();
      for (const stop of stopHearing) stop();
      for (const actor of [
        app.session,
        app.notifications,
        app.navigationActor,
        app.overlays,
        app.pendingOrders,
      ])
        (actor as AnyActorRef).stop();
      app.appActor(checkoutMachine).stop();
    },
  };
}

/** Whether an actor runs a chart, and not a call. */
export const isMachine = (actor: AnyActorRef) => "_nodes" in (actor.getSnapshot() as object);

/** The charts that an actor invokes. */
const childrenOf = (actor: AnyActorRef): AnyActorRef[] =>
  Object.values<AnyActorRef>((actor.getSnapshot() as AnyMachineSnapshot).children)
    .filter(isMachine)
    .flatMap((child) => [child, ...childrenOf(child)]);
