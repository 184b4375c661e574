/** The sandbox's scripts, run as a browser would: the surface that the provider documents, the window that is closed or blocked, the card that goes nowhere else. */
import { runInNewContext } from "node:vm";
import * as v from "valibot";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createdCardOrder } from "../../src/contract/calls.ts";
import type { Store } from "../../src/service/store/database.ts";
import { emptyStore, serve } from "./support.ts";

const ORIGIN = "http://127.0.0.1:3000";
const ASKS = "4111111111111111";

let store: Store;
beforeAll(async () => {
  store = await emptyStore();
});
afterAll(() => store.close());

interface Payment {
  on(event: string, listener: (answer: unknown) => void): Payment;
  once(event: string, listener: (answer: unknown) => void): Payment;
  createPayment(data: object, options?: object): Payment;
  emit(event: string): void;
  focus(): void;
}
interface Globals {
  Razorpay?: new (options: { key: string }) => Payment;
  EverlitDownload?: new (options: { appKey: string; onready(this: Sdk): void }) => Sdk;
}
interface Sdk {
  getPackages(which: string): Promise<Record<string, { date: string; url: string; verison: string }>>;
  wakeupOrInstall(url: string, platform: number): void;
}

/** A browser's page with nothing in it but what the scripts touch. Its intervals tick when told. */
async function page(path: string, { blocked = false, offline = false, lang = "zh-CN" } = {}) {
  const fixture = await serve(store);
  const asked: { path: string; body: string }[] = [];
  const opened: { url: string; name: string; features: string }[] = [];
  const listeners = new Set<(message: unknown) => void>();
  const ticks = new Set<() => void>();
  const popup = {
    closed: false,
    focused: 0,
    at: "",
    close: () => {
      popup.closed = true;
    },
    focus: () => {
      popup.focused += 1;
    },
    location: {
      replace: (url: string) => {
        popup.at = url;
        popup.arrived(url);
      },
    },
    arrived: (() => {}) as (url: string) => void,
  };
  const window: Globals & Record<string, unknown> = {
    open: (url: string, name: string, features: string) => {
      opened.push({ url, name, features });
      return blocked ? null : popup;
    },
    addEventListener: (_: string, listener: (message: unknown) => void) => listeners.add(listener),
    removeEventListener: (_: string, listener: (message: unknown) => void) => listeners.delete(listener),
  };
  const response = await fixture.ask(path);
  runInNewContext(await response.text(), {
    window,
    document: { currentScript: { src: `${ORIGIN}${path}` }, documentElement: { lang } },
    URL,
    URLSearchParams,
    setTimeout,
    queueMicrotask,
    setInterval: (tick: () => void) => {
      ticks.add(tick);
      return tick;
    },
    clearInterval: (tick: () => void) => ticks.delete(tick),
    fetch: (url: string, init: RequestInit) => {
      asked.push({ path: url, body: typeof init.body === "string" ? init.body : "" });
      return offline ? Promise.reject(new TypeError("Failed to fetch")) : fixture.app.request(url, init);
    },
  });
  return {
    ...fixture,
    type: response.headers.get("Content-Type"),
    window,
    popup,
    opened,
    asked,
    /** The bank's window says that something has happened. */
    nudge: (source: unknown = popup) => {
      for (const listener of listeners) listener({ source, data: "sandbox.card.done" });
    },
    close: () => {
      popup.closed = true;
      for (const tick of ticks) tick();
    },
    idle: () => ticks.size === 0 && listeners.size === 0,
  };
}

