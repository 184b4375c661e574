/** The book: every movement is a line that stays, what earlier releases kept is written into it, and it agrees with chains and providers whatever comes at once. */
import { createHash } from "node:crypto";
import { and, desc, eq, isNull, sql } from "drizzle-orm";
import type { Hex } from "viem";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { rawAddress } from "../../src/contract/address.ts";
import { run } from "../../src/service/operations/admin/commands.ts";
import { MovedOn, undoMovements } from "../../src/service/payments/book-by-hand.ts";
import { shownAddress } from "../../src/service/payments/chain/blocks.ts";
import { completeBook } from "../../src/service/payments/earlier-books.ts";
import { settleOrder, sweep, type Ledger } from "../../src/service/payments/ledger.ts";
import {
  bookDifferences,
  checkBook,
  networksAt,
  unsettledAt,
} from "../../src/service/payments/book-check.ts";
import { balancesOf, isPartPaid } from "../../src/service/payments/standing.ts";
import type { Log } from "../../src/service/platform/log.ts";
import type { Store } from "../../src/service/store/database.ts";
import {
  accounts,
  auditEntries,
  movements,
  orders,
  outboxEvents,
  payments,
  reversals,
  storedSettings,
  transfers,
  unmatchedPayments,
} from "../../src/service/store/schema.ts";
import { inTransaction } from "../../src/service/store/transaction.ts";
import { SimulatedChain } from "../support/simulated-chain.ts";
import { fresh, providerShop } from "./provider-shop.ts";
import {
  annual,
  chainsOf,
  databases,
  emptyStore,
  freshName,
  monthly,
  serve,
  servers,
  START,
  textOf,
} from "./support.ts";

const DAY = 86_400_000;
const FINAL = 20;
const reason = "Ticket 7";

