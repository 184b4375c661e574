/** What money does to an order: counted once, credited once, whenever and in however many pieces it comes. */
import { readFileSync } from "node:fs";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Network } from "../../src/contract/calls.ts";
import { confirmTransfer, recordTransfer, type TransferKey } from "../../src/service/rails/usdt.ts";
import { openSandbox } from "../../src/service/rails/sandbox.ts";
import type { Store } from "../../src/service/store/open.ts";
import { memberships, transfers } from "../../src/service/store/schema.ts";
import { annual, CONFIRM_SECONDS, databases, emptyStore, monthly, serve, START } from "./support.ts";

const DAY = 86_400_000;
const after = (days: number, from = START) => new Date(from + days * DAY).toISOString();

describe.each(databases)("on the %s database", (kind) => {
  let store: Store;
  beforeAll(async () => {
    store = await emptyStore(kind);
  });
  afterAll(() => store.close());

  /** A member with an order, and the words to pay it with. */
  async function buyer(product = monthly) {
    const house = await serve(store);
    const { call, order, member, clock } = house;
    const token = await member();
    const made = await order(token, product);
    const network: Network = product.coin_type === 2 ? "ERC20" : "TRC20";

    /** A transfer seen on the network, not yet final. */
    async function see(
      amount: bigint,
      logIndex = 0,
      txHash: string = crypto.randomUUID(),
    ): Promise<TransferKey> {
      const key = { network, txHash, logIndex };
      const transfer = { ...key, address: made.address, amount, dueAt: null };
      expect(await recordTransfer(store.db, transfer, clock.now)).toBe(true);
      return key;
    }
    const confirm = (key: TransferKey) => confirmTransfer(store.db, key, clock.now);

    /** What the member sees. */
    async function seen(orderId = made.id) {
      const detail = await call("/api/order/detail", { body: { order_id: orderId }, token });
      const centre = await call("/api/user/center", { token });
      const { status, paid_amount } = detail.data as Record<string, unknown>;
      const { pack_name, pack_exp_date } = (centre.data as { user: Record<string, unknown> }).user;
      return { status, paid_amount, pack_name, pack_exp_date };
    }
    return { ...house, token, made, network, see, confirm, seen };
  }

  test("seen is shown and changes nothing; final confirms the order and begins the membership", async () => {
    const { see, confirm, seen } = await buyer();
    const key = await see(3_990_000n);
    expect(await seen()).toEqual({ status: 0, paid_amount: "3.99", pack_name: null, pack_exp_date: null });
    await confirm(key);
    expect(await seen()).toEqual({
      status: 1,
      paid_amount: "3.99",
      pack_name: "Monthly",
      pack_exp_date: after(30),
    });
  });

  test("one unit short stays pending; the rest completes it", async () => {
    const { see, confirm, seen } = await buyer();
    await confirm(await see(3_989_999n));
    expect(await seen()).toEqual({
      status: 0,
      paid_amount: "3.989999",
      pack_name: null,
      pack_exp_date: null,
    });
    await confirm(await see(1n));
    expect(await seen()).toEqual({
      status: 1,
      paid_amount: "3.99",
      pack_name: "Monthly",
      pack_exp_date: after(30),
    });
  });

  test("too much is kept on record, where the operator finds it, and paying again buys nothing twice", async () => {
    const { see, confirm, seen, made, network } = await buyer();
    await confirm(await see(100_000_000n));
    await confirm(await see(3_990_000n));
    expect(await seen()).toEqual({
      status: 1,
      paid_amount: "103.99",
      pack_name: "Monthly",
      pack_exp_date: after(30),
    });
    const [, query = ""] = /```sql\n([^]+?)```/.exec(readFileSync("docs/operating.md", "utf8")) ?? [];
    const { rows } = (await store.db.execute(sql.raw(query))) as { rows: { id: string }[] };
    expect(rows.filter(({ id }) => id === made.id)).toEqual([
      { id: made.id, rail: "usdt", network, surplus: "100000000" },
    ]);
  });

  test("a transfer seen or confirmed again and again counts once", async () => {
    const { see, confirm, seen, clock, made, network } = await buyer();
    const txHash = `again-${kind}`;
    for (; clock.now < START + 3; clock.now += 1) await confirm(await see(2_000_000n, 0, txHash));
    expect(await store.db.select().from(transfers).where(eq(transfers.txHash, txHash))).toEqual([
      {
        network,
        txHash,
        logIndex: 0,
        orderId: made.id,
        address: made.address,
        amount: 2_000_000n,
        seenAt: new Date(START),
        dueAt: null,
        confirmedAt: new Date(START),
      },
    ]);
    expect(await seen()).toEqual({ status: 0, paid_amount: "2.00", pack_name: null, pack_exp_date: null });
  });

  test("two payments within one transaction both count", async () => {
    const { see, confirm, seen } = await buyer();
    for (const logIndex of [3, 8]) await confirm(await see(1_995_000n, logIndex, `batch-${kind}`));
    expect(await seen()).toMatchObject({ status: 1, paid_amount: "3.99" });
  });

  test("however many confirmations come at once, the membership is extended once", async () => {
    const { see, confirm, seen, made } = await buyer();
    const keys = await Promise.all(Array.from({ length: 6 }, () => see(1_000_000n)));
    await Promise.all([...keys, ...keys, ...keys].map(confirm));
    expect(await seen()).toEqual({
      status: 1,
      paid_amount: "6.00",
      pack_name: "Monthly",
      pack_exp_date: after(30),
    });
    expect(await store.db.select().from(memberships).where(eq(memberships.orderId, made.id))).toHaveLength(1);
  });

  test("two orders of one member confirmed at once add up", async () => {
    const { see, confirm, seen, order, token } = await buyer();
    const second = await order(token, annual);
    const key = { network: "ERC20" as const, txHash: `second-${kind}`, logIndex: 0 };
    await recordTransfer(
      store.db,
      { ...key, address: second.address, amount: 29_990_000n, dueAt: null },
      START,
    );
    await Promise.all([see(3_990_000n).then(confirm), confirm(key)]);
    expect(await seen()).toMatchObject({ status: 1, pack_exp_date: after(395) });
  });

  test("a renewal begins where the membership ends, and after that at the payment", async () => {
    const { see, confirm, seen, clock, order, token, sandbox, network } = await buyer();
    await confirm(await see(3_990_000n));
    clock.now = START + 10 * DAY;
    const early = await order(token);
    await sandbox?.send(network, early.address, 3_990_000n);
    clock.now += CONFIRM_SECONDS * 1000;
    expect(await seen(early.id)).toMatchObject({ status: 1, pack_exp_date: after(60) });
    clock.now = START + 80 * DAY;
    expect(await seen(early.id)).toMatchObject({ pack_name: null, pack_exp_date: null });
    const late = await order(token);
    await sandbox?.send(network, late.address, 3_990_000n);
    clock.now += CONFIRM_SECONDS * 1000;
    expect(await seen(late.id)).toMatchObject({ status: 1, pack_exp_date: after(30, clock.now) });
  });

  test("money that comes a week late is credited from the day it comes", async () => {
    const { see, confirm, seen, clock } = await buyer();
    clock.now = START + 7 * DAY;
    await confirm(await see(3_990_000n));
    expect(await seen()).toEqual({
      status: 1,
      paid_amount: "3.99",
      pack_name: "Monthly",
      pack_exp_date: after(37),
    });
  });

  test("the same address on another network, and an unknown one, are nobody's", async () => {
    const { made } = await buyer();
    const stray = { txHash: `stray-${kind}`, logIndex: 0, amount: 3_990_000n, dueAt: null };
    expect(await recordTransfer(store.db, { ...stray, network: "ERC20", address: made.address }, START)).toBe(
      false,
    );
    expect(await recordTransfer(store.db, { ...stray, network: "TRC20", address: "T" }, START)).toBe(false);
    await confirmTransfer(store.db, { network: "TRC20", txHash: stray.txHash, logIndex: 0 }, START);
    expect(await store.db.select().from(transfers).where(eq(transfers.txHash, stray.txHash))).toEqual([]);
  });

  test("the sandbox confirms after its seconds, not before", async () => {
    const { sandbox, made, network, clock, seen } = await buyer(annual);
    await sandbox?.send(network, made.address, 29_990_000n);
    clock.now = START + CONFIRM_SECONDS * 1000 - 1;
    expect(await seen()).toMatchObject({ status: 0, paid_amount: "29.99" });
    clock.now += 1;
    expect(await seen()).toEqual({
      status: 1,
      paid_amount: "29.99",
      pack_name: "Annual",
      pack_exp_date: after(365, clock.now),
    });
  });

  test("a sandbox opened after a restart confirms what fell due meanwhile", async () => {
    const { sandbox, made, network, service } = await buyer();
    await sandbox?.send(network, made.address, 3_990_000n);
    sandbox?.stop();
    const later = START + CONFIRM_SECONDS * 1000;
    (await openSandbox(store.db, () => later, CONFIRM_SECONDS, service.log)).stop();
    expect(await store.db.select().from(memberships).where(eq(memberships.orderId, made.id))).toEqual([
      {
        orderId: made.id,
        accountId: expect.any(Number),
        beginsAt: new Date(later),
        endsAt: new Date(later + 30 * DAY),
      },
    ]);
  });
});
