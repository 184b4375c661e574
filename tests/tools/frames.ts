/** Measures the frames of everything that moves, from a browser's trace on a slowed processor, how long each tap of the main job waits for its answer, what holds a touch up while the app comes, and what the first way costs: `node tests/tools/frames.ts [--slow 4] [--runs 3] [--only sheet]`. How to read it: docs/performance.md. */
import { availableParallelism, loadavg } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Browser, Locator } from "playwright-core";
import { paths } from "../../src/contract/calls.ts";
import { launch, openPhone, PASSWORD, startService, type Phone, type Service } from "../support/browser.ts";
import { prepareBrowserTests } from "../support/browser-setup.ts";
import { Finger, type Point } from "../support/finger.ts";

const { values } = parseArgs({
  options: {
    slow: { type: "string", default: "4" },
    only: { type: "string", default: "" },
    runs: { type: "string", default: "3" },
  },
});
const slow = Number(values.slow);
const runs = Number(values.runs);

/** A frame of a screen that draws sixty a second, in ms. */
const frame = 1_000 / 60;

/* What a trace says */

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Microseconds. */
  ts: number;
  dur?: number;
  /** What of it the thread itself worked: the rest it waited for the processor. */
  tdur?: number;
  id2?: { local?: string };
  args?: { name?: string; frame_reporter?: { state: string; affects_smoothness?: boolean } };
}

const categories = [
  "cc",
  "benchmark",
  "toplevel",
  "devtools.timeline",
  "disabled-by-default-devtools.timeline",
  "disabled-by-default-devtools.timeline.frame",
];

interface Frames {
  /** The main thread's work from each of its frames to the next, in ms of its own time: whatever else the machine does is left out. */
  work: number[];
  /** What became of each frame that had something to show: presented whole, presented without the main thread's part, or not at all. */
  shown: ("whole" | "partly" | "dropped")[];
}

/** The frames of the page's own process: the busiest one that has a renderer's main thread. */
function framesOf(trace: Buffer): Frames {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const tasks = (pid: number, tid: number) =>
    traceEvents.filter(
      (event) => event.name === "RunTask" && event.ph === "X" && event.pid === pid && event.tid === tid,
    );
  const mains = traceEvents
    .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
    .map(({ pid, tid }) => ({ pid, busy: tasks(pid, tid) }))
    .toSorted((one, other) => other.busy.length - one.busy.length);
  const page = mains[0];
  if (!page) throw new Error("The trace has no page in it.");

  const begun = traceEvents
    .filter(({ name, pid }) => name === "BeginMainThreadFrame" && pid === page.pid)
    .map(({ ts }) => ts)
    .toSorted((one, other) => one - other);
  // The task of a frame begins a little before the frame says so.
  const starts = begun.map(
    (ts) => page.busy.find((task) => task.ts <= ts && ts <= task.ts + (task.dur ?? 0))?.ts ?? ts,
  );
  const work = starts.map((start, index) => {
    const next = starts[index + 1] ?? start + frame * 1_000;
    return page.busy
      .filter(({ ts }) => ts >= start && ts < next)
      .reduce((sum, { dur = 0, tdur = dur }) => sum + tdur / 1_000, 0);
  });

  const shown: Frames["shown"] = [];
  for (const { name, ph, pid, args } of traceEvents.toSorted((one, other) => one.ts - other.ts)) {
    if (name !== "PipelineReporter" || ph !== "b" || pid !== page.pid) continue;
    const { state, affects_smoothness: counts = false } = args?.frame_reporter ?? { state: "" };
    if (state === "STATE_PRESENTED_ALL") shown.push("whole");
    if (state === "STATE_PRESENTED_PARTIAL") shown.push("partly");
    if (state === "STATE_DROPPED" && counts) shown.push("dropped");
  }
  return { work, shown };
}