describe.each(databases)("on the %s database", (kind) => {
  let store: Store;
  const chains = { TRC20: new SimulatedChain(1), ERC20: new SimulatedChain(2) };
  beforeAll(async () => {
    store = await emptyStore(kind);
  });
  afterAll(() => store.close());

  /** Settles an order's open row of that reason. */
  async function settleRow(
    ledger: Ledger,
    orderId: string,
    why: string,
    options: Record<string, string>,
  ): Promise<unknown> {
    const rows = await store.db
      .select()
      .from(unmatchedPayments)
      .where(and(eq(unmatchedPayments.orderId, orderId), isNull(unmatchedPayments.resolvedAt)));
    const row = rows.find((each) => each.reason === why);
    const call = { ledger, args: [String(row?.id)], actor: "anna", options: { reason, ...options } };
    return run("unmatched-resolve", call);
  }

  const latestEntry = async () => {
    const [entry] = await store.db.select().from(auditEntries).orderBy(desc(auditEntries.id)).limit(1);
    return String(entry?.id);
  };

  async function buyer() {
    const fixture = await serve(store, { sandbox: false, chains: chainsOf(chains) });
    const name = freshName();
    const token = await fixture.member(name);
    await fixture.settle();
    const made = await fixture.order(token, monthly);
    const raw = rawAddress("TRC20", made.address);
    const admin = (command: string, args: string[] = [], options: Record<string, string> = {}) =>
      run(command, { ledger: fixture.ledger, args, options, actor: "anna" });
    async function mine(...payments: { to: string; amount: bigint; from?: string }[]) {
      chains.TRC20.mine(...payments);
      chains.TRC20.grow(FINAL);
      await fixture.settle();
    }
    const pay = (amount: bigint) => mine({ to: raw, amount });
    /** The lines of the order, in short. */
    const lines = async (id = made.id) =>
      (await store.db.select().from(movements).where(eq(movements.orderId, id)).orderBy(movements.id)).map(
        (row) => `${row.kind}: ${row.amount / 10_000n} ${row.from} → ${row.to}`,
      );
    const detail = async () =>
      (await fixture.call("/api/order/detail", { body: { order_id: made.id }, token })).data;
    const rows = async () =>
      (await store.db.select().from(unmatchedPayments).where(eq(unmatchedPayments.orderId, made.id))).map(
        ({ id, reason: why, amount, resolvedAt }) => ({
          id: String(id),
          why,
          amount,
          isOpen: resolvedAt === null,
        }),
      );
    return { ...fixture, name, token, made, raw, admin, mine, pay, lines, detail, rows };
  }

  test("in part, the rest, and more than that: each is a line, and what is owed follows", async () => {
    const { pay, lines, detail } = await buyer();
    await pay(2_000_000n);
    expect(await detail()).toMatchObject({ status: 0, paid_amount: "2.00", owed_amount: "1.99" });
    await pay(2_990_000n);
    expect(await detail()).toMatchObject({
      status: 1,
      paid_amount: "4.99",
      owed_amount: "0.00",
      surplus_amount: "1.00",
    });
    expect(await lines()).toEqual([
      "received: 200 outside → open",
      "received: 299 outside → open",
      "surplus: 100 open → surplus",
      "credited: 399 open → credited",
    ]);
  });

  test("what lies within the tolerance is not asked for, before it is final either", async () => {
    const fixture = await serve(store, { sandbox: false, chains: chainsOf(chains), usdtToleranceCents: 10 });
    const token = await fixture.member();
    await fixture.settle();
    const { id, address } = await fixture.order(token, monthly);
    chains.TRC20.mine({ to: rawAddress("TRC20", address), amount: 3_950_000n });
    await fixture.settle();
    const { data } = await fixture.call("/api/order/detail", { body: { order_id: id }, token });
    expect(data).toMatchObject({ status: 0, paid_amount: "3.95", owed_amount: "0.00" });
  });

  test("less than a cent is told to no one: no row, no alarm, no word", async () => {
    const { mine, raw, rows, detail } = await buyer();
    const alarms = async () => (await rows()).length;
    chains.ERC20.mine(...Array.from({ length: 5 }, () => ({ to: raw, amount: 1n })));
    chains.ERC20.grow(FINAL);
    await mine({ to: raw, amount: 9_999n });
    expect([await alarms(), await detail()]).toEqual([
      0,
      expect.objectContaining({
        paid_amount: "0.00",
        owed_amount: "3.99",
        held: false,
        transfers: expect.anything(),
      }),
    ]);
    await mine({ to: raw, amount: 3_990_000n });
    expect(await detail()).toMatchObject({ status: 1, surplus_amount: "0.00" });
    expect(await alarms()).toBe(0);
    expect(await bookDifferences({ db: store.db })).toEqual([]);
  });

  test("what is too much is shown and told of in whole units, in USDT and by card", async () => {
    const { made, pay, admin } = await buyer();
    await pay(5_990_000n);
    const card = await (await providerShop(store)).cardOrder();
    await card.captured({ amount: 500 });
    const shown = async (id: string) =>
      ((await admin("order", [id])) as { what: string; facts: string }[])
        .filter(({ what }) => what === "unmatched: surplus")
        .map(({ facts }) => facts.replace(/^\d+: /, ""));
    expect([await shown(made.id), await shown(card.id)]).toEqual([["2.00 USDT, open"], ["1.01 USD, open"]]);
    const events = await store.db
      .select({ body: outboxEvents.body })
      .from(outboxEvents)
      .where(eq(outboxEvents.type, "payment.unmatched"));
    const told = events
      .map(({ body }) => (JSON.parse(body) as { data: Record<string, unknown> }).data)
      .filter((data) => data["order_id"] === made.id || data["order_id"] === card.id);
    expect(told).toEqual([
      expect.objectContaining({ amount: "2.00", amount_units: "2000000", currency: "USDT" }),
      expect.objectContaining({ amount: "1.01", amount_units: "101", currency: "USD" }),
    ]);
  });

  test("a surplus that a provider gave back leaves no open row, and each part that goes back is a row of its own", async () => {
    const shop = await providerShop(store);
    const order = await shop.cardOrder();
    const open = async () =>
      (await shop.unmatched())
        .filter(({ orderId, isOpen }) => orderId === order.id && isOpen)
        .map(({ reason: why, amount }) => [why, amount]);
    await order.captured({ amount: 499 });
    expect(await open()).toEqual([["surplus", "100"]]);
    await shop.razorpayEvent("refund.processed", order.refund(100), 1);
    expect(await open()).toEqual([]);
    await shop.razorpayEvent("refund.processed", order.refund(100), 2);
    expect(await open()).toEqual([["partly refunded", "100"]]);
    const [row] = await store.db
      .select()
      .from(unmatchedPayments)
      .where(sql`${unmatchedPayments.orderId} = ${order.id} AND ${unmatchedPayments.resolvedAt} IS NULL`);
    const call = { ledger: shop.ledger, options: { reason }, actor: "anna" };
    await run("unmatched-resolve", { ...call, args: [String(row?.id)] });
    await shop.razorpayEvent("refund.processed", order.refund(50), 3);
    expect(await open()).toEqual([["partly refunded", "50"]]);
    expect(await order.entries()).toEqual(["order"]);
    expect(await bookDifferences(shop.ledger)).toEqual([]);
  });

  test("what an operator notes as given back by a provider and the provider then reports, counts once", async () => {
    const shop = await providerShop(store);
    const order = await shop.cardOrder();
    const call = { ledger: shop.ledger, options: { reason }, actor: "anna" };
    await order.captured();
    await order.captured({ id: fresh("pay") });
    const [row] = await store.db
      .select()
      .from(unmatchedPayments)
      .where(eq(unmatchedPayments.orderId, order.id));
    const options = { reason, returned: "rfnd_by_hand" };
    await run("unmatched-resolve", { ...call, options, args: [String(row?.id)] });
    // Of the two, the operator had the first one given back.
    await shop.razorpayEvent("refund.processed", order.refund(399), 1);
    expect([await order.seen(), await order.entries()]).toEqual([
      { status: 1, paid_amount: "3.99" },
      ["order"],
    ]);
    const isOpen = (await shop.unmatched()).some((each) => each.orderId === order.id && each.isOpen);
    expect(isOpen).toBe(false);
    expect(await bookDifferences(shop.ledger)).toEqual([]);
  });

  test("a payment that an operator took away from an order stays on the list, though a refund of it fails", async () => {
    const shop = await providerShop(store);
    const order = await shop.cardOrder();
    const call = { ledger: shop.ledger, options: { reason }, actor: "anna" };
    const id = fresh("pay");
    const entity = {
      id,
      order_id: "order_gone",
      amount: 399,
      currency: "USD",
      status: "captured",
      amount_refunded: 0,
    };
    shop.provider.payments.push(entity);
    await shop.razorpayEvent("payment.captured", { payment: { entity } });
    const [row] = await store.db.select().from(unmatchedPayments).where(eq(unmatchedPayments.paymentId, id));
    const rowId = String(row?.id);
    const credited = await run("unmatched-credit", {
      ...call,
      options: { reason, order: order.id },
      args: [rowId],
    });
    await run("undo", { ...call, args: [String((credited as { audit: number }[])[0]?.audit)] });
    const refund = {
      refund: { entity: { id: fresh("rfnd"), payment_id: id, amount: 399, currency: "USD" } },
      payment: { entity },
    };
    await shop.razorpayEvent("refund.processed", refund, 1);
    await shop.razorpayEvent("refund.failed", refund, 2);
    const [after] = await store.db
      .select()
      .from(unmatchedPayments)
      .where(eq(unmatchedPayments.id, Number(rowId)));
    expect({ isOpen: after?.resolvedAt === null, seen: await order.seen() }).toEqual({
      isOpen: true,
      seen: { status: 0, paid_amount: "0.00" },
    });
  });

  test("a settlement that is undone leaves no row about money that is here again", async () => {
    const shop = await providerShop(store);
    const order = await shop.cardOrder();
    await order.captured();
    const refund = order.refund(200);
    await shop.razorpayEvent("refund.processed", refund, 1);
    const settled = await settleRow(shop.ledger, order.id, "partly refunded", {});
    order.known({ amount_refunded: 0 });
    await shop.razorpayEvent("refund.failed", refund, 86_400);
    const audit = String((settled as { audit: number }[])[0]?.audit);
    await run("undo", { ledger: shop.ledger, options: { reason }, actor: "anna", args: [audit] });
    expect((await shop.unmatched()).filter((each) => each.orderId === order.id && each.isOpen)).toEqual([]);
  });

  test("what an operator kept goes back with the whole payment, and is kept again where that was withdrawn", async () => {
    const shop = await providerShop(store);
    const order = await shop.stripeOrder();
    await order.completed({ amount_total: 3099 });
    const resolve = (why: string, options: Record<string, string>) =>
      settleRow(shop.ledger, order.id, why, options);
    await resolve("surplus", { kept: "yes" });
    const stands = async () => {
      const lines = await store.db.select().from(movements).where(eq(movements.orderId, order.id));
      const of = (name: string) =>
        lines.reduce(
          (sum, { from, to, amount }) => sum + (to === name ? amount : 0n) - (from === name ? amount : 0n),
          0n,
        ) / 10_000n;
      return {
        credited: of("credited"),
        kept: of("kept"),
        disputed: of("disputed"),
        returned: of("returned"),
      };
    };
    const paidAndKept = { credited: 2999n, kept: 100n, disputed: 0n, returned: 0n };
    expect(await stands()).toEqual(paidAndKept);
    await order.disputed("created", "needs_response", 1, 3099);
    expect(await stands()).toEqual({ credited: 0n, kept: 0n, disputed: 3099n, returned: 0n });
    await order.disputed("closed", "won", 2, 3099);
    expect(await stands()).toEqual(paidAndKept);
    await order.refunded(3099, 3);
    expect([await stands(), await order.seen()]).toMatchObject([
      { credited: 0n, kept: 0n, returned: 3099n },
      { status: 9 },
    ]);
    expect(await bookDifferences(shop.ledger)).toEqual([]);
  });

  test("less than an order costs is kept, or noted as given back, and then stands in the way of nothing", async () => {
    const shop = await providerShop(store);
    const [kept, returned] = [await shop.cardOrder(), await shop.cardOrder()];
    for (const order of [kept, returned]) await order.captured({ amount: 100 });
    const resolve = (id: string, options: Record<string, string>) =>
      settleRow(shop.ledger, id, "amount differs", options);
    await expect(resolve(kept.id, {})).rejects.toThrow("--kept");
    await resolve(kept.id, { kept: "yes" });
    await resolve(returned.id, { returned: "rfnd_by_hand" });
    const unsettled = await unsettledAt(store.db, new Date(shop.clock.now + DAY));
    expect(unsettled.filter(({ orderId }) => orderId === kept.id || orderId === returned.id)).toEqual([]);
    // What was kept pays nothing, whatever comes.
    const part = await shop.stripeOrder();
    await part.completed();
    await part.disputed("created", "needs_response", 1, 1000);
    await part.disputed("closed", "lost", 2, 1000);
    await resolve(part.id, { kept: "yes" });
    await part.disputed("closed", "won", 3, 1000);
    expect([await part.seen(), await part.entries()]).toMatchObject([{ status: 9 }, ["order", "dispute"]]);
    // More of the kind is a row of its own.
    await kept.captured({ id: fresh("pay"), amount: 50 });
    const open = (await shop.unmatched()).filter((row) => row.orderId === kept.id && row.isOpen);
    expect(open).toMatchObject([{ reason: "amount differs", amount: "50" }]);
    expect(await bookDifferences(shop.ledger)).toEqual([]);
  });

  test("what an operator kept and a bank or the provider then took is told of once, until it comes back", async () => {
    const shop = await providerShop(store);
    const { ledger } = shop;
    const rowsOf = async (id: string) =>
      (await shop.unmatched())
        .filter(({ orderId }) => orderId === id)
        .map((row) => [row.reason, row.amount, row.isOpen]);
    // A second payment of a paid order, for which the operator gave days.
    const twice = await shop.cardOrder();
    await twice.captured();
    await twice.captured({ id: fresh("pay") });
    await settleRow(ledger, twice.id, "surplus", { kept: "yes" });
    const second = (await store.db.select().from(payments).where(eq(payments.orderId, twice.id))).find(
      ({ paymentId }) => paymentId !== twice.payment,
    );
    const contest = (event: string, at: number) =>
      shop.razorpayEvent(
        `payment.dispute.${event}`,
        {
          dispute: {
            entity: { id: `disp_${twice.id}`, payment_id: second?.paymentId, amount: 399, currency: "USD" },
          },
        },
        at,
      );
    const surplus = ["surplus", "399", false];
    await contest("created", 1);
    expect([await rowsOf(twice.id), await twice.seen(), await twice.entries()]).toEqual([
      [surplus, ["kept went back", "399", true]],
      { status: 1, paid_amount: "7.98" },
      ["order"],
    ]);
    await contest("won", 2);
    expect(await rowsOf(twice.id)).toEqual([surplus, ["kept went back", "399", false]]);
    await contest("lost", 3);
    const won = ["kept went back", "399", false];
    expect(await rowsOf(twice.id)).toEqual([surplus, won, ["kept went back", "399", true]]);
    await expect(settleRow(ledger, twice.id, "kept went back", { kept: "yes" })).rejects.toThrow(
      "No money of a row of reason kept went back is in the book",
    );
    await settleRow(ledger, twice.id, "kept went back", {});
    await inTransaction(store.db, (tx) => settleOrder(ledger, tx, twice.id));
    expect(await rowsOf(twice.id)).toEqual([surplus, won, ["kept went back", "399", false]]);

    // Less than the order costs, which was kept, and then given back in two parts.
    const part = await shop.cardOrder();
    await part.captured({ amount: 100 });
    await settleRow(ledger, part.id, "amount differs", { kept: "yes" });
    await shop.razorpayEvent("refund.processed", part.refund(40), 1);
    await settleRow(ledger, part.id, "kept went back", {});
    await shop.razorpayEvent("refund.processed", part.refund(60), 2);
    expect(await rowsOf(part.id)).toEqual([
      ["amount differs", "100", false],
      ["kept went back", "40", false],
      ["kept went back", "60", true],
    ]);
    expect(await bookDifferences(ledger)).toEqual([]);
  });

  test("what was kept, went back and was seen to is told of again when it comes back, however often", async () => {
    const shop = await providerShop(store);
    const { ledger } = shop;
    const order = await shop.cardOrder();
    await order.captured({ amount: 100 });
    await settleRow(ledger, order.id, "amount differs", { kept: "yes" });
    const contest = (event: string, at: number) =>
      shop.razorpayEvent(`payment.dispute.${event}`, order.dispute(`disp_${order.id}`), at);
    const open = async () =>
      (await shop.unmatched())
        .filter(({ orderId, isOpen }) => orderId === order.id && isOpen)
        .map((row) => [row.reason, row.amount]);
    const [went, came] = [[["kept went back", "100"]], [["kept came back", "100"]]];
    await contest("lost", 1);
    expect(await open()).toEqual(went);
    await settleRow(ledger, order.id, "kept went back", {});
    await contest("won", 2);
    expect(await open()).toEqual(came);
    // What was taken again before it was seen to is as it was settled.
    await contest("lost", 3);
    expect(await open()).toEqual([]);
    await contest("won", 4);
    expect(await open()).toEqual(came);
    await expect(settleRow(ledger, order.id, "kept came back", { kept: "yes" })).rejects.toThrow(
      "No money of a row of reason kept came back is in the book",
    );
    await settleRow(ledger, order.id, "kept came back", {});
    await inTransaction(store.db, (tx) => settleOrder(ledger, tx, order.id));
    expect(await open()).toEqual([]);
    await contest("lost", 5);
    expect(await open()).toEqual(went);
    await settleRow(ledger, order.id, "kept went back", {});
    await contest("won", 6);
    expect(await open()).toEqual(came);
    await settleRow(ledger, order.id, "kept came back", {});

    // Likewise of a refund that failed, and of a part of it.
    const part = order.refund(40);
    await shop.razorpayEvent("refund.processed", part, 7);
    expect(await open()).toEqual([["kept went back", "40"]]);
    await settleRow(ledger, order.id, "kept went back", {});
    await shop.razorpayEvent("refund.failed", part, 8);
    expect(await open()).toEqual([["kept came back", "40"]]);
    expect(await bookDifferences(ledger)).toEqual([]);
  });

  test("an order whose money was kept asks for nothing, until it is undone or more comes", async () => {
    const shop = await providerShop(store);
    const { ledger } = shop;
    const order = await shop.cardOrder();
    const told = async () => {
      const body = { order_id: order.id };
      return (await shop.call("/api/order/detail", { body, token: shop.token })).data;
    };
    const isListed = async () => {
      const body = { state: "unsettled", order_ids: [], idempotency_key: "another" };
      const { data } = await shop.call("/api/order/list", { body, token: shop.token });
      return (data as { orders: { order_id: string }[] }).orders.some(
        ({ order_id }) => order_id === order.id,
      );
    };
    const short = { status: 0, paid_amount: "1.00", owed_amount: "2.99" };
    const kept = { status: 9, paid_amount: "0.00", owed_amount: "0.00", returned: true };
    await order.captured({ amount: 100 });
    expect([await told(), await isListed()]).toMatchObject([short, true]);
    await settleRow(ledger, order.id, "amount differs", { kept: "yes" });
    expect([await told(), await isListed()]).toMatchObject([kept, false]);
    await run("undo", { ledger, args: [await latestEntry()], options: { reason }, actor: "anna" });
    expect([await told(), await isListed()]).toMatchObject([short, true]);
    await settleRow(ledger, order.id, "amount differs", { kept: "yes" });
    // A part is no part payment by card, but the order waits for what the operator does about it.
    await order.captured({ id: fresh("pay"), amount: 50 });
    expect(await told()).toMatchObject({ status: 0, paid_amount: "0.50" });
    await settleRow(ledger, order.id, "amount differs", { kept: "yes" });
    expect(await told()).toMatchObject(kept);
    await order.captured({ id: fresh("pay") });
    expect([await told(), await order.entries()]).toMatchObject([
      { status: 1, paid_amount: "3.99", owed_amount: "0.00", surplus_amount: "0.00" },
      ["order"],
    ]);
    expect(await bookDifferences(ledger)).toEqual([]);
  });

  test("a payment that went back before it was known leaves no order that waits for money", async () => {
    const shop = await providerShop(store);
    const [order, contested, part] = [
      await shop.cardOrder(),
      await shop.stripeOrder(),
      await shop.cardOrder(),
    ];
    await shop.razorpayEvent("refund.processed", order.refund(399), 1);
    await order.captured();
    expect([await order.seen(), await order.entries()]).toEqual([{ status: 9, paid_amount: "0.00" }, []]);
    await contested.disputed("created", "needs_response", 1);
    await contested.completed();
    expect(await contested.seen()).toMatchObject({ status: 9 });
    await contested.disputed("closed", "won", 2);
    expect([await contested.seen(), await contested.entries()]).toMatchObject([{ status: 1 }, ["order"]]);
    await shop.razorpayEvent("refund.processed", part.refund(100), 1);
    await part.captured();
    expect(await part.seen()).toMatchObject({ status: 1 });
    // Less than it costs, given back: the order waits for money again once that has failed.
    const short = await shop.cardOrder();
    await short.captured({ amount: 100 });
    const refund = short.refund(100);
    await shop.razorpayEvent("refund.processed", refund, 1);
    expect(await short.seen()).toMatchObject({ status: 9 });
    await shop.razorpayEvent("refund.failed", refund, 2);
    expect(await short.seen()).toMatchObject({ status: 0, paid_amount: "1.00" });
  });

  test("a bank that contests what was given back already is told of, until that is won", async () => {
    const shop = await providerShop(store);
    const order = await shop.stripeOrder();
    const open = async () =>
      (await shop.unmatched())
        .filter(({ orderId, isOpen }) => orderId === order.id && isOpen)
        .map((row) => [row.reason, row.amount]);
    await order.completed();
    await order.refunded(2999, 1);
    await order.disputed("created", "needs_response", 2);
    expect(await open()).toEqual([["disputed after refund", "2999"]]);
    await order.disputed("closed", "won", 3);
    expect(await open()).toEqual([]);
    // Of a part that was given back, the rest can be contested.
    const part = await shop.stripeOrder();
    await part.completed();
    await part.refunded(1000, 1);
    await part.disputed("created", "needs_response", 2, 1999);
    const reasons = (await shop.unmatched())
      .filter((row) => row.orderId === part.id)
      .map((row) => row.reason);
    expect(reasons).not.toContain("disputed after refund");
    expect(await bookDifferences(shop.ledger)).toEqual([]);
  });

  test("a dispute and its end are lines, and the month of the sale keeps its own", async () => {
    const shop = await providerShop(store);
    const order = await shop.stripeOrder();
    const exported = async () =>
      textOf(await run("export", { ledger: shop.ledger, args: ["2026-11"], options: {}, actor: "anna" }));
    await order.completed();
    const november = await exported();
    shop.clock.now = Date.parse("2026-12-03T08:00:00Z");
    await order.disputed("created", "needs_response", 1);
    shop.clock.now = Date.parse("2027-02-03T08:00:00Z");
    await order.disputed("closed", "won", 2);
    expect(await exported()).toBe(november);
    const found = await store.db
      .select()
      .from(movements)
      .where(eq(movements.orderId, order.id))
      .orderBy(movements.id);
    expect(found.map(({ kind: what, at }) => `${at.toISOString().slice(0, 7)} ${what}`)).toEqual([
      "2026-11 received",
      "2026-11 credited",
      "2026-12 disputed",
      "2027-02 dispute won",
      "2027-02 credited",
    ]);
  });

  /** An order at Stripe, contested by a bank, and its lines. @param amount in cents, that the bank contests */
  async function contested(amount?: number) {
    const shop = await providerShop(store);
    const order = await shop.stripeOrder();
    const lines = async () =>
      (await store.db.select().from(movements).where(eq(movements.orderId, order.id)).orderBy(movements.id))
        .slice(2)
        .map((row) => `${row.kind}: ${row.amount / 10_000n} ${row.from} → ${row.to}`);
    const isUnsettled = async () =>
      (await unsettledAt(store.db, new Date(shop.clock.now + DAY))).some(
        ({ orderId }) => orderId === order.id,
      );
    const open = async () =>
      (await shop.unmatched())
        .filter(({ orderId, isOpen }) => orderId === order.id && isOpen)
        .map((row) => [row.reason, row.amount]);
    await order.completed();
    await order.disputed("created", "needs_response", 1, amount);
    return { ...shop, ...order, lines, isUnsettled, open };
  }

  test("what a bank contests is not there to be given back: won, it pays the order again", async () => {
    const { disputed, lines, seen, ledger, id } = await contested();
    const refund = run("refund", { ledger, args: [id], options: { reason: "asked" }, actor: "anna" });
    await expect(refund).rejects.toThrow(`Nothing that came for order ${id} is there to be given back.`);
    expect(await lines()).toEqual(["disputed: 2999 credited → disputed"]);
    await disputed("closed", "won", 2);
    expect(await seen()).toMatchObject({ status: 1 });
  });

  test("what a bank took for good was given back, and a dispute that is won after all brings it again", async () => {
    const { disputed, lines, isUnsettled, seen, open, ledger } = await contested();
    expect(await isUnsettled()).toBe(true);
    await disputed("closed", "lost", 2);
    const lost = ["disputed: 2999 credited → disputed", "dispute lost: 2999 disputed → returned"];
    expect([await lines(), await isUnsettled(), await open()]).toEqual([lost, false, []]);
    expect(await seen()).toMatchObject({ status: 9 });
    await disputed("closed", "won", 3);
    expect(await lines()).toEqual([
      ...lost,
      "disputed: 2999 returned → disputed",
      "dispute won: 2999 disputed → open",
      "credited: 2999 open → credited",
    ]);
    expect(await seen()).toMatchObject({ status: 1 });
    expect(await bookDifferences(ledger)).toEqual([]);
  });

  test("a dispute about a part of a payment is booked by its amount, and the rest of a lost one is the operator's", async () => {
    const { disputed, lines, open, entries, refunded, ledger } = await contested(1000);
    expect([await lines(), await open()]).toEqual([
      ["disputed: 1000 credited → disputed", "credit withdrawn: 1999 credited → open"],
      [],
    ]);
    await disputed("closed", "lost", 2, 1000);
    expect((await lines()).slice(2)).toEqual(["dispute lost: 1000 disputed → returned"]);
    expect([await open(), await entries()]).toEqual([[["amount differs", "1999"]], ["order", "dispute"]]);
    await refunded(1999, 3);
    expect((await lines()).slice(3)).toEqual(["refunded: 1999 open → returned"]);
    expect([await open(), await entries()]).toEqual([[], ["order", "dispute"]]);
    expect(await bookDifferences(ledger)).toEqual([]);
  });

  test("a dispute that was lost under an earlier release, which left it contested, is booked as lost", async () => {
    const { lines, intent, isUnsettled, ledger } = await contested();
    await store.db.update(reversals).set({ state: "lost" }).where(eq(reversals.paymentId, intent));
    await store.db.delete(storedSettings).where(eq(storedSettings.key, "lost disputes"));
    for (let time = 0; time < 2; time += 1) await completeBook(ledger);
    expect([await lines(), await isUnsettled()]).toEqual([
      ["disputed: 2999 credited → disputed", "dispute lost: 2999 disputed → returned"],
      false,
    ]);
  });

  test("money that leaves a receiving address is a movement, and what lies there is what is left", async () => {
    const { pay, mine, raw, made, admin } = await buyer();
    const lies = async (options = {}) =>
      ((await admin("addresses", [], { network: "TRC20", ...options })) as Record<string, unknown>[]).find(
        ({ address }) => address === made.address,
      );
    await pay(3_990_000n);
    expect(await lies()).toMatchObject({ received: "3.99", swept: "0.00", there: "3.99" });
    await mine({ from: raw, to: "00000000000000000000000000000000000000aa", amount: 3_000_000n });
    expect(await lies()).toMatchObject({ received: "3.99", swept: "3.00", there: "0.99" });
    expect(await bookDifferences({ db: store.db })).toEqual([]);
    // The block goes, and with it the sweep.
    chains.TRC20.drop(FINAL + 1);
    chains.TRC20.grow(FINAL + 2);
    await mine();
    expect(await lies()).toMatchObject({ swept: "0.00", there: "3.99" });
    expect(await bookDifferences({ db: store.db })).toEqual([]);
    // Where nothing is left, there is nothing to sweep.
    await mine({ from: raw, to: "00000000000000000000000000000000000000aa", amount: 3_990_000n });
    expect(await lies()).toBeUndefined();
    expect(await lies({ all: "" })).toMatchObject({ received: "3.99", swept: "3.99", there: "0.00" });
  });

  test("money that the operator moves from one of our addresses to another is no payment, and received once", async () => {
    const from = await buyer();
    const to = await buyer();
    await from.pay(3_990_000n);
    const told = async () => store.db.$count(outboxEvents, eq(outboxEvents.type, "payment.unmatched"));
    const before = await told();
    chains.TRC20.mine({ from: from.raw, to: to.raw, amount: 3_990_000n });
    await to.settle();
    expect(await to.detail()).toMatchObject({ status: 0, paid_amount: "0.00", held: false, transfers: [] });
    await to.mine();
    expect(await to.detail()).toMatchObject({ status: 0, paid_amount: "0.00", held: false, transfers: [] });
    expect([await to.lines(), await to.rows(), await told()]).toEqual([[], [], before]);
    expect((await from.lines()).filter((line) => line.includes("swept"))).toEqual([]);
    expect(await bookDifferences(to.ledger)).toEqual([]);
    const lies = async (raw: string) =>
      ((await to.admin("addresses", [], { network: "TRC20" })) as Record<string, unknown>[]).find(
        ({ address }) => address === shownAddress("TRC20", raw),
      )?.["there"];
    expect([await lies(from.raw), await lies(to.raw)]).toEqual([undefined, "3.99"]);
    const stands = async () =>
      (await networksAt(store.db, new Date(to.ledger.now() + DAY))).find(
        ({ network }) => network === "TRC20",
      );
    const earlier = await stands();
    // The money can be swept from its new address, and the order that has this address can still be paid.
    await to.mine({ from: to.raw, to: "00000000000000000000000000000000000000aa", amount: 3_990_000n });
    await to.pay(3_990_000n);
    const later = await stands();
    const grown = (name: "swept" | "received") => (later?.[name] ?? 0n) - (earlier?.[name] ?? 0n);
    expect([grown("swept"), grown("received")]).toEqual([3_990_000n, 3_990_000n]);
    expect(await to.detail()).toMatchObject({ status: 1, paid_amount: "3.99" });
    expect(await bookDifferences(to.ledger)).toEqual([]);
  });

  test("held money that is credited to another member's order, and the undoing of it", async () => {
    const { raw, made, rows, admin, ledger, lines, settle } = await buyer();
    const other = await buyer();
    chains.ERC20.mine({ to: raw, amount: 3_990_000n });
    chains.ERC20.grow(FINAL);
    await settle();
    const [row] = await rows();
    await admin("unmatched-credit", [row?.id ?? ""], { reason, order: other.made.id });
    expect(await other.detail()).toMatchObject({ status: 1, paid_amount: "3.99" });
    // It came on the other network: of a settled order nothing waits on either.
    const unsettled = await unsettledAt(store.db, new Date(ledger.now() + DAY));
    expect(unsettled.filter(({ orderId }) => orderId === made.id || orderId === other.made.id)).toEqual([]);
    const [audit] = await store.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.subject, `unmatched ${row?.id}`));
    const undo = () =>
      inTransaction(store.db, async (tx) => {
        const by = { at: new Date(ledger.now()), auditId: 1_000_000 };
        for (const id of await undoMovements(tx, audit?.id ?? 0, by))
          await settleOrder(ledger, tx, id, { cause: "refund" });
      });
    await undo();
    expect(await other.detail()).toMatchObject({ status: 9, paid_amount: "0.00" });
    expect(await lines()).toEqual([
      "received: 399 outside → held",
      "credited by hand: 399 held → outside",
      "undone: 399 outside → held",
    ]);
    const [transfer] = await store.db.select().from(transfers).where(eq(transfers.recipient, raw));
    expect(transfer?.orderId).toBe(made.id);
    expect(await bookDifferences(ledger)).toEqual([]);
    // What was taken back cannot be taken back once more.
    await expect(undo()).rejects.toThrow(MovedOn);
  });

  test.each(["the same block", "another block"])(
    "what an operator decided about a transfer holds when its block goes and it comes again in %s",
    async (where) => {
      const [returned, kept, credited, other] = [
        await buyer(),
        await buyer(),
        await buyer(),
        await buyer(),
      ] as const;
      const { ledger, settle } = other;
      const payments = [returned, kept, credited].map(({ raw: to }) => ({ to, amount: 3_990_000n }));
      const hashes = chains.ERC20.mine(...payments);
      let block = chains.ERC20.head.number;
      chains.ERC20.grow(FINAL);
      await settle();
      const entries: string[] = [];
      const decide = async (
        { admin, rows }: typeof other,
        command: string,
        options: Record<string, string>,
      ) => {
        await admin(command, [(await rows())[0]?.id ?? ""], { reason, ...options });
        entries.push(await latestEntry());
      };
      await decide(returned, "unmatched-resolve", { returned: `0x${"a".repeat(64)}` });
      await decide(kept, "unmatched-resolve", { kept: "yes" });
      await decide(credited, "unmatched-credit", { order: other.made.id });
      const stands = async () => ({
        balances: await Promise.all(
          [returned, kept, credited, other].map(async ({ made }) => {
            const [row] = await store.db
              .select({ balances: balancesOf(orders.id), status: orders.status })
              .from(orders)
              .innerJoin(accounts, eq(accounts.id, orders.accountId))
              .where(eq(orders.id, made.id));
            const there = Object.entries(row?.balances ?? {}).filter(([name]) => name !== "outside");
            return [row?.status, Object.fromEntries(there.filter(([, amount]) => amount !== "0"))];
          }),
        ),
        open: (await Promise.all([returned, kept, credited, other].map(({ rows }) => rows())))
          .flat()
          .filter(({ isOpen }) => isOpen),
      });
      const decided = {
        balances: [
          [0, { returned: "3990000" }],
          [0, { kept: "3990000" }],
          [0, {}],
          [1, { credited: "3990000" }],
        ],
        open: [],
      };
      expect(await stands()).toEqual(decided);
      // More than once, so that what was restored is restored again.
      for (let time = 0; time < 2; time += 1) {
        const gone = chains.ERC20.fork(chains.ERC20.head.number - block + 1);
        chains.ERC20.grow(gone.length + 1);
        await settle();
        expect((await stands()).balances).toEqual([0, 0, 0, 0].map((status) => [status, {}]));
        if (where === "the same block") {
          chains.ERC20.adopt(gone);
          chains.ERC20.grow(2);
        } else {
          chains.ERC20.mine({ to: "00".repeat(20), amount: 5n });
          chains.ERC20.mine(...payments.map((each, at) => ({ ...each, txHash: hashes[at] ?? "0x" })));
          block = chains.ERC20.head.number;
          chains.ERC20.grow(FINAL);
        }
        await settle();
        expect(await stands()).toEqual(decided);
        expect(await bookDifferences(ledger)).toEqual([]);
      }
      // What was decided can be taken back as before, and be decided otherwise.
      for (const id of entries) await other.admin("undo", [id], { reason });
      const undone = await stands();
      const held = [0, { held: "3990000" }];
      expect(undone.balances).toEqual([held, held, held, [0, {}]]);
      expect(undone.open.map(({ why }) => why)).toEqual(["network", "network", "network"]);
      for (const { id } of undone.open) await other.admin("unmatched-resolve", [id], { reason, kept: "yes" });
      expect((await stands()).open).toEqual([]);
      expect(await bookDifferences(ledger)).toEqual([]);
    },
  );

  test("of a transfer the part that was given back stays so, and the rest pays again, whichever blocks it is in", async () => {
    const { pay, made, raw, rows, admin, ledger, settle, detail } = await buyer();
    await pay(4_990_000n);
    const first = chains.TRC20.blocks.find(({ payments }) => payments.some(({ to }) => to === raw));
    const paid = first?.payments ?? [];
    await admin("unmatched-resolve", [(await rows())[0]?.id ?? ""], {
      reason,
      returned: `0x${"b".repeat(64)}`,
    });
    const asPaid = { status: 1, paid_amount: "3.99", surplus_amount: "0.00" };
    expect(await detail()).toMatchObject(asPaid);
    let at = first?.number ?? 0;
    const forks = [];
    for (let time = 0; time < 3; time += 1) {
      forks.push(chains.TRC20.fork(chains.TRC20.head.number - at + 1));
      chains.TRC20.grow((forks.at(-1)?.length ?? 0) + 1);
      await settle();
      expect(await detail()).toMatchObject({ status: 0, paid_amount: "0.00" });
      if (time === 1 && forks[0]) {
        at = forks[0][0]?.number ?? 0;
        chains.TRC20.fork(chains.TRC20.head.number - at + 1);
        chains.TRC20.adopt(forks[0]);
        chains.TRC20.grow(3 * FINAL);
      } else {
        chains.TRC20.mine(...paid);
        at = chains.TRC20.head.number;
        chains.TRC20.grow(FINAL);
      }
      await settle();
      expect(await detail()).toMatchObject(asPaid);
      expect((await rows()).filter(({ isOpen }) => isOpen)).toEqual([]);
    }
    const stands = await store.db.select().from(movements).where(eq(movements.orderId, made.id));
    const of = (name: string) =>
      stands.reduce(
        (sum, { from, to, amount }) => sum + (to === name ? amount : 0n) - (from === name ? amount : 0n),
        0n,
      );
    expect([of("credited"), of("returned")]).toEqual([3_990_000n, 1_000_000n]);
    expect(await bookDifferences(ledger)).toEqual([]);
  });

  test("a transfer that was credited to another order stays there, though another block than its own had it first", async () => {
    const [owner, other] = [await buyer(), await buyer()];
    const payment = { to: owner.raw, amount: 3_990_000n };
    // Two equal ones in one transaction, of which one is credited elsewhere.
    const txHash: Hex = `0x${createHash("sha256").update(owner.made.id).digest("hex")}`;
    const both = [
      { ...payment, txHash },
      { ...payment, txHash },
    ];
    chains.ERC20.mine(...both);
    await owner.settle();
    const seenIn = chains.ERC20.fork(1);
    chains.ERC20.grow(1);
    chains.ERC20.mine(...both);
    const at = chains.ERC20.head.number;
    chains.ERC20.grow(FINAL);
    await owner.settle();
    const [row] = await owner.rows();
    await owner.admin("unmatched-credit", [row?.id ?? ""], { reason, order: other.made.id });
    const stands = async () => [
      await other.detail(),
      (await owner.rows()).filter(({ isOpen }) => isOpen).map(({ amount }) => amount),
    ];
    const credited = [expect.objectContaining({ status: 1, paid_amount: "3.99" }), ["3990000"]];
    expect(await stands()).toEqual(credited);
    const gone = chains.ERC20.fork(chains.ERC20.head.number - at + 2);
    chains.ERC20.grow(gone.length + 1);
    await owner.settle();
    // First into a block that is new, then into the one that had it first.
    chains.ERC20.mine(...both);
    chains.ERC20.grow(FINAL);
    await owner.settle();
    expect(await stands()).toEqual(credited);
    chains.ERC20.fork(chains.ERC20.head.number - (seenIn[0]?.number ?? 0) + 1);
    chains.ERC20.adopt(seenIn);
    chains.ERC20.grow(4 * FINAL);
    await owner.settle();
    expect(await stands()).toEqual(credited);
    expect(await bookDifferences(owner.ledger)).toEqual([]);
  });

  test("an order that was confirmed with a higher tolerance keeps its days when other money of it is moved", async () => {
    const { pay, raw, rows, admin, ledger, settle, detail } = await buyer();
    ledger.tolerance = 20_000n;
    await pay(3_970_000n);
    const gone = chains.TRC20.fork(FINAL + 1);
    chains.TRC20.grow(FINAL + 2);
    await settle();
    expect(await detail()).toMatchObject({ status: 0 });
    chains.TRC20.adopt(gone);
    chains.TRC20.grow(2);
    await settle();
    expect(await detail()).toMatchObject({ status: 1 });
    ledger.tolerance = 0n;
    chains.ERC20.mine({ to: raw, amount: 1_000_000n });
    chains.ERC20.grow(FINAL);
    await settle();
    await admin("unmatched-resolve", [(await rows())[0]?.id ?? ""], { reason, kept: "yes" });
    await admin("undo", [await latestEntry()], { reason });
    expect(await detail()).toMatchObject({ status: 1 });
  });

  test("what comes for an order that was given back waits for the operator, until it is enough", async () => {
    const { pay, admin, made, rows, detail, ledger } = await buyer();
    await pay(3_990_000n);
    await admin("refund", [made.id], { reason });
    await pay(2_000_000n);
    expect(await detail()).toMatchObject({ status: 9, owed_amount: "0.00", surplus_amount: "2.00" });
    expect(await rows()).toMatchObject([{ why: "surplus", amount: "2000000", isOpen: true }]);
    await pay(1_990_000n);
    expect([await detail(), await rows()]).toMatchObject([
      { status: 1, paid_amount: "3.99", surplus_amount: "0.00" },
      [{ why: "surplus", isOpen: false }],
    ]);
    expect(await bookDifferences(ledger)).toEqual([]);
  });

  test("an order is listed as paid in part from the first cent until it is paid or given back", async () => {
    const { pay, admin, made, ledger } = await buyer();
    const isListed = async () =>
      (
        await store.db
          .select()
          .from(orders)
          .where(and(eq(orders.id, made.id), isPartPaid))
      ).length === 1;
    const seen = [await isListed()];
    await pay(9_999n);
    seen.push(await isListed());
    await pay(2_000_000n);
    seen.push(await isListed());
    // A release that knows nothing of the list runs beside this one.
    await store.db.update(orders).set({ partPaid: false }).where(eq(orders.id, made.id));
    await sweep(ledger);
    seen.push(await isListed());
    await admin("refund", [made.id], { reason });
    seen.push(await isListed());
    await pay(1_000_000n);
    seen.push(await isListed());
    await pay(2_990_000n);
    seen.push(await isListed());
    expect(seen).toEqual([false, false, true, true, false, true, false]);
  });

  test("a month is reconciled: what came in is what stands somewhere, with the orders behind it", async () => {
    const { pay, made, admin, ledger } = await buyer();
    await pay(2_000_000n);
    const told = (await admin("reconcile", ["2026-11"])) as Record<string, string | null>[];
    const total = told.find(({ what }) => what === "usdt: at its end");
    const cents = (text: string | null | undefined) => Math.round(Number(text) * 1e6);
    const parts = ["credited", "surplus", "held", "part-paid", "disputed", "returned", "kept"];
    expect(parts.reduce((sum, name) => sum + cents(total?.[name]), 0)).toBe(cents(total?.["received"]));
    expect(told).toContainEqual(expect.objectContaining({ order: made.id, "part-paid": "2.00" }));
    const agrees = "The book agrees with what was read of chains and providers.";
    expect(told.at(-1)).toEqual({ what: agrees, order: null });
    expect(await admin("orders", [], { "part-paid": "yes", limit: "1000" })).toContainEqual(
      expect.objectContaining({ order: made.id, status: "pending" }),
    );
    // A transfer that the book does not know is told of, by the command and as an alarm.
    await inTransaction(store.db, async (tx) => {
      const [one] = await tx.select().from(transfers).where(eq(transfers.orderId, made.id));
      if (one) await tx.insert(transfers).values({ ...one, blockHash: "0xgone", amount: 70_000n });
    });
    const what = "a transfer that the book does not have as the chain has it";
    const differences = [{ what, number: 1, named: [{ order: made.id, amount: 70_000n }] }];
    expect(await bookDifferences(ledger)).toEqual(differences);
    // The pages in which a great book is compared leave nothing out, and nothing is told twice.
    for (const size of [1, 2, 3]) expect(await bookDifferences(ledger, size)).toEqual(differences);
    expect(await checkBook(ledger)).toBe(1);
    await store.db.delete(transfers).where(eq(transfers.blockHash, "0xgone"));
  });

  test("of what does not agree a hundred of each kind are named, and it is said how many more there are", async () => {
    const { pay, made, admin, ledger } = await buyer();
    await pay(2_000_000n);
    const what = "a transfer that the book does not have as the chain has it";
    await inTransaction(store.db, async (tx) => {
      const [one] = await tx.select().from(transfers).where(eq(transfers.orderId, made.id));
      if (!one) return;
      const many = Array.from({ length: 250 }, (_, at) => ({ ...one, blockHash: "0xgone", logIndex: at }));
      await tx.insert(transfers).values(many);
    });
    // In whichever pages they lie.
    for (const size of [7, 120, 1_000]) {
      const [found] = await bookDifferences(ledger, size);
      expect([found?.number, found?.named.length]).toEqual([250, 100]);
    }
    const shown = ((await admin("reconcile", ["2026-11"])) as { what: string }[])
      .map((row) => row.what)
      .filter((line) => line.startsWith("DIFFERENCE: "));
    expect([shown.length, shown.at(-1)]).toEqual([101, `DIFFERENCE: ${what}: 150 more, not named`]);
    const lines: unknown[] = [];
    const log: Log = (event, facts) => lines.push([event, facts]);
    expect(await checkBook({ ...ledger, log })).toBe(250);
    expect([lines.length, lines.at(-1)]).toEqual([101, ["book differs", { what, more: 150 }]]);
    await store.db.delete(transfers).where(eq(transfers.blockHash, "0xgone"));
  });

  test("the book of an earlier release is written from what it kept, with the times, and once", async () => {
    const earlier = await emptyStore(kind);
    onTestFinished(() => earlier.close());
    const { ledger } = await serve(earlier, { sandbox: false, chains: chainsOf(chains) });
    const day = (days: number) => new Date(START + days * DAY).toISOString();
    const name = '{"en":"Monthly","zh-CN":"月度会员"}';
    const order = (id: string, rail: string, status: number, paid: string | null) =>
      `INSERT INTO orders (id, account_id, pack_id, product_id, pack_name, days, rail, network, amount, currency, status, created_at, confirmed_at)
       VALUES ('${id}', 1, '1', 'monthly', '${name}', 30, '${rail}', ${rail === "usdt" ? "'TRC20'" : "NULL"}, 3990000,
         '${rail === "usdt" ? "USDT" : "USD"}', ${status}, '${day(0)}', ${paid === null ? "NULL" : `'${paid}'`})`;
    const transfer = (
      id: string,
      orderId: string | null,
      amount: number,
      heldFor: string | null,
      final: number,
    ) =>
      `INSERT INTO transfers (network, block_hash, log_index, block_number, tx_hash, contract, sender, recipient, order_id, amount, state, held_for, seen_at, final_at)
       VALUES ('TRC20', '0x${id}', 0, 1, '0xtx${id}', 'c', 's', '${id}', ${orderId === null ? "NULL" : `'${orderId}'`}, ${amount}, 'final',
         ${heldFor === null ? "NULL" : `'${heldFor}'`}, '${day(final)}', '${day(final)}')`;
    for (const statement of [
      `INSERT INTO accounts (name, name_key, password_hash, created_at) VALUES ('anna', 'anna', 'x', '${day(0)}')`,
      order("exact", "usdt", 1, day(1)),
      transfer("aa", "exact", 3_990_000, null, 1),
      order("over", "usdt", 1, day(2)),
      transfer("bb", "over", 103_990_000, null, 2),
      `INSERT INTO unmatched_payments (rail, event_id, order_id, amount, currency, reason, body, received_at, resolved_at, resolution)
       VALUES ('usdt', 'surplus:over', 'over', '100000000', 'USDT', 'surplus', '', '${day(2)}', '${day(3)}', 'sent back, tx 0xabc')`,
      `INSERT INTO audit_entries (at, actor, action, subject, reason) VALUES ('${day(3)}', 'anna', 'unmatched resolve', 'unmatched 1', 'sent back, tx 0xabc')`,
      order("part", "usdt", 0, null),
      transfer("cc", "part", 2_000_000, null, 4),
      order("back", "usdt", 9, null),
      transfer("dd", "back", 3_990_000, "refunded", 5),
      `INSERT INTO audit_entries (at, actor, action, subject, reason) VALUES ('${day(6)}', 'anna', 'refund', 'order back', 'asked for')`,
      transfer("ee", "part", 1_000_000, "late", 7),
      transfer("ff", null, 1_000_000, "no order", 7),
      order("card", "card", 1, day(8)),
      `INSERT INTO payments (rail, payment_id, order_id, amount, taken_at, refunded) VALUES ('card', 'pay_1', 'card', 3990000, '${day(8)}', 1000000)`,
      order("contested", "stripe", 9, null),
      `INSERT INTO payments (rail, payment_id, order_id, amount, taken_at, disputed_at) VALUES ('stripe', 'pi_1', 'contested', 3990000, '${day(9)}', '${day(10)}')`,
      `INSERT INTO reversals (rail, reversal_id, payment_id, kind, amount, state, as_of) VALUES ('stripe', 'dp_1', 'pi_1', 'dispute', 3990000, 'open', '${day(10)}')`,
    ]) {
      await earlier.db.execute(sql.raw(statement));
    }
    await completeBook(ledger);
    const book = await earlier.db.select().from(movements).orderBy(movements.id);
    const written = book.map(
      (row) =>
        `${row.orderId ?? "-"} ${(row.at.getTime() - START) / DAY}: ${row.kind} ${row.amount / 10_000n} ${row.from} → ${row.to}`,
    );
    expect(written.toSorted()).toEqual(
      [
        "exact 1: received 399 outside → open",
        "exact 1: credited 399 open → credited",
        "over 2: received 10399 outside → open",
        "over 3: returned 10000 open → returned",
        "over 2: credited 399 open → credited",
        "part 4: received 200 outside → open",
        "part 7: received 100 outside → held",
        "back 5: received 399 outside → open",
        "back 6: returned 399 open → returned",
        "- 7: received 100 outside → held",
        "card 8: received 399 outside → open",
        "card 8: refunded 100 open → returned",
        "card 8: credited 299 open → credited",
        "contested 9: received 399 outside → open",
        "contested 9: disputed 399 open → disputed",
      ].toSorted(),
    );
    expect(await bookDifferences(ledger)).toEqual([]);
    const open = await earlier.db.select().from(unmatchedPayments);
    expect(open.filter(({ resolvedAt }) => resolvedAt === null).map(({ reason: why }) => why)).toEqual([
      "partly refunded",
    ]);
    // A second time, and in a database that says it is whole, nothing is written.
    await earlier.db.delete(storedSettings).where(eq(storedSettings.key, "book"));
    await completeBook(ledger);
    expect(await earlier.db.$count(movements)).toBe(book.length);
    expect(await earlier.db.select({ id: orders.id, status: orders.status }).from(orders)).toHaveLength(6);
  });
});

