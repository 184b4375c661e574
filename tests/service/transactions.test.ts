/** A transaction that had to give way to another is done again, as a whole, and not for ever. */
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database, Store } from "../../src/service/store/database.ts";
import { inTransaction } from "../../src/service/store/transaction.ts";
import { emptyStore, everyDatabase } from "./support.ts";

/** Has the database end the transaction for that cause. */
const fail = (tx: Database, code: string) =>
  tx.execute(sql.raw(`DO $$ BEGIN RAISE EXCEPTION 'it gives way' USING ERRCODE = '${code}'; END $$`));

describe.each(everyDatabase)("on %s", (kind) => {
  let store: Store;
  beforeAll(async () => {
    store = await emptyStore(kind);
    await store.db.execute(sql`CREATE TABLE marks (name text PRIMARY KEY, times int NOT NULL DEFAULT 0)`);
    await store.db.execute(sql`INSERT INTO marks VALUES ('one'), ('other')`);
  });
  afterAll(() => store.close());
  const mark = (tx: Database, name: string) =>
    tx.execute(sql`UPDATE marks SET times = times + 1 WHERE name = ${name}`);
  async function marks(): Promise<unknown> {
    const { rows } = (await store.db.execute(sql`SELECT name, times FROM marks ORDER BY name`)) as {
      rows: unknown[];
    };
    await store.db.execute(sql`UPDATE marks SET times = 0`);
    return rows;
  }

  test.each(["40P01", "40001"])("what ends with %s is done again, once for all", async (code) => {
    let attempts = 0;
    await inTransaction(store.db, async (tx) => {
      attempts += 1;
      await mark(tx, "one");
      if (attempts < 3) await fail(tx, code);
    });
    expect([attempts, await marks()]).toEqual([
      3,
      [
        { name: "one", times: 1 },
        { name: "other", times: 0 },
      ],
    ]);
  });

  test("what ends so each time ends, and what ends otherwise ends at once", async () => {
    const attempts = { "40P01": 0, "23505": 0 };
    for (const code of ["40P01", "23505"] as const) {
      const act = (tx: Database) => {
        attempts[code] += 1;
        return fail(tx, code);
      };
      await expect(inTransaction(store.db, act)).rejects.toMatchObject({ cause: { code } });
    }
    expect(attempts).toEqual({ "40P01": 5, "23505": 1 });
  });

  test("within another it does nothing again by itself: all of it is done again", async () => {
    const attempts = { outer: 0, inner: 0 };
    await inTransaction(store.db, async (outer) => {
      attempts.outer += 1;
      await mark(outer, "one");
      await inTransaction(outer, async (inner) => {
        attempts.inner += 1;
        await mark(inner, "other");
        if (attempts.inner < 3) await fail(inner, "40P01");
      });
    });
    expect([attempts, await marks()]).toEqual([
      { outer: 3, inner: 3 },
      [
        { name: "one", times: 1 },
        { name: "other", times: 1 },
      ],
    ]);
  });

  test.skipIf(kind === "embedded")("two that wait for each other are both done", async () => {
    let attempts = 0;
    let both = () => undefined as void;
    const bothHold = new Promise<void>((resolve) => (both = resolve));
    let holding = 0;
    const marksBoth = (first: string, second: string) =>
      inTransaction(store.db, async (tx) => {
        attempts += 1;
        await mark(tx, first);
        holding += 1;
        if (holding === 2) both();
        await bothHold;
        await mark(tx, second);
      });
    await Promise.all([marksBoth("one", "other"), marksBoth("other", "one")]);
    // One gave way; on a busy machine it may be back before the other has gone on, and they meet again.
    expect(attempts).toBeGreaterThan(2);
    expect(await marks()).toEqual([
      { name: "one", times: 2 },
      { name: "other", times: 2 },
    ]);
  });
});
