/** The operator's commands: each finds or changes what it says, leaves an audit entry with its reason, and works beside the running service. */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { rawAddress } from "../../src/contract/address.ts";
import { holds, rights, type Right } from "../../src/contract/console.ts";
import { CommandRefused } from "../../src/service/operations/admin/command.ts";
import { commands, help, namedIn, perform, run, table } from "../../src/service/operations/admin/commands.ts";
import { shownAddress } from "../../src/service/payments/chain/blocks.ts";
import { bookDifferences } from "../../src/service/payments/book-check.ts";
import type { Store } from "../../src/service/store/database.ts";
import {
  accounts,
  auditEntries,
  catalogueVersions,
  membershipEntries,
  orders,
  outboxEvents,
  unmatchedPayments,
} from "../../src/service/store/schema.ts";
import { SimulatedChain } from "../support/simulated-chain.ts";
import { bundled, killAll, startProcess } from "../support/service-process.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import {
  chainsOf,
  databases,
  emptyStore,
  freshName,
  monthly,
  PASSWORD,
  serve,
  START,
  newData,
  textOf,
} from "./support.ts";

const DAY = 86_400_000;
const FINAL = 20;
const reason = "Ticket 7";
const TRANSACTION = `0x${"ab".repeat(32)}`;

describe.each(databases)("on the %s database", (kind) => {
  let store: Store;
  const chains = { TRC20: new SimulatedChain(1), ERC20: new SimulatedChain(2) };
  beforeAll(async () => {
    store = await emptyStore(kind);
  });
  afterAll(() => store.close());

  async function begin() {
    const fixture = await serve(store, { sandbox: false, chains: chainsOf(chains) });
    const name = freshName();
    const token = await fixture.member(name);
    await fixture.settle();
    const made = await fixture.order(token, monthly);
    const admin = (command: string, args: string[] = [], options: Record<string, string> = {}) =>
      run(command, { ledger: fixture.ledger, args, options, actor: "anna" });
    async function pay(...amounts: bigint[]) {
      chains.TRC20.mine(...amounts.map((amount) => ({ to: rawAddress("TRC20", made.address), amount })));
      chains.TRC20.grow(FINAL);
      await fixture.settle();
    }
    const membership = async () => {
      const { data } = await fixture.call("/api/user/center", { token });
      const { pack_name, pack_exp_date } = (data as { user: Record<string, unknown> }).user;
      return { pack_name, pack_exp_date };
    };
    const audits = async (subject: string) =>
      (await store.db.select().from(auditEntries).where(eq(auditEntries.subject, subject))).map(
        ({ action, actor, reason: why }) => [action, actor, why],
      );
    return { ...fixture, name, token, made, admin, pay, membership, audits };
  }
  const monthOn = (from = START) => ({
    pack_name: "Monthly",
    pack_exp_date: new Date(from + 30 * DAY).toISOString(),
  });
  const none = { pack_name: null, pack_exp_date: null };

  test("an order is found by its number, address and transaction, with its history", async () => {
    const { admin, made, pay, name } = await begin();
    await pay(3_990_000n);
    const [tx] = chains.TRC20.blocks.at(-1 - FINAL)?.payments ?? [];
    const told = await admin("order", [made.id]);
    expect(told).toEqual([
      expect.objectContaining({ what: `ordered by ${name}` }),
      expect.objectContaining({
        what: "received",
        facts: `3.99 USDT, outside → open, ${tx?.txHash}`,
      }),
      expect.objectContaining({ what: "credited", facts: "3.99 USDT, open → credited" }),
      expect.objectContaining({ what: "membership: order" }),
      { at: new Date(START).toISOString(), what: "now", facts: "confirmed" },
    ]);
    expect(await admin("order", [made.address])).toEqual(told);
    expect(await admin("order", [tx?.txHash.slice(2) ?? ""])).toEqual(told);
    await expect(admin("order", ["nothing"])).rejects.toThrow("No order is known by nothing.");
  });

  test("the log has all of a change that gives it again, and neither a name nor a reason", async () => {
    const { admin, made, pay, name, lines } = await begin();
    await pay(3_990_000n, 3_990_000n);
    const [row] = await store.db
      .select()
      .from(unmatchedPayments)
      .where(eq(unmatchedPayments.orderId, made.id));
    const [account] = await store.db.select().from(accounts).where(eq(accounts.name, name));
    const secret = "a wish of the member";
    const HASH = `0x${"ab".repeat(32)}`;
    await admin("credit", [name, "7"], { reason: secret, ticket: freshName() });
    await admin("unmatched-resolve", [String(row?.id)], { returned: HASH, reason: secret });
    await admin("set-end", [name, "2026-12-26"], { reason: secret });
    // What is refused leaves nothing.
    await expect(admin("credit", [name, "0"], { reason: secret })).rejects.toThrow("days");
    const told = lines.filter((line) => line.includes('"change made"'));
    expect(told.map((line) => ({ ...(JSON.parse(line) as object), audit: 0 }))).toEqual([
      {
        event: "change made",
        audit: 0,
        operator: "anna",
        command: "credit",
        subject: `account ${account?.id}`,
        terms: `{"days":7}`,
      },
      {
        event: "change made",
        audit: 0,
        operator: "anna",
        command: "unmatched-resolve",
        subject: `unmatched ${row?.id}`,
        terms: `{"id":${row?.id},"returned":"${HASH}"}`,
        why: "surplus",
        payment: row?.body.slice(0, 66),
        order: made.id,
      },
      {
        event: "change made",
        audit: 0,
        operator: "anna",
        command: "set-end",
        subject: `account ${account?.id}`,
        terms: `{"day":"2026-12-26"}`,
      },
    ]);
    expect(told.join("\n")).not.toContain(secret);
    expect(told.join("\n")).not.toContain(name);
  });

  test("a line of the log is given again as it stands, also where another member is called like an account", async () => {
    const { admin, member, name, lines, made, pay, membership } = await begin();
    await pay(3_990_000n);
    const [account] = await store.db.select().from(accounts).where(eq(accounts.name, name));
    const subject = `account ${account?.id}`;
    // Of an earlier release: no one can register such a name.
    const other = freshName();
    await member(other);
    await store.db.update(accounts).set({ name: subject, nameKey: subject }).where(eq(accounts.name, other));
    await admin("credit", [name, "7"], { reason });
    await admin("refund", [made.id], { reason });
    const told = lines
      .filter((line) => line.includes('"change made"'))
      .map((line) => JSON.parse(line) as { command: string; subject: string; terms: string });
    expect(told.map((line) => [line.command, line.subject])).toEqual([
      ["credit", subject],
      ["refund", `order ${made.id}`],
    ]);
    const [credit, refund] = told.map(({ terms }) =>
      Object.values(JSON.parse(terms) as Record<string, unknown>),
    );
    await admin("credit", [subject, ...(credit ?? []).map(String)], { reason });
    expect(await membership()).toMatchObject({ pack_exp_date: new Date(START + 14 * DAY).toISOString() });
    // Once given back, there is nothing to give back.
    await expect(admin("refund", (refund ?? []).map(String), { reason })).rejects.toThrow(
      `Nothing that came for order ${made.id}`,
    );
    await expect(admin("credit", ["account 0", "7"], { reason })).rejects.toThrow("no account account 0");
  });

  test("a command is named in one word, or in as many as it has", () => {
    expect([
      namedIn(["operator", "passkeys", "remove", "anna"]),
      namedIn(["operator-passkeys-remove", "anna"]),
      namedIn(["operator", "add", "anna", "money"]),
      namedIn(["order", "7K2"]),
      namedIn(["status"]),
      namedIn([]),
    ]).toEqual([
      ["operator-passkeys-remove", "anna"],
      ["operator-passkeys-remove", "anna"],
      ["operator-add", "anna", "money"],
      ["order", "7K2"],
      ["status"],
      [""],
    ]);
  });

  test("USDT is credited to no order that is paid by card", async () => {
    const { admin, made, pay, clock } = await begin();
    clock.now = START + 40 * DAY;
    await pay(3_990_000n);
    const listed = (await admin("unmatched", [], { limit: "1000" })) as { id: number; order: string }[];
    const id = String(listed.find(({ order }) => order === made.id)?.id);
    const [usdt] = await store.db.select().from(orders).where(eq(orders.id, made.id));
    const nowhere = {
      network: null,
      address: null,
      rawAddress: null,
      addressSeries: null,
      addressIndex: null,
    };
    const card = {
      ...usdt,
      ...nowhere,
      id: made.id.split("").toReversed().join(""),
      rail: "card",
      currency: "USD",
      keyFingerprint: null,
    };
    await store.db.insert(orders).values(card as typeof orders.$inferInsert);
    await expect(admin("unmatched-credit", [id], { reason, order: card.id })).rejects.toThrow(
      `Order ${card.id} is not paid by USDT`,
    );
  });

  test("orders are listed by member, and by how long they are pending", async () => {
    const { admin, made, name, clock } = await begin();
    expect(await admin("orders", [], { member: name })).toMatchObject([
      { order: made.id, status: "pending" },
    ]);
    expect(await admin("orders", [], { "pending-days": "1", member: name })).toEqual([]);
    clock.now += 2 * DAY;
    expect(await admin("orders", [], { "pending-days": "1", member: name })).toHaveLength(1);
  });

  test("the center says when the last membership ended, and only when none runs", async () => {
    const { admin, name, call, token, clock } = await begin();
    const ended = async () =>
      ((await call("/api/user/center", { token })).data as { user: Record<string, unknown> }).user[
        "membership_ended_at"
      ];
    const before = await ended();
    await admin("credit", [name, "30"], { reason: "a gift" });
    const during = await ended();
    clock.now += 31 * DAY;
    expect({ before, during, after: await ended() }).toEqual({
      before: null,
      during: null,
      after: new Date(START + 30 * DAY).toISOString(),
    });
  });

  test("days are added and taken back, with a reason, and the member's story tells it", async () => {
    const { admin, name, membership } = await begin();
    await expect(admin("credit", [name, "30"])).rejects.toThrow('--reason "…" is missing.');
    expect(await membership()).toEqual(none);
    await admin("credit", [name, "30"], { reason });
    expect(await membership()).toEqual({ ...monthOn(), pack_name: "Credit" });
    await admin("revoke", [name, "30"], { reason });
    expect(await membership()).toEqual(none);
    const told = (await admin("member", [name])) as { what: string }[];
    expect(told.map(({ what }) => what)).toEqual([
      "registered",
      "membership: credit",
      "membership: revoked",
      "credit by anna",
      "revoke by anna",
      "now",
    ]);
    for (const days of ["0", "-1", "1.5", "x"]) {
      await expect(admin("credit", [name, days], { reason })).rejects.toThrow(CommandRefused);
    }
  });

  test("money that came too late is credited by a person, once", async () => {
    const { admin, made, pay, clock, membership, name } = await begin();
    clock.now = START + 40 * DAY;
    await pay(3_990_000n);
    const listed = (await admin("unmatched")) as {
      id: number;
      reason: string;
      order: string;
      amount: string;
    }[];
    const row = listed.find(({ order }) => order === made.id);
    expect(row).toMatchObject({ reason: "late", amount: "3.99" });
    const id = String(row?.id);
    expect(await membership()).toEqual(none);
    expect(await admin("unmatched-credit", [id], { reason })).toMatchObject([
      { row: Number(id), order: made.id, member: name, status: "confirmed" },
    ]);
    expect(await membership()).toEqual(monthOn(clock.now));
    await expect(admin("unmatched-credit", [id], { reason })).rejects.toThrow(`Row ${id} is resolved`);
  });

  test("money that came too late and was given back is no longer said to be looked at", async () => {
    const { admin, made, pay, clock, call, name } = await begin();
    clock.now = START + 20 * DAY;
    const token = (
      (await call("/api/login", { body: { account_name: name, password: PASSWORD } })).data as {
        token: string;
      }
    ).token;
    const seen = async () => (await call("/api/order/detail", { body: { order_id: made.id }, token })).data;
    clock.now = START + 40 * DAY;
    await pay(3_990_000n);
    expect(await seen()).toMatchObject({ status: 0, paid_amount: "3.99", held: true });
    const listed = (await admin("unmatched")) as { id: number; order: string }[];
    const id = String(listed.find(({ order }) => order === made.id)?.id);
    await expect(admin("unmatched-resolve", [id], { reason })).rejects.toThrow("--returned <transaction>");
    await admin("unmatched-resolve", [id], { reason, returned: TRANSACTION });
    expect(await seen()).toMatchObject({ status: 0, paid_amount: "0.00", held: false, transfers: [] });
    const told = (await admin("order", [made.id])) as { what: string; facts: string }[];
    expect(told.find(({ what }) => what === "returned")?.facts).toBe(
      `3.99 USDT, held → returned, ${TRANSACTION}`,
    );
  });

  test("a surplus that was given back is resolved, and only once", async () => {
    const { admin, made, pay, audits, call, token, name } = await begin();
    const rowsOf = async () =>
      ((await admin("unmatched", [], { all: "yes" })) as Record<string, unknown>[])
        .filter(({ order }) => order === made.id)
        .map(({ id, amount, resolution }) => ({ id, amount, resolution }))
        .toSorted((one, other) => Number(one.id) - Number(other.id));
    const detail = async () => (await call("/api/order/detail", { body: { order_id: made.id }, token })).data;
    await pay(5_000_000n);
    const [row] = await rowsOf();
    expect(row).toMatchObject({ amount: "1.01", resolution: null });
    expect(await detail()).toMatchObject({ status: 1, surplus_amount: "1.01", paid_amount: "5.00" });
    const id = String(row?.id);
    await expect(admin("unmatched-credit", [id], { reason })).rejects.toThrow("is not credited");
    const resolve = (options: Record<string, string>) =>
      admin("unmatched-resolve", [id], { reason, ...options });
    await expect(resolve({})).rejects.toThrow("--returned <transaction>, or --kept");
    await expect(resolve({ kept: "yes", returned: TRANSACTION })).rejects.toThrow("or --kept");
    await expect(resolve({ returned: "0xabc" })).rejects.toThrow("0xabc is no transaction");
    expect(await resolve({ returned: TRANSACTION.slice(2).toUpperCase() })).toMatchObject([
      { member: name, amount: "1.01", resolved: "returned" },
    ]);
    await expect(resolve({ kept: "yes" })).rejects.toThrow("is resolved");
    expect(await audits(`unmatched ${id}`)).toEqual([["unmatched resolve", "anna", reason]]);
    // It is not asked for again, by dust or by another cent: only what is new is a row.
    expect(await detail()).toMatchObject({ status: 1, surplus_amount: "0.00", paid_amount: "3.99" });
    await pay(1n);
    expect(await rowsOf()).toEqual([{ id: row?.id, amount: "1.01", resolution: reason }]);
    await pay(10_000n);
    expect(await rowsOf()).toEqual([
      { id: row?.id, amount: "1.01", resolution: reason },
      { id: expect.any(Number), amount: "0.010001", resolution: null },
    ]);
    const told = (await admin("order", [made.id])) as { what: string; facts: string }[];
    expect(told.find(({ what }) => what === "returned")?.facts).toBe(
      `1.01 USDT, surplus → returned, ${TRANSACTION}`,
    );
    // Who settled a row of the order's is told with the order.
    expect(told.find(({ what }) => what === "unmatched resolve by anna")?.facts).toBe(reason);
  });

  test("a refund ends the membership that the order brought", async () => {
    const { admin, made, pay, membership, call, token, name } = await begin();
    await pay(3_990_000n);
    expect(await membership()).toEqual(monthOn());
    expect(await admin("refund", [made.id], { reason })).toMatchObject([
      { order: made.id, member: name, status: "failed" },
    ]);
    expect(await membership()).toEqual(none);
    const { data } = await call("/api/order/detail", { body: { order_id: made.id }, token });
    expect(data).toMatchObject({ status: 9, returned: true, paid_amount: "0.00" });
  });

  test("money that comes after a refund buys all of its days", async () => {
    const { admin, made, pay, clock, ledger } = await begin();
    await pay(3_990_000n);
    clock.now = START + 25 * DAY;
    await admin("refund", [made.id], { reason });
    await pay(3_990_000n);
    const [, , again] = await ledger.db
      .select()
      .from(membershipEntries)
      .where(eq(membershipEntries.orderId, made.id))
      .orderBy(membershipEntries.id);
    expect(again).toMatchObject({ days: 30, endsAt: new Date(clock.now + 30 * DAY) });
  });

  test("what a refund gave back of held money is not credited after that", async () => {
    const { admin, made, pay, clock, ledger } = await begin();
    clock.now = START + 40 * DAY;
    await pay(3_990_000n);
    const listed = (await admin("unmatched")) as { id: number; order: string }[];
    const id = listed.find(({ order }) => order === made.id)?.id;
    await admin("refund", [made.id], { reason });
    await expect(admin("unmatched-credit", [String(id)], { reason })).rejects.toThrow(
      `Row ${id} is resolved: Given back with order ${made.id}.`,
    );
    // A row of an earlier release, which left it open.
    await ledger.db
      .update(unmatchedPayments)
      .set({ resolvedAt: null, resolution: null })
      .where(eq(unmatchedPayments.id, Number(id)));
    await expect(admin("unmatched-credit", [String(id)], { reason })).rejects.toThrow("was given back");
    expect(await admin("orders", [], { limit: "1000" })).toContainEqual(
      expect.objectContaining({ order: made.id, status: "pending" }),
    );
  });

  test("a part that was given back is not asked for again, and the order can still be paid", async () => {
    const { admin, made, pay, membership, call, token, name } = await begin();
    const seen = async () => (await call("/api/order/detail", { body: { order_id: made.id }, token })).data;
    await pay(2_000_000n);
    expect(await seen()).toMatchObject({ status: 0, paid_amount: "2.00" });
    expect(await admin("refund", [made.id], { reason })).toMatchObject([
      { order: made.id, member: name, status: "pending" },
    ]);
    expect(await seen()).toMatchObject({ status: 0, paid_amount: "0.00", held: false, transfers: [] });
    await pay(3_990_000n);
    expect([await membership(), await seen()]).toEqual([
      monthOn(),
      expect.objectContaining({ status: 1, paid_amount: "3.99" }),
    ]);
  });

  test("a part that is kept pays nothing more: the order asks for nothing, and can still be paid whole", async () => {
    const { admin, made, pay, settle, membership, audits, call, token, name, ledger } = await begin();
    const seen = async () => (await call("/api/order/detail", { body: { order_id: made.id }, token })).data;
    const listed = async () =>
      ((await admin("orders", [], { "part-paid": "", member: name })) as { order: string }[]).length;
    const keep = async () => (await admin("keep", [made.id], { reason })) as Record<string, unknown>[];
    await expect(keep()).rejects.toThrow(`Nothing of order ${made.id} came in part`);
    await pay(2_000_000n);
    chains.TRC20.mine({ to: rawAddress("TRC20", made.address), amount: 1_000_000n });
    await settle();
    await expect(keep()).rejects.toThrow("is not final yet");
    await pay();
    const short = { status: 0, paid_amount: "3.00", owed_amount: "0.99" };
    expect([await seen(), await listed()]).toMatchObject([short, 1]);
    const [done] = await keep();
    expect(done).toMatchObject({ order: made.id, member: name, status: "failed" });
    const kept = { status: 9, paid_amount: "0.00", owed_amount: "0.00", returned: true };
    expect([await seen(), await listed()]).toMatchObject([kept, 0]);
    expect(await audits(`order ${made.id}`)).toEqual([["keep", "anna", reason]]);
    await expect(keep()).rejects.toThrow("came in part");
    await admin("undo", [String(done?.["audit"])], { reason });
    expect([await seen(), await listed()]).toMatchObject([short, 1]);
    await keep();
    // Once more in part, and then the rest of the whole price.
    await pay(2_000_000n);
    expect([await seen(), await listed()]).toMatchObject([
      { status: 0, paid_amount: "2.00", owed_amount: "1.99", surplus_amount: "0.00" },
      1,
    ]);
    await pay(1_990_000n);
    expect([await seen(), await membership()]).toMatchObject([
      { status: 1, paid_amount: "3.99", surplus_amount: "0.00" },
      monthOn(),
    ]);
    await expect(keep()).rejects.toThrow("came in part");
    expect(await bookDifferences(ledger)).toEqual([]);
  });

  test("a refund whose undoing is undone leaves what came meanwhile as too much", async () => {
    const { admin, made, pay, call, token, ledger } = await begin();
    const seen = async () => (await call("/api/order/detail", { body: { order_id: made.id }, token })).data;
    const auditOf = async (done: Promise<unknown>) => String(((await done) as { audit: number }[])[0]?.audit);
    await pay(3_990_000n);
    const refund = await auditOf(admin("refund", [made.id], { reason }));
    const undo = await auditOf(admin("undo", [refund], { reason }));
    await pay(2_000_000n);
    expect(await seen()).toMatchObject({ status: 1, surplus_amount: "2.00" });
    await admin("undo", [undo], { reason });
    expect(await seen()).toMatchObject({ status: 9, owed_amount: "0.00", surplus_amount: "2.00" });
    const rows = await store.db
      .select()
      .from(unmatchedPayments)
      .where(eq(unmatchedPayments.orderId, made.id));
    expect(rows.filter(({ resolvedAt }) => resolvedAt === null)).toMatchObject([{ reason: "surplus" }]);
    expect(await bookDifferences(ledger)).toEqual([]);
  });

  test("a name is looked for as it is typed, before it is taken for another with something pasted along", async () => {
    const { admin, call, name } = await begin();
    const other = `${name}!`;
    await call("/api/register", { body: { account_name: other, password: PASSWORD } });
    expect(await admin("lock", [other], { reason })).toMatchObject([{ member: other, locked: true }]);
    expect(await admin("lock", [`"${name}"`], { reason })).toMatchObject([{ member: name, locked: true }]);
  });

  test("a refund waits for a transfer that is not final, which was not given back", async () => {
    const { admin, made, pay, settle, call, token } = await begin();
    await pay(2_000_000n);
    chains.TRC20.mine({ to: rawAddress("TRC20", made.address), amount: 1_990_000n });
    await settle();
    await expect(admin("refund", [made.id], { reason })).rejects.toThrow("is not final yet");
    await pay();
    const { data } = await call("/api/order/detail", { body: { order_id: made.id }, token });
    expect(data).toMatchObject({ status: 1, paid_amount: "3.99" });
  });

  test("a transaction that paid several orders names none of them", async () => {
    const { admin, made, order, token, settle, name } = await begin();
    const other = await order(token, monthly);
    const txHash = `0x${randomBytes(32).toString("hex")}` as const;
    chains.TRC20.mine(
      ...[made, other].map(({ address }) => ({
        to: rawAddress("TRC20", address),
        amount: 3_990_000n,
        txHash,
      })),
    );
    chains.TRC20.grow(FINAL);
    await settle();
    const [first, second] = [made.id, other.id].toSorted();
    await expect(admin("refund", [txHash], { reason })).rejects.toThrow(`${first}, ${second}`);
    expect(await admin("refund", [other.id], { reason })).toMatchObject([
      { order: other.id, member: name, status: "failed" },
    ]);
  });

  test("a locked account is logged out, cannot log in, and can again when it is unlocked", async () => {
    const { admin, name, call, token } = await begin();
    const body = { account_name: name, password: PASSWORD };
    await admin("lock", [name], { reason });
    expect(await call("/api/user/center", { token })).toMatchObject({ code: 4001 });
    expect(await call("/api/login", { body })).toMatchObject({
      code: 1,
      message: "This account has been locked. Please contact customer support.",
    });
    expect(await call("/api/login", { body: { ...body, password: "wrong password" } })).not.toMatchObject({
      message: expect.stringContaining("locked") as string,
    });
    await admin("unlock", [name], { reason });
    expect(await call("/api/login", { body })).toMatchObject({ code: 200 });
    expect(await admin("end-sessions", [name], { reason })).toMatchObject([{ member: name, ended: 1 }]);
  });

  test("every session of every account is ended at once, with a reason", async () => {
    const { admin, name, call, token, member, audits } = await begin();
    const other = await member();
    await expect(admin("end-sessions", [name], { all: "yes", reason })).rejects.toThrow("not both");
    await expect(admin("end-sessions", [], { all: "yes" })).rejects.toThrow('--reason "…" is missing.');
    expect(await call("/api/user/center", { token })).toMatchObject({ code: 200 });
    const [told] = (await admin("end-sessions", [], { all: "yes", reason })) as { ended: number }[];
    expect(told?.ended).toBeGreaterThanOrEqual(2);
    for (const ended of [token, other]) {
      expect(await call("/api/user/center", { token: ended })).toMatchObject({ code: 4001 });
    }
    expect(await audits("all accounts")).toContainEqual(["end sessions", "anna", reason]);
  });

  test("a security question is cleared, so that the member can set a new one", async () => {
    const { admin, name, call, token } = await begin();
    const { data } = await call("/api/security_problem_list");
    const question = (data as string[])[0];
    const body = { security_problem: question, security_problem_value: "Longbottom", password: PASSWORD };
    const save = () => call("/api/user/save_security_problem", { body, token });
    const shown = async () => {
      const { data: centre } = await call("/api/user/center", { token });
      return (centre as { user: { security_problem: string | null } }).user.security_problem;
    };
    expect(await save()).toMatchObject({ code: 200 });
    await admin("clear-question", [name], { reason });
    expect(await shown()).toBe(null);
    expect(await save()).toMatchObject({ code: 200 });
    await expect(admin("clear-question", [name], { all: "yes", reason })).rejects.toThrow("not both");
    expect(await shown()).toBe(question);
    await admin("clear-question", [], { all: "yes", reason });
    expect(await shown()).toBe(null);
  });

  test("a month is exported as CSV, without formulas, and addresses with what they hold", async () => {
    const { admin, made, pay, name, member, order, clock } = await begin();
    const formula = `=${freshName()}`;
    const { address } = await order(await member(formula), monthly);
    chains.TRC20.mine({ to: rawAddress("TRC20", address), amount: 3_990_000n });
    await pay(3_990_000n);
    const csv = await textOf(await admin("export", ["2026-11"]));
    const [head = "", ...lines] = csv.split("\n");
    expect(head).toBe(
      "movement,at,kind,from,to,amount,currency,rail,network,order,account,package,days,reference,cause,undoes,operator,reason",
    );
    const mine = (text: string) =>
      text
        .split("\n")
        .map((line) => line.split(","))
        .filter((cells) => cells[9] === made.id);
    expect(mine(csv).map((cells) => cells.slice(1, 13).join())).toEqual([
      `${new Date(START).toISOString()},received,outside,open,3.99,USDT,usdt,TRC20,${made.id},${name},1,30`,
      `${new Date(START).toISOString()},credited,open,credited,3.99,USDT,usdt,TRC20,${made.id},${name},1,30`,
    ]);
    expect(lines.map((line) => line.split(",")[10])).toContain(`'${formula}`);
    // In December the sale is given back: November keeps its lines, and December has the refund.
    clock.now = Date.parse("2026-12-10T08:00:00Z");
    await admin("refund", [made.id], { reason });
    expect(mine(await textOf(await admin("export", ["2026-11"])))).toEqual(mine(csv));
    expect(mine(await textOf(await admin("export", ["2026-12"]))).map((cells) => cells.slice(2, 6))).toEqual([
      ["returned", "credited", "returned", "3.99"],
    ]);
    expect(await textOf(await admin("export", ["2026-10"]))).toBe(head);
    await expect(admin("export", ["November"])).rejects.toThrow("is no month");
    expect(await admin("addresses", [], { network: "TRC20" })).toContainEqual(
      expect.objectContaining({ address: made.address, received: "3.99" }),
    );
    await expect(admin("addresses", [], { network: "BEP20" })).rejects.toThrow("is none of TRC20, ERC20");
  });

  test("money is listed for sweeping where it lies, whatever it was credited to", async () => {
    const { admin, made, settle, order, token, clock, ledger } = await begin();
    const other = await order(token, monthly);
    const to = rawAddress("TRC20", made.address);
    // On the other network, at the same twenty bytes.
    chains.ERC20.mine({ to, amount: 3_990_000n });
    chains.ERC20.grow(FINAL);
    clock.now = START + 40 * DAY;
    chains.TRC20.mine({ to, amount: 1_000_000n });
    chains.TRC20.grow(FINAL);
    await settle();
    const rows = (await admin("unmatched", [], { limit: "1000" })) as { id: number; order: string }[];
    for (const { id } of rows.filter((row) => row.order === made.id)) {
      await admin("unmatched-credit", [String(id)], { reason, order: other.id });
    }
    // As in early releases, an order on the other network has the same bytes.
    const [{ rawAddress: _, ...like } = { rawAddress: "" }] = await ledger.db
      .select()
      .from(orders)
      .where(eq(orders.id, other.id));
    const twin = {
      ...like,
      id: freshName(),
      network: "ERC20",
      address: freshName(),
      rawAddress: to,
    } as const;
    await ledger.db.insert(orders).values(twin as typeof orders.$inferInsert);
    const listed = (await admin("addresses")) as Record<string, unknown>[];
    const [tron, ethereum, elsewhere] = [made.address, shownAddress("ERC20", to), other.address].map(
      (address) => listed.filter((row) => row["address"] === address),
    );
    expect(tron).toEqual([expect.objectContaining({ network: "TRC20", received: "1.00" })]);
    expect(ethereum).toEqual([
      { ...tron?.[0], network: "ERC20", address: shownAddress("ERC20", to), received: "3.99", there: "3.99" },
    ]);
    expect(elsewhere).toEqual([]);
  });

  test("the state of everything is one command", async () => {
    const { admin } = await begin();
    const told = (await admin("status")) as { what: string }[];
    expect(told.map(({ what }) => what)).toEqual([
      expect.stringMatching(/^(TRC20|ERC20) read to block$/),
      expect.stringMatching(/^(TRC20|ERC20) read to block$/),
      "unmatched payments",
      "pending orders",
      "paid in part",
      "events late",
      "events given up",
    ]);
  });

  const sorted = Object.entries(commands).toSorted(([one], [other]) => one.localeCompare(other));
  test.each(sorted)(
    "%s is given by operators whose right holds what it needs, and by no other",
    async (command, { right: needed, isLocal }) => {
      const { ledger } = await begin();
      for (const right of rights) {
        const isShown = table(right).some(({ name }) => name === command);
        expect(isShown, right).toBe(!isLocal && holds(right, needed));
        // Without words: those that want some are refused for that, once they are let through.
        const given = run(command, { ledger, args: [], options: {}, actor: "anna", right });
        const words = await given.then(
          () => "",
          (error: Error) => error.message,
        );
        const refusal = /is given on the machine alone|needs the right \w+, and yours is \w+/;
        const heldBack = holds(right, needed) ? null : `needs the right ${needed}, and yours is ${right}`;
        const expected = isLocal ? "is given on the machine alone" : heldBack;
        expect(refusal.exec(words)?.[0] ?? null).toBe(expected);
      }
    },
  );

  test("what an operator may not do, they may not undo, nor do to all members", async () => {
    const { ledger, name, made, pay } = await begin();
    await pay(3_990_000n);
    const as = async (right: Right, command: string, args: string[], more: Record<string, string> = {}) =>
      run(command, { ledger, args, options: { reason, ...more }, actor: "ben", right });
    const entry = (answer: unknown) => String((answer as { audit: number }[])[0]?.audit);
    const days = entry(await as("support", "credit", [name, "7"]));
    const undoing = entry(await as("support", "undo", [days]));
    const again = entry(await as("support", "undo", [undoing]));
    expect(Number(again)).toBeGreaterThan(Number(undoing));
    const refunded = entry(await as("money", "refund", [made.id]));
    const refused = `Audit entry ${refunded} is undone with the right money, and yours is support.`;
    await expect(as("support", "undo", [refunded])).rejects.toThrow(refused);
    const back = entry(await as("money", "undo", [refunded]));
    await expect(as("support", "undo", [back])).rejects.toThrow("is undone with the right money");
    for (const command of ["end-sessions", "clear-question"])
      await expect(as("support", command, [], { all: "yes" })).rejects.toThrow("needs the right money");
  });

  test("a list that is cut short says how many more rows there are", async () => {
    const { admin, name, token, order, ledger } = await begin();
    const { db } = store;
    const at = new Date(START);
    for (const row of ["1", "2", "3"]) {
      const eventId = `${freshName()} ${row}`;
      await order(token, monthly);
      await db
        .insert(unmatchedPayments)
        .values({ rail: "stripe", eventId, reason: "inquiry", body: "{}", receivedAt: at });
      await db.insert(outboxEvents).values({ id: eventId, type: "x", body: "{}", createdAt: at });
      const [entry] = await db
        .insert(auditEntries)
        .values({ at, actor: "anna", action: "backup", subject: "database", reason: row })
        .returning();
      await db.insert(catalogueVersions).values({ at, content: null, auditId: entry?.id ?? 0 });
    }
    const lists: [string, Record<string, string>?][] = [
      ["orders", { member: name }],
      ["unmatched"],
      ["events"],
      ["audit"],
      ["backups"],
      ["security"],
      ["packages-versions"],
    ];
    for (const [command, options = {}] of lists) {
      const all = ((await admin(command, [], { ...options, limit: "20000" })) as object[]).length;
      const given = { ledger, args: [], actor: "anna" };
      const cut = await perform(command, { ...given, options: { ...options, limit: String(all - 1) } });
      const whole = await perform(command, { ...given, options: { ...options, limit: String(all) } });
      expect([command, cut.beside, whole.beside]).toEqual([
        command,
        [`And 1 more: --limit ${all} shows all.`],
        [],
      ]);
    }
    expect(Object.entries(commands).filter(([, { options }]) => "limit" in options)).toHaveLength(
      lists.length,
    );
    await db.delete(outboxEvents);
    await db
      .insert(outboxEvents)
      .values(
        Array.from({ length: 10_002 }, (_, id) => ({ id: String(id), type: "x", body: "{}", createdAt: at })),
      );
    const many = await perform("events", { ledger, args: [], actor: "anna", options: { limit: "1" } });
    expect(many.beside).toEqual(["And more than 10000 more: --limit shows more of them."]);
    await db.delete(outboxEvents);
    await db.delete(catalogueVersions);
    await db.delete(unmatchedPayments);
  });

  test("every command is in the help, and an unknown one shows it", async () => {
    const { admin } = await begin();
    for (const name of Object.keys(commands)) expect(help()).toContain(`\n  ${name} `);
    await expect(admin("constructor")).rejects.toThrow("There is no command constructor.");
  });
});

