/** The real app on a stage: real views, charts, routes, storage and API port; the service, time and other windows are in the hands of a test. */
import { i18n } from "@lingui/core";
import { I18nProvider } from "@lingui/react";
import { createMemoryHistory, RouterProvider } from "@tanstack/react-router";
import { act, cleanup, configure, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi, type MockInstance } from "vitest";
import {
  fromPromise,
  initialTransition,
  transition,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type EventObject,
  type InputFrom,
  type SnapshotFrom,
} from "xstate";
import { getShortestPaths } from "xstate/graph";
import { AppProvider } from "../../src/app/app.ts";
import { compose, type Outside } from "../../src/app/compose.ts";
import { createApi } from "../../src/app/ports/api.ts";
import { copyText } from "../../src/app/ports/clipboard.ts";
import { startClock } from "../../src/app/ports/clock.ts";
import { currentLanguage, preferredLanguage, speak } from "../../src/app/ports/language.ts";
import { browserStorage, openStorage } from "../../src/app/ports/storage.ts";
import { openWindow } from "../../src/app/ports/windows.ts";
import { createAppRouter } from "../../src/app/routes.tsx";

// The views are at hand: fetching them is not what is tested here.
await Promise.all(
  Object.values(import.meta.glob("../../src/app/views/*.tsx")).map((fetchView) => fetchView()),
);
await import("react-qr-code");
vi.setConfig({ testTimeout: 30_000 });

/** When every test begins, by the phone's own clock. */
export const START = Date.UTC(2026, 0, 1, 0, 10);

configure({
  // The whole screen would fill the page.
  getElementError: (message) => new Error(message?.split("\n\n").slice(0, 2).join("\n")),
  // Whatever is done is settled as a whole.
  asyncWrapper: (run) => run(),
  eventWrapper: (run) => run(),
});

/** What jsdom cannot do, and a test may ask about. */
export const scrolledIntoView = vi.fn<() => void>();

/** What React and the browser complain of: nothing, in the end. */
let complaints: MockInstance<typeof console.error>;

beforeEach(() => {
  vi.useFakeTimers({
    now: START,
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"],
  });
  // What jsdom lacks.
  window.scrollTo = vi.fn<() => void>();
  Element.prototype.scrollIntoView = scrolledIntoView.mockClear();
  Element.prototype.setPointerCapture = vi.fn<() => void>();
  complaints = vi.spyOn(console, "error");
});

afterEach(() => {
  cleanup();
  const heard = complaints.mock.calls;
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  localStorage.clear();
  expect(heard).toEqual([]);
});

/* The service: it says nothing until it is told what to say. */

/** `lost`: no answer comes at all; a number: a bare HTTP status. */
export type Reply = "lost" | number | { code: number; message?: string; data?: unknown };
export const ok = (data: unknown = null): Reply => ({ code: 200, message: "ok", data });
export const no = (message: string): Reply => ({ code: 1, message });
export const nobody: Reply = { code: 4001, message: "Please log in." };

export type Sent = { path: string; body: unknown; headers: Record<string, string> };
/** Answers given at once, by path. */
export type Replies = Record<string, Reply | ((sent: Sent) => Reply)>;

class Service {
  readonly sent: Sent[] = [];
  /** Milliseconds by which the service's clock is ahead of the phone's. */
  ahead = 0;
  /** Where its answers say what time it is. */
  timeIn: "server_time" | "Date" = "server_time";
  readonly #replies: Replies;
  readonly #waiting: { path: string; settle: (reply: Reply) => void }[] = [];