/** The longest that one picture stood, in ms: a frame, and one for each that was dropped in a row. */
function longestStill(shown: Frames["shown"]): number {
  let longest = 0;
  let row = 0;
  for (const each of shown) {
    row = each === "dropped" ? row + 1 : 0;
    longest = Math.max(longest, row);
  }
  return (longest + 1) * frame;
}

/* What is measured */

type Scene = {
  name: string;
  /** Up to where the movement begins, and where the finger then goes; not measured. */
  prepare: (phone: Phone) => Promise<Point>;
  /** Nothing but the finger: whatever asks the page how far it is would be measured with it. */
  act: (finger: Finger, at: Point) => Promise<void>;
  /** Ms from the finger's end to that of the movement. */
  lasts: number;
};

const below = ({ x, y }: Point, px: number): Point => ({ x, y: y + px });

const placeOf = async (locator: Locator): Promise<Point> => {
  const box = await locator.boundingBox();
  if (!box) throw new Error("What the finger wants to touch is not there.");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

/** Of what comes with its sheet or its view: once it has come to rest. */
const restOf = async (locator: Locator): Promise<Point> => {
  await locator.tap({ trial: true });
  return placeOf(locator);
};

const openHome = async (phone: Phone) => {
  await phone.open("/home");
  await phone.alive();
  await phone.heading("Never-offline VPN").tap();
  await phone.page.waitForLoadState("networkidle");
};
const openCentre = async (phone: Phone) => {
  await phone.page.getByRole("banner").getByRole("link").tap();
  await phone.page.getByRole("button", { name: "3.99" }).waitFor();
  await phone.page.waitForLoadState("networkidle");
};
/** The upper edge of the language sheet. */
const openLanguages = async (phone: Phone) => {
  await openHome(phone);
  await phone.tap("button", "Change language");
  return restOf(phone.heading("Language"));
};

const scenes: Scene[] = [
  {
    name: "A sheet rises",
    prepare: async (phone) => {
      await openHome(phone);
      return placeOf(phone.control("button", "Change language"));
    },
    act: (finger, at) => finger.tap(at),
    lasts: 500,
  },
  {
    name: "It follows a finger",
    prepare: openLanguages,
    act: (finger, at) => finger.move(at, below(at, 70), 800),
    lasts: 500,
  },
  {
    name: "It is flicked away",
    prepare: openLanguages,
    act: (finger, at) => finger.move(at, below(at, 100), 120),
    lasts: 500,
  },
  {
    name: "A wheel is thrown",
    prepare: async (phone) => {
      await phone.open("/personalInformation");
      await phone.page.getByRole("button", { name: "Date of birth" }).tap();
      return restOf(phone.page.getByRole("slider", { name: "Year" }));
    },
    act: (finger, at) => finger.move(below(at, -80), below(at, 80), 140),
    lasts: 1_200,
  },
  {
    name: "The refresh head",
    prepare: async (phone) => {
      await openHome(phone);
      return placeOf(phone.page.getByRole("banner"));
    },
    act: (finger, at) => finger.move(at, below(at, 120), 700),
    lasts: 2_000,
  },
  {
    name: "A thousand packages",
    prepare: async (phone) => {
      await phone.page.route(`**${paths.packages}`, async (route) => {
        const answer = await route.fetch();
        const said = (await answer.json()) as { data: [unknown, unknown, { product_id: string }[]] };
        const [, , few] = said.data;
        said.data[2] = Array.from({ length: 1_000 }, (_, at) => ({
          ...few[at % few.length],
          product_id: `package-${at}`,
        }));
        await route.fulfill({ response: answer, json: said });
      });
      await phone.open("/buy");
      await phone.page.getByRole("radio").nth(999).waitFor({ state: "attached" });
      return { x: 195, y: 700 };
    },
    act: async (finger, at) => {
      for (let throws = 0; throws < 4; throws += 1) await finger.move(at, below(at, -500), 120);
    },
    lasts: 1_500,
  },
  {
    name: "On to a new view",
    prepare: async (phone) => {
      await openHome(phone);
      await openCentre(phone);
      return restOf(phone.control("link", "Settings"));
    },
    act: (finger, at) => finger.tap(at),
    lasts: 800,
  },
  {
    name: "Back to a kept one",
    prepare: async (phone) => {
      await openHome(phone);
      await openCentre(phone);
      return restOf(phone.control("button", "Back"));
    },
    act: (finger, at) => finger.tap(at),
    lasts: 800,
  },
];

async function slowDown(phone: Phone): Promise<void> {
  const session = await phone.context.newCDPSession(phone.page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: slow });
}

