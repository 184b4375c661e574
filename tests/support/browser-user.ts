/** The user of user models in Chromium, in front of the real service. */
import { setTimeout as sleep } from "node:timers/promises";
import type { CDPSession, Locator, Route } from "playwright-core";
import type { Phone } from "./browser.ts";
import type { User } from "../user.ts";
import type { Reply } from "./replies.ts";
import type { UserModel } from "./user-model.ts";

/** Answers with the service's own reply or a mocked one. Each carries the page's time as its server time, because the page's clock stands still. */
const answerBy = async (route: Route, reply: Reply | "real", server_time: number): Promise<void> => {
  if (reply === "lost") return route.abort();
  if (typeof reply === "number") return route.fulfill({ status: reply });
  if (reply !== "real") return route.fulfill({ json: { ...reply, server_time } });
  // A connection that the service has just closed, because nothing was asked for a while, is used once too often.
  const response = await route.fetch({ maxRetries: 2 });
  await route.fulfill({ response, json: { ...(await response.json()), server_time } });
};

/** In ms: so late a busy browser may be to make a call. */
const MOST_LATE = 5_000;

/** "{Enter}" is what a test in jsdom presses. */
const keyOf = (keys: string) => keys.replace(/^\{(.*)\}$/, "$1");

/** Opens an address; from then on time stands still but for what the path lets pass, and its calls wait for their answers. */
export async function browserUser(
  phone: Phone,
  place: string,
  { actions }: Pick<UserModel, "actions">,
): Promise<User> {
  const { page } = phone;
  const held: { path: string; route: Route }[] = [];
  for (const path of new Set(Object.values(actions).flatMap(({ call }) => call ?? []))) {
    // Whatever its query says: the sandbox is told a language in it.
    await page.route(
      ({ pathname }) => pathname === path,
      (route) => {
        held.push({ path, route });
      },
    );
  }
  // Whatever the app gives up does not wait any more.
  page.on("requestfailed", (request) => {
    const at = held.findIndex(({ route }) => route.request() === request);
    if (at >= 0) held.splice(at, 1);
  });
  await page.clock.install();
  await phone.open(place);
  await page.locator("h1").filter({ visible: true }).first().waitFor();
  await phone.alive();
  await page.clock.pauseAt(Date.now() + 1_000);

  /** Where the finger came, and its way to the page. */
  let from = { x: 0, y: 0 };
  let touching: Promise<CDPSession> | undefined;

  const seen = (locator: Locator) => locator.filter({ visible: true });
  const exactly = (name?: string | RegExp) =>
    name === undefined ? {} : typeof name === "string" ? { name, exact: true } : { name };
  const text = (name: string | RegExp) => (typeof name === "string" ? { exact: true } : {});
  const field = (label: string | RegExp) =>
    seen(page.locator("input, textarea, select").and(page.getByLabel(label, text(label)))).first();
  const words = async (role: "status" | "alert") =>
    (await seen(page.getByRole(role)).allTextContents()).filter((each) => each !== "");
  /** A window that closes at that moment stops the clock of all before it has moved. */
  const pass = (ms: number) =>
    page.clock.runFor(ms).catch((error: unknown) => {
      if (page.isClosed()) throw error;
      return page.clock.runFor(ms);
    });
  /** Whatever is drawn in a frame of its own is drawn, and a sheet that leaves has left: until then it holds the keys. */
  const settle = async <T>(doing: Promise<T>) => {
    await doing;
    await pass(20);
    await page.locator("dialog[data-leaving]").first().waitFor({ state: "detached" });
  };
  return {
    tap: async (role, name, at) => {
      const sheet = page.locator("dialog[open]");
      const within = (await sheet.count()) > 0 ? sheet.last() : page;
      const found = seen(within.getByRole(role, exactly(name)));
      await settle((at === undefined ? found : found.nth(at)).tap());
    },
    type: (label, value) => field(label).fill(value),
    turn: (label, keys) => settle(page.getByRole("slider", exactly(label)).press(keyOf(keys))),
    press: (keys) => settle(page.keyboard.press(keyOf(keys))),
    back: () => settle(page.goBack()),
    finger: async (does, selector, { down, across } = { down: 0, across: 0 }) => {
      if (does === "comes") {
        const box = await seen(page.locator(selector)).first().boundingBox();
        if (!box) throw new Error(`Nothing can be touched at ${selector}.`);
        from = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
      }
      const type = (
        { comes: "touchStart", moves: "touchMove", goes: "touchEnd", "is lost": "touchCancel" } as const
      )[does];
      const touchPoints =
        does === "goes" || does === "is lost" ? [] : [{ x: from.x + across, y: from.y + down }];
      touching ??= page.context().newCDPSession(page);
      await settle((await touching).send("Input.dispatchTouchEvent", { type, touchPoints }));
    },
    visit: async (path) =>
      settle(
        page.evaluate((to) => {
          history.pushState(null, "", to);
          dispatchEvent(new PopStateEvent("popstate"));
        }, path),
      ),
    network: (does) => settle(page.context().setOffline(does === "goes")),
    returnToPage: () =>
      settle(page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")))).then(() => {}),
    sleep: (ms) => page.clock.fastForward(ms).then(() => {}),
    storeElsewhere: async (key, value) => {
      const tab = await phone.newTab();
      await tab.open("/robots.txt");
      await tab.page.evaluate(
        ([name, text]) => (text === null ? localStorage.removeItem(name) : localStorage.setItem(name, text)),
        [key, value] as const,
      );
      await tab.page.close();
    },
    storeOrdersElsewhere: async (orders) => {
      const tab = await phone.newTab();
      await tab.open("/robots.txt");
      await tab.keepOrders(...(orders as { orderId: string; [field: string]: unknown }[]));
      await tab.page.close();
    },
    path: async () => decodeURIComponent(new URL(page.url()).pathname),
    title: async () => (await seen(page.locator("h1")).first().textContent()) ?? "",
    hasText: async (wanted) => (await seen(page.getByText(wanted, text(wanted))).count()) > 0,
    has: async (role, name) => (await seen(page.getByRole(role, exactly(name))).count()) > 0,
    isBusy: async (name) =>
      (await seen(page.getByRole("button", exactly(name)).and(page.locator("[aria-busy=true]"))).count()) > 0,
    isChecked: (role, name) =>
      seen(page.getByRole(role, exactly(name)))
        .first()
        .isChecked(),
    value: (label) => field(label).inputValue(),
    wheelValue: async (label) => {
      const wheel = seen(page.getByRole("slider", exactly(label)));
      return (await wheel.count()) > 0 ? ((await wheel.getAttribute("aria-valuetext")) ?? "") : "";
    },
    isRevealed: async (label) => (await field(label).getAttribute("type")) === "text",
    statusTexts: () => words("status"),
    alertTexts: () => words("alert"),
    isVisible: async (selector) => (await seen(page.locator(selector)).count()) > 0,
    texts: (selector) => seen(page.locator(selector)).allTextContents(),
    windows: async () =>
      page
        .context()
        .pages()
        .filter((other) => other !== page)
        .map((other) => other.url()),
    clipboard: () => phone.clipboard(),
    stored: (key) => page.evaluate((name) => localStorage.getItem(name), key),
    keptOrders: async () => (await phone.keptOrders()).map(({ orderId }) => orderId),
    pendingCalls: () => held.map(({ path }) => path),
    answer: async (path, reply) => {
      const find = () => held.findIndex((each) => each.path === path);
      // What the screen shows of a call may be seen before the call has left a busy browser.
      for (let late = 0; find() < 0 && late < MOST_LATE; late += 20) await sleep(20);
      const [call] = find() < 0 ? [] : held.splice(find(), 1);
      if (!call) throw new Error(`No call waits for ${path}.`);
      await answerBy(call.route, reply, await page.evaluate(() => Date.now()));
      await (await call.route.request().response())?.finished();
      await pass(20);
    },
    advance: pass,
  };
}