  constructor(replies: Replies) {
    this.#replies = replies;
  }
  /** What was asked at a path, or how often anything was. */
  to(path: string): Sent[] {
    return this.sent.filter((sent) => sent.path === path);
  }
  get waiting(): string[] {
    return this.#waiting.map(({ path }) => path);
  }
  /** From now on, a path is answered at once. */
  will(path: string, reply: Reply | ((sent: Sent) => Reply)): void {
    this.#replies[path] = reply;
  }
  async answer(path: string, reply: Reply): Promise<void> {
    const at = this.#waiting.findIndex((each) => each.path === path);
    const [call] = at < 0 ? [] : this.#waiting.splice(at, 1);
    if (!call) throw new Error(`Nobody waits for ${path}.`);
    await settled(() => call.settle(reply));
  }
  /** Answers all that wait, at once. */
  async answerAll(reply: Reply): Promise<void> {
    const calls = this.#waiting.splice(0);
    await settled(() => calls.forEach(({ settle }) => settle(reply)));
  }
  readonly fetch = (path: string, { body, headers, signal }: RequestInit = {}): Promise<Response> =>
    new Promise((resolve, reject) => {
      const sent: Sent = {
        path,
        body: typeof body === "string" ? JSON.parse(body) : (body ?? null),
        headers: Object.fromEntries(new Headers(headers)),
      };
      const call = {
        path,
        settle: (reply: Reply) => {
          if (reply === "lost") return reject(new TypeError("Failed to fetch"));
          if (typeof reply === "number") return resolve(new Response("", { status: reply }));
          const time = Date.now() + this.ahead;
          resolve(
            this.timeIn === "Date"
              ? Response.json(reply, { headers: { Date: new Date(time).toUTCString() } })
              : Response.json({ ...reply, server_time: time }),
          );
        },
      };
      const giveUp = () => {
        const at = this.#waiting.indexOf(call);
        if (at >= 0) this.#waiting.splice(at, 1);
        reject(new DOMException("Aborted", "AbortError"));
      };
      if (signal?.aborted) return giveUp();
      signal?.addEventListener("abort", giveUp);
      this.sent.push(sent);
      const reply = this.#replies[path];
      if (reply === undefined) this.#waiting.push(call);
      else call.settle(typeof reply === "function" ? reply(sent) : reply);
    });
}

/* The stage. */

export type Opening = {
  language?: "en" | "zh-CN";
  /** What local storage holds; whatever is not text is stored as JSON. */
  stored?: Record<string, unknown>;
  replies?: Replies;
  sandbox?: boolean;
  /** The browser's storage, or one that misbehaves. */
  area?: Storage | null;
  /** Other people's scripts, which say nothing unless told. */
  scripts?: Partial<Pick<Outside, "loadCardScript" | "payByCard" | "readBuilds" | "install">>;
};
export type Stage = Awaited<ReturnType<typeof openApp>>;

/** A script that never comes. */
const silent = () => new Promise<never>(() => {});

/** Opens the app at a place, by the address bar. */
export async function openApp(
  place: string,
  {
    language,
    stored = {},
    replies = {},
    sandbox = false,
    area = browserStorage(),
    scripts = {},
  }: Opening = {},
) {
  for (const [key, value] of Object.entries(language ? { ...stored, language } : stored)) {
    localStorage.setItem(key, typeof value === "string" ? value : JSON.stringify(value));
  }
  const person = userEvent.setup({ delay: null });
  const service = new Service({ ...replies });
  vi.stubGlobal("fetch", service.fetch);
  const config = Promise.resolve({
    apiBaseUrl: "",
    providerSite: "https://everlit.example",
    downloadSdk: null,
    cardScriptUrl: "https://card.example/script.js",
    sandbox,
  });
  const storage = openStorage(area);
  const clock = startClock();
  let words = 0;
  const app = compose({
    config,
    storage,
    clock,
    connect: (refused) => createApi({ config, storage, clock, language: currentLanguage, refused }),
    randomWord: () => `word${(words += 1)}`,
    copyText,
    loadCardScript: silent,
    payByCard: silent,
    readBuilds: silent,
    install: silent,
    ...scripts,
    openWindow,
    speak: (spoken) => spokenOf(speak(spoken)),
    go: (to, { replace = false, unasked = false } = {}) =>
      void router.navigate({ ...to, replace, ignoreBlocker: unasked }),
    reconsider: () => void router.invalidate(),
  });
  const history = createMemoryHistory({ initialEntries: [place] });
  const router = createAppRouter(app, history);
  await Promise.all(
    Object.values(router.routesById).map(async (route) => {
      const { component } = route.options as { component?: { preload?: () => Promise<void> } };
      await component?.preload?.();
    }),
  );
  for (const spoken of ["zh-CN", "en", preferredLanguage(storage)] as const) await speak(spoken);
  await settled(() =>
    render(
      <I18nProvider i18n={i18n}>
        <AppProvider value={app}>
          <RouterProvider router={router} />
        </AppProvider>
      </I18nProvider>,
    ),
  );
  return {
    app,
    service,
    history,
    /** Where the person is. */
    place: () => decodeURIComponent(router.state.location.pathname),
    /** The person enters another address, or follows a link from elsewhere in the app. */
    visit: (path: string) => settled(() => history.push(path)),
    back: () => settled(() => history.back()),
    tap: (element: Element) => settled(() => person.click(element)),
    tapTwice: (element: Element) => settled(() => person.dblClick(element)),
    /** Puts a text in the place of what a field holds. */
    type: (field: Element, text: string) =>
      settled(async () => {
        await person.clear(field);
        if (text !== "") await person.paste(text);
      }),
    press: (keys: string) => settled(() => person.keyboard(keys)),
  };
}