/** A page with the card script, and an order to pay there. */
async function shop(options = {}) {
  const browser = await page("/sandbox/card.js", options);
  const token = await browser.member();
  const body = { pack_id: "1", product_id: "monthly", payment_method: "razorpay" };
  const { data } = await browser.call("/api/razorpay/order/create", { body, token });
  const { order } = v.parse(createdCardOrder, data);
  const { Razorpay } = browser.window;
  if (!Razorpay) throw new Error("The script defines window.Razorpay.");
  const payment = new Razorpay({ key: browser.service.card?.account.keyId ?? "" });
  const outcome = new Promise((resolve) => {
    payment.on("payment.success", (success) => resolve({ success }));
    payment.on("payment.error", (error) => resolve(error));
  });
  const dataOf = (number: string) => ({
    amount: 399,
    currency: "USD",
    order_id: order.third_reference_id,
    method: "card",
    "card[name]": "A Person",
    "card[number]": number,
    "card[cvv]": "123",
    "card[expiry_month]": "12",
    "card[expiry_year]": "30",
  });
  const arrived = new Promise<string>((resolve) => {
    browser.popup.arrived = resolve;
  });
  return { ...browser, token, order, payment, outcome, dataOf, arrived };
}

test("a payment opens its window at once, goes to the sandbox alone, and ends with what verify takes", async () => {
  const { payment, dataOf, opened, arrived, nudge, outcome, asked, call, token, order, idle, type } =
    await shop();
  expect(type).toBe("text/javascript; charset=utf-8");
  payment.createPayment(dataOf("4012888888881881"));
  expect(opened).toEqual([
    {
      url: `${ORIGIN}/sandbox/card/confirm?language=zh-CN`,
      name: "_blank",
      features: "popup,width=430,height=680",
    },
  ]);
  expect(await arrived).toMatch(/\/sandbox\/card\/confirm\/pay_\w{18}\?language=zh-CN$/);
  // Another window's word is not this one's.
  nudge({});
  nudge();
  const { success } = (await outcome) as { success: Record<string, string> };
  expect(success["razorpay_order_id"]).toBe(order.third_reference_id);
  const body = { order_id: order.order_id, ...success };
  expect((await call("/api/razorpay/verify", { body, token })).data).toMatchObject({ status: 1 });
  for (const { path } of asked) expect(path).toMatch(/\/sandbox\/card\/payments/);
  expect(asked.filter(({ body: sent }) => sent.includes("4012"))).toHaveLength(1);
  expect(idle()).toBe(true);
});

const cancelled = (description: string) => ({ error: { description, reason: "payment_cancelled" } });

test.each([
  ["en", "Your payment has been cancelled. Try again or complete the payment later."],
  ["zh-CN", "付款已取消，可以现在重试，也可以稍后再付。"],
])(
  "a window that is closed cancels its payment, also while the card is under way (%s)",
  async (lang, words) => {
    const late = await shop({ lang });
    late.payment.createPayment(late.dataOf(ASKS));
    await late.arrived;
    late.close();
    expect(await late.outcome).toMatchObject(cancelled(words));
    const early = await shop({ lang });
    early.payment.createPayment(early.dataOf(ASKS));
    early.close();
    expect(await early.outcome).toMatchObject(cancelled(words));
    expect(early.popup.at).toBe("");
    expect(early.idle()).toBe(true);
    const held = await shop({ lang });
    held.payment.createPayment(held.dataOf(ASKS), { paused: true });
    held.payment.emit("payment.cancel");
    held.close();
    expect(await held.outcome).toMatchObject(cancelled(words));
    expect(held.asked).toEqual([]);
  },
);

test("a window that is closed after the payment went through does not undo it", async () => {
  const { payment, dataOf, arrived, close, outcome } = await shop();
  payment.createPayment(dataOf("5555555555554444"));
  await arrived;
  close();
  expect(await outcome).toHaveProperty("success");
});

test.each([
  ["en", "The browser blocked the payment window. Allow pop-ups for this page and try again."],
  ["zh-CN", "浏览器拦截了支付窗口，请允许本页弹出窗口后重试。"],
])(
  "a blocked window is said in words that are not a cancellation; nothing is sent (%s)",
  async (lang, words) => {
    const { payment, dataOf, outcome, asked, order } = await shop({ blocked: true, lang });
    payment.createPayment(dataOf(ASKS));
    expect(await outcome).toEqual({
      error: {
        code: "BAD_REQUEST_ERROR",
        description: words,
        field: null,
        source: "customer",
        step: "payment_initiation",
        reason: "popup_blocked",
        metadata: { order_id: order.third_reference_id },
      },
    });
    expect(asked).toEqual([]);
  },
);

