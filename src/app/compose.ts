/** Joins the charts to the outside, once: the actors that live as long as the page, and what a view may ask of them. */
import {
  createActor,
  type Actor,
  type ActorRefFrom,
  type AnyActorLogic,
  type AnyActorRef,
  type AnyStateMachine,
  type EmittedFrom,
} from "xstate";
import type { checkoutMachine } from "../../machines/checkout.ts";
import { layersMachine } from "../../machines/layers.ts";
import { noticeMachine, type Dialog, type Words } from "../../machines/notice.ts";
import { progressMachine } from "../../machines/progress.ts";
import type { recoveryMachine } from "../../machines/recovery.ts";
import { sessionMachine } from "../../machines/session.ts";
import { travelMachine } from "../../machines/travel.ts";
import { unfinishedMachine } from "../../machines/unfinished.ts";
import { consequencesOf, type Company, type Emitted } from "./consequences.ts";
import type { Outside } from "./outside.ts";
import { createOver } from "./layers.ts";
import { todayBy } from "./ports/clock.ts";
import { withForesight } from "./ports/foresight.ts";
import { supplyFrom, type Supplied } from "./supply.ts";
import { createWays, keepTravel } from "./ways.ts";

/** Each is made when it is first asked for: all of them at once would be a task that a touch has to wait for. */
function lazily<T extends object>(makers: { [K in keyof T]: () => T[K] }): T {
  const made = {} as T;
  for (const name of Object.keys(makers) as (keyof T)[]) {
    const get = () => {
      const value = makers[name]();
      Object.defineProperty(made, name, { value });
      return value;
    };
    Object.defineProperty(made, name, { get, configurable: true });
  }
  return made;
}

export type App = ReturnType<typeof compose>;

export function compose(outside: Outside) {
  const { storage, clock } = outside;
  const options = outside.inspect ? { inspect: outside.inspect } : {};
  const { api, foresee, forget } = withForesight(
    outside.connect(() => session.send({ type: "session.refused" })),
  );
  const router = keepTravel(outside.fetchTravel);
  const give = supplyFrom(outside, api, router.fetch);

  const readName = () => storage.readText("user_name") ?? storage.readJson("user_key")?.account_name ?? null;
  const session = createActor(give(sessionMachine), { ...options, input: { userName: readName() } });
  const whoseName = () => session.getSnapshot().context.userName ?? "";

  const begin = <L extends AnyActorLogic>(
    actor: Actor<L> & (EmittedFrom<L> extends Emitted ? unknown : never),
  ): Actor<L> => {
    actor.on("*", (event) => hear(event as Emitted));
    return actor.start();
  };
  /** Those that wait for something on behalf of a screen, and outlive it, by the ids of their charts. */
  const outliving: {
    checkout?: ActorRefFrom<typeof checkoutMachine>;
    recovery?: ActorRefFrom<typeof recoveryMachine>;
  } = {};
  /** The actor of such a chart, which comes with its screen. */
  const outlive = <M extends typeof checkoutMachine | typeof recoveryMachine>(
    chart: M & Supplied<M> & (EmittedFrom<M> extends Emitted ? unknown : never),
  ): ActorRefFrom<M> => {
    const known: Partial<Record<string, AnyActorRef>> = outliving;
    known[chart.id] ??= begin(createActor<AnyStateMachine>(give<M>(chart), options));
    return known[chart.id] as ActorRefFrom<M>;
  };
  const tellOutliving: Company["tellOutliving"] = (event) => {
    for (const actor of Object.values<AnyActorRef>(outliving)) actor.send(event);
  };
  const living = lazily({
    notice: () => begin(createActor(noticeMachine, options)),
    progress: () => createActor(progressMachine, options).start(),
    layers: () => begin(createActor(layersMachine, options)),
    travel: () => begin(createActor(give(travelMachine), options)),
    unfinished: () =>
      begin(
        createActor(unfinishedMachine, {
          ...options,
          input: { orders: storage.readJson("orders") ?? [] },
        }),
      ),
  });
  const ways = createWays(router.here, () => living.travel);
  const { over, dismiss } = createOver(() => living.layers, options);

  const asked = new Map<string, (confirmed: boolean) => void>();
  let questions = 0;
  /** Asks the person; settles exactly once, with "no" where nobody answers, or `signal` takes the question back. */
  const ask = (dialog: Omit<Dialog, "id">, signal?: AbortSignal) =>
    new Promise<boolean>((resolve) => {
      questions += 1;
      const id = String(questions);
      asked.set(id, resolve);
      signal?.addEventListener("abort", () => living.notice.send({ type: "dialog.withdrawn", id }));
      living.notice.send({ type: "dialog.asked", dialog: { ...dialog, id } });
    });
  const say = (words: Words, tone: "plain" | "success" | "failure" = "plain") =>
    living.notice.send({ type: "toast.asked", toast: { words, tone } });
  const consequences = consequencesOf(outside, {
    living,
    session,
    ways,
    lead: router.lead,
    whoseName,
    say,
    answer: (id, confirmed) => {
      asked.get(id)?.(confirmed);
      asked.delete(id);
    },
    dismiss,
    tellOutliving,
    forget,
  });
  const hear = <T extends Emitted["type"]>(event: Extract<Emitted, { type: T }>) => {
    const follow: (event: Extract<Emitted, { type: T }>) => void = consequences[event.type];
    follow(event);
  };

  begin(session);
  for (const key of ["user_name", "user_key"] as const) {
    storage.watch(key, () => session.send({ type: "storage.changed", userName: readName() }));
  }
  storage.watch("orders", () =>
    living.unfinished.send({ type: "storage.changed", orders: storage.readJson("orders") ?? [] }),
  );

  return Object.assign(living, {
    config: outside.config,
    known: outside.known ?? null,
    page: outside.page ?? null,
    storage,
    session,
    ways,
    routed: router.here,
    over,
    outlive,
    outliving,
    today: () => todayBy(clock),
    ask,
    say,
    hear,
    newVisit: outside.randomWord,
    options,
    give,
    foresee,
    /** A screen is left: what the charts that outlive it wait for is given up with it. */
    leave: () => {
      forget();
      tellOutliving({ type: "waiting.dropped" });
    },
  });
}