/** The catalogue that is being fetched. */
let speaking: Promise<unknown> = Promise.resolve();
const spokenOf = (promise: Promise<void>) => {
  speaking = promise.catch(() => {});
  return promise;
};

/** Does something, and waits until nothing moves on the screen any more. */
export async function settled(happening: () => unknown): Promise<void> {
  let still = 0;
  const watch = new MutationObserver(() => (still = 0));
  watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  await act(async () => {
    await happening();
    await speaking;
  });
  while (still++ < 4) await act(() => new Promise<void>((resolve) => setImmediate(resolve)));
  watch.disconnect();
}

/** Time passes, timer by timer. */
export const pass = (ms: number) => settled(() => vi.advanceTimersByTimeAsync(ms));

/** The person comes back to the page. */
export const lookAgain = () => settled(() => document.dispatchEvent(new Event("visibilitychange")));

/** The phone sleeps, no timer firing in between, and is looked at again. */
export const sleep = (ms: number) => {
  vi.setSystemTime(Date.now() + ms);
  return lookAgain();
};

/** Another tab changes what is stored. */
export const storeElsewhere = (key: string, value: string | null) =>
  settled(() => {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
    window.dispatchEvent(new StorageEvent("storage", { key, newValue: value, storageArea: localStorage }));
  });

/* What is seen. Only what is on the screen counts: a kept view is there, but hidden. */

const named = (name: string | RegExp) => (typeof name === "string" ? { name, exact: true } : { name });
export const button = (name: string | RegExp) => screen.getByRole("button", named(name));
export const link = (name: string | RegExp) => screen.getByRole("link", named(name));
export const box = (name: string | RegExp) => screen.getByRole<HTMLInputElement>("textbox", named(name));
/** The landing page's top bar. */
export const bar = () => within(screen.getAllByRole("banner")[0] as HTMLElement);
export const title = () => screen.getByRole("heading", { level: 1 }).textContent;
export const isBusy = (element: Element) => element.getAttribute("aria-busy") === "true";
/** A password field has no role: it is the one on the screen that has this label. */
export const secret = (label: string) =>
  screen
    .getAllByLabelText<HTMLInputElement>(label, { selector: "input" })
    .find((field) => isSeen(field)) as HTMLInputElement;
export const isSeen = (element: Element): boolean => {
  for (let at: Element | null = element; at; at = at.parentElement) {
    if (at instanceof HTMLElement && at.style.display === "none") return false;
  }
  return true;
};
const texts = (role: string) =>
  screen
    .queryAllByRole(role)
    .map((element) => element.textContent)
    .filter((text) => text !== "");
/** What is said politely (a toast, a state), and what is said at once. */
export const said = () => texts("status");
export const warned = () => texts("alert");
/** Whether a text stands on the screen. */
export const reads = (text: string | RegExp) => screen.queryAllByText(text).some(isSeen);
/** The question that waits for an answer, or null. */
export const question = () => {
  const dialog = screen.queryByRole("alertdialog");
  return (
    dialog && {
      title: within(dialog).getByRole("heading").textContent,
      answers: within(dialog)
        .getAllByRole("button")
        .map((answer) => answer.textContent),
    }
  );
};
/** What local storage holds, JSON read. */
export const stored = () =>
  Object.fromEntries(
    Object.entries(localStorage).map(([key, value]: [string, string]) => {
      try {
        return [key, JSON.parse(value) as unknown];
      } catch {
        return [key, value];
      }
    }),
  );

/* Samples. */

/** What the browser of a signed-in person holds. */
export const anna = { user_name: "Anna", user_key: { account_name: "Anna" }, user_token: "token1" };
/** As `GET /api/packegs/list` answers. */
export const packagesOf = (...list: object[]) =>
  ok([{ currency: "USD", updated_at: "2026-01-01" }, [], list]);
