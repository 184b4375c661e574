/** What counts of what a browser keeps: for every key, what can be used, and the junk that is as good as nothing. */
import { beforeEach, expect, test, vi } from "vitest";
import { startClock } from "../../src/app/ports/clock.ts";
import { preferredLanguage } from "../../src/app/ports/language.ts";
import { openStorage, type StorageKey } from "../../src/app/ports/storage.ts";
import { START } from "../support/app.tsx";
import { address, ethereumAddress, kept, monthly } from "../support/replies.ts";

const TEN_YEARS = 3_652.5 * 86_400_000;

const build = { date: "2026-01-01", url: "https://app.example/a", verison: "1.2" };
const builds = { android: build, ios: build, mac: build, windows: build };
const payment = { orderId: "B200", amount: "9.99", accountName: "Anna", packName: "" };

const membership = { accountName: "Anna", pack_name: "Yearly", pack_exp_date: "2026-12-31", ends: START + 1 };
const junkMemberships = [
  { ...membership, accountName: " " },
  { ...membership, pack_name: null },
  { ...membership, pack_exp_date: "" },
  // It is over.
  { ...membership, ends: START - 1 },
  { ...membership, ends: "soon" },
];

beforeEach(() => localStorage.clear());

/** What is read where `text` is stored. */
function readOf(key: StorageKey | "orders" | "paid", text: string): unknown {
  localStorage.setItem(key, text);
  const storage = openStorage(localStorage);
  switch (key) {
    case "user_key":
    case "membership":
    case "selectedItem":
    case "packages":
      return storage.readJson(key);
    case "orders":
      return storage.readAll("order");
    case "paid":
      return storage.readAll("paid");
    default:
      return storage.readText(key);
  }
}

test.each([
  ["user_name", "Anna"],
  ["user_name", "安娜"],
  ["user_name", " Anna\u200b "],
  ["user_name", "__proto__"],
  ["user_token", "1|aZ09-._~+/=="],
  ["user_token", "t".repeat(8_000)],
  ["language", "zh-CN"],
  ["language", "zh_CN"],
  ["language", "ZH-hans"],
  ["language", "en-GB"],
  ["clock", "0"],
  ["clock", "-86400000"],
  ["clock", String(TEN_YEARS)],
] as const)("%s '%s' is used as it is", (key, text) => {
  expect(readOf(key, text)).toBe(text);
});

test.each([
  ["user_name", ["", " ", "\t\n", "\u3000", "\u200b\u200d", "\u2060\ufeff", "\u3164", "\u0000"]],
  [
    "user_token",
    ["", " ", "令牌", "one two", "one\ntwo", "one\r\ntwo", "token\n", "tok\u0000en", "é", "\u200b"].concat(
      "t".repeat(8_001),
    ),
  ],
  ["language", ["", "fr", "xx", "zhuang", "zhx-CN", "english", "{", "null", "undefined", "中文"]],
  [
    "clock",
    ["", " ", "Infinity", "-Infinity", "NaN", "1e999", "null", "soon", "1,5", "[]", String(TEN_YEARS + 1)],
  ],
  [
    "user_key",
    ["", "{", "null", "7", '"Anna"', "[]", '["Anna"]', "{}", '{"account_name":7}', '{"account_name":null}'],
  ],
  ["user_key", ['{"account_name":""}', '{"account_name":" "}', '{"account_name":["Anna"]}']],
  ["user_key", ['{"__proto__":{"account_name":"Anna"}}', '{"constructor":{"account_name":"Anna"}}']],
  ["membership", ["", "{", "null", "[]", "{}", ...junkMemberships.map((each) => JSON.stringify(each))]],
  ["packages", ["", "{", "null", "[]", "{}", '{"android":{}}', JSON.stringify({ ...builds, mac: null })]],
  ["selectedItem", ["", "{", "null", "[]", '{"id":"1"}', '{"__proto__":{"id":"1"}}']],
] as const)("of %s, junk counts as absent: %j", (key, junk) => {
  expect(junk.map((text) => readOf(key, text))).toEqual(junk.map(() => null));
});

test.each([
  ["orders", ["", "{]", "null", "7", '"A100"', "{}", '{"length":1,"0":{}}']],
  ["paid", ["", "{]", "null", "7", '"A100"', "{}"]],
] as const)("of %s, junk counts as none at all: %j", (key, junk) => {
  expect(junk.map((text) => readOf(key, text))).toEqual(junk.map(() => []));
});

test.each([
  ["id", ["", " ", null, 1e21, 2 ** 53, 1.5, {}, []]],
  ["product_id", ["", null, -1.5, [1]]],
  ["buy_price", ["", null, "-1", "free", "1e3", "NaN", "1,5", -1, 1e21, "9".repeat(19)]],
  ["name", [null, {}, []]],
] as const)("a chosen package whose %s is one of %j counts as none", (field, junk) => {
  const read = junk.map((value) => readOf("selectedItem", JSON.stringify({ ...monthly, [field]: value })));
  expect(read).toEqual(junk.map(() => null));
});

test("a chosen package with a number that JSON reads as infinite counts as none", () => {
  const text = (field: string) =>
    JSON.stringify({ ...monthly, [field]: "@" }).replace('"@"', field === "id" ? "1e999" : "-1e999");
  expect([readOf("selectedItem", text("id")), readOf("selectedItem", text("buy_price"))]).toEqual([
    null,
    null,
  ]);
});