describe("on the command line", () => {
  afterEach(killAll);
  const exec = promisify(execFile);

  test("commands reach the embedded database through the running service, and by themselves when none runs", async () => {
    const env = { DATA_DIR: newData(), RESTORE_LOG: join(temporaryDirectory(), "restore.log") };
    const service = startProcess(env);
    const origin = await service.started;
    const body = JSON.stringify({ account_name: "survivor", password: PASSWORD });
    await fetch(`${origin}/api/register`, {
      method: "POST",
      body,
      headers: { "Content-Type": "application/json" },
    });
    const admin = async (...words: string[]) =>
      exec(process.execPath, ["--liftoff-only", bundled(), "admin", ...words], {
        env: { PATH: process.env["PATH"], ...env },
      });
    expect(statSync(join(env.DATA_DIR, "admin.sock")).mode & 0o777).toBe(0o600);
    expect((await admin("credit", "survivor", "7", "--yes", "--reason", reason)).stdout).toContain(
      "survivor",
    );
    await expect(admin("credit", "stranger", "7", "--yes", "--reason", reason)).rejects.toMatchObject({
      code: 1,
      stderr: "There is no account stranger.\n",
    });
    service.child.kill("SIGKILL");
    await service.closed;
    const { stdout } = await admin("member", "survivor", "--json");
    expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ what: "membership: credit" }));
    // What it logs is beside its answer.
    const more = await admin("credit", "survivor", "7", "--yes", "--json", "--reason", reason);
    expect(JSON.parse(more.stdout)).toMatchObject({ answer: [{ member: "survivor", days: 7 }] });
    expect(more.stderr).toContain('"event":"change made"');
    // What a restore needs is in a file of its own, from both.
    const kept = readFileSync(env.RESTORE_LOG, "utf8").trimEnd().split("\n");
    const credited = { event: "change made", command: "credit", subject: "account 1" };
    expect(kept.map((line) => JSON.parse(line) as object)).toMatchObject([credited, credited]);
    expect((await admin("help")).stdout).toContain("unmatched-credit");

    const nowhere = join(env.DATA_DIR, "nowhere");
    const lost = exec(process.execPath, ["--liftoff-only", bundled(), "admin", "status"], {
      env: { PATH: process.env["PATH"], DATA_DIR: nowhere },
    });
    await expect(lost).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("there is no database") as string,
    });
    expect(existsSync(join(nowhere, "database"))).toBe(false);
  });
});
