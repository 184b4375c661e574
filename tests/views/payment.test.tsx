/** Sending the money, on the screen: what is shown is what was issued, until when, and what became of it. */
import { drawnAnew } from "../support/drawn-anew.ts";
import { screen } from "@testing-library/react";
import QRCode from "react-qr-code";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { COPIED_BEFORE, copying, copyingForbidden } from "../models/clipboard.ts";
import { networkIsLate, order, orderClaimed, orderTimed } from "../models/order.ts";
import { asksForQr, qr as qrComing } from "../models/qr.ts";
import {
  button,
  link,
  lookAgain,
  keptOrders,
  openApp,
  pass,
  reads,
  said,
  warned,
  sleep,
  START,
  stored,
  type Opening,
} from "../support/app.tsx";
import { runOnScreen } from "../support/run-on-screen.ts";
import {
  address,
  anna,
  detail,
  ethereumAddress,
  kept,
  ok,
  packagesOf,
  paymentPath,
} from "../support/replies.ts";
import { openForModel } from "../support/jsdom-user.tsx";

const path = "/api/order/detail";
const mine = { ...anna, orders: [kept] };
const pending = ok(detail());
const unverifiable = "We cannot verify this payment link";
const timeUp =
  "The time is up. Already sent it? Do not worry: it is credited once the network confirms it. Nothing sent yet? Please make a new order.";

const open = (more: Opening = {}) =>
  openApp(paymentPath, { stored: mine, replies: { [path]: pending }, ...more });
const left = () => screen.queryByRole("timer")?.textContent ?? null;
/** Everything that could be taken for an address to pay to. */
const shownAddress = () =>
  document.querySelector("main")?.textContent.match(/T[1-9A-HJ-NP-Za-km-z]{33}|0x[0-9a-fA-F]{40}/)?.[0] ??
  null;
const qr = () => document.querySelector("[role=img] svg path:last-of-type")?.getAttribute("d") ?? null;
const qrOf = (value: string) =>
  /.* d="([^"]*)"/.exec(renderToStaticMarkup(<QRCode value={value} level="M" />))?.[1] ?? "";

const forbidCopying = () => {
  vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("denied"));
  document.execCommand = () => false;
};

runOnScreen(order, () => openForModel(paymentPath, { stored: mine }), "paths");
runOnScreen(orderClaimed, () => openForModel(paymentPath, { stored: anna }), "paths");
runOnScreen(orderTimed, () => openForModel(paymentPath, { stored: mine, replies: { [path]: pending } }));

const openToCopy = async () => {
  const opened = await openForModel(paymentPath, { stored: mine, replies: { [path]: pending } });
  await navigator.clipboard.writeText(COPIED_BEFORE);
  return opened;
};
runOnScreen(copying, openToCopy);
runOnScreen(copyingForbidden, async () => {
  const opened = await openToCopy();
  forbidCopying();
  return opened;
});
runOnScreen(qrComing, () =>
  openForModel(paymentPath, {
    stored: mine,
    replies: { [path]: pending },
    scripts: { loadQr: async () => void (await fetch(asksForQr)) },
  }),
);

test("a tick draws the countdown anew, and nothing else of the page", async () => {
  await open();
  // What came with the screen is over: the bar of progress.
  await pass(2_000);
  const touched = new Set<string>();
  const watch = new MutationObserver((changes) => {
    for (const { target } of changes) {
      const element = target instanceof Element ? target : target.parentElement;
      touched.add(element?.getAttribute("role") ?? element?.tagName ?? "");
    }
  });
  watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  drawnAnew();
  const before = left();
  await pass(1_000);
  watch.disconnect();
  expect({ before, after: left(), touched: [...touched].toSorted(), drawn: drawnAnew() }).toEqual({
    before: "19:58",
    after: "19:57",
    // The oil in the ring, and the digits.
    touched: ["svg", "timer"],
    // The countdown with its parts: its line, ring, words, digits, caption's box, and what is said now and then.
    drawn: [
      "TimeLeft",
      "Countdown",
      "styled.div",
      "styled.svg",
      "styled.div",
      "styled.span",
      "styled.span",
      "styled.span",
    ],
  });
});

