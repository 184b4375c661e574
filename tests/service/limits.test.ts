/** What counts against a limit, and who waits for whom: by simulated time on each database, without a service around it. */
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ApiError } from "../../src/service/platform/errors.ts";
import {
  createLimits,
  failuresAtNetwork,
  memoryLimit,
  networkBounds,
  type Bound,
} from "../../src/service/limits/attempt-limits.ts";
import { deleteExpired } from "../../src/service/operations/retention.ts";
import type { Store } from "../../src/service/store/database.ts";
import { attempts } from "../../src/service/store/schema.ts";
import { emptyStore, everyDatabase } from "./support.ts";

const MINUTE = 60_000;

const wordOf = (error: unknown) => (error instanceof ApiError ? error.word : String(error));

describe.each(everyDatabase)("on the %s database", (kind) => {
  let store: Store;
  beforeAll(async () => {
    store = await emptyStore(kind);
  });
  afterAll(() => store.close());
  beforeEach(() => store.db.delete(attempts));

  /** A limit of so many failures a minute at one key, and tries that end when they are told to. */
  function desk(most: number) {
    const clock = { now: 1_000 };
    const limits = createLimits(store.db, () => clock.now);
    const begun: { name: string; end: (error?: Error) => void }[] = [];
    const here = new AbortController();
    function tries(name: string, { key = "anna", signal = here.signal, patience = MINUTE } = {}) {
      const bound: Bound = { limit: { name: "test", most, span: MINUTE }, key, tooMany: "tooManyAttempts" };
      const act = () =>
        new Promise<string>((resolve, reject) => {
          begun.push({ name, end: (error) => (error ? reject(error) : resolve(name)) });
        });
      return limits.limitFailures([bound], act, signal, patience).catch(wordOf);
    }
    const wrong = () => ApiError.of("wrongCredentials");
    const names = () => begun.map(({ name }) => name);
    const areBegun = async (...expected: string[]) => {
      await expect.poll(names).toEqual(expected);
    };
    return { clock, begun, names, areBegun, tries, wrong };
  }

  test("a try waits while those under way could use up the limit, and begins when one was right", async () => {
    const { begun, areBegun, names, tries } = desk(2);
    const all = ["a", "b", "c", "d"].map((name) => tries(name));
    await areBegun("a", "b");
    begun[1]?.end();
    // The place may be given back before the third is refused, or between it and the fourth: then that one takes it.
    await expect.poll(names).toHaveLength(3);
    begun[0]?.end();
    await expect.poll(() => names().toSorted()).toEqual(["a", "b", "c", "d"]);
    for (const { end } of begun) end();
    expect(await Promise.all(all)).toEqual(["a", "b", "c", "d"]);
  });

  test("those that wait are refused as soon as the limit is reached, and none is after a minute", async () => {
    const { clock, begun, areBegun, names, tries, wrong } = desk(2);
    const all = ["a", "b", "c", "d"].map((name) => tries(name));
    await areBegun("a", "b");
    for (const { end } of begun) end(wrong());
    expect(await Promise.all(all)).toEqual([
      "wrongCredentials",
      "wrongCredentials",
      "tooManyAttempts",
      "tooManyAttempts",
    ]);
    expect(await tries("e")).toBe("tooManyAttempts");
    const other = tries("f", { key: "bert" });
    await areBegun("a", "b", "f");
    begun.at(-1)?.end();
    expect(await other).toBe("f");
    clock.now += MINUTE;
    const late = tries("g");
    await areBegun("a", "b", "f", "g");
    begun.at(-1)?.end();
    expect(await late).toBe("g");
    expect(names()).toEqual(["a", "b", "f", "g"]);
  });

  test("what the service cannot tell is no failure", async () => {
    const { begun, areBegun, tries } = desk(1);
    const one = tries("a");
    await areBegun("a");
    begun[0]?.end(ApiError.of("busy"));
    expect(await one).toBe("busy");
    const other = tries("b");
    await areBegun("a", "b");
    begun[1]?.end(new Error("The database is gone."));
    expect(await other).toBe("Error: The database is gone.");
    const next = tries("c");
    await areBegun("a", "b", "c");
    begun[2]?.end();
    expect(await next).toBe("c");
  });

  test("a client that has gone or waited too long leaves the line, and its try is not made", async () => {
    const { begun, areBegun, tries } = desk(1);
    const gone = new AbortController();
    const first = tries("a");
    await areBegun("a");
    const left = tries("b", { signal: gone.signal });
    const impatient = tries("c", { patience: 1 });
    const last = tries("d");
    gone.abort();
    expect(await left).toBe("busy");
    expect(await impatient).toBe("busy");
    expect(await tries("e", { signal: gone.signal })).toBe("busy");
    begun[0]?.end();
    await areBegun("a", "d");
    begun[1]?.end();
    expect(await Promise.all([first, last])).toEqual(["a", "d"]);
  });

  test("only so many wait, and each has its turn", async () => {
    const { begun, names, tries } = desk(1);
    const all = Array.from({ length: 202 }, (_, at) => tries(String(at)));
    expect(await Promise.race(all)).toBe("busy");
    for (let at = 0; at < 201; at += 1) {
      await expect.poll(() => names().length, { interval: 5 }).toBe(at + 1);
      begun[at]?.end();
    }
    const ends = await Promise.all(all);
    expect(ends.filter((end) => end === "busy")).toHaveLength(1);
  });

  test("a try is held to all of its bounds, and says which one was reached", async () => {
    const limits = createLimits(store.db, () => 1_000);
    const failures = { name: "test", most: 1, span: MINUTE };
    const fail = (account: string) =>
      limits
        .limitFailures(
          [
            { limit: failures, key: account, tooMany: "tooManyAttempts" },
            {
              limit: { name: "network", most: 2, span: MINUTE },
              key: "192.0.2.1",
              tooMany: "networkFailsOften",
            },
          ],
          () => Promise.reject(ApiError.of("wrongCredentials")),
          new AbortController().signal,
        )
        .catch(wordOf);
    const words: unknown[] = [];
    // What is refused at an account takes nothing from its address.
    for (const account of ["a", "a", "a", "b", "c"]) words.push(await fail(account));
    expect(words).toEqual([
      "wrongCredentials",
      "tooManyAttempts",
      "tooManyAttempts",
      "wrongCredentials",
      "networkFailsOften",
    ]);
  });

  test("many wrong ones at once, in several processes, are as many as are allowed", async () => {
    const bound: Bound = {
      limit: { name: "test", most: 3, span: MINUTE },
      key: "a",
      tooMany: "tooManyAttempts",
    };
    const processes = Array.from({ length: 3 }, () => createLimits(store.db, () => 1_000));
    const all = Array.from({ length: 10 }, () => processes)
      .flat()
      .map((limits) =>
        limits
          .limitFailures(
            [bound],
            () => Promise.reject(ApiError.of("wrongCredentials")),
            new AbortController().signal,
          )
          .catch(wordOf),
      );
    const words = await Promise.all(all);
    expect(words.filter((word) => word === "wrongCredentials")).toHaveLength(3);
    expect(words.filter((word) => word === "tooManyAttempts")).toHaveLength(27);
  });

  test("each of a wider network's addresses has its limit, and all of them together", async () => {
    const limits = createLimits(store.db, () => 1_000);
    const limit = { name: "test", most: 1, span: MINUTE };
    const from = (network: string) =>
      limits.limitTries(networkBounds(limit, network, "networkRegistersOften")).then(() => "allowed", wordOf);
    const words: unknown[] = [];
    for (const part of [1, 1, 2, 3, 4, 5, 6]) words.push(await from(`2001:db8:7:${part}::/64`));
    expect(words).toEqual([
      "allowed",
      "networkRegistersOften",
      "allowed",
      "allowed",
      "allowed",
      "networkRegistersOften",
      "networkRegistersOften",
    ]);
    expect(await from("2001:db8:8:1::/64")).toBe("allowed");
    expect(failuresAtNetwork(limit, "192.0.2.1", "networkFailsOften")).toEqual([
      {
        limit: { name: "test network", most: 6, span: MINUTE },
        key: "192.0.2.1",
        tooMany: "networkFailsOften",
      },
    ]);
  });

  test("a try that came to nothing is taken back; one of the time before is not", async () => {
    const clock = { now: 1_000 };
    const limits = createLimits(store.db, () => clock.now);
    const bounds: Bound[] = [
      { limit: { name: "test", most: 1, span: MINUTE }, key: "a", tooMany: "tooManyAttempts" },
    ];
    const take = () => limits.limitTries(bounds).then(() => "allowed", wordOf);
    expect([await take(), await take()]).toEqual(["allowed", "tooManyAttempts"]);
    await limits.giveBack(bounds);
    expect([await take(), await take()]).toEqual(["allowed", "tooManyAttempts"]);
    clock.now += MINUTE;
    await limits.giveBack(bounds);
    expect([await take(), await take()]).toEqual(["allowed", "tooManyAttempts"]);
  });

  test("tries that are counted and taken back at once do not wait for each other's rows", async () => {
    const bounds = ["zoe", "anna"].map((key): Bound => ({
      limit: { name: key, most: 1_000, span: MINUTE },
      key,
      tooMany: "tooManyAttempts",
    }));
    // Two processes.
    const limits = [1, 2].map(() => createLimits(store.db, () => 1_000));
    await Promise.all(
      Array.from({ length: 300 }, async (_, at) => {
        const each = limits[at % 2];
        await each?.limitTries(at % 4 < 2 ? bounds : bounds.toReversed());
        await each?.giveBack(bounds);
      }),
    );
    expect(await store.db.$count(attempts)).toBe(0);
    await Promise.all(
      Array.from({ length: 300 }, async (_, at) => {
        const each = limits[at % 2];
        await each?.limitTries(at % 4 < 2 ? bounds : bounds.toReversed());
        if (at % 3 > 0) await each?.giveBack(bounds);
      }),
    );
    const left = await store.db.select({ count: attempts.count }).from(attempts);
    expect(left).toEqual([{ count: 100 }, { count: 100 }]);
  });

  test("for a network that has reached its limit nothing is written, whatever further account it tries", async () => {
    let writes = 0;
    const counting = new Proxy(store.db, {
      get(target, name, receiver) {
        if (name === "insert") writes += 1;
        return Reflect.get(target, name, receiver) as unknown;
      },
    });
    const limits = createLimits(counting, () => 1_000);
    const failures = { name: "test", most: 1, span: MINUTE };
    const words: unknown[] = [];
    for (let account = 0; account < 20; account += 1) {
      const bounds: Bound[] = [
        {
          limit: { ...failures, name: "all", countsRight: true },
          key: String(account),
          tooMany: "tooManyToday",
        },
        { limit: failures, key: String(account), tooMany: "tooManyToday" },
        ...failuresAtNetwork(failures, "192.0.2.1", "networkFailsOftenToday"),
      ];
      const act = () => Promise.reject(ApiError.of("recoveryFailed"));
      words.push(await limits.limitFailures(bounds, act, new AbortController().signal).catch(wordOf));
    }
    expect(words.slice(5)).toEqual([
      "recoveryFailed",
      ...Array.from({ length: 14 }, () => "networkFailsOftenToday"),
    ]);
    // Two rows of each of the six accounts, and one of the network.
    expect([await store.db.$count(attempts), writes]).toEqual([13, 6]);
  });

  test("where right tries count, too, one that is refused waits for none that is under way", async () => {
    const limits = createLimits(store.db, () => 1_000);
    const bound: Bound = {
      limit: { name: "test", most: 2, span: MINUTE, countsRight: true },
      key: "anna",
      tooMany: "tooManyAttempts",
    };
    const here = new AbortController().signal;
    const tries = (act: () => Promise<unknown>) => limits.limitFailures([bound], act, here).catch(wordOf);
    const slow = Promise.withResolvers<string>();
    expect(await tries(() => Promise.resolve("right"))).toBe("right");
    const second = tries(() => slow.promise);
    expect(await tries(() => Promise.resolve("right"))).toBe("tooManyAttempts");
    slow.resolve("right");
    expect([await second, await tries(() => Promise.resolve("right"))]).toEqual(["right", "tooManyAttempts"]);
  });

  test("a clock that is set back makes no limit longer", async () => {
    const { clock, begun, areBegun, tries, wrong } = desk(1);
    clock.now += 60 * MINUTE;
    const first = tries("a");
    await areBegun("a");
    begun[0]?.end(wrong());
    await first;
    expect(await tries("b")).toBe("tooManyAttempts");
    clock.now -= 30 * MINUTE;
    const second = tries("c");
    await areBegun("a", "c");
    begun[1]?.end(wrong());
    await second;
    expect(await tries("d")).toBe("tooManyAttempts");
  });

  test("a limit of 0 is none, and asks the database nothing", async () => {
    const { begun, areBegun, tries, wrong } = desk(0);
    const names: string[] = [];
    for (let at = 0; at < 10; at += 1) {
      const one = tries(String(at));
      names.push(String(at));
      await areBegun(...names);
      begun.at(-1)?.end(wrong());
      expect(await one).toBe("wrongCredentials");
    }
    expect(await store.db.$count(attempts)).toBe(0);
  });

  test("what no limit counts any more is deleted, and names are not kept in clear", async () => {
    const { clock, begun, areBegun, tries, wrong } = desk(5);
    const one = tries("a");
    await areBegun("a");
    begun[0]?.end(wrong());
    await one;
    const [kept] = await store.db.select().from(attempts);
    expect(kept).toMatchObject({ count: 1, most: 5 });
    expect(kept?.key).not.toContain("anna");
    await deleteExpired(store.db, clock.now);
    expect(await store.db.$count(attempts)).toBe(1);
    await deleteExpired(store.db, clock.now + MINUTE + 1);
    expect(await store.db.$count(attempts)).toBe(0);
  });

  test("as many as have had their time are deleted, however many there are", async () => {
    await store.db.execute(
      sql`INSERT INTO ${attempts} SELECT 'old ' || n, 1, 1, 'epoch' FROM generate_series(1, 12345) n`,
    );
    await deleteExpired(store.db, Date.now());
    expect(await store.db.$count(attempts)).toBe(0);
  });
});

test("what a process counts for itself is allowed again when its time is over", () => {
  const clock = { now: 0 };
  const may = memoryLimit(2, MINUTE, () => clock.now);
  expect([may(), may(), may()]).toEqual([true, true, false]);
  clock.now = MINUTE;
  expect([may(), may(), may()]).toEqual([true, true, false]);
  // It was set back.
  clock.now = 0;
  expect([may(), may(), may()]).toEqual([true, true, false]);
});
