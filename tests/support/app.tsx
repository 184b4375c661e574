/** The real app in a harness: real views, charts, routes, storage and API port; the test decides what the service answers, what time it is and which windows open. */
import { i18n } from "@lingui/core";
import { I18nProvider } from "@lingui/react";
import { createMemoryHistory, type RouterHistory } from "@tanstack/react-router";
import { act, cleanup, configure, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, vi, type MockInstance } from "vitest";
import type { AnyMachineSnapshot, InspectionEvent } from "xstate";
import { AppProvider } from "../../src/app/runtime/hooks.ts";
import { createApp } from "../../src/app/runtime/create-app.ts";
import type { Dependencies } from "../../src/app/runtime/dependencies.ts";
import { createApi } from "../../src/app/ports/api.ts";
import { onPageVisible } from "../../src/app/ports/page.ts";
import { copyText } from "../../src/app/ports/clipboard.ts";
import { startClock } from "../../src/app/ports/clock.ts";
import { currentLanguage, preferredLanguage, setLocale } from "../../src/app/ports/language.ts";
import { browserStorage, openStorage } from "../../src/app/ports/storage.ts";
import { openWindow } from "../../src/app/ports/windows.ts";
import { Sentence } from "../../src/app/ui/sentence.tsx";
import { screens } from "../../src/app/navigation/screens.ts";
import { Shell } from "../../src/app/shell/shell.tsx";
import { arriving } from "./faults.ts";
import { ok, type Reply } from "./replies.ts";
import { fragileTexts, translatableAmounts } from "./translator.ts";

// The views are at hand: fetching them is not what is tested here.
await Promise.all(
  Object.values(import.meta.glob("../../src/app/{screens,components}/*.tsx")).map((load) => load()),
);
await import("react-qr-code");

/** When every test begins, by the phone's own clock. */
export const START = Date.UTC(2026, 0, 1, 0, 10);

configure({
  // The whole screen would fill the page.
  getElementError: (message) => new Error(message?.split("\n\n").slice(0, 2).join("\n")),
  // Whatever is done is settled as a whole.
  asyncWrapper: (run) => run(),
  eventWrapper: (run) => run(),
});

/** Drawn ahead of its opening, and hidden until then. */
const closed = "dialog:not([open])";

/** What jsdom cannot do, and a test may ask about. */
export const scrolledIntoView = vi.fn<() => void>();

/** What React and the browser complain of: nothing, in the end. */
let complaints: MockInstance<typeof console.error>;

/** What a page tells of its own life. An app whose test is over would still hear it, and ask the next one's service. */
const ofThePage = new Set(["online", "offline", "visibilitychange", "pageshow", "storage"]);
const forgets: (() => void)[] = [];
function listenForNow(target: Window | Document): void {
  const add = target.addEventListener.bind(target);
  vi.spyOn(target, "addEventListener").mockImplementation((type, heard, options) => {
    add(type, heard, options);
    if (ofThePage.has(type)) forgets.push(() => target.removeEventListener(type, heard, options));
  });
}

/** What a browser's translator would have harmed on the way: nothing either. */
const harmed = new Set<string>();

/** What comes before each test in the app … */
export function begin(): void {
  vi.useFakeTimers({
    now: START,
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"],
  });
  // What hides something here is its own style, or a dialog that is not open; asking every rule of the page would take most of the time.
  const hidden = document.createElement("div").style;
  hidden.display = "none";
  vi.spyOn(window, "getComputedStyle").mockImplementation((element) =>
    element.matches(closed) ? hidden : (element as HTMLElement).style,
  );
  // What jsdom lacks.
  window.scrollTo = vi.fn<() => void>();
  Element.prototype.scrollIntoView = scrolledIntoView.mockClear();
  Element.prototype.setPointerCapture = vi.fn<() => void>();
  complaints = vi.spyOn(console, "error");
  for (const target of [window, document]) listenForNow(target);
}

/** … and after it. */
export function end(): void {
  cleanup();
  for (const forget of forgets.splice(0)) forget();
  const heard = complaints.mock.calls;
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  localStorage.clear();
  sessionStorage.clear();
  windows.clear();
  expect(heard).toEqual([]);
  const spoilt = [...harmed];
  harmed.clear();
  expect(spoilt).toEqual([]);
}

/* The service: it says nothing until it is told what to say. */

export type Sent = { path: string; body: unknown; headers: Record<string, string> };
/** Nothing but what the browser keeps comes before a payment, and that is asked about one by one. */
const unlisted = ({ path, body }: Sent): Reply | undefined =>
  path === "/api/order/list" && (body as { state?: unknown }).state === "unsettled"
    ? ok({ orders: [] })
    : undefined;

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
    if (!call) throw new Error(`No call waits for ${path}.`);
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
          if ("fault" in reply) {
            const { fault, of } = reply;
            const whole = { status: 200, type: "application/json", body: JSON.stringify(of) };
            const { body, ...init } = arriving(fault, whole) ?? { body: "", status: 500 };
            return resolve(new Response(body, init));
          }
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
      const reply = this.#replies[path] ?? unlisted(sent);
      if (reply === undefined) this.#waiting.push(call);
      else call.settle(typeof reply === "function" ? reply(sent) : reply);
    });
}

