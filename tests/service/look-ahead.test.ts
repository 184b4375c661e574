/** Money for orders that a restored database has lost: it stands on the operator's list with its address and where that is, and no address with money is given out again. */
import { hexToBytes } from "@noble/hashes/utils.js";
import { HDKey } from "@scure/bip32";
import { eq, gt, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { rawAddress } from "../../src/contract/address.ts";
import { run } from "../../src/service/operations/admin/commands.ts";
import { addressesOf, openSeries, seriesAt } from "../../src/service/payments/addresses.ts";
import { lookAhead } from "../../src/service/payments/look-ahead.ts";
import type { Store } from "../../src/service/store/database.ts";
import {
  addressSeries,
  chainPositions,
  orders,
  receivingAddresses,
  unmatchedPayments,
} from "../../src/service/store/schema.ts";
import { SimulatedChain } from "../support/simulated-chain.ts";
import { annual, chainsOf, databases, emptyStore, serve, START, XPUB } from "./support.ts";

const FINAL = 20;
const AHEAD = 20;
const MINUTE = 60_000;
/** The account's key of another wallet. */
const OTHER = HDKey.fromMasterSeed(hexToBytes("0f0e0d0c0b0a09080706050403020100")).derive(
  "m/44'/60'/0'",
).publicExtendedKey;
const reason = "Ticket 7";

describe.each(databases)("on the %s database", (kind) => {
  let store: Store;
  const chains = { TRC20: new SimulatedChain(1_001, FINAL), ERC20: new SimulatedChain(1_002) };
  const at = addressesOf(XPUB);
  beforeAll(async () => {
    store = await emptyStore(kind);
  });
  afterAll(() => store.close());
  beforeEach(() =>
    store.db.execute(
      sql`TRUNCATE orders, movements, sweeps, transfers, payments, membership_entries, unmatched_payments, address_series, receiving_addresses, chain_positions, chain_blocks`,
    ),
  );

  async function shop() {
    const fixture = await serve(store, { sandbox: false, chains: chainsOf(chains) });
    const { series } = await fixture.payments.addressSeries();
    const token = await fixture.member();
    await fixture.settle();
    const admin = (command: string, args: string[] = [], options: Record<string, string> = {}) =>
      run(command, { ledger: fixture.ledger, args, options, actor: "anna" });
    async function pay(raw: string, amount = 3_990_000n, network: "TRC20" | "ERC20" = "TRC20") {
      chains[network].mine({ to: raw, amount });
      chains[network].grow(FINAL);
      await fixture.settle();
    }
    return {
      ...fixture,
      series,
      admin,
      pay,
      make: () => fixture.order(token),
      fill: () => lookAhead(store.db, [XPUB], AHEAD),
      /** As a database that was put back knows nothing of it. */
      lose: ({ id }: { id: string }) => store.db.delete(orders).where(eq(orders.id, id)),
    };
  }
  const list = () =>
    store.db
      .select({
        reason: unmatchedPayments.reason,
        amount: unmatchedPayments.amount,
        reference: unmatchedPayments.reference,
        isOpen: unmatchedPayments.resolution,
      })
      .from(unmatchedPayments);

  test.each(["TRC20", "ERC20"] as const)(
    "money on %s for an order that was lost is on the operator's list, and can be credited",
    async (network) => {
      const { make, fill, lose, pay, admin, series } = await shop();
      const kept = await make();
      await fill();
      const lost = await make();
      await lose(lost);
      await pay(rawAddress("TRC20", lost.address), 3_990_000n, network);
      const { address, fingerprint } = at(network, series, 1);
      expect(await list()).toEqual([
        { reason: "no order", amount: "3990000", reference: address, isOpen: null },
      ]);
      const [row] = (await admin("unmatched")) as { id: number; payment: string; path: string }[];
      expect(row).toMatchObject({
        reference: address,
        payment: chains[network].blocks.at(-FINAL - 1)?.payments[0]?.txHash,
        path: `${series}/1 of ${fingerprint}`,
      });
      expect(await admin("addresses")).toEqual([
        {
          network,
          address,
          series,
          index: 1,
          key: fingerprint,
          received: "3.99",
          swept: "0.00",
          there: "3.99",
        },
      ]);
      await admin("unmatched-credit", [String(row?.id)], { order: kept.id, reason });
      const [order] = await store.db.select().from(orders).where(eq(orders.id, kept.id));
      expect(order?.status).toBe(1);
    },
  );

  test("each transfer counts once, and one that a reorganisation takes back leaves the list", async () => {
    const { make, fill, lose, pay, settle } = await shop();
    await fill();
    const lost = await make();
    await lose(lost);
    const raw = rawAddress("TRC20", lost.address);
    await pay(raw);
    await settle();
    chains.TRC20.drop(FINAL + 1);
    chains.TRC20.grow(FINAL + 2);
    await settle();
    expect(await list()).toMatchObject([{ isOpen: "What it was about has gone." }]);
    await pay(raw, 50_000n);
    expect(await list()).toMatchObject([{ isOpen: expect.anything() }, { amount: "50000", isOpen: null }]);
  });

  test("so many addresses after the last one that an order has, and no more", async () => {
    const { make, fill, pay, series } = await shop();
    await make();
    await make();
    // The others are there since the start.
    expect(await fill()).toBe(2);
    expect(await fill()).toBe(0);
    expect(await store.db.$count(receivingAddresses)).toBe(2 + AHEAD);
    await pay(at("TRC20", series, 1 + AHEAD).raw);
    await pay(at("TRC20", series, 2 + AHEAD).raw);
    expect(await list()).toMatchObject([{ reference: at("TRC20", series, 1 + AHEAD).address }]);
    await make();
    expect(await fill()).toBe(1);
  });

  test("every series is completed, however many processes have started since", async () => {
    const { fill, series } = await shop();
    await fill();
    const many = Array.from({ length: 30 }, (_, earlier) => ({
      series: series - 1 - earlier,
      openedAt: new Date(START),
    }));
    await store.db.insert(addressSeries).values(many);
    expect(await fill()).toBe(30 * AHEAD);
  });

  test("processes that derive at once derive the same, and 0 derives none", async () => {
    await shop();
    await Promise.all(Array.from({ length: 4 }, () => lookAhead(store.db, [XPUB, XPUB], AHEAD)));
    expect(await store.db.$count(receivingAddresses)).toBe(AHEAD);
    await store.db.delete(receivingAddresses);
    expect(await lookAhead(store.db, [XPUB], 0)).toBe(0);
  });

  test("a start completes the series of the processes before it, before it reads a block", async () => {
    const before = await shop();
    await before.make();
    const lost = await before.make();
    await before.lose(lost);
    // It ended before it derived more than the first.
    await store.db.delete(receivingAddresses).where(gt(receivingAddresses.index, 0));
    chains.TRC20.mine({ to: rawAddress("TRC20", lost.address), amount: 70_000n });
    chains.TRC20.grow(FINAL);
    const { settle } = await shop();
    await settle();
    expect(await list()).toMatchObject([{ amount: "70000", reference: lost.address, reason: "no order" }]);
  });

  test("a start waits for no address: the first look at a network does, and an end does not", async () => {
    const { series } = await openSeries(store.db, START - MINUTE, [XPUB]);
    const many = 50_000;
    const { payments } = await serve(store, {
      sandbox: false,
      chains: chainsOf(chains),
      addressLookAhead: many,
    });
    const derived = () => store.db.$count(receivingAddresses, eq(receivingAddresses.series, series));
    expect(await derived()).toBe(1);
    const stop = payments.start();
    await expect.poll(derived).toBeGreaterThan(1);
    await stop();
    expect(await derived()).toBeLessThan(many);
    expect(await store.db.$count(chainPositions)).toBe(0);
  });

  test("a process opens its series with its first order, or a minute after its start", async () => {
    const settings = { sandbox: false, chains: chainsOf(chains) };
    const opened = () => store.db.$count(addressSeries);
    const [selling, idle] = [await serve(store, settings), await serve(store, settings)];
    const token = await selling.member();
    await selling.settle();
    expect(await opened()).toBe(0);
    await selling.order(token);
    await selling.order(token, annual);
    await selling.order(token);
    expect(await opened()).toBe(1);
    const { series } = await selling.payments.addressSeries();
    expect(selling.lines.filter((line) => line.includes("address series"))).toEqual([
      JSON.stringify({ event: "address series", series, ahead: 0 }),
    ]);

    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    onTestFinished(idle.payments.start());
    await idle.settle();
    expect(await opened()).toBe(1);
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(MINUTE);
      expect(await store.db.$count(receivingAddresses)).toBe(3 + AHEAD + AHEAD);
    });
    expect(await opened()).toBe(2);
  });

  test("a new key derives nothing in the series of the key before it, which keeps its own", async () => {
    const { make, fill } = await shop();
    await make();
    await fill();
    expect(await lookAhead(store.db, [OTHER], AHEAD)).toBe(0);
    await openSeries(store.db, START + MINUTE, [OTHER]);
    expect(await lookAhead(store.db, [OTHER], AHEAD)).toBe(AHEAD - 1);
    expect(await fill()).toBe(0);
    await make();
    expect(await lookAhead(store.db, [OTHER, XPUB], AHEAD)).toBe(1);
  });

  test("where the networks have a key each, both are derived as far as the last number of either", async () => {
    const { TRC20, ERC20 } = chainsOf(chains);
    if (!ERC20) throw new Error("Both networks are open.");
    const { member, order } = await serve(store, {
      sandbox: false,
      chains: { TRC20, ERC20: { ...ERC20, xpub: OTHER } },
    });
    const token = await member();
    for (const product of [undefined, annual, annual, annual]) await order(token, product);
    await lookAhead(store.db, [XPUB, OTHER], AHEAD);
    const last = await store.db
      .select({ key: receivingAddresses.fingerprint, last: sql<number>`max(${receivingAddresses.index})` })
      .from(receivingAddresses)
      .groupBy(receivingAddresses.fingerprint);
    expect(last.map((each) => each.last)).toEqual([3 + AHEAD, 3 + AHEAD]);
  });

  test("a series of an earlier release, whose keys are unknown, is of every key, also where a process ends in between", async () => {
    await store.db.insert(addressSeries).values({ series: seriesAt(START), openedAt: new Date(START) });
    let asked = 0;
    const isEnding = () => {
      asked += 1;
      return asked > 1;
    };
    expect(await lookAhead(store.db, [XPUB, OTHER], AHEAD, isEnding)).toBe(2);
    expect(await lookAhead(store.db, [OTHER], AHEAD)).toBe(AHEAD - 1);
    expect(await lookAhead(store.db, [XPUB], AHEAD)).toBe(AHEAD - 1);
  });

  test("a series that the operator added is of every key, whichever comes first", async () => {
    const { admin } = await shop();
    await admin("series-add", [String(seriesAt(START) - 500)], { reason });
    await lookAhead(store.db, [XPUB], AHEAD);
    expect(await lookAhead(store.db, [OTHER], AHEAD)).toBe(AHEAD);
  });

  test("of a series that is unknown nothing is seen until it is added by its number from the log", async () => {
    const lostSeries = (START - Date.UTC(2026, 0)) / 1_000 - 500;
    const { address, raw } = at("TRC20", lostSeries, 3);
    const { admin, pay } = await shop();
    await pay(raw);
    expect(await list()).toEqual([]);
    for (const wrong of ["0", "x", "1.5", String(lostSeries + 100_000)]) {
      await expect(admin("series-add", [wrong], { reason })).rejects.toThrow("address series");
    }
    await admin("series-add", [String(lostSeries)], { reason });
    await admin("series-add", [String(lostSeries)], { reason });
    const { pay: payLater } = await shop();
    await payLater(raw, 40_000n);
    expect(await list()).toMatchObject([{ amount: "40000", reference: address }]);
  });

  test("an address that has got money is given to no order", async () => {
    const { make, fill, pay, series } = await shop();
    await fill();
    await pay(at("TRC20", series, 0).raw, 1n);
    expect((await make()).address).toBe(at("TRC20", series, 1).address);
  });
});