test.skipIf(servers.length === 0)(
  "both networks and a provider's webhooks at once, about the same members: none loses a deadlock",
  async () => {
    const store = await emptyStore("PostgreSQL");
    onTestFinished(() => store.close());
    const chains = { TRC20: new SimulatedChain(1), ERC20: new SimulatedChain(2) };
    const shop = await providerShop(store, { chains: chainsOf(chains) });
    const members = await Promise.all(Array.from({ length: 8 }, () => shop.member()));
    await shop.settle();
    const paid: string[] = [];
    const cards = [];
    for (const token of [...members, ...members.toReversed()]) {
      const [tron, ethereum] = [await shop.order(token, monthly), await shop.order(token, annual)];
      paid.push(tron.id, ethereum.id);
      chains.TRC20.mine({ to: rawAddress("TRC20", tron.address), amount: 3_990_000n });
      chains.ERC20.mine({ to: rawAddress("ERC20", ethereum.address), amount: 29_990_000n });
    }
    for (let count = 0; count < 8; count += 1) cards.push(await shop.cardOrder());
    for (const chain of [chains.TRC20, chains.ERC20]) chain.grow(FINAL);
    const outcomes = await Promise.all([
      shop.payments.watchers.TRC20?.tick().then(() => 200),
      shop.payments.watchers.ERC20?.tick().then(() => 200),
      ...cards.map((order) => order.captured()),
      // The card screen opened again at the same moment.
      ...cards.map(() => shop.cardOrder().then(() => 200)),
    ]);
    expect(outcomes.every((status) => status === 200)).toBe(true);
    const found = await store.db.select({ id: orders.id, status: orders.status }).from(orders);
    expect(found.filter(({ id, status }) => paid.includes(id) && status !== 1)).toEqual([]);
    expect(shop.lines.filter((line) => line.includes("40P01"))).toEqual([]);
    expect(await bookDifferences(shop.ledger)).toEqual([]);
  },
);