export const monthly = {
  id: "1",
  name: "Monthly",
  product_id: "vpn.month",
  price: "12.50",
  buy_price: "9.99",
  day_price: "0.33",
  discount: "80",
};
export const quarterly = {
  ...monthly,
  id: "2",
  name: "Quarterly",
  product_id: "vpn.quarter",
  buy_price: "24.99",
  discount: "66.5",
};
export const halfYearly = {
  ...monthly,
  id: "3",
  name: "Half a year",
  product_id: "vpn.half",
  buy_price: "44.99",
  discount: "60",
};
export const yearly = {
  ...monthly,
  id: "4",
  name: "Yearly",
  product_id: "vpn.year",
  buy_price: "79.99",
  discount: "53",
};
export const address = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
export const ethereumAddress = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
/** As `POST /api/order/detail` answers: made ten minutes before the test begins. */
export const detail = (more: object = {}) => ({
  order_id: "A100",
  status: 0,
  payment_amount: "9.99",
  created_at: "2026-01-01T00:00:00.000Z",
  address,
  coin_type: 4,
  paid_amount: "0",
  pack_name: "Monthly",
  ...more,
});
/** The same order as this browser kept it. */
export const kept = {
  orderId: "A100",
  network: "TRC20",
  amount: "9.99",
  address,
  deadline: Date.UTC(2026, 0, 1, 0, 30),
  accountName: "Anna",
  packId: "1",
  productId: "vpn.month",
  packName: "Monthly",
};
export const paymentPath = `/payDetail/1/vpn.month/TRC20/9.99/${address}/A100`;

/* Paths through a chart, generated from it and performed on the screen. */

/** What the service may say to an invoke: what the chart hears of it, and what is sent. Every call may also be lost. */
type Answer = {
  path: string;
  replies: Record<string, { output: unknown; reply: Reply } | { refusal: Reply }>;
};
type Happening<E> =
  E | { type: `${string}: ${string}`; id: string; reply: string } | { type: `after ${string}`; ms: number };

export type Acting<M extends AnyStateMachine, E extends EventObject> = {
  input?: InputFrom<M>;
  /** What a person may do. */
  events: readonly E[];
  /** Whether the screen offers it in a state; always, unless told. */
  offers?: (state: SnapshotFrom<M>, event: E) => boolean;
  /** By invoke. */
  answers: Record<string, Answer>;
  /** Invokes that the app answers by itself, with what the chart hears. */
  immediate?: Record<string, unknown>;
  open: () => Promise<Stage>;
  /** How a person does it. */
  does: { [T in E["type"]]: (event: Extract<E, { type: T }>, stage: Stage) => Promise<void> };
  /** What is on the screen, and what of it a state of the chart promises. */
  looks: (stage: Stage) => unknown;
  promises: (state: SnapshotFrom<M>, history: readonly Happening<E>[]) => unknown;
};

type Situation = {
  snapshot: AnyMachineSnapshot;
  now: number;
  timers: readonly { id: string; due: number }[];
};

const soonest = ({ timers }: Situation) => timers.toSorted((one, other) => one.due - other.due)[0];

function portsOf(node: AnyStateMachine["root"]): string[] {
  return [...node.invoke.map(({ src }) => src as string), ...Object.values(node.states).flatMap(portsOf)];
}

/** The chart as a plain graph, in which answers and the passing of time are events like any other. */
function modelOf<M extends AnyStateMachine, E extends EventObject>(
  chart: M,
  { input, events, offers = () => true, answers, immediate = {} }: Acting<M, E>,
) {
  const silent = fromPromise(() => new Promise(() => {}));
  const mute = chart.provide({ actors: Object.fromEntries(portsOf(chart.root).map((src) => [src, silent])) });
  const settle = (
    { now, timers }: Omit<Situation, "snapshot">,
    [snapshot, actions]: readonly [AnyMachineSnapshot, readonly { type: string; params: unknown }[]],
  ): Situation => {
    let running = timers;
    for (const { type, params } of actions) {
      const { id, delay, sendId } = (params ?? {}) as { id: string; delay: number; sendId: string };
      if (type === "xstate.cancel") running = running.filter((timer) => timer.id !== sendId);
      if (type === "xstate.raise") {
        running = [...running.filter((timer) => timer.id !== id), { id, due: now + delay }];
      }
    }
    const situation = { snapshot, now, timers: running };
    const prompt = Object.keys(immediate).find((id) => id in snapshot.children);
    return prompt ? hear(situation, `xstate.done.actor.${prompt}`, { output: immediate[prompt] }) : situation;
  };
  const take = (from: Situation, event: EventObject): Situation =>
    settle(from, transition(mute, from.snapshot as never, event as never) as never);
  const hear = (from: Situation, type: string, more: object = {}) => take(from, { type, ...more });
  return {
    start: settle({ now: 0, timers: [] }, initialTransition(mute, input as never) as never),
    next: (from: Situation, event: Happening<E>): Situation => {
      if ("reply" in event) {
        const { id, reply } = event as { id: string; reply: string };
        const answer = answers[id]?.replies[reply];
        return answer && "output" in answer
          ? hear(from, `xstate.done.actor.${id}`, { output: answer.output })
          : hear(from, `xstate.error.actor.${id}`);
      }
      if (!("ms" in event)) return take(from, event);
      let situation: Situation = { ...from, now: from.now + (event as { ms: number }).ms };
      for (let due = soonest(situation); due && due.due <= situation.now; due = soonest(situation)) {
        const { id } = due;
        situation = take(
          { ...situation, timers: situation.timers.filter((timer) => timer.id !== id) },
          { type: id },
        );
      }
      return situation;
    },
    happenings: (situation: Situation): Happening<E>[] => {
      const { snapshot, now } = situation;
      const due = soonest(situation);
      return [
        ...events.filter((event) => offers(snapshot as SnapshotFrom<M>, event)),
        ...Object.entries(answers)
          .filter(([id]) => id in snapshot.children)
          .flatMap(([id, { replies }]) =>
            ["lost", ...Object.keys(replies)].map((reply) => ({
              type: `${id}: ${reply}` as const,
              id,
              reply,
            })),
          ),
        ...(due ? [{ type: `after ${due.id.split(".")[2] ?? ""}` as const, ms: due.due - now }] : []),
      ];
    },
    name: ({ snapshot, now, timers }: Situation): string =>
      JSON.stringify([snapshot.value, snapshot.context, timers.map(({ id, due }) => [id, due - now])]),
  };
}