const wanted = <T extends { name: string }>(all: readonly T[]): T[] =>
  all.filter(({ name }) => name.toLowerCase().includes(values.only.toLowerCase()));

async function measureFrames(browser: Browser, service: Service): Promise<Map<string, Frames>> {
  const account = await service.join("Frames");
  const all = new Map<string, Frames>();
  for (const { name, prepare, act, lasts } of wanted(scenes)) {
    const sum: Frames = { work: [], shown: [] };
    for (let run = 0; run < runs; run += 1) {
      const phone = await openPhone(browser, service, { account, motion: "no-preference", sharpness: 2 });
      const finger = await Finger.on(phone.page);
      const at = await prepare(phone);
      // What was prepared comes to rest.
      await pause(600);
      await slowDown(phone);
      await browser.startTracing(phone.page, { categories });
      await act(finger, at);
      await pause(lasts);
      const { work, shown } = framesOf(await browser.stopTracing());
      sum.work.push(...work);
      sum.shown.push(...shown);
      await phone.context.close();
    }
    all.set(name, sum);
  }
  return all;
}

/* What is waited for */

/** One touch or word of the main job, and what the person waits for before the next. */
type Step = {
  name: string;
  on: (phone: Phone) => Locator;
  /** Typed into it, letter by letter; otherwise it is tapped. */
  types?: (run: number) => string;
  until?: (phone: Phone) => Promise<unknown>;
};

const languageIn = (language: "en" | "zh-CN") => async (phone: Phone) => {
  phone.language = language;
  await phone.heading("Never-offline VPN").waitFor();
  await phone.page.getByRole("dialog").waitFor({ state: "hidden" });
};
const openSheet: Step = {
  name: "Opens a sheet",
  on: (phone) => phone.control("button", "Change language"),
  until: (phone) => phone.heading("Language").waitFor(),
};
const accountName = (run: number) => `Person ${run}`;

