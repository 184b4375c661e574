/** What the inspector costs the app: a hundred events a second without it, with it closed, and with it open, in turns: `npm run bench:inspector`. */
import type { Browser } from "playwright-core";
import { launch, openPhone } from "../support/browser.ts";
import { prepareChromium } from "../support/browser-setup.ts";
import { startDevelopment } from "../support/development.ts";

const ROUNDS = 3;
const EVENTS = 400;
const EVERY = 10;

const ways = ["without", "closed", "open"] as const;
type Way = (typeof ways)[number];
/** Milliseconds: what each event took the page, and what lay between its frames. */
type Measured = { handling: number[]; frames: number[]; layout: number | null };

async function measure(browser: Browser, origin: string, way: Way): Promise<Measured> {
  const visitor = await openPhone(browser, { origin }, { desk: { width: 1680, height: 1000 } });
  const { page } = visitor;
  await page.goto(way === "without" ? "/home?inspect=off" : "/home");
  await visitor.heading("Never-offline VPN").waitFor();
  await page.waitForLoadState("networkidle");
  let layout: number | null = null;
  if (way === "open") {
    // All charts, which is the most there is to light.
    const began = Date.now();
    const longest = page.evaluate(longestTask, 3_000);
    await page.keyboard.press("Control+Shift+X");
    await page.locator(".thumbnail svg").nth(6).waitFor();
    process.stdout.write(`  all charts laid out and drawn after ${Date.now() - began} ms\n`);
    layout = await longest;
  }
  const measured = await page.evaluate(storm, { events: EVENTS, every: EVERY });
  await visitor.context.close();
  return { ...measured, layout };
}

/** The longest time for which the page did not answer, while the charts were laid out. */
function longestTask(ms: number): Promise<number> {
  return new Promise((resolve) => {
    let longest = 0;
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
    });
    observer.observe({ type: "longtask" });
    setTimeout(() => resolve(longest), ms);
  });
}

/** Events as from another tab; `unfinished` hears every one of them. */
function storm({ events, every }: { events: number; every: number }) {
  return new Promise<{ handling: number[]; frames: number[] }>((resolve) => {
    const handling: number[] = [];
    const frames: number[] = [];
    let last = performance.now();
    let frame = requestAnimationFrame(function tick(now) {
      frames.push(now - last);
      last = now;
      frame = requestAnimationFrame(tick);
    });
    const timer = setInterval(() => {
      const began = performance.now();
      window.dispatchEvent(new StorageEvent("storage", { key: "order:A100", storageArea: localStorage }));
      handling.push(performance.now() - began);
      if (handling.length < events) return;
      clearInterval(timer);
      cancelAnimationFrame(frame);
      resolve({ handling, frames: frames.slice(1) });
    }, every);
  });
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const share = (values: number[], part: number) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * part)] ?? NaN;

const [browser, development] = await Promise.all([
  launch({ chromium: prepareChromium() }),
  startDevelopment(),
]);
try {
  const all: { [W in Way]: Measured[] } = { without: [], closed: [], open: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const way of ways) all[way].push(await measure(browser, development.origin, way));
  }
  const together = (way: Way, what: "handling" | "frames") => all[way].flatMap((one) => one[what]);
  const base = {
    handling: mean(together("without", "handling")),
    frames: mean(together("without", "frames")),
  };
  process.stdout.write(`${1_000 / EVERY} events a second, ${ROUNDS} rounds of ${EVENTS}\n`);
  for (const way of ways) {
    const [handling, frames] = [together(way, "handling"), together(way, "frames")];
    process.stdout.write(
      `${way.padEnd(8)} an event ${mean(handling).toFixed(3)} ms (95 %: ${share(handling, 0.95).toFixed(2)}; ×${(mean(handling) / base.handling).toFixed(2)})   a frame ${mean(frames).toFixed(1)} ms (95 %: ${share(frames, 0.95).toFixed(1)}; ×${(mean(frames) / base.frames).toFixed(2)})\n`,
    );
  }
  const longest = Math.max(...all.open.map(({ layout }) => layout ?? 0));
  process.stdout.write(`longest task while the panel opened: ${longest.toFixed(0)} ms\n`);
} finally {
  await browser.close();
  await development.stop();
}
