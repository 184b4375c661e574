/** What money does to an order: counted once, credited once, whenever and in however many pieces it comes. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { rawAddress } from "../../src/contract/address.ts";
import type { Network } from "../../src/contract/calls.ts";
import { startJobs } from "../../src/service/payments/jobs.ts";
import { RECENT, sweep } from "../../src/service/payments/ledger.ts";
import type { Store } from "../../src/service/store/database.ts";
import {
  membershipEntries,
  outboxEvents,
  storedSettings,
  transfers,
  unmatchedPayments,
} from "../../src/service/store/schema.ts";
import { SimulatedChain } from "../support/simulated-chain.ts";
import { annual, chainsOf, databases, emptyStore, monthly, serve, START } from "./support.ts";

const DAY = 86_400_000;
const after = (days: number, from = START) => new Date(from + days * DAY).toISOString();
const FINAL = 20;

describe.each(databases)("on the %s database", (kind) => {
  let store: Store;
  const chains = { TRC20: new SimulatedChain(1_001, FINAL), ERC20: new SimulatedChain(1_002) };
  beforeAll(async () => {
    store = await emptyStore(kind);
  });
  afterAll(() => store.close());

  /** A member with an order, and the words to pay it with. */
  async function buyer(product = monthly) {
    const fixture = await serve(store, { sandbox: false, chains: chainsOf(chains) });
    const { call, order, member, settle } = fixture;
    const token = await member();
    await settle();
    const made = await order(token, product);
    const network: Network = product.coin_type === 2 ? "ERC20" : "TRC20";
    const chain = chains[network];
    const to = rawAddress(network, made.address);

    /** Transfers to the order in one block, seen and not yet final. */
    async function see(...amounts: bigint[]) {
      chain.mine(...amounts.map((amount) => ({ to, amount })));
      await settle();
    }
    async function finalise(on = chain) {
      on.grow(FINAL);
      await settle();
    }
    async function pay(...amounts: bigint[]) {
      await see(...amounts);
      await finalise();
    }

    /** What the member sees. */
    async function seen(orderId = made.id) {
      const detail = await call("/api/order/detail", { body: { order_id: orderId }, token });
      const centre = await call("/api/user/center", { token });
      const { status, paid_amount } = detail.data as Record<string, unknown>;
      const { pack_name, pack_exp_date } = (centre.data as { user: Record<string, unknown> }).user;
      return { status, paid_amount, pack_name, pack_exp_date };
    }
    const shownTransfers = async () => {
      const { data } = await call("/api/order/detail", { body: { order_id: made.id }, token });
      return (data as { transfers: Record<string, unknown>[] }).transfers;
    };
    const unmatched = () =>
      store.db
        .select({
          reason: unmatchedPayments.reason,
          amount: unmatchedPayments.amount,
          resolved: unmatchedPayments.resolution,
        })
        .from(unmatchedPayments)
        .where(eq(unmatchedPayments.orderId, made.id));
    const entries = () =>
      store.db
        .select({
          reason: membershipEntries.reason,
          days: membershipEntries.days,
          ordinal: membershipEntries.ordinal,
        })
        .from(membershipEntries)
        .where(eq(membershipEntries.orderId, made.id))
        .orderBy(membershipEntries.id);
    return {
      ...fixture,
      token,
      made,
      network,
      chain,
      to,
      see,
      finalise,
      pay,
      seen,
      shownTransfers,
      unmatched,
      entries,
    };
  }

  const unpaid = { status: 0, paid_amount: "0.00", pack_name: null, pack_exp_date: null };
  const paid = { status: 1, paid_amount: "3.99", pack_name: "Monthly", pack_exp_date: after(30) };
  const grant = { reason: "order", days: 30, ordinal: 1 };

  test("seen is shown and changes nothing; final confirms the order and begins the membership", async () => {
    const { see, finalise, seen } = await buyer();
    expect(await seen()).toEqual(unpaid);
    await see(3_990_000n);
    expect(await seen()).toEqual({ ...unpaid, paid_amount: "3.99" });
    await finalise();
    expect(await seen()).toEqual(paid);
  });

  test("confirmations are counted, and the transaction is shown with its explorer", async () => {
    const { see, chain, settle, shownTransfers, seen } = await buyer(annual);
    await see(29_990_000n);
    const shown = {
      tx_hash: chain.head.payments[0]?.txHash,
      amount: "29.99",
      confirmations: 1,
      confirmations_needed: 12,
      explorer_url: `https://explorer.example/ERC20/${chain.head.payments[0]?.txHash}`,
    };
    expect(await shownTransfers()).toEqual([shown]);
    chain.grow(10);
    await settle();
    expect(await shownTransfers()).toEqual([{ ...shown, confirmations: 11 }]);
    expect(await seen()).toMatchObject({ status: 0 });
    chain.grow(1);
    await settle();
    expect(await shownTransfers()).toEqual([{ ...shown, confirmations: 12 }]);
    expect(await seen()).toMatchObject({ status: 1 });
  });

  test("a cent short stays pending, and is asked for; a unit more completes it, for less than a cent is asked of no one", async () => {
    const { pay, seen, call, made, token } = await buyer();
    const detail = async () => (await call("/api/order/detail", { body: { order_id: made.id }, token })).data;
    await pay(3_980_000n);
    expect(await seen()).toEqual({ ...unpaid, paid_amount: "3.98" });
    expect(await detail()).toMatchObject({ owed_amount: "0.01" });
    await pay(1n);
    expect(await seen()).toEqual({ ...paid, paid_amount: "3.980001" });
    expect(await detail()).toMatchObject({ owed_amount: "0.00" });
  });

  test("what exchanges keep of an amount is forgiven up to the tolerance", async () => {
    const { pay, seen, ledger } = await buyer();
    ledger.tolerance = 10_000n;
    await pay(3_979_999n);
    expect(await seen()).toMatchObject({ status: 0 });
    await pay(1n);
    expect(await seen()).toEqual({ ...paid, paid_amount: "3.98" });
  });

  test("too much, and a second payment, stand on the operator's list and buy nothing twice", async () => {
    const { pay, seen, unmatched, entries } = await buyer();
    await pay(100_000_000n);
    expect(await unmatched()).toEqual([{ reason: "surplus", amount: "96010000", resolved: null }]);
    await pay(3_990_000n);
    expect(await unmatched()).toEqual([
      { reason: "surplus", amount: "96010000", resolved: null },
      { reason: "surplus", amount: "3990000", resolved: null },
    ]);
    expect(await seen()).toEqual({ ...paid, paid_amount: "103.99" });
    expect(await entries()).toEqual([grant]);
  });

  test("no order is taken before its network has been read, for what was paid before would never be found", async () => {
    const fresh = await emptyStore(kind);
    onTestFinished(() => fresh.close());
    const trouble = { down: true };
    const chain = new SimulatedChain(1_001, FINAL);
    const nodes = { TRC20: [chain.node("only", trouble)] };
    const settings = { sandbox: false, chains: chainsOf({ ...chains, TRC20: chain }, nodes) };
    const { call, member, settle } = await serve(fresh, settings);
    const token = await member();
    const create = () =>
      call("/api/order/create", { body: monthly, token, headers: { "Idempotency-Key": "k" } });
    expect(await create()).toMatchObject({ code: 1, data: null });
    chain.grow(5);
    trouble.down = false;
    await expect.poll(async () => (await create()).code).toBe(200);
    const { data } = await create();
    const { order, payData } = data as { order: { order_id: string }; payData: { address: string } };
    chain.mine({ to: rawAddress("TRC20", payData.address), amount: 3_990_000n });
    chain.grow(FINAL);
    await settle();
    const detail = await call("/api/order/detail", { body: { order_id: order.order_id }, token });
    expect(detail.data).toMatchObject({ status: 1 });
  });

  test("a network that takes no new orders is still read; one that is not set up is named, and its bills say that it is not read", async () => {
    const fresh = await emptyStore(kind);
    onTestFinished(() => fresh.close());
    const settings = { sandbox: false, chains: chainsOf(chains) };
    const before = await serve(fresh, settings);
    const token = await before.member();
    await before.settle();
    const [made, other] = [await before.order(token, annual), await before.order(token, annual)];
    expect(await before.payments.missing()).toEqual([]);
    const detail = async ({ call }: typeof before, id: string) =>
      (await call("/api/order/detail", { body: { order_id: id }, token })).data;

    const closed = await serve(fresh, { ...settings, closed: ["ERC20"] });
    await closed.settle();
    expect(await closed.call("/api/order/create", { body: annual, token })).toMatchObject({
      message: "This payment method is not available. Please choose another.",
    });
    expect(await closed.call("/api/order/create", { body: monthly, token })).toMatchObject({ code: 200 });
    chains.ERC20.mine({ to: rawAddress("ERC20", made.address), amount: 29_990_000n });
    chains.ERC20.grow(FINAL);
    await closed.settle();
    expect(await detail(closed, made.id)).toMatchObject({ status: 1 });
    expect([await closed.payments.missing(), await detail(closed, other.id)]).toEqual([
      [],
      expect.not.objectContaining({ network_behind: true }),
    ]);

    const unset = { ...settings, chains: { ...settings.chains, ERC20: undefined } };
    const gone = await serve(fresh, unset);
    expect(await gone.payments.missing()).toEqual(["ERC20"]);
    expect(gone.lines).toContain(JSON.stringify({ event: "way to pay missing", rail: "ERC20" }));
    expect(await detail(gone, other.id)).toMatchObject({ status: 0, network_behind: true });
    const later = await serve(fresh, { ...unset, startsAt: START + 30 * DAY + 1 });
    expect(await later.payments.missing()).toEqual([]);
  });

  test("two payments within one block both count", async () => {
    const { pay, seen } = await buyer();
    await pay(1_995_000n, 1_995_000n);
    expect(await seen()).toEqual(paid);
  });

  test("however many processes read at once, every transfer counts once", async () => {
    const { chain, to, seen, entries, settle } = await buyer();
    const others = await Promise.all(
      [1, 2, 3].map(() => serve(store, { sandbox: false, chains: chainsOf(chains) })),
    );
    chain.mine({ to, amount: 3_990_000n });
    chain.grow(FINAL);
    await Promise.all([settle, ...others.map((other) => other.settle)].flatMap((read) => [read(), read()]));
    await settle();
    expect(await seen()).toEqual(paid);
    expect(await entries()).toEqual([grant]);
    expect(await store.db.select().from(transfers).where(eq(transfers.recipient, to))).toHaveLength(1);
  });

  test("two orders of one member that are paid in one block add up", async () => {
    const { chain, to, order, token, seen, settle } = await buyer();
    const second = await order(token);
    chain.mine({ to, amount: 3_990_000n }, { to: rawAddress("TRC20", second.address), amount: 3_990_000n });
    chain.grow(FINAL);
    await settle();
    expect(await seen()).toMatchObject({ status: 1, pack_exp_date: after(60) });
  });

  test("a renewal begins where the membership ends, and after that at the payment", async () => {
    const { pay, seen, clock, order, token, chain, settle } = await buyer();
    await pay(3_990_000n);
    clock.now = START + 10 * DAY;
    const early = await order(token);
    chain.mine({ to: rawAddress("TRC20", early.address), amount: 3_990_000n });
    chain.grow(FINAL);
    await settle();
    expect(await seen(early.id)).toMatchObject({ status: 1, pack_exp_date: after(60) });
    clock.now = START + 80 * DAY;
    expect(await seen(early.id)).toMatchObject({ pack_name: null, pack_exp_date: null });
    const late = await order(token);
    chain.mine({ to: rawAddress("TRC20", late.address), amount: 3_990_000n });
    chain.grow(FINAL);
    await settle();
    expect(await seen(late.id)).toMatchObject({ status: 1, pack_exp_date: after(30, clock.now) });
  });

  test("money that comes a week late is credited from the day it comes", async () => {
    const { pay, seen, clock } = await buyer();
    clock.now = START + 7 * DAY;
    await pay(3_990_000n);
    expect(await seen()).toEqual({ ...paid, pack_exp_date: after(37) });
  });

  test("money that comes after the days of the setting is shown, and waits for a person", async () => {
    const { pay, seen, clock, unmatched, call, token, made } = await buyer();
    clock.now = START + 31 * DAY;
    await pay(3_990_000n);
    const { data } = await call("/api/order/detail", { body: { order_id: made.id }, token });
    expect(data).toMatchObject({ held: true });
    expect(await seen()).toEqual({ ...unpaid, paid_amount: "3.99" });
    expect(await unmatched()).toEqual([{ reason: "late", amount: "3990000", resolved: null }]);
  });

  test("money on the other network waits for a person; another token and nothing at all are spam", async () => {
    const { chain, to, settle, finalise, seen, unmatched } = await buyer();
    chain.mine(
      { to, amount: 0n },
      { to, amount: 3_990_000n, contract: "00000000000000000000000000000000000fa6e0" },
    );
    await finalise();
    expect(await seen()).toEqual(unpaid);
    expect(await unmatched()).toEqual([]);
    chains.ERC20.mine({ to, amount: 3_990_000n });
    chains.ERC20.grow(FINAL);
    await settle();
    expect(await seen()).toEqual({ ...unpaid, paid_amount: "3.99" });
    expect(await unmatched()).toEqual([{ reason: "network", amount: "3990000", resolved: null }]);
  });

  test("a transaction that is mined again at another place counts once", async () => {
    const { chain, to, settle, seen, entries, finalise } = await buyer(annual);
    chain.mine({ to, amount: 29_990_000n });
    await settle();
    const [again] = chain.drop(1);
    if (!again) throw new Error("A transfer was dropped.");
    chain.mine({ to: "00".repeat(20), amount: 5n }, again);
    await settle();
    expect(await seen()).toMatchObject({ status: 0, paid_amount: "29.99" });
    await finalise();
    expect(await seen()).toMatchObject({ status: 1, paid_amount: "29.99" });
    expect(await entries()).toEqual([{ reason: "order", days: 365, ordinal: 1 }]);
  });

  test.each([1, FINAL + 1])(
    "a fork that was left %s blocks deep and returned to counts what is in it, once",
    async (depth) => {
      const { chain, to, settle, seen, finalise } = await buyer(annual);
      chain.mine({ to, amount: 29_990_000n });
      chain.grow(depth - 1);
      await settle();
      const left = chain.fork(depth);
      chain.grow(depth + 1);
      await settle();
      expect(await seen()).toEqual(unpaid);
      chain.adopt(left);
      chain.grow(3);
      await settle();
      expect(await seen()).toMatchObject({ paid_amount: "29.99" });
      await finalise();
      expect(await seen()).toMatchObject({ status: 1, paid_amount: "29.99", pack_exp_date: after(365) });
    },
  );

  test("a tolerance above the price forgives half of it at most", async () => {
    const { pay, seen, ledger } = await buyer();
    ledger.tolerance = 10_000_000n;
    await pay(1n);
    expect(await sweep(ledger)).toBe(0);
    expect(await seen()).toMatchObject({ status: 0 });
    await pay(1_994_999n);
    expect(await seen()).toMatchObject({ status: 1 });
  });

  test("a raised tolerance confirms what was short before, which is no fault", async () => {
    const { pay, seen, ledger, lines } = await buyer();
    await pay(3_970_000n);
    expect(await sweep(ledger)).toBe(0);
    ledger.tolerance = 20_000n;
    expect(await sweep(ledger)).toBe(1);
    expect(await seen()).toMatchObject({ status: 1 });
    const told = lines.filter((line) => /"(short order confirmed|order swept)"/.test(line));
    expect(told).toEqual([expect.stringContaining('"short order confirmed"')]);
    await sweep(ledger);
    // With a tolerance that stays as it is, none is left to the sweep.
    const late = await buyer();
    late.ledger.tolerance = 0n;
    await late.pay(3_970_000n);
    late.ledger.tolerance = 20_000n;
    expect(await sweep(late.ledger)).toBe(1);
    expect(late.lines.some((line) => line.includes('"order swept"'))).toBe(true);
  });

  test("each minute the sweep looks at the latest money, at the start and each hour at that of a week", async () => {
    const { pay, seen, ledger, clock, lines } = await buyer();
    await pay(3_970_000n);
    expect(await sweep(ledger)).toBe(0);
    clock.now += 2 * 3_600_000 + 1;
    ledger.tolerance = 20_000n;
    expect(await sweep(ledger, RECENT)).toBe(0);
    expect(await seen()).toMatchObject({ status: 0 });
    await startJobs(ledger, null, () => Promise.resolve())();
    expect(await seen()).toMatchObject({ status: 1 });
    // What only the whole week shows is no fault to the sweep of a minute that came before.
    const told = lines.filter((line) => /"(short order confirmed|order swept)"/.test(line));
    expect(told).toEqual([expect.stringContaining('"short order confirmed"')]);
  });

  test("a raised tolerance confirms what was short long before, too, which is no fault", async () => {
    const [one, other] = [await buyer(), await buyer()];
    const { ledger, clock, lines } = one;
    ledger.tolerance = 0n;
    await sweep(ledger);
    await one.pay(3_970_000n);
    await other.pay(3_950_000n);
    clock.now += 60 * DAY;
    // An earlier release raised the tolerance, and left what was older.
    await store.db
      .update(storedSettings)
      .set({ value: "20000" })
      .where(eq(storedSettings.key, "swept with tolerance"));
    ledger.tolerance = 20_000n;
    expect([await sweep(ledger), await one.seen()]).toMatchObject([0, { status: 0 }]);
    ledger.tolerance = 40_000n;
    const confirmed = [await sweep(ledger), await sweep(ledger)];
    expect([confirmed, await one.seen(), await other.seen()]).toMatchObject([
      [2, 0],
      { status: 1 },
      { status: 1 },
    ]);
    const told = lines.filter((line) => /"(short order confirmed|order swept)"/.test(line));
    expect(told).toHaveLength(2);
    expect(told.join("")).not.toContain("order swept");
  });

  test("a lower tolerance takes nothing back that was confirmed before", async () => {
    const { pay, seen, ledger } = await buyer();
    ledger.tolerance = 20_000n;
    await pay(3_970_000n);
    ledger.tolerance = 0n;
    await pay(1n);
    expect(await seen()).toMatchObject({ status: 1, pack_name: "Monthly" });
  });

  test("what a reorganisation takes before it is final takes no membership that a higher tolerance confirmed", async () => {
    const { pay, see, settle, chain, seen, ledger } = await buyer();
    ledger.tolerance = 20_000n;
    await pay(3_970_000n);
    ledger.tolerance = 0n;
    await see(1n);
    chain.drop(1);
    chain.grow(2);
    await settle();
    expect(await seen()).toMatchObject({ status: 1, pack_name: "Monthly" });
  });

  test.each([1, 2, 5])(
    "what a reorganisation took while nothing was read is never credited, though it would be final by now: %i blocks",
    async (depth) => {
      const { chain, to, settle, seen, entries, lines } = await buyer(annual);
      chain.mine({ to, amount: 29_990_000n });
      chain.grow(depth - 1);
      await settle();
      expect(await seen()).toMatchObject({ paid_amount: "29.99" });
      chain.drop(depth);
      chain.grow(3 * FINAL);
      await settle();
      expect([await seen(), await entries()]).toEqual([unpaid, []]);
      expect(lines.some((line) => line.includes('"final transfer orphaned"'))).toBe(false);
    },
  );

  test("a reorganisation deeper than the confirmations takes the membership back, and the money may come again", async () => {
    const { chain, to, settle, seen, entries, pay, lines } = await buyer(annual);
    await pay(29_990_000n);
    expect(await seen()).toMatchObject({ status: 1 });
    const [again] = chain.drop(FINAL + 1);
    chain.grow(FINAL + 2);
    await settle();
    expect(await seen()).toEqual({ ...unpaid, paid_amount: "0.00" });
    expect(lines.some((line) => line.includes('"final transfer orphaned"'))).toBe(true);
    if (!again) throw new Error("A transfer was dropped.");
    chain.mine({ ...again, to });
    chain.grow(FINAL);
    await settle();
    expect(await seen()).toMatchObject({ status: 1, pack_name: "Annual", pack_exp_date: after(365) });
    expect(await entries()).toEqual([
      { reason: "order", days: 365, ordinal: 1 },
      { reason: "reorganisation", days: -365, ordinal: 2 },
      { reason: "order", days: 365, ordinal: 3 },
    ]);
    const events = await store.db
      .select({ type: outboxEvents.type })
      .from(outboxEvents)
      .orderBy(outboxEvents.createdAt);
    expect(events.map(({ type }) => type)).toContain("membership.revoked");
  });
});