test("shows at once what this browser kept of the order, on one page: address, QR code, amount, number", async () => {
  await open();
  expect({
    address: shownAddress(),
    title: screen.getByRole("img").getAttribute("aria-label"),
    qr: qr(),
    amount: reads("9.99 USDT"),
    order: reads("A100"),
    warning: reads(/Please do not close this page until you have paid\. The address is for this order only/),
  }).toEqual({
    address,
    title: "QR code of the TRC20 address",
    qr: qrOf(address),
    amount: true,
    order: true,
    warning: true,
  });
});

test.each([
  ["Copy the address", "Address copied", address, "Copied"],
  ["Copy the amount", "Amount copied", "9.99", "Copied"],
  ["Copy the order number", "Order number copied", "A100", "Replicating Success"],
])("%s: what is copied is what is shown", async (label, done, text, words) => {
  const { tap } = await open();
  await tap(button(label));
  expect({ copied: await navigator.clipboard.readText(), said: said(), done: button(done) !== null }).toEqual(
    {
      copied: text,
      said: [words],
      done: true,
    },
  );
  await pass(2_000);
  expect({ said: said(), again: button(label) !== null }).toEqual({ said: [], again: true });
});

test.each([
  ["复制地址", "复制成功"],
  ["复制订单号", "复制成功"],
])("%s: says so in Chinese", async (label, words) => {
  const { tap } = await open({ language: "zh-CN" });
  await tap(button(label));
  expect(said()).toEqual([words]);
});

test("says how to copy where the browser forbids it", async () => {
  const { tap } = await open();
  forbidCopying();
  await tap(button("Copy the address"));
  expect(warned()).toEqual(["Copying is blocked here. Press and hold the text to copy it."]);
});

const other = "TLyqzVGLV1srkB7dToTAEqgDSfPtXRJZYH";
const doctored: [string, string][] = [
  ["another address", paymentPath.replace(address, other)],
  ["a mistyped address", paymentPath.replace(address, address.replace("j6t", "j6T"))],
  ["an address of the other network", paymentPath.replace(address, ethereumAddress)],
  ["another network", paymentPath.replace("TRC20", "ERC20")],
  ["an unknown network", paymentPath.replace("TRC20", "BEP20")],
  ["a smaller amount", paymentPath.replace("9.99", "9.98")],
  ["a larger amount", paymentPath.replace("9.99", "99.9")],
  ["no amount", paymentPath.replace("9.99", "lots")],
  ["another order", paymentPath.replace("A100", "B200")],
];
test.each(doctored)(
  "shows no address for %s, whatever this browser kept, and offers a new order",
  async (_, place) => {
    const { tap, place: at } = await openApp(place, { stored: mine, replies: { [path]: pending } });
    expect({ address: shownAddress(), qr: qr(), left: left(), reads: reads(unverifiable) }).toEqual({
      address: null,
      qr: null,
      left: null,
      reads: true,
    });
    await tap(link("Make a new order"));
    expect(at()).toBe("/buy");
  },
);

test.each([
  [
    "of another account",
    ok(detail()),
    { orders: [{ ...kept, accountName: "Berta", address: other }] },
    address,
  ],
  ["that the service does not repeat", ok(detail({ address: null, coin_type: null })), {}, null],
  ["of another network", ok(detail({ coin_type: 2 })), {}, null],
  ["without a creation time", ok(detail({ created_at: "" })), {}, null],
])("believes the service alone about an order %s", async (_, reply, more, shown) => {
  await openApp(paymentPath, { stored: { ...anna, ...more }, replies: { [path]: reply } });
  expect({ address: shownAddress(), reads: reads(unverifiable) }).toEqual({
    address: shown,
    reads: shown === null,
  });
});

test.each([
  ["TRC20", address.replace("j6t", "j6T")],
  ["TRC20", ethereumAddress],
  ["ERC20", ethereumAddress.toLowerCase()],
  ["ERC20", address],
] as const)(
  "shows no address that no wallet of %s takes (%s), though the service says it",
  async (network, wrong) => {
    await openApp(`/payDetail/1/vpn.month/${network}/9.99/${wrong}/A100`, {
      stored: anna,
      replies: { [path]: ok(detail({ coin_type: network === "TRC20" ? 4 : 2, address: wrong })) },
    });
    expect({ address: shownAddress(), qr: qr(), reads: reads(unverifiable) }).toEqual({
      address: null,
      qr: null,
      reads: true,
    });
  },
);

