/** Joins the charts of the page to React: the session, what a screen reads, the changes that are made. */
import { useActorRef, useSelector } from "@xstate/react";
import { createContext, useContext, useEffect, useMemo } from "react";
import { createActor, type Actor, type ActorRefFrom, type InspectionEvent } from "xstate";
import { consoleChangeMachine, type GivenCommand } from "../../machines/console-change.ts";
import { operatorSessionMachine } from "../../machines/operator-session.ts";
import { consoleDownloadMachine } from "../../machines/console-download.ts";
import { consoleReadingMachine } from "../../machines/console-reading.ts";
import type { TableRow } from "../contract/console.ts";
import { createCalls, type Calls, type Question } from "./ports/calls.ts";

/** Told of every actor, for tests. */
interface Options {
  inspect?: (event: InspectionEvent) => void;
}

export interface ConsoleApp {
  options: Options;
  calls: Calls;
  session: Actor<typeof operatorSessionMachine>;
  /** What is saved goes on while another screen is looked at. */
  downloads: { books: DownloadRef; backup: DownloadRef };
  /** Tells every screen that something was done. */
  onDone: (tell: () => void) => () => void;
  done: () => void;
}

/** @param link the login link in the address; null: none */
export function createConsole(link: string | null, options: Options = {}): ConsoleApp {
  const calls = createCalls(() => session.send({ type: "session.ended" }));
  const session: ConsoleApp["session"] = createActor(
    operatorSessionMachine.provide({ actors: calls.session }),
    {
      ...options,
      input: { link },
    },
  );
  const told = new Set<() => void>();
  const done = () => told.forEach((tell) => tell());
  function startDownload(): DownloadRef {
    const actors = calls.downloadsTelling((progress) => actor.send({ type: "file.progressed", progress }));
    const actor: DownloadRef = createActor(consoleDownloadMachine.provide({ actors }), options);
    actor.on("file.saved", done);
    session.subscribe((state) => {
      if (!state.matches("signedIn") && !state.matches("leaving")) actor.send({ type: "session.ended" });
    });
    return actor.start();
  }
  return {
    options,
    calls,
    downloads: { books: startDownload(), backup: startDownload() },
    session: session.start(),
    onDone: (tell) => {
      told.add(tell);
      return () => told.delete(tell);
    },
    done,
  };
}

const ConsoleContext = createContext<ConsoleApp | null>(null);
export const ConsoleProvider = ConsoleContext.Provider;

export function useConsole(): ConsoleApp {
  const app = useContext(ConsoleContext);
  if (!app) throw new Error("A view stands inside the page.");
  return app;
}

export type DownloadRef = Actor<typeof consoleDownloadMachine>;
export type ReadingRef = ActorRefFrom<typeof consoleReadingMachine>;
export type ChangeRef = ActorRefFrom<typeof consoleChangeMachine>;

/** What a screen reads; again when something was done. A view is keyed by its question. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the question decides what is read
export function useReading<T>(question: Question): { ref: ReadingRef; items: readonly T[] } {
  const { calls, onDone, options } = useConsole();
  const machine = useMemo(() => consoleReadingMachine.provide({ actors: calls.reading }), [calls]);
  const ref = useActorRef(machine, { ...options, input: { question } });
  useEffect(() => onDone(() => ref.send({ type: "refresh.requested" })), [onDone, ref]);
  return { ref, items: useSelector(ref, ({ context }) => context.reading.items) as readonly T[] };
}

export function useChange(given: GivenCommand): ChangeRef {
  const { calls, done, options } = useConsole();
  const machine = useMemo(() => consoleChangeMachine.provide({ actors: calls.change }), [calls]);
  const ref = useActorRef(machine, { ...options, input: { given } });
  useEffect(() => {
    const listening = ref.on("change.done", done);
    return () => listening.unsubscribe();
  }, [done, ref]);
  return ref;
}

/** A command by its name; undefined: the signed-in operator may not give it. */
export const useCommand = (name: string): TableRow | undefined =>
  useConsole()
    .calls.table()
    .find((row) => row.name === name);