/* The harness. */

export type Opening = {
  language?: "en" | "zh-CN";
  /** What local storage holds; whatever is not text is stored as JSON. */
  stored?: Record<string, unknown>;
  replies?: Replies;
  sandbox?: boolean;
  /** The browser's storage, or one that misbehaves. */
  area?: Storage | null;
  /** The route of a view that is not at hand: it comes when the service is told to answer a call to this path. */
  late?: "/service" | "/orders";
  /** Other people's scripts, which say nothing unless told, and the code of QR codes, which is at hand. */
  scripts?: Partial<
    Pick<
      Dependencies,
      "loadCardScript" | "payByCard" | "readBuilds" | "install" | "loadQr" | "savePicture" | "print"
    >
  >;
};
export type Harness = Awaited<ReturnType<typeof openApp>>;

/** A script that never comes. */
const silent = () => new Promise<never>(() => {});

/** A history that asks before a step back, as the browser's does and the one in memory does not. */
function askedFirst(history: RouterHistory): RouterHistory {
  const { back } = history;
  history.back = () => {
    const { location: currentLocation } = history;
    const { state } = currentLocation;
    const nextLocation = { ...currentLocation, state: { ...state, __TSR_index: state.__TSR_index - 1 } };
    const asked = { currentLocation, nextLocation, action: "BACK" } as const;
    if (history._getBlockers().some(({ blockerFn }) => blockerFn(asked) === true))
      history.notify({ type: "BACK" });
    else back();
  };
  return history;
}

