/** Making orders and asking after them: the price is the service's, a retry makes no second order, others see nothing. */
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { paymentAddress } from "../../src/contract/address.ts";
import { createdOrder, orderDetail } from "../../src/contract/calls.ts";
import { orders } from "../../src/service/store/schema.ts";
import type { Store } from "../../src/service/store/database.ts";
import { annual, databases, emptyStore, monthly, refusal, serve, START, success, zh } from "./support.ts";

describe.each(databases)("on the %s database", (kind) => {
  let store: Store;
  beforeAll(async () => {
    store = await emptyStore(kind);
  });
  afterAll(() => store.close());

  test("an order says what to pay and where, and its detail says the same", async () => {
    const { call, member } = await serve(store);
    const token = await member();
    const answer = await call("/api/order/create", { body: annual, token });
    const { order, payData } = v.parse(createdOrder, answer.data);
    expect(answer).toEqual(
      success({
        order: { order_id: order.order_id, payment_amount: "29.99", created_at: "2026-11-20T08:00:00.000Z" },
        payData: { address: payData.address },
      }),
    );
    expect(order.order_id).toMatch(/^[0-9A-HJKMNP-TV-Z]{16}$/);
    expect(paymentAddress("ERC20", payData.address)).toBe(payData.address);
    const detail = await call("/api/order/detail", {
      body: { order_id: order.order_id },
      token,
      headers: zh,
    });
    const known = {
      order_id: order.order_id,
      status: 0,
      payment_amount: "29.99",
      created_at: "2026-11-20T08:00:00.000Z",
      address: payData.address,
      coin_type: 2,
      paid_amount: "0.00",
      owed_amount: "29.99",
      surplus_amount: "0.00",
      pack_name: "年度会员",
      transfers: [],
      held: false,
      returned: false,
      payment_method: "EbPay",
      paid_at: null,
      references: [],
    };
    expect(detail).toEqual(success(known, "操作成功。"));
    expect(v.parse(orderDetail, detail.data)).toEqual(known);
  });

  test.each([
    ["behind", true, true],
    ["up to date", false, undefined],
  ])("an order and its detail tell where its network is %s", async (_, isBehind, told) => {
    const { call, member, service } = await serve(store);
    const { ERC20: rail } = service.rails;
    if (!rail) throw new Error("There is no such network.");
    const status = rail.status();
    rail.status = () => ({ ...status, isBehind });
    const token = await member();
    const { data: made } = await call("/api/order/create", { body: annual, token });
    const { order } = v.parse(createdOrder, made);
    const { data: detail } = await call("/api/order/detail", { body: { order_id: order.order_id }, token });
    expect([order.network_behind, v.parse(orderDetail, detail).network_behind]).toEqual([told, told]);
  });

  test("an address is given out once, however many orders are made at once", async () => {
    const { member, order } = await serve(store);
    const tokens = await Promise.all([member(), member(), member()]);
    const made = await Promise.all(
      tokens.flatMap((token) => [order(token), order(token, annual), order(token)]),
    );
    expect(new Set(made.map(({ address }) => address)).size).toBe(9);
    expect(new Set(made.map(({ id }) => id)).size).toBe(9);
    for (const { address } of made) {
      expect(paymentAddress(address.startsWith("0x") ? "ERC20" : "TRC20", address)).toBe(address);
    }
  });

  test("many requests with one Idempotency-Key make one order and all get its answer", async () => {
    const { call, member } = await serve(store);
    const token = await member();
    const headers = { "Idempotency-Key": "one-tap" };
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => call("/api/order/create", { body: monthly, token, headers })),
    );
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]?.code).toBe(200);
    // The same order said in other words: numbers, and another kind of body.
    expect(
      await call("/api/order/create", {
        body: { pack_id: 1, product_id: "monthly", coin_type: "4" },
        token,
        headers,
      }),
    ).toEqual(answers[0]);
    expect(
      await call("/api/order/create", {
        form: new URLSearchParams({ ...monthly, coin_type: "4" }),
        token,
        headers,
      }),
    ).toEqual(answers[0]);
    const ids = await store.db.select({ key: orders.idempotencyKey }).from(orders);
    expect(ids.filter(({ key }) => key === "one-tap")).toHaveLength(1);
  });

  test("a key used again for something else is refused; another account may use it", async () => {
    const { call, member, order } = await serve(store);
    const [token, another] = [await member(), await member()];
    const headers = { "Idempotency-Key": "shared-key" };
    const mine = await order(token, monthly, headers);
    const theirs = await order(another, monthly, headers);
    expect(theirs.id).not.toBe(mine.id);
    for (const changed of [annual, { ...monthly, coin_type: 2 }, { ...monthly, pack_id: "2" }]) {
      expect(await call("/api/order/create", { body: changed, token, headers })).toEqual(
        refusal(
          "This order has already been placed with different choices. Please go back and choose the package again.",
        ),
      );
    }
    expect(await call("/api/order/create", { body: annual, token, headers: { ...headers, ...zh } })).toEqual(
      refusal("这笔订单已经提交，但选择的内容不一样。请返回重新选择套餐。"),
    );
    const tooLong = { "Idempotency-Key": "k".repeat(256) };
    expect((await call("/api/order/create", { body: monthly, token, headers: tooLong })).code).toBe(1);
  });

  test("without a key every request makes an order", async () => {
    const { member, order } = await serve(store);
    const token = await member();
    expect((await order(token)).id).not.toBe((await order(token)).id);
  });

  test.each([
    { pack_id: "1", product_id: "annual", coin_type: 4 },
    { pack_id: "99", product_id: "monthly", coin_type: 4 },
    { pack_id: "1'; drop table orders; --", product_id: "\u0000", coin_type: 4 },
  ])("the package %j is not on sale", async (body) => {
    const { call, member } = await serve(store);
    const token = await member();
    expect(await call("/api/order/create", { body, token })).toEqual(
      refusal("This package is no longer on sale. Please choose another."),
    );
    expect(await call("/api/order/create", { body, token, headers: zh })).toEqual(
      refusal("这个套餐已下架，请重新选择。"),
    );
  });

  test.each([
    { coin_type: 3 },
    { coin_type: "" },
    { coin_type: null },
    { pack_id: ["1"] },
    { product_id: "" },
  ])("with %j the request is not understood", async (change) => {
    const { call, member } = await serve(store);
    const body = { ...monthly, ...change };
    expect(await call("/api/order/create", { body, token: await member() })).toEqual(
      refusal("Something you entered is missing or not right. Please check it and try again."),
    );
  });

  test("the amount is the service's alone", async () => {
    const { call, member } = await serve(store);
    const body = { ...monthly, payment_amount: "0.01", amount: "0.01", buy_price: "0.01", price: 0 };
    const { data } = await call("/api/order/create", { body, token: await member() });
    expect(v.parse(createdOrder, data).order.payment_amount).toBe("3.99");
  });

  test("a visitor: no order, no detail", async () => {
    const { call } = await serve(store);
    expect(await call("/api/order/create", { body: monthly, headers: zh })).toEqual(
      refusal("Unauthenticated.", -1),
    );
    expect(await call("/api/order/create", { body: {}, token: "made-up" })).toEqual(
      refusal("Unauthenticated.", -1),
    );
    expect(await call("/api/order/detail", { body: { order_id: "1" } })).toEqual(
      refusal("Please log in first.", 4001),
    );
  });

  test("an order that is someone else's, or no one's, is not found", async () => {
    const { call, member, order } = await serve(store);
    const { id } = await order(await member());
    const token = await member();
    for (const order_id of [id, "0000000000000000", "' or 1=1 --", "\u0000", 7, id.toLowerCase()]) {
      expect(await call("/api/order/detail", { body: { order_id }, token })).toEqual(
        refusal(
          "This order was not found. If you have paid, contact customer support with the order number.",
        ),
      );
    }
    expect(await call("/api/order/detail", { body: { order_id: id }, token, headers: zh })).toEqual(
      refusal("没有找到这笔订单。如果你已经付款，请把订单号发给客服。"),
    );
  });

  test("no way to pay is closed by the unpaid orders of another", async () => {
    const { call, member, service } = await serve(store, { openOrdersPerHour: 2 });
    const token = await member();
    const card = { pack_id: "1", product_id: "monthly", payment_method: "razorpay" };
    const checkout = { pack_id: "1", product_id: "monthly", payment_method: "Stripe" };
    const codes = async (path: string, body: unknown) => [
      (await call(path, { body, token })).code,
      (await call(path, { body, token })).code,
      (await call(path, { body, token })).code,
    ];
    expect(await codes("/api/razorpay/order/create", card)).toEqual([200, 200, 200]);
    expect(await codes("/api/order/create", checkout)).toEqual([200, 200, 1]);
    expect(await codes("/api/order/create", monthly)).toEqual([200, 200, 1]);
    // Looking at the other packages is not ordering either.
    for (const { id: pack_id, product_id } of service.catalogue.entries) {
      const body = { ...card, pack_id, product_id };
      expect((await call("/api/razorpay/order/create", { body, token })).code).toBe(200);
    }
  });

  test("a network makes so many new orders an hour, over all accounts; one that is made already is no other", async () => {
    const { call, clock, member } = await serve(store, { networkOrdersPerHour: 3, trustedProxies: 1 });
    const from = { "X-Forwarded-For": "192.0.2.77" };
    const card = { pack_id: "1", product_id: "monthly", payment_method: "razorpay" };
    const make = async (token: string, path: string, body: unknown, headers: Record<string, string> = from) =>
      (await call(path, { body, token, headers })).code;
    const [anna, berta] = [await member(), await member()];
    const first = { ...from, "Idempotency-Key": "first" };
    expect(await make(anna, "/api/order/create", monthly, first)).toBe(200);
    // What comes to nothing is not counted, nor what is there already.
    expect(await make(anna, "/api/order/create", { ...monthly, pack_id: "none" })).toBe(1);
    for (let at = 0; at < 5; at += 1) {
      expect(await make(anna, "/api/order/create", monthly, first)).toBe(200);
      expect(await make(berta, "/api/razorpay/order/create", card)).toBe(200);
    }
    expect(await make(berta, "/api/order/create", monthly)).toBe(200);
    expect(await call("/api/order/create", { body: monthly, token: anna, headers: from })).toEqual(
      refusal(
        "Many orders have just been made from your network, perhaps by others who share it. Nothing was charged. Please try again in an hour, or switch to another network, such as mobile data.",
      ),
    );
    expect(await make(anna, "/api/order/create", monthly, first)).toBe(200);
    expect(await make(berta, "/api/razorpay/order/create", card)).toBe(200);
    expect(await make(anna, "/api/order/create", monthly, { "X-Forwarded-For": "192.0.2.78" })).toBe(200);
    clock.now += 3_600_000;
    expect(await make(anna, "/api/order/create", monthly)).toBe(200);
  });

  test("too many unpaid orders in an hour are refused, a retry of the last one is not", async () => {
    const { call, clock, member, order } = await serve(store, { openOrdersPerHour: 3 });
    const token = await member();
    const headers = { "Idempotency-Key": "third" };
    const codes = await Promise.all(
      Array.from({ length: 5 }, async () => (await call("/api/order/create", { body: monthly, token })).code),
    );
    expect(codes.toSorted((one, other) => one - other)).toEqual([1, 1, 200, 200, 200]);
    expect(await call("/api/order/create", { body: monthly, token })).toEqual(
      refusal(
        "You have too many unfinished payments of this kind. Please finish one in your personal center, choose another way to pay, or try again in an hour.",
      ),
    );
    expect(await call("/api/order/create", { body: monthly, token, headers: zh })).toEqual(
      refusal("你用这种方式未完成的付款太多，请先到个人中心完成一笔，或换一种支付方式，也可以一小时后再试。"),
    );
    clock.now = START + 3_600_000;
    const third = await order(token, monthly, headers);
    await order(token);
    await order(token);
    expect((await call("/api/order/create", { body: monthly, token })).code).toBe(1);
    expect(await order(token, monthly, headers)).toEqual(third);
  });
});
