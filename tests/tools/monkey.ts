/** `npm run monkey`: random taps, typing, pulls and Back, on a network that comes and goes and with an API that fails now and then; afterwards the app must still work, and a purchase is made. `-- --walks 6 --steps 60 --seed 1`. Says what broke, and leaves a picture of it. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Browser, Route } from "playwright-core";
import { languages } from "../../src/contract/languages.ts";
import { addresses } from "../screens.ts";
import {
  launch,
  openPhone,
  startService,
  strangersOn,
  type Phone,
  type Service,
} from "../support/browser.ts";
import { prepareBrowserTests } from "../support/browser-setup.ts";
import { Finger, type Point } from "../support/finger.ts";
import { randomFrom } from "../support/random.ts";
import { beyondTheEdge } from "../support/window-edge.ts";

const { values } = parseArgs({
  options: {
    walks: { type: "string", default: "6" },
    steps: { type: "string", default: "60" },
    seed: { type: "string", default: String(Date.now() % 100_000) },
  },
});
const steps = Number(values.steps);
const pictures = join(import.meta.dirname, "../../build/monkey");

const places = [
  ...addresses.map(({ path }) => path),
  "/",
  "/buy/Annual",
  "/pay/nothing",
  "/forgetPassword/x/y",
];
const writings = [
  "",
  "abc",
  "Passw0rd12",
  "4111111111111111",
  "122031",
  "123",
  "<b>💥</b>",
  "长明灯",
  "W".repeat(300),
];

/** What a browser says of a call that fails, of what its network does, and React of a screen that did not come: meant here. */
const meant = /ERR_|CallFailed: network|Failed to fetch|Failed to load resource|^status (4|5)\d\d/;

type Kind =
  "tap" | "double tap" | "type" | "swipe" | "back" | "forward" | "go" | "reload" | "network" | "Escape";
const habits: readonly (readonly [Kind, number])[] = [
  ["tap", 55],
  ["double tap", 8],
  ["type", 10],
  ["swipe", 8],
  ["back", 7],
  ["forward", 2],
  ["go", 4],
  ["reload", 2],
  ["network", 2],
  ["Escape", 2],
];

const { setup, remove } = prepareBrowserTests();
let broken = 0;
try {
  const [browser, service] = await Promise.all([launch(setup), startService(setup)]);
  try {
    for (let walk = 0; walk < Number(values.walks); walk += 1) {
      const seed = Number(values.seed) + walk;
      const found = await runMonkey(browser, service, seed);
      broken += found.length;
      process.stdout.write(`${found.length > 0 ? "broken" : "whole "}  seed ${seed}\n`);
      for (const each of found) process.stdout.write(`  ${each}\n`);
    }
  } finally {
    await browser.close();
    await service.stop();
  }
} finally {
  remove();
}
process.exitCode = broken > 0 ? 1 : 0;

