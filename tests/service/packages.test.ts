/** The packages that operators change: on sale within a look, in every process; each version kept, with who and why; undone; the file where no version says otherwise. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { desc } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { paths } from "../../src/contract/calls.ts";
import { consoleCalls, type Listed, type PackagesStory, type Right } from "../../src/contract/console.ts";
import { followCatalogue } from "../../src/service/catalogue-versions.ts";
import { buildConsole } from "../../src/service/console/app.ts";
import { createLink, enter, keepOperator } from "../../src/service/accounts/operators.ts";
import type { Change } from "../../src/service/operations/admin/change.ts";
import { perform, preview, run } from "../../src/service/operations/admin/commands.ts";
import { say } from "../../src/service/platform/messages.ts";
import { catalogueFile } from "../../src/service/platform/project.ts";
import type { Log } from "../../src/service/platform/log.ts";
import type { Store } from "../../src/service/store/database.ts";
import { catalogueVersions } from "../../src/service/store/schema.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { databases, emptyStore, monthly, refusal, serve, settings, START } from "./support.ts";

const reason = "Autumn";
const written = JSON.parse(readFileSync(catalogueFile(), "utf8")) as Record<string, unknown>[];

describe.each(databases)("on the %s database", (kind) => {
  let store: Store;
  beforeAll(async () => {
    store = await emptyStore(kind);
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    await store.db.delete(catalogueVersions);
  });

  /** A file of its own, the commands, and a process that follows both. */
  async function begin() {
    const file = join(temporaryDirectory(), "catalogue.json");
    const putFile = (content: unknown) => writeFileSync(file, JSON.stringify(content));
    putFile(written);
    const shop = await serve(store);
    const asked = (args: string[], options: Record<string, string> = {}) => ({
      ledger: shop.ledger,
      catalogue: file,
      args,
      options: { reason, ...options },
      actor: "anna",
    });
    const doIt = async (command: string, args: string[], options: Record<string, string> = {}) => {
      const { answer } = await perform(command, asked(args, options));
      return String((answer as { audit: number }[])[0]?.audit);
    };
    const shown = async (command: string, args: string[], options: Record<string, string> = {}) =>
      (await preview(command, asked(args, options))) as Change;
    const look = async (command: string) =>
      (await run(command, { ...asked([]), options: {} })) as Record<string, unknown>[];
    const events: string[] = [];
    const log: Log = (event, facts) => void events.push(`${event} ${String(facts?.["error"] ?? "")}`.trim());
    const follow = async () => {
      const followed = await followCatalogue(file, store.db, log, 5);
      onTestFinished(followed.stop);
      return followed.catalogue;
    };
    const catalogue = await follow();
    // The shop sells what the process follows.
    Object.defineProperties(shop.service.catalogue, {
      entries: { get: () => catalogue.entries },
      updatedAt: { get: () => catalogue.updatedAt },
    });
    const asks = async (product = "monthly") =>
      (await look("packages")).find((each) => each["product"] === product)?.["buy price"];
    const sold = () => catalogue.entries.map(({ product_id: id, buy_price: asked }) => `${id} ${asked}`);
    return { ...shop, file, putFile, doIt, shown, look, follow, catalogue, events, asks, sold };
  }
  const FILE = ["monthly 399", "quarterly 999", "half-year 1799", "annual 2999"];

  test("a price is shown, set, on sale within a look, and undone", async () => {
    const { doIt, shown, sold, follow, look } = await begin();
    const other = await follow();
    const change = await shown("package-set", ["monthly"], { "buy-price": "4.49" });
    expect([change.lines, change.confirm, change.warnings, sold()]).toEqual([
      ["monthly: 3.99 → 4.49", "packages of the file → a version of their own"],
      "mont",
      [],
      FILE,
    ]);
    const entry = await doIt("package-set", ["monthly"], { "buy-price": "4.49" });
    await expect.poll(sold).toEqual(["monthly 449", ...FILE.slice(1)]);
    await expect.poll(() => other.entries[0]?.buy_price).toBe(449n);
    expect(
      (await look("packages-versions")).map(({ actor, changed, reason: why }) => [actor, why, changed]),
    ).toEqual([["anna", reason, "monthly: 3.99 → 4.49; packages of the file → a version of their own"]]);
    const back = await doIt("undo", [entry]);
    await expect.poll(sold).toEqual(FILE);
    // The undoing, too, and once more.
    await doIt("undo", [back]);
    await expect.poll(sold).toEqual(["monthly 449", ...FILE.slice(1)]);
    expect((await look("packages-versions")).map(({ from }) => from)).toEqual(["version", "file", "version"]);
  });

  test("what a package is called, costs, lasts, its place and its sale are set, each alone", async () => {
    const { doIt, shown, sold, call } = await begin();
    const lines = async (options: Record<string, string>) => {
      const [line] = (await shown("package-set", ["annual"], options)).lines;
      await doIt("package-set", ["annual"], options);
      return line;
    };
    expect([
      await lines({ "name-en": "A year", "name-zh": "一年" }),
      await lines({ price: "69.00", days: "366" }),
      await lines({ place: "1" }),
      await lines({ sale: "closed" }),
      await lines({ sale: "open" }),
    ]).toEqual([
      "annual: name Annual, 年度会员 → A year, 一年",
      "annual: list price 59.88 → 69.00, days 365 → 366",
      "order: monthly, quarterly, half-year, annual → annual, monthly, quarterly, half-year",
      "annual: on sale → closed",
      "annual: closed → on sale",
    ]);
    await expect.poll(sold).toEqual(["annual 2999", ...FILE.slice(0, 3)]);
    const [, , list] = (await call(paths.packages, { headers: { "Accept-Language": "zh-CN" } }))
      .data as unknown[][];
    expect(list?.[0]).toMatchObject({ name: "一年", price: "69.00", buy_price: "29.99", discount: "43" });
  });

  test("one that is not there is added with a number of its own; a new one needs all that it is", async () => {
    const { doIt, shown, sold, catalogue } = await begin();
    const all = { "name-en": "Weekly", "name-zh": "周会员", days: "7", "buy-price": "1.49" };
    await expect(shown("package-set", ["weekly"], { "buy-price": "1.49" })).rejects.toThrow(
      "There is no package weekly. A new one needs --name-en, --name-zh, --days.",
    );
    const { lines } = await shown("package-set", ["weekly"], { ...all, price: "1.99", place: "1" });
    expect(lines[0]).toBe("weekly: new, Weekly, 周会员, 1.49 instead of 1.99 for 7 days, on sale");
    const entry = await doIt("package-set", ["weekly"], all);
    await expect.poll(sold).toEqual([...FILE, "weekly 149"]);
    expect(catalogue.entries.at(-1)?.id).toBe("5");
    await doIt("undo", [entry]);
    await expect.poll(sold).toEqual(FILE);
  });

  test("what a file may not say is refused, and what looks like a slip is asked about", async () => {
    const { shown, doIt } = await begin();
    const refused = async (options: Record<string, string>, words: string, product = "monthly") =>
      expect(shown("package-set", [product], options)).rejects.toThrow(words);
    await refused({ "buy-price": "4.999" }, "must be an amount above zero");
    await refused({ "buy-price": "5.00" }, "buy_price: must not be above price");
    await refused({ place: "5" }, "The place is from 1 to 4");
    await refused({ sale: "ajar" }, "The sale is one of open, closed.");
    await refused({ days: "0" }, "The days must be");
    await refused({ "buy-price": "3.99" }, "is like that: there is nothing to change");
    const all = { "name-en": "x", "name-zh": "x", days: "7", "buy-price": "1" };
    await refused(all, "product_id: must be letters", "a/b");
    const warned = async (options: Record<string, string>) =>
      (await shown("package-set", ["monthly"], options)).warnings;
    expect([
      await warned({ "buy-price": "0.40" }),
      await warned({ "buy-price": "39.90", price: "49.90" }),
      await warned({ "buy-price": "2.00" }),
    ]).toEqual([["The price falls to less than half."], ["The price more than doubles."], []]);
    for (const each of ["quarterly", "half-year", "annual"])
      await doIt("package-set", [each], { sale: "closed" });
    expect(await warned({ sale: "closed" })).toEqual(["No package is on sale then."]);
  });

  test("a closed package is neither shown nor ordered anew, and an order of before is paid as it was placed", async () => {
    const { doIt, sold, member, order, call } = await begin();
    const token = await member();
    const made = await order(token);
    await doIt("package-set", ["monthly"], { sale: "closed" });
    await expect.poll(sold).toEqual(FILE.slice(1));
    const body = { ...monthly };
    const keyed = { body, token, headers: { "Idempotency-Key": "another" } };
    expect(await call(paths.createOrder, keyed)).toMatchObject(refusal(say("packageUnknown", "en")));
    const { data } = await call(paths.orderDetail, { token, body: { order_id: made.id } });
    expect(data).toMatchObject({ payment_amount: "3.99" });
  });

  test("an earlier version is put on sale again, and the file's", async () => {
    const { doIt, sold, look, putFile, shown } = await begin();
    await doIt("package-set", ["monthly"], { "buy-price": "4.49" });
    const [first] = await look("packages-versions");
    await doIt("package-set", ["monthly"], { "buy-price": "4.79" });
    await doIt("packages-restore", [String(first?.["version"])]);
    await expect.poll(sold).toEqual(["monthly 449", ...FILE.slice(1)]);
    await expect(shown("packages-restore", [String(first?.["version"])])).rejects.toThrow(
      "They are on sale now",
    );
    await expect(shown("packages-restore", ["9999999"])).rejects.toThrow("There is no version 9999999");
    await expect(shown("packages-restore", ["yesterday"])).rejects.toThrow("The version is a number");
    // A file that changes while a version is on sale waits until it is asked for.
    putFile(written.slice(0, 1));
    await doIt("packages-restore", ["file"]);
    await expect.poll(sold).toEqual(["monthly 399"]);
    await expect(shown("packages-restore", ["file"])).rejects.toThrow("They are on sale now");
    putFile(written);
    await expect.poll(sold).toEqual(FILE);
  });

  test("what was changed since is not undone", async () => {
    const { doIt, asks } = await begin();
    const first = await doIt("package-set", ["monthly"], { "buy-price": "4.49" });
    const second = await doIt("package-set", ["annual"], { "buy-price": "28.99" });
    await expect(doIt("undo", [first])).rejects.toThrow("The packages were changed since");
    await doIt("undo", [second]);
    await doIt("undo", [first]);
    expect([await asks(), await asks("annual")]).toEqual(["3.99", "29.99"]);
  });

  test("changes at once are all kept", async () => {
    const { doIt, asks } = await begin();
    const products = ["monthly", "quarterly", "half-year", "annual"];
    for (const price of ["1.10", "1.20", "1.30"]) {
      await Promise.all(products.map((each) => doIt("package-set", [each], { "buy-price": price })));
      expect(await Promise.all(products.map(asks))).toEqual(products.map(() => price));
    }
  });

  test("a version of a later release changes nothing, here and after a start, and is logged", async () => {
    const { doIt, sold, events, follow } = await begin();
    await doIt("package-set", ["monthly"], { "buy-price": "4.49" });
    await expect.poll(sold).toEqual(["monthly 449", ...FILE.slice(1)]);
    await store.db
      .insert(catalogueVersions)
      .values({ at: new Date(START), content: [{ ...written[0], colour: "green" }], auditId: 1 });
    await expect
      .poll(() => events.at(-1))
      .toMatch(/^catalogue refused Error: Version \d+ of the packages has mistakes/);
    expect(sold()[0]).toBe("monthly 449");
    expect((await follow()).entries[0]?.buy_price).toBe(449n);
    // The next one is made of what is on sale.
    await doIt("package-set", ["annual"], { "buy-price": "28.99" });
    await expect.poll(() => sold().at(-1)).toBe("annual 2899");
    expect(sold()[0]).toBe("monthly 449");
  });

  test("a file with mistakes stops no version, and its refusal is said where the file is asked for", async () => {
    const { doIt, shown, putFile, sold } = await begin();
    await doIt("package-set", ["monthly"], { "buy-price": "4.49" });
    putFile([]);
    await doIt("package-set", ["annual"], { "buy-price": "28.99" });
    await expect.poll(sold).toEqual(["monthly 449", "quarterly 999", "half-year 1799", "annual 2899"]);
    await expect(shown("packages-restore", ["file"])).rejects.toThrow("must hold at least one package");
  });

  test("the page tells what is on sale, every version page by page, and what may be done", async () => {
    const { doIt, ledger, file } = await begin();
    const page = { host: "127.0.0.1", port: 3001, url: null, directory: temporaryDirectory() };
    const app = buildConsole({ ledger, settings: { ...settings, catalogueFile: file }, page });
    async function operator(right: Right) {
      await keepOperator(store.db, { name: right, right }, START);
      const opened = await enter(store.db, (await createLink(store.db, right, START)) ?? "", START);
      return async <T>(path: string, body: unknown = {}) => {
        const headers = {
          "Content-Type": "application/json",
          Origin: "http://127.0.0.1:3001",
          Cookie: `console=${opened?.token}`,
        };
        const answer = await app.request(path, { method: "POST", body: JSON.stringify(body), headers });
        return ((await answer.json()) as { data: T }).data;
      };
    }
    const [owner, looker] = [await operator("money"), await operator("look")];
    expect(await owner<PackagesStory>(consoleCalls.packages)).toMatchObject({
      version: null,
      packages: [{ product_id: "monthly", day_price: "0.13", discount: "80", closed: false }, {}, {}, {}],
      actions: ["package-set"],
      restoring: [],
    });
    for (let cents = 10; cents < 38; cents += 1)
      await doIt("package-set", ["monthly"], { "buy-price": `4.${cents}` });
    expect(await looker<PackagesStory>(consoleCalls.packages)).toMatchObject({ actions: [], restoring: [] });
    expect((await owner<PackagesStory>(consoleCalls.packages)).restoring).toEqual(["packages-restore"]);
    const list = async (cursor: string | null) =>
      owner<Listed<"versions">>(consoleCalls.list, { list: "versions", filter: "all", cursor });
    const first = await list(null);
    const second = await list(first.next);
    expect([first.rows.length, second.rows.length, second.next]).toEqual([25, 3, null]);
    expect(first.rows[0]).toMatchObject({
      isOnSale: true,
      source: "version",
      changes: [{ before: { buy_price: "4.36" }, after: { buy_price: "4.37" } }],
      order: null,
      entry: { actor: "anna", reason, canUndo: true },
      actions: [],
    });
    expect(first.rows[1]?.actions).toEqual(["packages-restore"]);
    const [newest] = await store.db
      .select()
      .from(catalogueVersions)
      .orderBy(desc(catalogueVersions.id))
      .limit(1);
    expect(first.rows[0]?.id).toBe(newest?.id);
  });
});
