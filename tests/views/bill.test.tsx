/** What became of a payment, on the screen: on the service's word alone, asked again every minute for ten. */
import { cleanup, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { bill } from "../models/bill.ts";
import {
  button,
  link,
  keptOrders,
  openApp,
  pass,
  reads,
  said,
  START,
  stored,
  type Opening,
} from "../support/app.tsx";
import { runOnScreen } from "../support/run-on-screen.ts";
import { address, anna, detail, kept, notSignedIn, ok, paymentPath } from "../support/replies.ts";
import { monthly, yearly } from "../support/samples.ts";
import { openForModel } from "../support/jsdom-user.tsx";

const path = "/api/order/detail";
const claimed = "/billDetail/A100/0/9.99/2026-01-01T00:00:00.000Z";
const mine = { ...anna, orders: [kept] };
const open = (more: Opening = {}) => openApp(claimed, { stored: mine, ...more });
const stopped = /^We have stopped checking automatically\./;
const words = ["Confirmed", "Failed", "Pending"];
const seal = () => words.filter((word) => screen.queryByRole("heading", { level: 2, name: word }));

runOnScreen(bill, () => openForModel(claimed, { stored: mine }));

test.each(["1", "9", "0", "Confirmed"])(
  "the status %s of the address bar is never shown as the service's word",
  async (status) => {
    const { service } = await openApp(claimed.replace("/0/", `/${status}/`), { stored: anna });
    const seen = [seal()];
    await service.answer(path, "lost");
    seen.push(seal());
    await pass(60_000);
    await service.answer(path, ok(detail()));
    seen.push(seal());
    // What is called settled has no status until the service says one, and what is not is pending.
    const unread = status === "1" || status === "9" ? [] : ["Pending"];
    expect({ seen, hint: reads("Please Waiting for network confirmation") }).toEqual({
      seen: [unread, unread, ["Pending"]],
      hint: true,
    });
  },
);

test("a settled order that cannot be read is not said to be pending, and can be read again", async () => {
  const { service, tap } = await openApp(claimed.replace("/0/", "/9/"), { stored: anna });
  await service.answer(path, "lost");
  expect({
    seal: seal(),
    hint: reads("Please Waiting for network confirmation"),
    takes: reads(/this takes about 3 minutes/),
    failed: reads("No connection. Check your network and try again."),
  }).toEqual({ seal: [], hint: false, takes: false, failed: true });
  await tap(button("Check again"));
  await service.answer(path, ok(detail({ status: 9 })));
  expect(seal()).toEqual(["Failed"]);
});

test.each([
  ["en", "The payment was reported as failed", "If your card was charged all the same"],
  ["zh-CN", "支付服务商告知付款失败", "如果实际已经扣款"],
] as const)(
  "in %s, the bill of a card that was called failed says so, and waits for no network",
  async (language, hint, words) => {
    const reported = { orderId: "A100", amount: "9.99", accountName: "Anna", packName: "Monthly" };
    await openApp("/billDetail/A100/0/9.99/-", {
      language,
      stored: { ...anna, orders: [{ ...reported, reportedFailed: true }] },
      replies: { [path]: ok(detail({ coin_type: null })) },
    });
    const text = document.body.textContent;
    expect([text.includes(hint), text.includes(words)]).toEqual([true, true]);
    expect(text).not.toMatch(/network confirmation|等待网络确认/);
  },
);

test.each([
  ["kept here", [{ ...kept, deadline: START }]],
  ["made elsewhere", []],
])("of an unpaid order %s whose time is up, it says so and leads to a new one", async (_, orders) => {
  const created_at = new Date(START - 31 * 60_000).toISOString();
  const { place, tap } = await openApp("/billDetail/A100/0/9.99/-", {
    stored: { ...anna, orders },
    replies: { [path]: ok(detail({ created_at })) },
  });
  expect(reads(/^The time is up\. Already sent it\?/)).toBe(true);
  expect(screen.queryByRole("link", { name: "Not sent yet? Show the address" })).toBeNull();
  expect(link("Show the address")).toBeTruthy();
  await tap(link("Make a new order"));
  expect(place()).toBe("/buy");
});

test("one request too many is no word about the order: it is asked for again a minute later", async () => {
  const { service } = await open();
  for (let minute = 0; minute < 3; minute += 1) {
    await service.answer(path, 429);
    expect({ seal: seal(), orders: keptOrders() }).toEqual({ seal: ["Pending"], orders: [kept] });
    await pass(60_000);
  }
  await service.answer(path, ok(detail({ status: 1 })));
  expect({ seal: seal(), asked: service.to(path).length }).toEqual({ seal: ["Confirmed"], asked: 4 });
});

test.each([
  ["en", 1, "Confirmed", "See my membership", "/personal_info"],
  ["en", "9", "Failed", "Make a new order", "/buy"],
  ["zh-CN", "1", "已确认", "查看我的会员", "/personal_info"],
  ["zh-CN", 9, "支付失败", "重新下单", "/buy"],
] as const)("in %s, status %s is final: %s", async (language, status, word, onward, to) => {
  const { place, service, tap } = await open({ language, replies: { [path]: ok(detail({ status })) } });
  await pass(600_000);
  expect({
    word: screen.getByRole("heading", { level: 2 }).textContent,
    asked: service.to(path).map(({ body }) => body),
    orders: keptOrders(),
  }).toEqual({ word, asked: [{ order_id: "A100" }], orders: [] });
  await tap(link(onward));
  expect(place()).toBe(to);
});

test.each([
  ["paid for", monthly, undefined],
  ["another, chosen in another tab", yearly, yearly],
  [
    "the one that was paid for, chosen again in another language",
    { ...monthly, name: "月付套餐" },
    undefined,
  ],
  ["another of the same name", { ...yearly, name: monthly.name }, { ...yearly, name: monthly.name }],
] as const)(
  "once it is settled, the package that was chosen is forgotten where it is %s",
  async (_, chosen, left) => {
    await open({ stored: { ...mine, selectedItem: chosen }, replies: { [path]: ok(detail({ status: 1 })) } });
    expect(stored()["selectedItem"]).toEqual(left);
  },
);

test("of a payment that an earlier build kept, the name tells which package was paid for", async () => {
  const orders = [{ orderId: "A100", amount: "9.99", accountName: "Anna", packName: "Monthly" }];
  await open({
    stored: { ...mine, orders, selectedItem: monthly },
    replies: { [path]: ok(detail({ status: 1, coin_type: null })) },
  });
  expect(stored()["selectedItem"]).toBeUndefined();
});

test("asks at once, every minute, and stops after ten", async () => {
  const { service, tap } = await open({ replies: { [path]: ok(detail()) } });
  const asked = [service.to(path).length];
  for (let minute = 1; minute <= 12; minute++) {
    await pass(59_999);
    const early = service.to(path).length;
    await pass(1);
    asked.push(early === asked.at(-1) ? service.to(path).length : Number.NaN);
  }
  expect({
    asked: asked.slice(0, 10),
    still: asked.at(-1) === asked.at(-2),
    stopped: reads(stopped),
  }).toEqual({
    asked: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    still: true,
    stopped: true,
  });
  service.will(path, ok(detail({ status: 1 })));
  await tap(button("Check again"));
  expect({ seal: seal(), more: service.to(path).length - (asked.at(-1) ?? 0) }).toEqual({
    seal: ["Confirmed"],
    more: 1,
  });
});

test("stops when it is left, and begins anew", async () => {
  const { service, visit } = await open({ replies: { [path]: ok(detail()) } });
  await visit("/service");
  await pass(300_000);
  expect(service.to(path).length).toBe(1);
  await visit(claimed);
  expect(service.to(path).length).toBe(2);
});

test("while it is pending it says that this takes about three minutes", async () => {
  await open({ replies: { [path]: ok(detail()) } });
  expect(
    reads(
      "Once you have paid, this takes about 3 minutes. You can leave this page; your membership starts automatically when the payment is confirmed.",
    ),
  ).toBe(true);
});

test("a user who has it checked again hears that it was, and that nothing has changed", async () => {
  const { tap } = await openApp("/billDetail/A100/0/9.99/-", {
    stored: mine,
    replies: { [path]: ok(detail()) },
  });
  const word = "Checked again: it is not confirmed yet.";
  expect(reads(word)).toBe(false);
  await tap(button("Check again"));
  expect(said().some((text) => text.includes(word))).toBe(true);
});

test.each([
  ["nothing", {}, "Not sent yet? Show the address"],
  ["a part", { paid_amount: "4.5" }, "Show the address"],
  ["all", { paid_amount: "9.99" }, null],
])("of an order that %s has come of, the way back to the address is: %o, %s", async (_, came, name) => {
  const { tap, place } = await openApp("/billDetail/A100/0/9.99/-", {
    stored: mine,
    replies: { [path]: ok(detail(came)) },
  });
  const ways = screen.queryAllByRole("link", { name: /address/ });
  expect(ways.map(({ textContent }) => textContent)).toEqual(name === null ? [] : [name]);
  for (const way of ways) await tap(way);
  expect(place()).toBe(name === null ? "/billDetail/A100/0/9.99/-" : paymentPath);
});

test.each([
  ["this browser", [kept], {}, paymentPath],
  ["another one", [], {}, `/payDetail/-/-/TRC20/9.99/${address}/A100`],
  ["another one, where the API does not say it", [], { address: null }, null],
  [
    "this browser, and a provider has",
    [{ orderId: "A100", amount: "9.99", accountName: "Anna", packName: "Monthly" }],
    {},
    null,
  ],
])(
  "says what is still missing, and leads to the address of an order that %s made",
  async (_, orders, told, leadsTo) => {
    const { place, tap } = await openApp("/billDetail/A100/0/9.99/-", {
      stored: { ...anna, orders },
      replies: { [path]: ok(detail({ paid_amount: "4.5", ...told })) },
    });
    const rows = screen.getAllByRole("listitem").map((row) => row.textContent);
    const way = screen.queryAllByRole("link", { name: "Show the address" });
    expect({ rows: rows.slice(0, 2), links: way.length }).toEqual({
      rows: ["Amount9.99 USDT", "Still to send5.49 USDT"],
      links: leadsTo === null ? 0 : 1,
    });
    for (const each of way) await tap(each);
    expect(place()).toBe(leadsTo ?? "/billDetail/A100/0/9.99/-");
    expect(reads(address)).toBe(leadsTo !== null);
  },
);

test.each([
  [
    "en",
    1,
    4,
    "USDT",
    "You have paid 9.99 USDT more than this order costs. Contact support with the order number about the difference.",
    "Received19.98 USDT",
  ],
  [
    "en",
    0,
    4,
    "USDT",
    "You have paid 9.99 USDT more than this order costs. Contact support with the order number about the difference.",
    "Received19.98 USDT",
  ],
  ["zh-CN", 1, null, "USD", "你多付了 9.99 USD。请把订单号提供给客服，处理多付的部分。", "已收到19.98 USD"],
] as const)(
  "in %s, of status %s, what was paid twice is said in %s",
  async (language, status, coin, _, word, row) => {
    const reply = ok(detail({ status, coin_type: coin, paid_amount: "19.98" }));
    await open({ language, replies: { [path]: reply } });
    const rows = screen.getAllByRole("listitem").map(({ textContent }) => textContent);
    expect({ said: reads(word), row: rows[1] }).toEqual({ said: true, row });
  },
);

test("of a card that was charged a part of it, nothing more is to be sent anywhere", async () => {
  await open({ replies: { [path]: ok(detail({ coin_type: null, paid_amount: "4.5" })) } });
  expect(reads(/missing|arrived/i)).toBe(false);
  expect(
    reads("The payment result is not in yet. If it went through, your membership starts automatically."),
  ).toBe(true);
});

test.each([
  ["en", "OrderedNov 20, 2026, 8:30 AM"],
  ["zh-CN", "下单时间2026\u00A0年 11\u00A0月 20\u00A0日 08:30"],
] as const)("in %s, says when it was ordered: %s", async (language, ordered) => {
  // As other services write it: a time without a zone is the reader's own.
  await open({ language, replies: { [path]: ok(detail({ created_at: "2026-11-20 08:30:00" })) } });
  expect(screen.getAllByRole("listitem")[1]?.textContent).toBe(ordered);
});

test("the home page, where the app is, is one tap from a confirmed bill", async () => {
  const { place, tap } = await open({ replies: { [path]: ok(detail({ status: 1 })) } });
  expect(reads(/Log in to the app with this account/)).toBe(true);
  await tap(link("Get the app"));
  expect(place()).toBe("/home");
});

test("copies the order number", async () => {
  const { tap } = await open({ replies: { [path]: ok(detail({ status: 9 })) } });
  await tap(button("Copy the order number"));
  expect({ copied: await navigator.clipboard.readText(), said: said().at(-1) }).toEqual({
    copied: "A100",
    said: "Replicating Success",
  });
});

test("a session that is over ends here, too", async () => {
  const { place } = await open({ replies: { [path]: notSignedIn } });
  expect({ place: place(), said: said(), stored: Object.keys(stored()) }).toEqual({
    place: "/login",
    said: ["Please log in first"],
    stored: ["order:A100"],
  });
});

test("leads back to the personal center", async () => {
  const { place, tap } = await open({ replies: { [path]: ok(detail()) } });
  await tap(button("Back"));
  expect(place()).toBe("/personal_info");
});

const hash = `0x${"ab".repeat(32)}`;
const arrived = (change: object = {}) => ({
  tx_hash: hash,
  amount: "9.99",
  confirmations: 3,
  confirmations_needed: 12,
  explorer_url: `https://explorer.example/tx/${hash}`,
  ...change,
});

test.each([
  ["en", "3 of 12", "Show the transaction in an explorer"],
  ["zh-CN", "3 / 12", "在区块浏览器中查看这笔交易"],
] as const)(
  "in %s, a transfer is shown with its confirmations and a way to look it up",
  async (language, count, look) => {
    const body = detail({ paid_amount: "9.99", coin_type: 2, transfers: [arrived()] });
    await open({ language, replies: { [path]: ok(body) } });
    const row = link(new RegExp(look));
    expect([row.textContent.includes(count), row.getAttribute("href"), row.getAttribute("rel")]).toEqual([
      true,
      `https://explorer.example/tx/${hash}`,
      "noreferrer",
    ]);
  },
);

test.each([
  ["javascript:alert(1)", "3 of 12"],
  ["http://explorer.example/", "3 of 12"],
  [null, "3 of 12"],
])(
  "an explorer's address such as %s is no link, and the confirmations are there",
  async (explorer_url, count) => {
    const body = detail({ paid_amount: "9.99", coin_type: 2, transfers: [arrived({ explorer_url })] });
    await open({ replies: { [path]: ok(body) } });
    expect(screen.queryByRole("link", { name: /explorer/ })).toBeNull();
    expect(reads(count)).toBe(true);
  },
);

test.each([
  ["en", true, "Failed", "was given back, is contested, or was settled with you in another way"],
  ["en", false, "Failed", "This payment did not go through."],
  ["zh-CN", true, "订单已失效", "款项已退回、存在争议，或已另行处理"],
  ["zh-CN", false, "支付失败", "这笔订单没有支付成功"],
] as const)(
  "in %s, a failed bill whose money was given back (%s) says so",
  async (language, returned, word, words) => {
    await open({ language, replies: { [path]: ok(detail({ status: 9, returned })) } });
    expect(screen.getByRole("heading", { level: 2 }).textContent).toBe(word);
    expect(document.body.textContent).toContain(words);
  },
);

test.each([
  ["en", "Waiting to be checked", "so a person has to check it."],
  ["zh-CN", "等待人工核对", "需要人工核对"],
] as const)(
  "in %s, money that waits for a person is said so, whatever is missing",
  async (language, word, words) => {
    for (const paid_amount of ["9.99", "5.00"]) {
      const body = detail({ paid_amount, coin_type: 2, held: true });
      await open({ language, replies: { [path]: ok(body) } });
      expect(document.body.textContent).toContain(words);
      expect(document.body.textContent).toContain(word);
      cleanup();
    }
  },
);
