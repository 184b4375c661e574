/** The sandbox's wallet: pays orders, refuses in words what it cannot pay, shows what it was given as text, and is not there outside the sandbox. */
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { Store } from "../../src/service/store/database.ts";
import { inlineIn } from "../../src/service/http/security-headers.ts";
import { transfers } from "../../src/service/store/schema.ts";
import { SimulatedChain } from "../support/simulated-chain.ts";
import { annual, chainsOf, CONFIRM_SECONDS, emptyStore, refusal, serve, success, zh } from "./support.ts";

let store: Store;
let live: Store;
beforeAll(async () => {
  [store, live] = await Promise.all([emptyStore(), emptyStore()]);
});
afterAll(() => Promise.all([store.close(), live.close()]));

const browser = { Accept: "text/html,application/xhtml+xml" };
const USDT = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";

test.each([
  ["TRC20", /^[0-9a-f]{64}$/, undefined],
  ["ERC20", /^0x[0-9a-f]{64}$/, annual],
])("a transfer on %s pays its order", async (network, hash, product) => {
  const { call, member, order } = await serve(store);
  const token = await member();
  const { id, address } = await order(token, product);
  const form = new URLSearchParams({ network, address: ` ${address} `, amount: "1.5" });
  for (const asked of [{ body: { network, address, amount: 1.5 } }, { form }]) {
    const answer = await call("/sandbox/transfers", asked);
    expect(answer).toEqual(success({ tx_hash: expect.stringMatching(hash) }));
  }
  const detail = await call("/api/order/detail", { body: { order_id: id }, token });
  expect(detail.data).toMatchObject({ status: 0, paid_amount: "3.00" });
});

test.each([
  [
    { network: "ERC20" },
    "This is not a complete address of the chosen network. Please copy the whole address from the payment page.",
    "这不是所选网络的完整地址，请从支付页面复制完整地址。",
  ],
  [
    { address: USDT.slice(0, -1) },
    "This is not a complete address of the chosen network. Please copy the whole address from the payment page.",
    "这不是所选网络的完整地址，请从支付页面复制完整地址。",
  ],
  [
    {},
    "No order here has this address, so the transfer was not sent. Please copy the address from the payment page and check the network.",
    "没有订单使用这个地址，转账未发出。请从支付页面复制地址，并确认网络是否正确。",
  ],
  [
    { amount: "0.0000001" },
    "The amount must be above 0, at most 1,000,000 and have at most 6 decimals.",
    "金额须大于 0、不超过 1,000,000，且最多 6 位小数。",
  ],
  [
    { amount: "0.00" },
    "The amount must be above 0, at most 1,000,000 and have at most 6 decimals.",
    "金额须大于 0、不超过 1,000,000，且最多 6 位小数。",
  ],
  [
    { amount: "1000000.000001" },
    "The amount must be above 0, at most 1,000,000 and have at most 6 decimals.",
    "金额须大于 0、不超过 1,000,000，且最多 6 位小数。",
  ],
  [
    { network: "BTC" },
    "Something you entered is missing or not right. Please check it and try again.",
    "提交的内容不完整或有误，请检查后重试。",
  ],
])(
  "a transfer with %j is refused in words, to programs and to people, and nothing is sent",
  async (change, english, chinese) => {
    const { call, ask } = await serve(store);
    const before = await store.db.$count(transfers);
    const fields = { network: "TRC20", address: USDT, amount: "1", ...change };
    expect(await call("/sandbox/transfers", { body: fields })).toEqual(refusal(english));
    expect(await call("/sandbox/transfers", { body: fields, headers: zh })).toEqual(refusal(chinese));
    const page = await ask("/sandbox/transfers?language=zh-CN", {
      form: new URLSearchParams(fields),
      headers: browser,
    });
    const shown = await page.text();
    expect(shown).toContain(chinese);
    // What was typed is still there to be corrected.
    expect(shown).toContain(`${fields.address}</textarea`);
    expect(await store.db.$count(transfers)).toBe(before);
  },
);