const nameOf = (path: readonly { type: string }[]) => path.map(({ type }) => type).join(" → ");

/** Shortest paths that together take every step between two states of the chart. */
function walksOf<E extends EventObject>(
  model: ReturnType<typeof modelOf<AnyStateMachine, E>>,
): Happening<E>[][] {
  const logic = {
    transition: model.next,
    getInitialSnapshot: () => model.start,
    getPersistedSnapshot: (situation: Situation) => situation,
  };
  const options = { events: model.happenings, serializeState: model.name };
  const reached = getShortestPaths(logic as never, options as never) as unknown as {
    state: Situation;
    steps: { event: Happening<E> }[];
  }[];
  const walked = new Set<string>();
  const walks: Happening<E>[][] = [];
  for (const { state, steps } of reached) {
    // The first step is the chart's own beginning.
    const before = steps.slice(1).map(({ event }) => event);
    const idle: Happening<E>[] = [];
    for (const event of model.happenings(state)) {
      const next = model.next(state, event);
      const ends = [state, next].map(({ snapshot }) => JSON.stringify(snapshot.value));
      const step = `${ends.join(" → ")} ${JSON.stringify({ ...event, ms: 0 })}`;
      if (walked.has(step)) continue;
      walked.add(step);
      // What changes nothing can all be tried on one path.
      if (model.name(next) === model.name(state)) idle.push(event);
      else walks.push([...before, event]);
    }
    if (idle.length > 0) walks.push([...before, ...idle]);
  }
  const trail = (walk: Happening<E>[]) => JSON.stringify(walk).slice(0, -1);
  const beginnings = new Set(
    walks.flatMap((walk) => walk.slice(1).map((_, at) => trail(walk.slice(0, at + 1)))),
  );
  return walks.filter((walk) => !beginnings.has(trail(walk)));
}

/** Declares one test a generated path: performed on the screen, and compared with the chart at every step. */
export function actOut<M extends AnyStateMachine, E extends EventObject>(
  chart: M,
  acting: Acting<M, E>,
): void {
  const model = modelOf(chart, acting);
  for (const path of walksOf(model)) {
    test(`${chart.id}: ${nameOf(path)}`, async () => {
      const stage = await acting.open();
      let situation = model.start;
      for (const at of [...path.keys(), path.length]) {
        const history = path.slice(0, at);
        const after = nameOf(history);
        expect({ after, looks: acting.looks(stage) }).toEqual({
          after,
          looks: acting.promises(situation.snapshot as SnapshotFrom<M>, history),
        });
        const event = path[at];
        if (!event) break;
        await happen(event, stage, acting);
        situation = model.next(situation, event);
      }
    });
  }
}

/** Makes it happen on the screen. */
async function happen<M extends AnyStateMachine, E extends EventObject>(
  event: Happening<E>,
  stage: Stage,
  { answers, does }: Acting<M, E>,
): Promise<void> {
  if ("ms" in event) return pass((event as { ms: number }).ms);
  if (!("reply" in event)) return does[event.type as E["type"]](event as never, stage);
  const { id, reply } = event as { id: string; reply: string };
  const { path, replies } = answers[id] as Answer;
  const answer = replies[reply];
  return stage.service.answer(path, !answer ? "lost" : "reply" in answer ? answer.reply : answer.refusal);
}