/** The main job, from the landing page to the bill, and the way out and in again. */
const steps: Step[] = [
  openSheet,
  {
    name: "Closes it",
    on: (phone) => phone.control("button", "Close"),
    until: (phone) => phone.heading("Language").waitFor({ state: "hidden" }),
  },
  { ...openSheet, name: "Opens it again" },
  {
    name: "Changes the language",
    on: (phone) => phone.page.getByRole("button", { name: "简体中文" }),
    until: languageIn("zh-CN"),
  },
  { ...openSheet, name: "Opens it in Chinese" },
  {
    name: "Changes it back",
    on: (phone) => phone.page.getByRole("button", { name: "English" }),
    until: languageIn("en"),
  },
  {
    name: "Goes to register",
    on: (phone) => phone.control("link", "Create an account"),
    until: (phone) => phone.arrive("/register"),
  },
  { name: "Touches a field", on: (phone) => phone.field("account_name") },
  { name: "Types a name", on: (phone) => phone.field("account_name"), types: accountName },
  { name: "Touches the next", on: (phone) => phone.field("password") },
  { name: "Types a password", on: (phone) => phone.field("password"), types: () => PASSWORD },
  { name: "Agrees", on: (phone) => phone.field("agreement") },
  {
    name: "Registers",
    on: (phone) => phone.control("button", "Create account"),
    until: (phone) => phone.arrive("/home"),
  },
  {
    name: "Goes to the packages",
    on: (phone) => phone.control("link", "Buy a membership"),
    until: (phone) => phone.page.getByRole("radio").first().waitFor({ state: "attached" }),
  },
  { name: "Chooses a package", on: (phone) => phone.page.getByRole("radio").nth(2) },
  {
    name: "Continues",
    on: (phone) => phone.control("button", "Continue"),
    until: (phone) => phone.see("Which network will you send on?"),
  },
  { name: "Chooses a network", on: (phone) => phone.page.locator('input[value="ERC20"]') },
  {
    name: "Orders",
    on: (phone) => phone.page.getByRole("button", { name: /^Pay / }),
    until: (phone) => phone.arrive(/\/payDetail\//),
  },
  { name: "Copies the amount", on: (phone) => phone.control("button", "Copy the amount") },
  { name: "Copies the address", on: (phone) => phone.control("button", "Copy the address") },
  {
    name: "Completes the payment",
    on: (phone) => phone.control("button", "Complete the payment"),
    until: (phone) => phone.arrive(/\/billDetail\//),
  },
  {
    name: "Leaves the bill",
    on: (phone) => phone.control("button", "Back"),
    until: (phone) => phone.arrive("/personal_info"),
  },
  {
    name: "Goes to the settings",
    on: (phone) => phone.control("link", "Settings"),
    until: (phone) => phone.arrive("/setting"),
  },
  {
    name: "Logs out",
    on: (phone) => phone.control("button", "Log out"),
    until: (phone) => phone.arrive("/login"),
  },
  { name: "Types the name", on: (phone) => phone.field("account_name"), types: accountName },
  { name: "Types the password", on: (phone) => phone.field("password"), types: () => PASSWORD },
  {
    name: "Logs in",
    on: (phone) => phone.control("button", "Log in"),
    until: (phone) => phone.arrive("/home"),
  },
];

/** One interaction, in ms: all of it up to the next picture, and of it what the page itself did with the events. */
interface Answer {
  all: number;
  work: number;
}

/** The page keeps what the browser says of its interactions where the script can take it. */
const listen = (phone: Phone) =>
  phone.page.addInitScript(() => {
    const heard: PerformanceEventTiming[] = [];
    Object.assign(window, { heard });
    const watch = new PerformanceObserver((list) => {
      heard.push(...(list.getEntries() as PerformanceEventTiming[]));
    });
    // As little as a browser tells.
    const least: PerformanceObserverInit & { durationThreshold: number } = {
      type: "event",
      durationThreshold: 16,
      buffered: true,
    };
    watch.observe(least);
  });

/** The longest interaction since this was last asked; one that took less than 16 ms goes unsaid. */
const takeAnswer = (phone: Phone): Promise<Answer | null> =>
  phone.page.evaluate(() => {
    const { heard } = window as unknown as {
      heard: (PerformanceEventTiming & { interactionId: number })[];
    };
    const [longest] = heard
      .splice(0)
      .filter(({ interactionId }) => interactionId > 0)
      .toSorted((one, other) => other.duration - one.duration);
    return longest ? { all: longest.duration, work: longest.processingEnd - longest.processingStart } : null;
  });

async function measureAnswers(browser: Browser, service: Service): Promise<Map<string, (Answer | null)[]>> {
  const all = new Map<string, (Answer | null)[]>();
  if (wanted(steps).length === 0) return all;
  for (let run = 0; run < runs; run += 1) {
    const phone = await openPhone(browser, service, { motion: "no-preference", sharpness: 2 });
    await listen(phone);
    const finger = await Finger.on(phone.page);
    await phone.open("/home");
    await phone.alive();
    await phone.page.waitForLoadState("networkidle");
    await slowDown(phone);
    for (const { name, on, types, until } of steps) {
      const place = on(phone);
      await place.scrollIntoViewIfNeeded();
      if (types) await place.focus();
      const at = await placeOf(place);
      // What came before is over, and what may be made ready for this has been.
      await pause(600);
      await takeAnswer(phone);
      if (types) await phone.page.keyboard.type(types(run), { delay: 40 });
      else await finger.tap(at);
      // Nothing asks the page how far it is before its picture is there.
      await pause(700);
      await until?.(phone);
      all.set(name, [...(all.get(name) ?? []), await takeAnswer(phone)]);
    }
    await phone.context.close();
  }
  return all;
}

/* What holds a touch up while the app comes */

/** A screen that stands there before the app does. */
type Start = { name: string; language?: "zh-CN"; prepare: (phone: Phone, run: number) => Promise<string> };

const starts: Start[] = [
  { name: "The landing page comes", prepare: async () => "/home" },
  { name: "It comes in Chinese", language: "zh-CN", prepare: async () => "/home" },
  { name: "The login comes", prepare: async () => "/login" },
  {
    name: "A payment comes",
    prepare: async (phone, run) => {
      await phone.register(`Payer ${run}`);
      await phone.choosePackage();
      await phone.order("3.99");
      return new URL(phone.page.url()).pathname;
    },
  },
];

/** By start, the tasks above 50 ms of each run, from the first drawing on, in ms. */
async function measureStarts(browser: Browser, service: Service): Promise<Map<string, number[][]>> {
  const all = new Map<string, number[][]>();
  for (const { name, language = "en", prepare } of wanted(starts)) {
    const found: number[][] = [];
    for (let run = 0; run < runs; run += 1) {
      const phone = await openPhone(browser, service, { language, motion: "no-preference", sharpness: 2 });
      const path = await prepare(phone, run);
      phone.page = await phone.context.newPage();
      await phone.page.addInitScript(() => {
        const long: PerformanceEntry[] = [];
        Object.assign(window, { long });
        new PerformanceObserver((list) => long.push(...list.getEntries())).observe({ type: "longtask" });
      });
      await slowDown(phone);
      await phone.page.goto(path);
      // It has come to life, and what is made ready afterwards has been.
      await pause(3_500);
      found.push(
        await phone.page.evaluate(() => {
          const { long } = window as unknown as { long: PerformanceEntry[] };
          const drawn = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0;
          return long
            .filter(({ startTime, duration }) => startTime + duration > drawn)
            .map((task) => task.duration);
        }),
      );
      await phone.context.close();
    }
    all.set(name, found);
  }
  return all;
}

/* What the first tap costs */

type FirstTap = { name: string; touched: boolean };
const firstTaps: FirstTap[] = [
  { name: "The first tap leads on", touched: false },
  { name: "It does after another touch", touched: true },
];

/** A phone's network as Lighthouse has it: 150 ms there and back, 1.6 Mbit/s. */
const network = { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 96_000 };

/** By way, each run's ms from the finger that comes down on "Log in" to the picture with the login's heading. */
async function measureFirstTaps(browser: Browser, service: Service): Promise<Map<string, number[]>> {
  const all = new Map<string, number[]>();
  for (let run = 0; run < runs; run += 1) {
    for (const { name, touched } of wanted(firstTaps)) {
      const phone = await openPhone(browser, service, { motion: "no-preference", sharpness: 2 });
      const finger = await Finger.on(phone.page);
      await phone.page.addInitScript(() => {
        addEventListener("pointerdown", ({ timeStamp }) => Object.assign(window, { down: timeStamp }), true);
        const look = () => {
          const { down, led } = window as unknown as { down?: number; led?: number };
          const there =
            document.title.startsWith("Log in") && document.querySelector("h1:not([aria-hidden] *)");
          if (down !== undefined && led === undefined && there)
            Object.assign(window, { led: performance.now() - down });
          requestAnimationFrame(look);
        };
        look();
      });
      if (touched) await openHome(phone);
      else await phone.open("/home");
      await phone.alive();
      await phone.page.waitForLoadState("networkidle");
      const session = await phone.context.newCDPSession(phone.page);
      await session.send("Network.enable");
      await session.send("Network.emulateNetworkConditions", network);
      const at = await placeOf(phone.page.getByRole("main").getByRole("link", { name: "Log in" }));
      await slowDown(phone);
      await finger.tap(at);
      const led = await phone.page.waitForFunction(() => (window as unknown as { led?: number }).led);
      all.set(name, [...(all.get(name) ?? []), (await led.jsonValue()) as number]);
      await phone.context.close();
    }
  }
  return all;
}

/* What is said */

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const widths = head.map((_, at) => Math.max(...[head, ...rows].map((row) => row[at]?.length ?? 0)));
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
        .join("   "),
    )
    .join("\n");
};