/** Opens the app at a place, by the address bar. */
export async function openApp(
  place: string,
  {
    language,
    stored = {},
    replies = {},
    sandbox = false,
    area = browserStorage(),
    late,
    scripts = {},
  }: Opening = {},
) {
  for (const [key, value] of Object.entries(language ? { ...stored, language } : stored)) {
    localStorage.setItem(key, typeof value === "string" ? value : JSON.stringify(value));
  }
  const person = userEvent.setup({ delay: null });
  const service = new Service({ ...replies });
  vi.stubGlobal("fetch", service.fetch);
  const config = async () => ({
    apiBaseUrl: "",
    providerSite: "https://everlit.example",
    downloadSdk: null,
    cardScriptUrl: "https://card.example/script.js",
    sandbox,
  });
  // Here before the first order asks for it: a test waits for nothing but what the service is told to say.
  await import("../../src/contract/address.ts");
  const storage = openStorage(area);
  const clock = startClock(storage);
  let words = 0;
  const walked: Record<string, Set<string>> = {};
  const inspect = (event: InspectionEvent) => {
    if (event.type !== "@xstate.snapshot" || !("_nodes" in event.snapshot)) return;
    const { machine, _nodes } = event.snapshot as AnyMachineSnapshot;
    for (const { id } of _nodes) (walked[machine.id] ??= new Set()).add(id);
  };
  const history = askedFirst(createMemoryHistory({ initialEntries: [place] }));
  const app = createApp({
    config,
    storage,
    clock,
    connect: (session) => {
      const api = createApi({ config, storage, clock, language: currentLanguage, ...session });
      return async () => api;
    },
    onPageVisible,
    randomWord: () => `word${(words += 1)}`,
    copyText,
    loadQr: async () => {},
    savePicture: silent,
    print: silent,
    loadCardScript: silent,
    payByCard: silent,
    readBuilds: silent,
    install: silent,
    ...scripts,
    openWindow: async (...asked) => openWindow("Loading", ...asked),
    setLocale: (spoken) => spokenOf(setLocale(spoken)),
    history,
    inspect,
  });
  const router = app.router();
  await Promise.all(Object.values(screens).map(async (screen) => screen.preload?.()));
  const { [late ?? ""]: lateRoute } = router.routesById as Record<string, { options: object }>;
  if (late && lateRoute) fetchLate(lateRoute, late);
  for (const spoken of ["zh-CN", "en", preferredLanguage(storage)] as const) await setLocale(spoken);
  await settled(() => {
    void app.start();
    render(
      <I18nProvider i18n={i18n} defaultComponent={Sentence}>
        <AppProvider value={app}>
          <Shell />
        </AppProvider>
      </I18nProvider>,
    );
  });
  return {
    app,
    service,
    history,
    /** The states that were seen, by chart. */
    walked,
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

type Going = { preload: boolean; abortController: AbortController };
/** Until the test is over, a navigation there waits for the service. */
function fetchLate({ options }: { options: { beforeLoad?: unknown } }, path: string): void {
  options.beforeLoad = async ({ preload, abortController: { signal } }: Going) => {
    if (!preload) await fetch(path, { signal });
  };
}

/** The catalogue that is being fetched. */
let speaking: Promise<unknown> = Promise.resolve();
const spokenOf = <T,>(promise: Promise<T>): Promise<T> => {
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
  for (const text of [...fragileTexts(), ...translatableAmounts()]) harmed.add(text);
}

/** Until the test is over a frame is drawn 16 ms after it was asked for: jsdom's own are lost with the timers of the test before. */
export const drawFrames = () =>
  vi.stubGlobal("requestAnimationFrame", (run: FrameRequestCallback) =>
    setTimeout(() => run(Date.now()), 16),
  );

/** Time passes, timer by timer. */
export const pass = (ms: number) => settled(() => vi.advanceTimersByTimeAsync(ms));

/** The person comes back to the page. */
export const lookAgain = () => settled(() => document.dispatchEvent(new Event("visibilitychange")));

/** The phone loses its network, or finds one. */
export const network = (does: "goes" | "comes") =>
  settled(() => {
    vi.spyOn(navigator, "onLine", "get").mockReturnValue(does === "comes");
    window.dispatchEvent(new Event(does === "goes" ? "offline" : "online"));
  });

/** The phone sleeps, no timer firing in between, and is looked at again. */
export const sleep = (ms: number) => {
  vi.setSystemTime(Date.now() + ms);
  return lookAgain();
};

/** The windows that the app opened beside its own, by where they are. */
export const windows = new Map<object, string>();

/** Windows as the browser gives them, or refuses them. @returns what is done to them */
export function stubWindow(given: boolean): string[] {
  const log: string[] = [];
  vi.spyOn(window, "open").mockImplementation((to) => {
    log.push(`opens ${String(to)}`);
    if (!given) return null;
    const opened = {
      opener: window as unknown,
      location: {
        replace: (address: string) => {
          log.push(`goes to ${address}, opener ${String(opened.opener)}`);
          windows.set(opened, address);
        },
      },
      close: () => {
        log.push("closes");
        windows.delete(opened);
      },
    };
    windows.set(opened, String(to));
    return opened as unknown as Window;
  });
  return log;
}

/** Another tab changes what is stored. */
export const storeElsewhere = (key: string, value: string | null) =>
  settled(() => {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
    window.dispatchEvent(new StorageEvent("storage", { key, newValue: value, storageArea: localStorage }));
  });

/* What is seen. Only what is on the screen counts: a kept view is there, but hidden. */

export const named = (name: string | RegExp) => (typeof name === "string" ? { name, exact: true } : { name });
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
  if (element.closest(closed)) return false;
  for (let at: Element | null = element; at; at = at.parentElement) {
    if (at instanceof HTMLElement && at.style.display === "none") return false;
  }
  return true;
};
/** Submits from a field as the keyboard's "go" key does: the focus stays in it. */
export const submit = (label: string) => {
  const field = secret(label);
  field.focus();
  return settled(() => field.form?.requestSubmit());
};
const texts = (role: string) =>
  screen
    .queryAllByRole(role)
    .map((element) => element.textContent)
    .filter((text) => text !== "");
/** What is said politely (a toast, a state), and what is said at once. */
export const said = () => texts("status");
export const warned = () => texts("alert");
/** The fields that are marked as wrong, each with the words that are said of it, and the one that has the focus. */
export const marked = () => {
  const fields = [...document.querySelectorAll<HTMLInputElement>("[aria-invalid=true]")].filter(isSeen);
  const saidOf = (field: Element) =>
    (field.getAttribute("aria-describedby") ?? "")
      .split(" ")
      .map((id) => document.getElementById(id))
      .filter((said) => said?.role === "alert")
      .map((said) => said?.textContent)
      .join();
  return {
    fields: Object.fromEntries(fields.map((field) => [field.name, saidOf(field)])),
    focused: (document.activeElement as HTMLInputElement).name,
  };
};
/** The words of an element itself, with the amounts in them (`ui/sentence.tsx`), and what a translator has put around them. */
const ownWords = (element: Element | null) =>
  [...(element?.childNodes ?? [])]
    .filter((node) => node instanceof Text || (node as Element).matches("span[translate=no], font"))
    .map((node) => node.textContent)
    .join("")
    .replace(/\s+/g, " ")
    .trim();
/** Whether a text stands on the screen. */
export const reads = (text: string | RegExp) =>
  screen
    .queryAllByText((_, element) =>
      typeof text === "string" ? ownWords(element) === text : text.test(ownWords(element)),
    )
    .some(isSeen);
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

/** The pending orders that local storage holds, latest first. */
export const keptOrders = () => openStorage(localStorage).readAll("order");

/** Another tab stores these orders, latest first, and no others. */
export const storeOrdersElsewhere = async (orders: readonly object[]) => {
  const keyOf = (order: object) => `order:${"orderId" in order ? String(order.orderId) : ""}`;
  const gone = Object.keys(localStorage).filter((key) => key.startsWith("order:"));
  for (const key of gone) await storeElsewhere(key, null);
  for (const [at, order] of orders.entries())
    await storeElsewhere(keyOf(order), JSON.stringify({ ...order, keptAt: Date.now() - at }));
};