/** @returns what broke, each with the last steps that led to it */
async function runMonkey(browser: Browser, service: Service, seed: number): Promise<string[]> {
  // What the same numbers meet hangs on the machine's pace, too.
  const roll = randomFrom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(roll() * list.length)] as T;
  const name = `Wander${seed}`.slice(0, 12);
  const account = await service.join(name);
  const phone = await openPhone(browser, service, {
    language: pick(languages),
    colorScheme: pick(["light", "dark"]),
    motion: pick(["reduce", "no-preference"]),
    foreseen: meant,
    ...(roll() < 0.7 ? { account } : {}),
    ...(roll() < 0.2
      ? { storage: { [pick(["order:A100", "selectedItem", "user_key", "packages"])]: "{" } }
      : {}),
  });
  const { page, context } = phone;
  const trail: string[] = [];
  const found: string[] = [];
  const note = async (what: string) => {
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: join(pictures, `${seed}-${trail.length}.png`) }).catch(() => undefined);
    found.push(
      `${what}\n    at ${page.url().replace(service.origin, "")} after ${trail.slice(-8).join(", ")}`,
    );
  };
  // What leads away is looked at by its own tests.
  context.on("page", (other) => void other.close());
  let failing = true;
  await context.route("**/api/**", (route) => (failing ? answer(route, roll()) : route.continue()));

  await phone.open(pick(places));
  const finger = await Finger.on(page);
  let offline = false;
  const kinds = habits.flatMap(([kind, share]) => Array.from({ length: share }, () => kind));
  const doing: Record<Kind, () => Promise<string>> = {
    tap: () => tap(1),
    "double tap": () => tap(2),
    type: async () => {
      const [field] = await page.$$eval(
        "input:not([type=radio]):not([type=checkbox])",
        (all, luck) => {
          const seen = all.filter((each) => each.checkVisibility());
          const one = seen[Math.floor(luck * seen.length)];
          one?.focus();
          return one ? [(one as HTMLInputElement).name] : [];
        },
        roll(),
      );
      const writing = pick(writings);
      if (field !== undefined) await page.keyboard.insertText(writing);
      return `type ${field} ${writing.slice(0, 12)}`;
    },
    swipe: async () => {
      const from = { x: 40 + roll() * 300, y: 120 + roll() * 600 };
      const by = (roll() - 0.5) * 700;
      await finger.move(from, { x: from.x, y: Math.max(1, Math.min(840, from.y + by)) }, 60 + roll() * 300);
      return `swipe ${Math.round(by)}`;
    },
    back: async () => {
      // Not out of the app.
      await page.evaluate(() => window.navigation.canGoBack && history.back());
      return "back";
    },
    forward: async () => {
      await page.evaluate(() => history.forward());
      return "forward";
    },
    go: async () => {
      const place = pick(places);
      if (!offline) await page.goto(place);
      return `go ${place}`;
    },
    reload: async () => {
      if (!offline) await page.reload();
      return "reload";
    },
    network: async () => {
      offline = !offline;
      await context.setOffline(offline);
      return offline ? "no network" : "network";
    },
    Escape: async () => {
      await page.keyboard.press("Escape");
      return "Escape";
    },
  };
  async function tap(times: number): Promise<string> {
    const targets = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>("a, button, label, [role=option]")]
        .map((each) => ({ box: each.getBoundingClientRect(), label: each.innerText || each.ariaLabel, each }))
        .filter(({ box, each }) => each.checkVisibility() && box.top > 0 && box.bottom < innerHeight)
        .map(({ box, label }) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2, label })),
    );
    const at: Point & { label: string | null } = pick([...targets, { x: 195, y: 60, label: "nothing" }]);
    for (let time = 0; time < times; time += 1) await finger.tap(at);
    return `tap ${(at.label ?? "").replaceAll(/\s+/g, " ").slice(0, 24)}`;
  }

  for (let step = 0; step < steps && found.length < 3; step += 1) {
    const kind = pick(kinds);
    try {
      trail.push(await doing[kind]());
    } catch (error) {
      // A page that is navigating to another does not respond.
      if (!/context was destroyed|interrupted|ERR_|navigat/i.test(String(error))) throw error;
    }
    await pause(roll() < 0.3 ? 20 : 300);
    for (const problem of phone.takeProblems()) await note(problem);
    const fault = await lasting(phone);
    if (fault) await note(fault);
  }

  failing = false;
  await context.setOffline(false);
  trail.push("all works");
  try {
    await phone.open("/home");
    // It may have come in the browser's language.
    await phone.alive();
    phone.language = (await page.evaluate(() => document.documentElement.lang)) as Phone["language"];
    if ((await phone.account()).token === "") await phone.register(`B${seed}${name}`.slice(0, 12));
    await phone.choosePackage();
    await phone.order("3.99");
    await phone.see("Before you pay");
  } catch (error) {
    await note(`does not buy: ${String(error)}`);
  }
  for (const problem of phone.takeProblems()) await note(problem);
  await context.close();
  return found;
}

/** What the API's failures look like from a phone. */
async function answer(route: Route, luck: number): Promise<void> {
  if (luck < 0.05) return route.abort();
  if (luck < 0.08) return route.fulfill({ status: 502, body: "<html>Bad gateway</html>" });
  if (luck < 0.11) return route.fulfill({ status: 200, body: "<html>Welcome to the hotel</html>" });
  if (luck < 0.13) return route.fulfill({ json: { code: 200, message: "ok", data: null } });
  if (luck < 0.15) return route.fulfill({ json: { code: 4001, message: "?" } });
  if (luck < 0.25) await pause(luck * 10_000);
  return route.continue().catch(() => undefined);
}

/** What is wrong with the screen now and still is after three seconds. */
async function lasting(phone: Phone): Promise<string | undefined> {
  let fault: string | undefined;
  for (let patience = 6; patience > 0; patience -= 1) {
    fault = await faultOf(phone).catch(() => undefined);
    if (!fault) return undefined;
    await pause(500);
  }
  return fault;
}

async function faultOf({ page }: Phone): Promise<string | undefined> {
  const words = await page.evaluate(() => document.body.innerText.trim().length);
  if (words < 10) return "nothing on the screen";
  const locked = await page.evaluate(
    () =>
      document.querySelector("#root[inert]") !== null &&
      ![...document.querySelectorAll("[role=dialog], dialog")].some((each) => each.checkVisibility()),
  );
  if (locked) return "the page is inert, and nothing lies over it";
  const [wide] = await page.evaluate(beyondTheEdge);
  if (wide) return `wider than the window: ${wide}`;
  const language = (await page.evaluate(() => document.documentElement.lang)) as Phone["language"];
  const [stranger] = await strangersOn(page, language);
  return stranger && `in the other language: ${stranger.slice(0, 60)}`;
}