function reportFrames(all: Map<string, Frames>): string {
  const share = (part: number, whole: number) =>
    whole === 0 ? "–" : `${Math.round((part / whole) * 100)} %`;
  const rows = [...all].map(([name, { work, shown }]) => {
    const inTime = work.filter((ms) => ms <= frame).length;
    const drawn = shown.filter((each) => each !== "dropped").length;
    return [
      name,
      String(drawn),
      share(drawn, shown.length),
      `${longestStill(shown).toFixed(0)} ms`,
      String(work.length),
      share(inTime, work.length),
      `${Math.max(0, ...work).toFixed(1)} ms`,
    ];
  });
  return table(["", "shown", "of due", "longest", "main frames", "≤ 16.7 ms", "worst"], rows);
}

function reportAnswers(all: Map<string, (Answer | null)[]>): string {
  const rows = wanted(steps).map(({ name }) => {
    const answers = (all.get(name) ?? [])
      .map((answer) => answer ?? { all: 0, work: 0 })
      .toSorted((one, other) => one.all - other.all);
    const said = (ms = 0) => (ms < 16 ? "< 16 ms" : `${ms.toFixed(0)} ms`);
    const median = answers[Math.floor(answers.length / 2)];
    return [name, said(median?.all), `${(median?.work ?? 0).toFixed(0)} ms`, said(answers.at(-1)?.all)];
  });
  return table(["", "answered in", "of it events", "worst"], rows);
}