test.each([
  [0, "/payDetail", 2],
  // What is settled is nothing to come back to: the bill takes its place.
  [1, "/personal_info", 1],
  [9, "/personal_info", 1],
])("the way back from the bill of an order with status %d leads to %s", async (status, way, length) => {
  const { back, history, place, tap, visit } = await openApp("/personal_info", {
    stored: mine,
    replies: { [path]: ok(detail({ status })) },
  });
  const before = history.length;
  await visit(paymentPath);
  if (place().startsWith("/payDetail")) await tap(button("Complete the payment"));
  expect({ bill: place().split("/")[1], length: history.length - before }).toEqual({
    bill: "billDetail",
    length,
  });
  await back();
  expect(`/${place().split("/")[1]}`).toBe(way);
});

test("an order kept for another account is not shown before the service has spoken", async () => {
  await openApp(paymentPath, { stored: { ...anna, orders: [{ ...kept, accountName: "Berta" }] } });
  expect({ address: shownAddress(), left: left() }).toEqual({ address: null, left: null });
});

test.each([
  [0, "server_time"],
  [86_400_000, "server_time"],
  [-86_400_000, "server_time"],
  [86_400_000, "Date"],
] as const)(
  "counts to the order's own deadline, by the service's clock (phone wrong by %d ms, told in %s)",
  async (wrong, timeIn) => {
    vi.setSystemTime(START + wrong);
    const { service } = await open({ replies: {} });
    Object.assign(service, { ahead: -wrong, timeIn });
    await service.answer(path, pending);
    await pass(1_000);
    const seen = [left()];
    await pass(5_000);
    seen.push(left());
    await sleep(600_000);
    seen.push(left());
    expect({ seen, expired: reads(timeUp) }).toEqual({ seen: ["19:59", "19:54", "09:54"], expired: false });
  },
);

test("what is known of a wrong clock holds without a network, too", async () => {
  const wrong = 86_400_000;
  vi.setSystemTime(START + wrong);
  const { service } = await open({ stored: { ...mine, clock: String(-wrong) }, replies: {} });
  await pass(1_000);
  expect({ left: left(), expired: reads(timeUp) }).toEqual({ left: "19:59", expired: false });
  // The clock has been set right.
  vi.setSystemTime(START);
  await service.answer(path, pending);
  expect({ clock: stored()["clock"], left: left() }).toEqual({ clock: 0, left: "19:59" });
});

test("an answer that a phone froze over turns no clock back", async () => {
  const { service } = await open({ replies: {} });
  await pass(1_000);
  vi.setSystemTime(START + 601_000);
  service.ahead = -600_000;
  await service.answer(path, pending);
  await pass(1_000);
  expect(left()).toBe("09:58");
});

test("the time runs out, is told, and is no end", async () => {
  const { place, service, tap } = await open();
  await sleep(1_199_000);
  expect({ left: left(), expired: reads(timeUp) }).toEqual({ left: "00:01", expired: false });
  await pass(1_000);
  expect({
    left: left(),
    expired: reads(timeUp),
    address: shownAddress(),
    offer: link("Make a new order") !== null,
  }).toEqual({
    left: "00:00",
    expired: true,
    address,
    offer: true,
  });
  service.will(path, ok(detail({ status: 1 })));
  await tap(button("Complete the payment"));
  // Run out, the address bar says 0; the bill itself has the service's word. Specification, section 4.
  expect(place()).toBe("/billDetail/A100/0/9.99/2026-01-01T00:00:00.000Z");
});

test.each([
  ["0", "0"],
  ["5", "5"],
])("completing the payment leads to the bill, with the status %s", async (status, shown) => {
  const { place, service, tap } = await open();
  service.will(path, ok(detail({ status })));
  await tap(button("Complete the payment"));
  expect(place()).toBe(`/billDetail/A100/${shown}/9.99/2026-01-01T00:00:00.000Z`);
});

