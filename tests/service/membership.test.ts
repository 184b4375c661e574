/** Memberships in the database: grants, what is taken back and given back, days by hand and their undoing. */
import * as fc from "fast-check";
import { asc, desc, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  CREDIT,
  creditMembership,
  extendMembership,
  revokeDaysOf,
  revokeMembership,
  undoMembershipEntries,
} from "../../src/service/payments/membership.ts";
import type { Database, Store } from "../../src/service/store/database.ts";
import { accounts, auditEntries, membershipEntries, orders } from "../../src/service/store/schema.ts";
import { inTransaction } from "../../src/service/store/transaction.ts";
import {
  DAY,
  daysOf,
  happen,
  isUsdt,
  Model,
  moments,
  numbered,
  ORDERS,
  type Membership,
} from "./membership-lives.ts";
import { databases, emptyStore, freshName, START } from "./support.ts";

const MONTHLY = { en: "Monthly", "zh-CN": "包月" };
const ANNUAL = { en: "Annual", "zh-CN": "包年" };
/** Random lives on the tables; the chain itself has many more. */
const RUNS = Number(process.env["MEMBERSHIP_TABLE_RUNS"] ?? 25);

describe.each(databases)("on the %s database", (kind) => {
  let store: Store;
  beforeAll(async () => {
    store = await emptyStore(kind);
  });
  afterAll(() => store.close());

  /** A new account, and what happens to its membership: days are counted from its beginning. */
  async function account() {
    const name = freshName();
    const [made] = await store.db
      .insert(accounts)
      .values({ name, nameKey: name, passwordHash: "", createdAt: new Date(START) })
      .returning();
    if (!made) throw new Error("The account was made.");
    const { id } = made;
    const clock = { day: 0 };
    const now = () => START + clock.day * DAY;
    const write = <T>(act: (tx: Database) => Promise<T>) => inTransaction(store.db, act);
    const order = async (number: string, rail: "usdt" | "card" = "card", days = 30, packName = MONTHLY) => {
      const network = rail === "usdt" ? ("ERC20" as const) : null;
      const [row] = await store.db
        .insert(orders)
        .values({
          id: `${name}-${number}`,
          accountId: id,
          packId: "1",
          productId: "monthly",
          packName,
          days,
          rail,
          network,
          amount: 3_990_000n,
          status: 1,
          createdAt: new Date(START),
        })
        .returning();
      if (!row) throw new Error("The order was made.");
      return row;
    };
    /** Has an operator do something. @returns the audit entry */
    const byHand = (undoes: number | null, act: (tx: Database, auditId: number) => Promise<unknown>) =>
      write(async (tx) => {
        const entry = {
          at: new Date(now()),
          actor: "test",
          action: "test",
          subject: name,
          reason: "",
          undoes,
        };
        const [audit] = await tx.insert(auditEntries).values(entry).returning({ id: auditEntries.id });
        await act(tx, audit?.id ?? 0);
        return audit?.id ?? 0;
      });
    const changeDays = (days: number) =>
      byHand(null, (tx, auditId) => creditMembership(tx, id, days, CREDIT, now(), { auditId }));
    const revokeOf = (row: typeof orders.$inferSelect, days: number) =>
      byHand(null, (tx, auditId) => revokeDaysOf(tx, row, days, now(), { auditId }));
    const undo = (auditId: number) =>
      byHand(auditId, (tx, by) => undoMembershipEntries(tx, auditId, by, now()));
    const extend = (row: typeof orders.$inferSelect, auditId?: number) =>
      write((tx) => extendMembership(tx, row, now(), auditId === undefined ? {} : { auditId }));
    const revoke = (row: typeof orders.$inferSelect, reason: Parameters<typeof revokeMembership>[2]) =>
      write((tx) => revokeMembership(tx, row, reason, now()));
    /** The state after the latest entry, past memberships included; undefined when there never was one. */
    const latest = async () => {
      const [entry] = await store.db
        .select({ endsAt: membershipEntries.endsAt, packName: membershipEntries.packName })
        .from(membershipEntries)
        .where(eq(membershipEntries.accountId, id))
        .orderBy(desc(membershipEntries.id))
        .limit(1);
      return entry;
    };
    const endsAt = async () => {
      const [found] = await store.db.select().from(accounts).where(eq(accounts.id, id));
      expect(found?.membershipEndsAt).toEqual((await latest())?.endsAt ?? null);
      return found?.membershipEndsAt?.getTime() ?? null;
    };
    const ends = async () => (((await endsAt()) ?? Number.NaN) - START) / DAY;
    const entries = () =>
      store.db
        .select()
        .from(membershipEntries)
        .where(eq(membershipEntries.accountId, id))
        .orderBy(asc(membershipEntries.id));
    const packName = async () => (await latest())?.packName ?? null;
    return {
      id,
      clock,
      order,
      changeDays,
      byHand,
      undo,
      extend,
      revoke,
      revokeOf,
      ends,
      endsAt,
      entries,
      packName,
    };
  }

  test("days taken of one order are none of another's, in whatever order they come back", async () => {
    const { clock, order, extend, revoke, revokeOf, undo, ends } = await account();
    const [a, b] = [await order("A"), await order("B")];
    await extend(a);
    await extend(b);
    const taken = await revokeOf(a, 10);
    expect(await ends()).toBe(50);
    clock.day = 5;
    await revoke(b, "dispute");
    expect(await ends()).toBe(20);
    // No more than is left.
    await revokeOf(a, 40);
    expect(await ends()).toBe(5);
    await extend(b);
    expect(await ends()).toBe(35);
    const back = await undo(taken);
    expect(await ends()).toBe(45);
    await undo(back);
    expect(await ends()).toBe(35);
  });

  test("a dispute about a month that was used up takes nothing of a later one, and when it is won nothing comes twice", async () => {
    const { clock, order, extend, revoke, ends, entries } = await account();
    const [a, b] = [await order("A"), await order("B")];
    await extend(a);
    clock.day = 60;
    await extend(b);
    clock.day = 61;
    await revoke(a, "dispute");
    expect(await ends()).toBe(90);
    clock.day = 70;
    await extend(a);
    expect(await ends()).toBe(90);
    expect((await entries()).map(({ days, length, ordinal }) => [days, length, ordinal])).toEqual([
      [30, 30 * DAY, 1],
      [30, 30 * DAY, 1],
      [0, 0, 2],
      [0, 0, 3],
    ]);
  });

  test("a dispute takes what is left of its own month, the next one moves forward, and won it gives exactly that", async () => {
    const { clock, order, extend, revoke, ends, entries } = await account();
    const [a, b] = [await order("A"), await order("B")];
    await extend(a);
    await extend(b);
    clock.day = 10;
    await revoke(a, "dispute");
    expect(await ends()).toBe(40);
    clock.day = 20;
    await extend(a);
    expect(await ends()).toBe(60);
    const [grant, , taken, given] = await entries();
    expect(taken).toMatchObject({ reason: "dispute", days: -20, length: -20 * DAY, undoes: grant?.id });
    expect(given).toMatchObject({ reason: "order", days: 20, length: 20 * DAY, undoes: taken?.id });
  });

  test("the same with the later month bought after the dispute", async () => {
    const { clock, order, extend, revoke, ends } = await account();
    const a = await order("A");
    await extend(a);
    clock.day = 60;
    await revoke(a, "dispute");
    clock.day = 61;
    await extend(await order("B"));
    expect(await ends()).toBe(91);
  });

  test("new money for a refunded order in USDT buys all of its days; what an operator gave back by mistake, exactly what was taken", async () => {
    for (const isMistake of [false, true]) {
      const { clock, order, extend, byHand, ends } = await account();
      const a = await order("A", "usdt");
      await extend(a);
      clock.day = 10;
      const refund = await byHand(null, (tx) => revokeMembership(tx, a, "refund", START + 10 * DAY));
      expect(await ends()).toBe(10);
      if (isMistake)
        await byHand(refund, (tx, auditId) => extendMembership(tx, a, START + 10 * DAY, { auditId }));
      else await extend(a);
      expect(await ends()).toBe(isMistake ? 30 : 40);
    }
  });

  test("a refund by card that failed, and money in USDT that a reorganisation took, give back what was taken", async () => {
    for (const [rail, reason] of [
      ["card", "refund"],
      ["usdt", "reorganisation"],
    ] as const) {
      const { clock, order, extend, revoke, ends } = await account();
      const a = await order("A", rail);
      await extend(a);
      clock.day = 10;
      await revoke(a, reason);
      clock.day = 15;
      await extend(a);
      expect(await ends()).toBe(35);
    }
  });

  test("more than is left cannot be taken by hand, and its undoing gives back exactly what was taken", async () => {
    const { clock, changeDays, undo, ends, entries } = await account();
    await changeDays(100);
    const taken = await changeDays(-300);
    expect(await ends()).toBe(0);
    const undone = await undo(taken);
    expect(await ends()).toBe(100);
    clock.day = 10;
    // Undone again, it takes the same, as far as it is left.
    await undo(undone);
    expect(await ends()).toBe(10);
    expect((await entries()).map(({ reason, days }) => [reason, days])).toEqual([
      ["credit", 100],
      ["revoked", -100],
      ["credit", 100],
      ["revoked", -90],
    ]);
  });

  test("days that were added by hand are undone as far as they are left", async () => {
    const { clock, changeDays, byHand, undo, ends } = await account();
    const added = await changeDays(30);
    clock.day = 20;
    await undo(added);
    expect(await ends()).toBe(20);
    clock.day = 25;
    await changeDays(5);
    // A second time, nothing is left of it.
    await byHand(null, (tx, auditId) => undoMembershipEntries(tx, added, auditId, START + 25 * DAY));
    expect(await ends()).toBe(30);
  });

  test("what was taken by hand and undone after the order's money has gone waits for that money", async () => {
    const { clock, order, extend, revoke, changeDays, undo, ends } = await account();
    const a = await order("A");
    await extend(a);
    const taken = await changeDays(-10);
    clock.day = 5;
    await revoke(a, "dispute");
    await undo(taken);
    expect(await ends()).toBe(5);
    await extend(a);
    expect(await ends()).toBe(30);
  });

  test("from an account without a membership nothing can be taken, and nothing is written", async () => {
    const { changeDays, entries, endsAt } = await account();
    await changeDays(-10);
    expect(await entries()).toEqual([]);
    expect(await endsAt()).toBeNull();
  });

  test("a membership is called by the latest order that stands", async () => {
    const { order, extend, revoke, changeDays, packName } = await account();
    const [a, b] = [await order("A"), await order("B", "card", 365, ANNUAL)];
    await extend(a);
    await extend(b);
    expect(await packName()).toEqual(ANNUAL);
    await revoke(a, "dispute");
    expect(await packName()).toEqual(ANNUAL);
    await extend(a);
    expect(await packName()).toEqual(ANNUAL);
    await revoke(b, "refund");
    expect(await packName()).toEqual(MONTHLY);
    await changeDays(10);
    expect(await packName()).toEqual(MONTHLY);
    await revoke(a, "refund");
    expect(await packName()).toEqual(CREDIT);
    await changeDays(-10);
    expect(await packName()).toEqual(CREDIT);
  });

  test("entries of an earlier release count, by their ends", async () => {
    const { clock, order, extend, revoke, ends } = await account();
    const [a, b] = [await order("A"), await order("B")];
    await extend(a);
    await extend(b);
    await store.db.update(membershipEntries).set({ length: null }).where(eq(membershipEntries.orderId, a.id));
    clock.day = 10;
    await revoke(a, "refund");
    expect(await ends()).toBe(40);
    clock.day = 12;
    await extend(a);
    expect(await ends()).toBe(60);
  });

  test(`what the tables say is what a model counts, in ${RUNS} random lives`, async () => {
    const live = async (life: Parameters<typeof numbered>[0]) => {
      const { clock, order, extend, revoke, revokeOf, changeDays, undo, endsAt, entries } = await account();
      const made = await Promise.all(
        Array.from({ length: ORDERS }, (_, at) =>
          order(String(at), isUsdt(at) ? "usdt" : "card", daysOf(at)),
        ),
      );
      const latest = new Map<number, number>();
      const rowOf = (at: number) => {
        const row = made[at];
        if (!row) throw new Error("There is such an order.");
        return row;
      };
      const membership: Membership = {
        now: 0,
        pay: async (at) => void (await extend(rowOf(at))),
        takeBack: async (at) => void (await revoke(rowOf(at), "refund")),
        credit: async (days, change) => void latest.set(change, await changeDays(days)),
        revoke: async (days, change, of) =>
          void latest.set(change, await (of === null ? changeDays(-days) : revokeOf(rowOf(of), days))),
        undo: async (change) => void latest.set(change, await undo(latest.get(change) ?? 0)),
        endsAt: async () => {
          const end = await endsAt();
          return end === null ? null : end - START;
        },
      };
      const model = new Model();
      const [paid, counted] = [new Set<number>(), new Set<number>()];
      for (const { after, facts } of numbered(life)) {
        membership.now += after;
        clock.day = membership.now / DAY;
        model.pass(membership.now);
        for (const each of facts) {
          await happen(membership, each, paid);
          await happen(model, each, counted);
          expect(await membership.endsAt()).toBe(model.endsAt());
        }
      }
      // Each payment counted once, in the order in which they came.
      const own = await entries();
      for (const { id: orderId } of made) {
        const ordinals = own.filter((entry) => entry.orderId === orderId).map(({ ordinal }) => ordinal);
        expect(ordinals).toEqual(ordinals.map((_, at) => at + 1));
      }
    };
    await fc.assert(fc.asyncProperty(moments, live), { numRuns: RUNS });
  });
});