function reportStarts(all: Map<string, number[][]>): string {
  const rows = [...all].map(([name, found]) => {
    const blocked = found
      .map((tasks) => tasks.reduce((sum, ms) => sum + ms - 50, 0))
      .toSorted((one, other) => one - other);
    const [least = 0, most = 0] = [blocked[0], blocked.at(-1)];
    return [
      name,
      `${(blocked[Math.floor(blocked.length / 2)] ?? 0).toFixed(0)} ms`,
      `${least.toFixed(0)}–${most.toFixed(0)} ms`,
      `${Math.max(0, ...found.flat()).toFixed(0)} ms`,
    ];
  });
  return table(["", "blocked", "least–most", "longest task"], rows);
}

function reportFirstTaps(all: Map<string, number[]>): string {
  const rows = [...all].map(([name, found]) => {
    const [...times] = found.toSorted((one, other) => one - other).map((ms) => ms.toFixed(0));
    return [name, `${times[Math.floor(times.length / 2)]} ms`, `${times[0]}–${times.at(-1)} ms`];
  });
  return table(["", "takes", "least–most"], rows);
}

const { setup, remove } = prepareBrowserTests();
try {
  const [browser, service] = await Promise.all([launch(setup), startService(setup)]);
  try {
    const frames = await measureFrames(browser, service);
    const answers = await measureAnswers(browser, service);
    const comings = await measureStarts(browser, service);
    const ways = await measureFirstTaps(browser, service);
    const [load = 0] = loadavg();
    const said = [
      `The main thread ${slow} times slower, ${runs} runs of each; the machine's load is ${load.toFixed(1)} on ${availableParallelism()} processors.`,
      ...(frames.size > 0 ? [reportFrames(frames)] : []),
      ...(answers.size > 0 ? [reportAnswers(answers)] : []),
      ...(comings.size > 0 ? [reportStarts(comings)] : []),
      ...(ways.size > 0 ? [reportFirstTaps(ways)] : []),
    ];
    process.stdout.write(`${said.join("\n\n")}\n`);
  } finally {
    await browser.close();
    await service.stop();
  }
} finally {
  remove();
}
