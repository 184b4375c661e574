/** The orders of an account: those that come before another payment (open, partly paid, or paid although the app was not told), and all by pages; of its own account alone. */
import { and, eq, inArray } from "drizzle-orm";
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { orderList } from "../../src/contract/calls.ts";
import type { Store } from "../../src/service/store/database.ts";
import { movements, orders, transfers } from "../../src/service/store/schema.ts";
import { providerShop } from "./provider-shop.ts";
import { annual, databases, emptyStore, monthly, refusal, serve, START, success, zh } from "./support.ts";

const DAY = 86_400_000;
const PATH = "/api/order/list";
const unsettled = { state: "unsettled" };

describe.each(databases)("on the %s database", (kind) => {
  let store: Store;
  /** For real money, with providers. */
  let live: Store;
  beforeAll(async () => {
    [store, live] = [await emptyStore(kind), await emptyStore(kind)];
  });
  afterAll(async () => {
    await store.close();
    await live.close();
  });

  /** A member, and the numbers of the orders that they are told of. */
  async function buyer(changes: Parameters<typeof serve>[1] = {}) {
    const fixture = await serve(store, changes);
    const { call, clock, settle } = fixture;
    const token = await fixture.member();
    const list = async (body: object = {}, of = token) =>
      v.parse(orderList, (await call(PATH, { body: { ...unsettled, ...body }, token: of })).data).orders;
    return {
      ...fixture,
      token,
      list,
      ids: async (body: object = {}) => (await list(body)).map(({ order_id: id }) => id),
      order: (product = monthly, headers = {}) => fixture.order(token, product, headers),
      see: (id: string) => call("/api/order/detail", { body: { order_id: id }, token }),
      async pay(address: string, amount: string) {
        await call("/sandbox/transfers", { body: { network: "TRC20", address, amount } });
        clock.now += 60_000;
        await settle();
      },
    };
  }

  test("what no database can keep names no order, and is no key", async () => {
    const { call, order, ids, token } = await buyer();
    const { id } = await order();
    expect(await ids({ order_ids: ["\0", "\uD800", id.toLowerCase(), ""] })).toEqual([id]);
    expect(await call(PATH, { body: { ...unsettled, idempotency_key: "\0" }, token })).toMatchObject({
      code: 1,
    });
  });

  test("an open order is listed with all that leads back to it, in the language asked for", async () => {
    const { call, order, token } = await buyer();
    const { id, address } = await order(annual);
    expect(await call(PATH, { body: unsettled, token, headers: zh })).toEqual(
      success(
        {
          orders: [
            {
              order_id: id,
              status: 0,
              payment_amount: "29.99",
              created_at: "2026-11-20T08:00:00.000Z",
              pack_id: "4",
              product_id: "annual",
              pack_name: "年度会员",
              payment_method: "EbPay",
              coin_type: 2,
              address,
              paid_amount: "0.00",
              owed_amount: "29.99",
              surplus_amount: "0.00",
              held: false,
              returned: false,
              paid_at: null,
              references: [],
            },
          ],
          next: null,
        },
        "操作成功。",
      ),
    );
  });

  test("the latest first, with what has come for each; what is paid and told of no longer", async () => {
    const { clock, ids, list, order, pay, see } = await buyer();
    const first = await order();
    clock.now += 1_000;
    const second = await order();
    await pay(first.address, "2.00");
    await pay(second.address, "3.99");
    expect((await list()).map((one) => [one.order_id, one.status, one.paid_amount])).toEqual([
      [second.id, 1, "3.99"],
      [first.id, 0, "2.00"],
    ]);
    // Being listed is not being told: the answer may be lost.
    expect(await ids()).toEqual([second.id, first.id]);
    await see(second.id);
    expect(await ids()).toEqual([first.id]);
    await see(second.id);
    const [row] = await store.db.select().from(orders).where(eq(orders.id, second.id));
    expect(row?.toldAt).toEqual(new Date(clock.now));
  });

  test("orders that are named are listed whatever their state, those of others never", async () => {
    const { ids, list, order, pay, see, ...fixture } = await buyer();
    const paid = await order();
    await pay(paid.address, "3.99");
    await see(paid.id);
    const other = await fixture.member();
    const theirs = await fixture.call("/api/order/create", { body: monthly, token: other });
    const { order_id } = (theirs.data as { order: { order_id: string } }).order;
    expect({
      unnamed: await ids(),
      named: await ids({ order_ids: [paid.id, order_id, "junk", ""] }),
      others: (await list({ order_ids: [paid.id] }, other)).map(({ order_id: id }) => id),
    }).toEqual({ unnamed: [], named: [paid.id], others: [order_id] });
  });

  test("the order of a payment that is tried again is not in its own way", async () => {
    const { ids, order } = await buyer();
    const mine = await order(monthly, { "Idempotency-Key": "tap-1" });
    const keyless = await order();
    expect({
      again: await ids({ idempotency_key: "tap-1" }),
      another: (await ids({ idempotency_key: "tap-2" })).toSorted(),
    }).toEqual({ again: [keyless.id], another: [mine.id, keyless.id].toSorted() });
  });

  test("of thirty days, and at most twenty beside those that are named", async () => {
    const { clock, ids, order } = await buyer();
    const old = await order();
    clock.now += 30 * DAY;
    const made: string[] = [];
    for (let each = 0; each < 22; each += 1) {
      clock.now += 1_000;
      made.unshift((await order()).id);
    }
    expect(await ids({ order_ids: [old.id] })).toEqual([...made.slice(0, 20), old.id]);
    expect(await ids()).toEqual(made.slice(0, 20));
    clock.now += 30 * DAY;
    expect({ none: await ids(), named: await ids({ order_ids: [old.id] }) }).toEqual({
      none: [],
      named: [old.id],
    });
  });

  test("all orders come by pages of twenty, the latest first, each once, of their own account alone", async () => {
    const { call, clock, order, pay, see, token, ...fixture } = await buyer();
    const made: string[] = [];
    for (let each = 0; each < 41; each += 1) {
      // Several at one moment, on both sides of a page's end.
      if (each % 3 === 0) clock.now += DAY;
      made.push((await order()).id);
    }
    const page = async (cursor?: string | null, of = token) =>
      v.parse(orderList, (await call(PATH, { body: { state: "all", cursor }, token: of })).data);
    const first = await page();
    // What is ordered meanwhile moves nothing.
    clock.now += DAY;
    const { id, address } = await order();
    const second = await page(first.next);
    const third = await page(second.next);
    const pages = [first, second, third];
    const ids = pages.map((one) => one.orders.map(({ order_id }) => order_id));
    expect({
      lengths: ids.map(({ length }) => length),
      next: third.next,
      all: ids.flat().toSorted(),
      times: pages.flatMap(({ orders: listed }) => listed.map(({ created_at }) => created_at)),
    }).toEqual({
      lengths: [20, 20, 1],
      next: null,
      all: made.toSorted(),
      times: pages
        .flatMap((one) => one.orders.map(({ created_at }) => created_at))
        .toSorted()
        .toReversed(),
    });
    await pay(address, "3.99");
    await see(id);
    const latest = (await page(null)).orders[0];
    expect([latest?.order_id, latest?.status, latest?.paid_amount]).toEqual([id, 1, "3.99"]);
    const other = await fixture.member();
    expect(await page(null, other)).toEqual({ orders: [], next: null });
    expect(await page(first.next, other)).toEqual({ orders: [], next: null });
  });

  test("a paid order says by which transaction, and when; what its chain took back says nothing", async () => {
    const { call, order, pay, token } = await buyer();
    const { id, address } = await order();
    const told = async () => {
      const [first] = v.parse(orderList, (await call(PATH, { body: { state: "all" }, token })).data).orders;
      return [first?.references, first?.paid_at];
    };
    await pay(address, "1.00");
    const [part] = await store.db.select().from(transfers).where(eq(transfers.orderId, id));
    // It is not final yet, or pays a part: there is no receipt.
    expect((await told())[1]).toBeNull();
    await pay(address, "2.99");
    const [received, last] = await store.db
      .select()
      .from(movements)
      .where(and(eq(movements.orderId, id), eq(movements.kind, "received")))
      .orderBy(movements.id);
    expect(await told()).toEqual([[part?.txHash, last?.reference], last?.at.toISOString()]);
    const { id: _, ...again } = received as NonNullable<typeof received>;
    await store.db.insert(movements).values({ ...again, kind: "orphaned", from: "credited", to: "outside" });
    expect((await told())[0]).toEqual([last?.reference]);
  });

  test("who is not signed in is told so, and what is not asked for rightly is refused", async () => {
    const { call, token } = await buyer();
    const unread = refusal("Something you entered is missing or not right. Please check it and try again.");
    expect(await call(PATH, { body: unsettled })).toEqual(refusal("Please log in first.", 4001));
    for (const body of [
      {},
      { state: "everything" },
      { ...unsettled, order_ids: "A100" },
      { ...unsettled, order_ids: Array.from({ length: 9 }, (_, index) => String(index)) },
      { ...unsettled, order_ids: ["A".repeat(65)] },
      { ...unsettled, idempotency_key: 7 },
      { state: "all", cursor: "A100" },
      { state: "all", cursor: "1.A100'" },
    ])
      expect(await call(PATH, { body, token })).toEqual(unread);
  });

  test("a payment by card or Stripe whose webhook has not come is asked about, as order detail does", async () => {
    const { call, token, cardOrder, stripeOrder } = await providerShop(live);
    const list = async () => {
      const { orders: listed } = v.parse(orderList, (await call(PATH, { body: unsettled, token })).data);
      return Object.fromEntries(listed.map((one) => [one.order_id, [one.payment_method, one.status]]));
    };
    const card = await cardOrder();
    const stripe = await stripeOrder();
    const before = await list();
    card.known();
    stripe.known();
    expect({ before, after: await list() }).toEqual({
      before: { [card.id]: ["Razorpay", 0], [stripe.id]: ["Stripe", 0] },
      after: { [card.id]: ["Razorpay", 1], [stripe.id]: ["Stripe", 1] },
    });
    await card.seen();
    await stripe.seen();
    expect(await list()).toEqual({});
  });

  test("no more than four orders are asked about at providers, the latest ones", async () => {
    const { call, clock, stripeOrder, token } = await providerShop(live);
    const made = [];
    for (let each = 0; each < 6; each += 1) {
      clock.now = START + each * 1_000;
      made.push(await stripeOrder());
    }
    for (const each of made) each.known();
    await call(PATH, { body: unsettled, token });
    const rows = await live.db
      .select({ id: orders.id, status: orders.status })
      .from(orders)
      .where(
        inArray(
          orders.id,
          made.map(({ id }) => id),
        ),
      );
    expect(made.map(({ id }) => rows.find((row) => row.id === id)?.status)).toEqual([0, 0, 1, 1, 1, 1]);
  });
});