test("people are sent on to a page that follows the transfer, without any script", async () => {
  const { ask, member, order, clock } = await serve(store);
  const { address, amount } = await order(await member());
  const prefilled = await ask(
    `/sandbox/wallet?${new URLSearchParams({ network: "TRC20", address, amount })}`,
  );
  const form = await prefilled.text();
  expect(form).toContain(`${address}</textarea`);
  expect(form).toContain('value="3.99"');
  expect(form).toContain("No real money moves");
  expect(form).not.toContain("<script");

  const sent = await ask("/sandbox/transfers?language=en", {
    form: new URLSearchParams({ network: "TRC20", address, amount }),
    headers: browser,
  });
  expect(sent.status).toBe(303);
  const receipt = sent.headers.get("Location") ?? "";
  expect(receipt).toMatch(/^\/sandbox\/wallet\?sent=[0-9a-f]{64}&language=en$/);

  const waiting = await (await ask(receipt)).text();
  expect(waiting).toContain("The transfer is being confirmed.");
  expect(waiting).toContain('http-equiv="refresh"');
  clock.now += CONFIRM_SECONDS * 1000;
  const confirmed = await (await ask(receipt)).text();
  expect(confirmed).toContain("The transfer is confirmed.");
  expect(confirmed).not.toContain('http-equiv="refresh"');
});

test("the wallet speaks the browser's language, or the one chosen on the page", async () => {
  const { ask } = await serve(store);
  const text = async (path: string, language: string) =>
    (await ask(path, { headers: { "Accept-Language": language } })).text();
  expect(await text("/sandbox/wallet", "zh-CN,zh;q=0.9")).toContain('<html lang="zh-CN">');
  expect(await text("/sandbox/wallet", "zh-CN,zh;q=0.9")).toContain("测试钱包");
  expect(await text("/sandbox/wallet", "de")).toContain("Test wallet");
  expect(await text("/sandbox/wallet?language=en", "zh-CN")).toContain("Test wallet");
});

test("what comes in by the address of the page goes out as text", async () => {
  const { ask } = await serve(store);
  const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>`;
  const query = new URLSearchParams({ network: hostile, address: hostile, amount: hostile, sent: hostile });
  const page = await ask(`/sandbox/wallet?${query}`);
  const text = await page.text();
  expect(page.status).toBe(200);
  expect(text).not.toContain("<script");
  expect(text).not.toContain("<img");
  const policy = page.headers.get("Content-Security-Policy");
  expect(policy).toContain(`script-src 'self'; style-src ${inlineIn(text).styles.join(" ")};`);
});

test.each(["/sandbox/transfers", "/sandbox/card/confirm/pay_1", "/sandbox/stripe/checkout/cs_test_1"])(
  "a form for %s that cannot be read is answered as an empty one",
  async (path) => {
    const { ask } = await serve(store);
    const headers = { ...browser, "Content-Type": "multipart/form-data" };
    const broken = await ask(path, { form: "no boundary", headers });
    const empty = await ask(path, { form: new URLSearchParams(), headers: browser });
    expect([broken.status, await broken.text()]).toEqual([empty.status, await empty.text()]);
    expect(broken.status).toBeLessThan(500);
  },
);

test("a database of practice payments is refused for real ones, and one of real payments for practice", async () => {
  await serve(store);
  await expect(serve(store, { payments: "live", sandbox: false })).rejects.toThrow(
    "This database is of sandbox payments, and PAYMENTS is live",
  );
  const other = await emptyStore();
  onTestFinished(() => other.close());
  await serve(other, { payments: "live", sandbox: false });
  await expect(serve(other, { payments: "sandbox" })).rejects.toThrow(
    "This database is of live payments, and PAYMENTS is sandbox",
  );
});

test("outside the sandbox there is no wallet and nothing to pay with", async () => {
  const { ask, member, order } = await serve(live, {
    sandbox: false,
    chains: chainsOf({ TRC20: new SimulatedChain(1), ERC20: new SimulatedChain(2) }),
  });
  const { address } = await order(await member());
  const before = await live.db.$count(transfers);
  const body = { network: "TRC20", address, amount: "3.99" };
  for (const response of [
    await ask("/sandbox/transfers", { body }),
    await ask("/sandbox/wallet"),
    await ask("/sandbox/support"),
    await ask("/sandbox"),
    await ask("/sandbox/card.js"),
    await ask("/sandbox/card/done.js"),
    await ask("/sandbox/card/confirm"),
    await ask("/sandbox/card/payments", { body: {} }),
    await ask("/sandbox/stripe/checkout/cs_test_1"),
    await ask("/sandbox/download.js"),
    await ask("/sandbox/download/android"),
  ]) {
    expect([response.status, await response.json()]).toEqual([
      404,
      refusal("There is nothing at this address."),
    ]);
  }
  expect(await live.db.$count(transfers)).toBe(before);
  expect(await (await ask("/config.json")).json()).toEqual({ apiBaseUrl: "", sandbox: false });
});
