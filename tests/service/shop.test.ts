/** What is open to everyone: packages, payment methods, the way to support; and what a wrong catalogue is told. */
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import * as contract from "../../src/contract/calls.ts";
import { followCatalogue } from "../../src/service/catalogue-versions.ts";
import { readCatalogue } from "../../src/service/catalogue.ts";
import type { RailKey } from "../../src/service/payments/rails.ts";
import { catalogueFile } from "../../src/service/platform/project.ts";
import type { Store } from "../../src/service/store/database.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { emptyStore, refusal, serve, success, zh } from "./support.ts";

let store: Store;
let live: Store;
beforeAll(async () => {
  [store, live] = await Promise.all([emptyStore(), emptyStore()]);
});
afterAll(() => Promise.all([store.close(), live.close()]));

const list = (names: [string, string, string, string]) => [
  {
    id: "1",
    name: names[0],
    product_id: "monthly",
    price: "4.99",
    buy_price: "3.99",
    day_price: "0.13",
    discount: "80",
  },
  {
    id: "2",
    name: names[1],
    product_id: "quarterly",
    price: "14.97",
    buy_price: "9.99",
    day_price: "0.11",
    discount: "67",
  },
  {
    id: "3",
    name: names[2],
    product_id: "half-year",
    price: "29.94",
    buy_price: "17.99",
    day_price: "0.10",
    discount: "60",
  },
  {
    id: "4",
    name: names[3],
    product_id: "annual",
    price: "59.88",
    buy_price: "29.99",
    day_price: "0.08",
    discount: "50",
  },
];

test("a question after the service's health tells whether its database answers, and is no line of the log", async () => {
  const alone = await emptyStore();
  const { ask, lines } = await serve(alone);
  const well = await ask("/api/health");
  expect([well.status, well.headers.get("Cache-Control"), await well.json()]).toEqual([
    200,
    "no-store",
    success(null),
  ]);
  expect(lines).toEqual([]);
  await alone.close();
  expect((await ask("/api/health")).status).toBe(500);
});

test("the list of packages is the third entry, named in the language asked for", async () => {
  const { call } = await serve(store);
  const about = { currency: "USD", updated_at: statSync(catalogueFile()).mtime.toISOString() };
  const english = list(["Monthly", "Quarterly", "Half-year", "Annual"]);
  const chinese = list(["月度会员", "季度会员", "半年会员", "年度会员"]);
  expect(await call("/api/packegs/list")).toEqual(success([about, [], english]));
  expect(await call("/api/packegs/list", { headers: zh })).toEqual(
    success([about, [], chinese], "操作成功。"),
  );
  expect(v.parse(contract.packages, [about, [], english])).toEqual(english);
});

test.each([
  ["zh-CN,zh;q=0.9,en;q=0.8", "操作成功。"],
  ["zh-TW", "操作成功。"],
  ["zh_CN", "操作成功。"],
  ["fr,zh;q=0.8,en;q=0.5", "操作成功。"],
  ["en;q=0.5,zh;q=0.8", "操作成功。"],
  ["zh;q=0,fr", "Done."],
  ["*", "Done."],
  ["fr", "Done."],
])("without a language header, the browser's %s is taken", async (language, message) => {
  const { call } = await serve(store);
  expect((await call("/api/payment_method_list", { headers: { "Accept-Language": language } })).message).toBe(
    message,
  );
});

test.each([
  ["zh_CN", "en", "操作成功。"],
  ["ZH-hans", "en", "操作成功。"],
  ["en", "zh-CN", "Done."],
  // No choice.
  ["zhuang", "zh-CN", "操作成功。"],
  ["fr", "en", "Done."],
])(
  "the language header '%s' counts before the browser's %s, where it is a choice",
  async (sent, browser, message) => {
    const { call } = await serve(store);
    const headers = { language: sent, "Accept-Language": browser };
    expect((await call("/api/payment_method_list", { headers })).message).toBe(message);
  },
);

test.each([
  [true, "1"],
  [false, "0"],
])("with the sandbox %s, every way to pay is open '%s': live, only what is set up", async (sandbox, open) => {
  const { call } = await serve(sandbox ? store : live, { sandbox });
  expect(await call("/api/payment_method_list")).toEqual(
    success([
      { payment_method: "EbPay", open },
      { payment_method: "Razorpay", open },
      { payment_method: "Stripe", open },
    ]),
  );
});

test.each<[readonly RailKey[], string]>([
  [["TRC20", "card"], "1 0 1"],
  [["TRC20", "ERC20", "stripe"], "0 1 0"],
])("%s that take no new orders are shown as closed: %s", async (closed, open) => {
  const { call } = await serve(store, { closed });
  const { data } = await call("/api/payment_method_list");
  expect((data as { open: string }[]).map((method) => method.open).join(" ")).toBe(open);
});

