/** Measures the frames of everything that moves, from a browser's trace on a slowed processor: `node tests/support/frames.ts [--slow 4] [--runs 3] [--only sheet]`. How to read it: docs/performance.md. */
import { availableParallelism, loadavg } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Browser, Locator } from "playwright-core";
import { paths } from "../../src/contract/calls.ts";
import { launch, openPhone, startService, type Phone, type Service } from "./browser.ts";
import { prepareHouse } from "./browser-setup.ts";
import { Finger, type Point } from "./finger.ts";

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

const openHome = async (phone: Phone) => {
  await phone.open("/home");
  await phone.heading("Never-offline VPN").waitFor();
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
  return placeOf(phone.heading("Language"));
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
      return placeOf(phone.page.getByRole("slider", { name: "Year" }));
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
      return placeOf(phone.control("link", "Settings"));
    },
    act: (finger, at) => finger.tap(at),
    lasts: 800,
  },
  {
    name: "Back to a kept one",
    prepare: async (phone) => {
      await openHome(phone);
      await openCentre(phone);
      return placeOf(phone.control("button", "Back"));
    },
    act: (finger, at) => finger.tap(at),
    lasts: 800,
  },
];

async function measure(browser: Browser, service: Service): Promise<Map<string, Frames>> {
  const account = await service.join("Frames");
  const all = new Map<string, Frames>();
  for (const { name, prepare, act, lasts } of scenes.filter((scene) => scene.name.includes(values.only))) {
    const sum: Frames = { work: [], shown: [] };
    for (let run = 0; run < runs; run += 1) {
      const phone = await openPhone(browser, service, { account, motion: "no-preference", sharpness: 2 });
      const finger = await Finger.on(phone.page);
      const at = await prepare(phone);
      // What was prepared comes to rest.
      await pause(600);
      const session = await phone.context.newCDPSession(phone.page);
      await session.send("Emulation.setCPUThrottlingRate", { rate: slow });
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

function report(all: Map<string, Frames>): string {
  const share = (part: number, whole: number) =>
    whole === 0 ? "–" : `${Math.round((part / whole) * 100)} %`;
  const rows = [...all].map(([name, { work, shown }]) => {
    const inTime = work.filter((ms) => ms <= frame).length;
    const drawn = shown.filter((each) => each !== "dropped").length;
    return [
      name,
      String(work.length),
      share(inTime, work.length),
      `${Math.max(0, ...work).toFixed(1)} ms`,
      String(drawn),
      share(drawn, shown.length),
      `${longestStill(shown).toFixed(0)} ms`,
    ];
  });
  const head = ["", "main frames", "≤ 16.7 ms", "worst", "shown", "of due", "longest still"];
  const widths = head.map((_, at) => Math.max(...[head, ...rows].map((row) => row[at]?.length ?? 0)));
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
        .join("   "),
    )
    .join("\n");
}

const { house, remove } = prepareHouse();
try {
  const [browser, service] = await Promise.all([launch(house), startService(house)]);
  try {
    const all = await measure(browser, service);
    const [load = 0] = loadavg();
    process.stdout.write(
      `The main thread ${slow} times slower, ${runs} runs of each; the machine's load is ${load.toFixed(1)} on ${availableParallelism()} processors.\n\n${report(all)}\n`,
    );
  } finally {
    await browser.close();
    await service.stop();
  }
} finally {
  remove();
}