test("what can be used is read, for every key of JSON", () => {
  const transfers = [
    kept,
    { ...kept, orderId: "A101", networkBehind: true },
    { ...kept, orderId: "A102", network: "ERC20", address: ethereumAddress },
  ];
  const payments = [
    payment,
    { ...payment, orderId: "B201", productId: "vpn.month" },
    {
      ...payment,
      orderId: "B202",
      payUrl: "https://checkout.example/",
      visit: "word1",
      reportedFailed: true,
    },
  ];
  expect({
    user_key: readOf("user_key", '{"account_name":"Anna","more":1}'),
    selectedItem: readOf("selectedItem", JSON.stringify(monthly)),
    packages: readOf("packages", JSON.stringify(builds)),
    orders: readOf("orders", JSON.stringify([...transfers, ...payments])),
    paid: readOf("paid", JSON.stringify([payment, { ...payment, amount: "free" }, null])),
  }).toEqual({
    user_key: { account_name: "Anna" },
    selectedItem: monthly,
    packages: builds,
    orders: [...transfers, ...payments],
    paid: [payment],
  });
});

/** `undefined` leaves a field out. */
const broken: [field: keyof typeof kept, values: unknown[]][] = [
  ["orderId", [undefined, null, "", " ", 7, {}]],
  ["amount", [undefined, null, "", "0", "0.00", "-1", "NaN", "1e3", "9.9999999", 9.99, "Infinity"]],
  ["accountName", [undefined, null, "", " ", "\u200b", 7]],
  ["packName", [undefined, null, 7]],
  ["network", [undefined, null, "BEP20", "constructor", "__proto__", 4]],
  ["address", [undefined, null, "", "T", `${address} `, ethereumAddress, "地址".repeat(17), `${address}1`]],
  [
    "deadline",
    [undefined, null, "2026-01-01", START + TEN_YEARS + 1, START - TEN_YEARS - 1, 0, 1_767_227_400],
  ],
  ["packId", [undefined, null, "", 1]],
  ["productId", [undefined, null, "", 1]],
];
test.each(broken)("a kept transfer whose %s is one of %j takes no other with it", (field, values) => {
  const orders = values.map((value) => ({ ...kept, [field]: value }));
  expect(readOf("orders", JSON.stringify([...orders, kept, null, 7, [], "{"]))).toEqual([kept]);
});

test("a kept transfer whose deadline JSON reads as infinite counts as none", () => {
  expect(readOf("orders", JSON.stringify([kept]).replace(String(kept.deadline), "1e999"))).toEqual([]);
});

test.each([
  ["orderId", [undefined, "", 7]],
  ["amount", [undefined, "", "0", "free"]],
  ["accountName", [undefined, " "]],
  ["productId", [null, "", 7]],
  // Half a transfer is no payment.
  ["address", [address]],
  ["network", ["TRC20"]],
  ["deadline", [kept.deadline]],
] as const)("a kept payment whose %s is one of %j takes no other with it", (field, values) => {
  const orders = values.map((value) => ({ ...payment, [field]: value }));
  expect(readOf("orders", JSON.stringify([...orders, payment]))).toEqual([payment]);
});

test.each(["fr", "xx", "{", " ", "zhuang"])("'%s' is no choice of a language", (text) => {
  vi.spyOn(navigator, "language", "get").mockReturnValue("zh-TW");
  localStorage.setItem("language", text);
  expect(preferredLanguage(openStorage(localStorage))).toBe("zh-CN");
});

test("the first of the browser's languages that is ours is spoken", () => {
  vi.spyOn(navigator, "language", "get").mockReturnValue("fr");
  vi.spyOn(navigator, "languages", "get").mockReturnValue(["fr", "zh-Hant", "en"]);
  expect(preferredLanguage(openStorage(localStorage))).toBe("zh-CN");
});

/* The clock, by what answers tell. */

const DAY = 86_400_000;
const now = START;
const header = (time: number) => new Date(time).toUTCString();
test.each([
  ["server_time alone", now + 60_000, null, 60_000],
  ["both, a day apart", now + DAY, header(now), DAY],
  ["both, more than a day apart", now + DAY + 1_000, header(now - 60_000), -60_000],
  ["the header alone", undefined, header(now + 60_000), 60_000],
  ["neither", undefined, null, 0],
  ["server_time in seconds", now / 1000, header(now - 60_000), -60_000],
  ["server_time in seconds alone", now / 1000, null, 0],
  ["server_time in microseconds alone", now * 1000, null, 0],
  ["server_time 0 alone", 0, null, 0],
  ["server_time infinite", Infinity, null, 0],
  ["server_time more than ten years off, alone", now + TEN_YEARS + 1, null, 0],
  ["a header of 1970", undefined, header(0), 0],
  ["a header of 1970 beside a server_time", now + 60_000, header(0), 60_000],
  ["both of 1970", 0, header(0), 0],
  ["a header that is no date", undefined, "yesterday", 0],
])("an answer with %s", (_, serverTime, date, ahead) => {
  const clock = startClock(openStorage(localStorage), () => now);
  clock.anchor({ serverTime, date }, 0);
  expect(clock.now() - now).toBe(ahead);
});

test.each(["Infinity", "-Infinity", "NaN", "1e999", String(TEN_YEARS * 2)])(
  "a kept clock of %s is none, and gives way to the first answer",
  (text) => {
    localStorage.setItem("clock", text);
    const clock = startClock(openStorage(localStorage), () => now);
    expect(clock.now()).toBe(now);
    clock.anchor({ serverTime: now + 60_000, date: null }, 0);
    expect({ now: clock.now(), kept: localStorage.getItem("clock") }).toEqual({
      now: now + 60_000,
      kept: "60000",
    });
  },
);