test.each([
  ["en", "The payment provider could not be reached. Check your connection and try again."],
  ["zh-CN", "无法连接支付服务商，请检查网络后重试。"],
])("a sandbox that is out of reach is said, and the window closed (%s)", async (lang, words) => {
  const { payment, dataOf, outcome, popup, idle } = await shop({ offline: true, lang });
  payment.createPayment(dataOf(ASKS));
  expect(await outcome).toMatchObject({ error: { description: words, reason: "server_error" } });
  expect([popup.closed, idle()]).toEqual([true, true]);
});

test.each([
  ["en", "The card number is not one of the sandbox's test cards. Never type a real card here."],
  ["zh-CN", "这不是沙盒的测试卡号。切勿在这里输入真实的银行卡号。"],
])("a refused card closes the window and names the field (%s)", async (lang, words) => {
  const { payment, dataOf, outcome, popup } = await shop({ lang });
  payment.createPayment(dataOf("4242424242424242"));
  expect(await outcome).toMatchObject({
    error: { code: "BAD_REQUEST_ERROR", field: "number", description: words },
  });
  expect(popup.closed).toBe(true);
});

test("a paused payment waits for its word", async () => {
  const { payment, dataOf, opened, asked, arrived, nudge, outcome, popup } = await shop();
  payment.createPayment(dataOf("4100280000060003"), { paused: true, message: "One moment" });
  expect(opened[0]?.url).toContain("message=One+moment");
  payment.focus();
  expect([popup.focused, asked]).toEqual([1, []]);
  payment.emit("payment.resume");
  await arrived;
  nudge();
  expect(await outcome).toMatchObject({ error: { reason: "payment_failed" } });
});

test("ready is heard by those who ask before and after", async () => {
  const { payment } = await shop();
  await new Promise((resolve) => payment.once("ready", resolve));
  await new Promise((resolve) => payment.once("ready", resolve));
});

test("the download script is ready with itself, offers every platform, and opens what it is told", async () => {
  const { window, opened, ask } = await page("/sandbox/download.js");
  const { EverlitDownload } = window;
  if (!EverlitDownload) throw new Error("The script defines its global.");
  const sdk = await new Promise<Sdk>((resolve) => {
    const made = new EverlitDownload({
      appKey: "sandbox",
      onready() {
        expect(this).toBe(made);
        resolve(this);
      },
    });
  });
  const packages = await sdk.getPackages("all");
  const of = (platform: string) => ({
    date: "2026-11-20",
    url: `${ORIGIN}/sandbox/download/${platform}`,
    verison: "1.0.0",
  });
  expect(packages).toEqual({
    android: of("android"),
    ios: of("ios"),
    mac: of("mac"),
    windows: of("windows"),
  });
  sdk.wakeupOrInstall(packages["android"]?.url ?? "", 1);
  expect(opened).toEqual([
    { url: `${ORIGIN}/sandbox/download/android`, name: "_blank", features: "noopener" },
  ]);
  for (const [language, words] of [
    ["en", "The sandbox has no real app."],
    ["zh-CN", "沙盒中没有真正的 App"],
  ]) {
    const shown = await ask(`/sandbox/download/ios?language=${language}`);
    expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining(words ?? "")]);
  }
  expect((await ask("/sandbox/download/toaster")).status).toBe(404);
});

test("the download script takes no other app's key", async () => {
  const { window } = await page("/sandbox/download.js");
  const sdk = window.EverlitDownload && new window.EverlitDownload({ appKey: "other", onready() {} });
  await expect(sdk?.getPackages("all")).rejects.toThrow("The app key is not the sandbox's.");
});