test("completing asks once, and stays when the service cannot be reached", async () => {
  const { place, service, tapTwice } = await open();
  const before = service.to(path).length;
  service.will(path, "lost");
  await tapTwice(button("Complete the payment"));
  expect({ place: place(), said: said(), address: shownAddress() }).toEqual({
    place: paymentPath,
    said: ["No connection. Check your network and try again."],
    address,
  });
  expect(service.to(path).length - before).toBeGreaterThan(0);
});

test("one request too many takes no address away: the payment stays, and is looked for again", async () => {
  const { service, tap, place } = await open();
  service.will(path, 429);
  await pass(60_000);
  await tap(button("Complete the payment"));
  expect({ said: said(), address: shownAddress() }).toEqual({
    said: ["Too many requests. Please wait a minute and try again."],
    address,
  });
  service.will(path, ok(detail({ status: 1 })));
  await pass(60_000);
  expect(place()).toMatch(/^\/billDetail\/A100\/1\//);
});

test.each([
  ["1", "Confirmed"],
  ["9", "Failed"],
])("coming back to a settled order (%s) goes on to its bill", async (status, words) => {
  const { place, service } = await open();
  service.will(path, ok(detail({ status })));
  await lookAgain();
  expect({ place: place(), words: reads(words), orders: keptOrders() }).toEqual({
    place: `/billDetail/A100/${status}/9.99/2026-01-01T00:00:00.000Z`,
    words: true,
    orders: [],
  });
});

test.each([
  ["en", "4 USDT has arrived. Please send the missing 5.99 USDT to the same address."],
  ["zh-CN", "已收到 4 USDT，请再向同一地址转 5.99 USDT。"],
] as const)("says in %s what is still missing", async (language, words) => {
  await open({ language, replies: { [path]: ok(detail({ paid_amount: "4" })) } });
  expect(reads(words)).toBe(true);
});

test.each([
  ["en", networkIsLate],
  [
    "zh-CN",
    "这条网络上的付款目前要比平时晚一些才会显示。款项不会丢失：我们一查到就会入账，即使那时时间已到也一样。",
  ],
] as const)(
  "says in %s that payments on the network show late, until they do no more",
  async (language, words) => {
    const { service } = await open({ language, replies: { [path]: ok(detail({ network_behind: true })) } });
    const late = reads(words);
    service.will(path, pending);
    await pass(60_000);
    expect({ late, after: reads(words), address: shownAddress() }).toEqual({
      late: true,
      after: false,
      address,
    });
  },
);

test("says so before the service is heard again, where it said so when the order was made", async () => {
  await open({ stored: { ...anna, orders: [{ ...kept, networkBehind: true }] }, replies: {} });
  expect({ late: reads(networkIsLate), address: shownAddress() }).toEqual({ late: true, address });
});

test.each([
  [true, 1],
  [false, 0],
])("the test wallet is there in the sandbox alone (%s)", async (sandbox, count) => {
  await open({ sandbox });
  const wallets = screen.queryAllByRole("link", { name: "Pay from the test wallet" });
  expect(wallets.map((each) => each.getAttribute("href"))).toEqual(
    Array.from(
      { length: count },
      () => `/sandbox/wallet?network=TRC20&address=${address}&amount=9.99&language=en`,
    ),
  );
});

test("a visitor sees nothing of it", async () => {
  const { place, service } = await openApp(paymentPath, { stored: { orders: [kept] } });
  expect({ place: place(), said: said(), sent: service.sent }).toEqual({
    place: "/login",
    said: ["Please log in first"],
    sent: [],
  });
});

test.each([
  ["the personal center", "/personal_info", "Continue payment"],
  ["the bill", "/billDetail/A100/0/9.99/-", "Not sent yet? Show the address"],
])("the arrow leads back to %s where one came from there", async (_, from, way) => {
  const { place, tap } = await openApp(from, {
    stored: mine,
    replies: {
      [path]: pending,
      "/api/user/center": ok({ user: { account_name: "Anna" } }),
      "/api/packegs/list": packagesOf(),
    },
  });
  await tap(link(way));
  expect(place()).toBe(paymentPath);
  await tap(button("Back"));
  expect(place()).toBe(from);
});