test("support is where the operator says; the sandbox has a stand-in; else there is a word", async () => {
  const set = await serve(store, { contactUrl: "https://support.example/" });
  expect(await set.call("/api/contact/url")).toEqual(success([{ contact_url: "https://support.example/" }]));
  const sandbox = await serve(store);
  expect(await sandbox.call("http://127.0.0.1:3000/api/contact/url")).toEqual(
    success([{ contact_url: "http://127.0.0.1:3000/sandbox/support" }]),
  );
  const page = await sandbox.ask("/sandbox/support", { headers: zh });
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("CONTACT_URL")]);
  const real = await serve(live, { sandbox: false });
  expect(await real.call("/api/contact/url")).toEqual(
    refusal("The support page is not set up yet. Please try again later."),
  );
  expect(await real.call("/api/contact/url", { headers: zh })).toEqual(
    refusal("客服页面尚未开通，请稍后再试。"),
  );
});

const first = (JSON.parse(readFileSync(catalogueFile(), "utf8")) as Record<string, unknown>[])[0];
test.each([
  ["[", /cannot be read: .*JSON/],
  ["[]", /the list: must hold at least one package/],
  [JSON.stringify([{ ...first, price: 4.99 }]), /0\.price: must be text, such as "9\.99"/],
  [JSON.stringify([{ ...first, buy_price: "3.999" }]), /0\.buy_price: must be an amount above zero/],
  [JSON.stringify([{ ...first, buy_price: "0" }]), /0\.buy_price: must be an amount above zero/],
  [JSON.stringify([{ ...first, buy_price: "5" }]), /0\.buy_price: must not be above price/],
  [JSON.stringify([{ ...first, days: 1.5 }]), /0\.days: must be whole/],
  [JSON.stringify([{ ...first, name: { en: "Monthly" } }]), /0\.name\.zh-CN: /],
  [JSON.stringify([{ ...first, product_id: "a/b" }]), /0\.product_id: must be letters/],
  [JSON.stringify([{ ...first, closed: "yes" }]), /0\.closed: must be true or false/],
  [JSON.stringify([first, first]), /holds the same id twice[^]*holds the same product_id twice/],
])("a catalogue of %s is refused in words", (content, words) => {
  const path = join(temporaryDirectory(), "catalogue.json");
  writeFileSync(path, content);
  expect(() => readCatalogue(path)).toThrow(words);
});

test("a catalogue may begin with a byte order mark and end its lines with CR LF; another encoding is refused in words", () => {
  const path = join(temporaryDirectory(), "catalogue.json");
  const { entries } = readCatalogue(catalogueFile());
  const text = readFileSync(catalogueFile(), "utf8");
  writeFileSync(path, `\uFEFF${text.replaceAll("\n", "\r\n")}`);
  expect(readCatalogue(path).entries).toEqual(entries);
  // As some editors on Windows write it; and Latin-1.
  for (const bytes of [
    Buffer.from(`\uFEFF${text}`, "utf16le"),
    Buffer.from('[{"id": "\u00e9"}]', "latin1"),
  ]) {
    writeFileSync(path, bytes);
    expect(() => readCatalogue(path)).toThrow(`The catalogue ${path} cannot be read: it is not UTF-8.`);
  }
});

test("a catalogue that is not there is refused in words", () => {
  expect(() => readCatalogue("/nowhere/catalogue.json")).toThrow(
    /^The catalogue \/nowhere\/catalogue.json cannot be read/,
  );
});

test("a changed catalogue is on sale without a restart, and one with mistakes changes nothing", async () => {
  const folder = temporaryDirectory();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "catalogue.json");
  const sold = JSON.parse(readFileSync(catalogueFile(), "utf8")) as { buy_price: string }[];
  // Replaced in one go, as a deployment does it.
  const put = (text: string) => {
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  };
  put(JSON.stringify(sold));
  const events: string[] = [];
  const { catalogue, stop } = await followCatalogue(path, store.db, (event) => void events.push(event), 5);
  onTestFinished(stop);
  put(JSON.stringify(sold.slice(0, 1)));
  await expect.poll(() => catalogue.entries.length).toBe(1);
  put("[]");
  await expect.poll(() => events).toEqual(["catalogue read", "catalogue refused"]);
  expect(catalogue.entries).toHaveLength(1);
  put(JSON.stringify(sold));
  await expect.poll(() => catalogue.entries.length).toBe(sold.length);
  rmSync(path);
  await expect.poll(() => events.at(-1)).toBe("catalogue refused");
  expect(catalogue.entries).toHaveLength(sold.length);
});
