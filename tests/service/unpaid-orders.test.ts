/** Orders that were never paid are removed after a time. Money that still comes to their addresses is on the operator's list, with whose order it was, and no address is given out again. */
import { eq, isNotNull, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { find } from "../../src/service/console/stories.ts";
import { run } from "../../src/service/operations/admin/commands.ts";
import { backUp, restore } from "../../src/service/operations/backup.ts";
import { startRetention } from "../../src/service/operations/retention.ts";
import { addressesOf } from "../../src/service/payments/addresses.ts";
import { lookAhead } from "../../src/service/payments/look-ahead.ts";
import { removeUnpaidOrders } from "../../src/service/payments/unpaid-orders.ts";
import type { Database, Store } from "../../src/service/store/database.ts";
import {
  accounts,
  orders,
  receivingAddresses,
  transfers,
  unmatchedPayments,
} from "../../src/service/store/schema.ts";
import { providerShop } from "./provider-shop.ts";
import { DAYS, PRICE, raw, unpaidShop } from "./unpaid-shop.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { chainsOf, databases, emptyStore, serve, XPUB } from "./support.ts";

const DAY = 86_400_000;
const reason = "Ticket 7";
const at = addressesOf(XPUB);

describe.each(databases)("on the %s database", (kind) => {
  let store: Store;
  beforeAll(async () => {
    store = await emptyStore(kind);
  });
  afterAll(() => store.close());
  beforeEach(() =>
    store.db.execute(
      sql`TRUNCATE sessions, orders, movements, sweeps, transfers, payments, membership_entries, unmatched_payments, address_series, receiving_addresses, chain_positions, chain_blocks, settings`,
    ),
  );
  const holder = async (name: string) => {
    const [account] = await store.db.select().from(accounts).where(eq(accounts.nameKey, name));
    if (!account) throw new Error("The member is there.");
    return account;
  };
  const ids = async () => (await store.db.select({ id: orders.id }).from(orders)).map(({ id }) => id);

  test("an unpaid order is kept for the days, then is unknown, and its address and account are noted", async () => {
    const { make, remove, later, look, admin, name, payments } = await unpaidShop(store);
    const { id, address } = await make();
    later(DAYS);
    await remove();
    expect(await ids()).toEqual([id]);
    later(1);
    await remove();
    await remove();
    expect(await ids()).toEqual([]);
    const account = await holder(name);
    expect(await store.db.select().from(receivingAddresses)).toEqual([
      {
        fingerprint: expect.any(String),
        series: (await payments.addressSeries()).series,
        index: 0,
        raw: raw(address),
        orderId: id,
        accountId: account.id,
      },
    ]);
    expect(await look(id)).toMatchObject({
      code: 1,
      message: expect.stringContaining("contact customer support"),
    });
    await expect(admin("order", [id])).rejects.toThrow(`Order ${id} of ${name} was removed`);
  });

  test("0 days keep every order", async () => {
    const { make, clock } = await unpaidShop(store);
    const { id } = await make();
    await removeUnpaidOrders(store.db, clock.now + 99_999 * DAY, 0);
    expect(await ids()).toEqual([id]);
  });

  test.each(["TRC20", "ERC20"] as const)(
    "money on %s for a removed order is on the operator's list with the order and its member, who is credited by hand",
    async (network) => {
      const { make, remove, later, pay, admin, name, payments, clock, deletion } = await unpaidShop(store);
      const { id, address } = await make();
      const { series } = await payments.addressSeries();
      later(DAYS + 1);
      await remove();
      await pay(address, PRICE, network);
      const [row] = (await admin("unmatched")) as { id: number; path: string }[];
      const { id: account } = await holder(name);
      const [known] = await store.db.select().from(receivingAddresses);
      expect(row).toMatchObject({
        reason: "no order",
        amount: "3.99",
        order: null,
        path: `${series}/0 of ${known?.fingerprint}, removed order ${id} of account ${account}`,
      });
      // The operator's page finds it by the number and the address, and says whose it was.
      for (const text of [id, address]) {
        const found = await find({ db: store.db, now: clock.now, right: "money" }, text);
        expect(found).toMatchObject({
          rows: [
            {
              reason: "no order",
              rail: "usdt",
              path: expect.stringContaining(`order ${id} of account ${account}`) as string,
            },
          ],
          removed: null,
        });
      }
      expect(await admin("addresses")).toMatchObject([{ network, series, index: 0, received: "3.99" }]);
      // Its member is found by that number, too, and cannot delete the account while the money waits.
      expect(
        await find({ db: store.db, now: clock.now, right: "money" }, `account ${account}`),
      ).toMatchObject({ members: [name] });
      expect(await deletion()).toMatchObject({ message: expect.stringContaining("confirmed or checked") });
      await admin("credit", [`account ${account}`, "30"], { reason });
      await admin("unmatched-resolve", [String(row?.id)], { reason, kept: "yes" });
      expect(await admin("unmatched")).toEqual([]);
      expect(JSON.stringify(await admin("member", [name]))).toContain("30 days");
      expect(await deletion()).toMatchObject({ code: 200 });
      expect(JSON.stringify(await store.db.select().from(unmatchedPayments))).not.toContain(name);
    },
  );

  test("an order that money was ever seen for is kept: in part, late, not final yet, taken back", async () => {
    const { make, remove, later, pay, chains, settle } = await unpaidShop(store);
    const [part, paid, orphaned, late, seen] = [
      await make(),
      await make(),
      await make(),
      await make(),
      await make(),
    ];
    await pay(part.address, 1n);
    await pay(paid.address);
    chains.TRC20.mine({ to: raw(orphaned.address), amount: PRICE });
    await settle();
    chains.TRC20.drop(1);
    chains.TRC20.grow(2);
    await settle();
    later(DAYS + 1);
    await pay(late.address);
    chains.TRC20.mine({ to: raw(seen.address), amount: PRICE });
    await settle();
    await remove();
    const kept = [part, paid, orphaned, late, seen].map(({ id }) => id);
    expect((await ids()).toSorted()).toEqual(kept.toSorted());
    expect(await store.db.$count(transfers)).toBe(kept.length);
  });

  test("a removed order's address is not given out again, even if a process counts anew in its series", async () => {
    const { make, remove, later, payments, chains } = await unpaidShop(store);
    const removed = [(await make()).address, (await make()).address];
    later(DAYS + 1);
    await remove();
    await store.db.execute(sql`DELETE FROM address_series`);
    const again = await unpaidShop(store, chains);
    const { series } = await again.payments.addressSeries();
    expect(series).toBe((await payments.addressSeries()).series);
    // The first address comes from the rail, those after it are prepared.
    const first = await again.make();
    await store.db.execute(sql`INSERT INTO receiving_addresses
      SELECT fingerprint, series, 3, ${at("TRC20", series, 3).raw}, 'removed', account_id
      FROM receiving_addresses LIMIT 1`);
    const next = await again.make();
    expect([first.address, next.address]).toEqual([
      at("TRC20", series, 2).address,
      at("TRC20", series, 4).address,
    ]);
    expect(removed).toEqual([at("TRC20", series, 0).address, at("TRC20", series, 1).address]);
  });

  test("the look-ahead fills the gaps between removed orders", async () => {
    const { make, remove, later } = await unpaidShop(store);
    await make();
    const lost = await make();
    await make();
    await store.db.delete(orders).where(eq(orders.id, lost.id));
    later(DAYS + 1);
    await remove();
    expect(await store.db.$count(receivingAddresses)).toBe(2);
    await lookAhead(store.db, [XPUB], 5);
    expect(await store.db.$count(receivingAddresses, eq(receivingAddresses.raw, raw(lost.address)))).toBe(1);
    const rows = await store.db.select().from(receivingAddresses);
    expect(rows.filter(({ orderId }) => orderId !== null)).toHaveLength(2);
  });

  test("as many as are due are removed, however many there are, and not an earlier release's", async () => {
    const { make, remove, later } = await unpaidShop(store);
    const { id } = await make();
    const columns = (number: string, change: string) =>
      sql.raw(`INSERT INTO orders SELECT (jsonb_populate_record(o, jsonb_build_object('id', ${number}, 'address', ${number},
        'raw_address', ${number}, 'address_index', n) || ${change})).* FROM orders o, generate_series(1, 1234) n WHERE id = '${id}'`);
    await store.db.execute(columns("'new' || n", "'{}'"));
    await store.db.execute(
      sql.raw(`INSERT INTO orders SELECT (jsonb_populate_record(o, '{"id": "earlier", "address": "earlier", "raw_address": "earlier",
        "address_series": null, "address_index": null, "key_fingerprint": null}')).* FROM orders o WHERE id = '${id}'`),
    );
    await store.db.execute(
      sql.raw(`INSERT INTO orders SELECT (jsonb_populate_record(o, '{"id": "unopened", "address": null, "raw_address": null,
        "address_series": null, "address_index": null, "key_fingerprint": null}')).* FROM orders o WHERE id = '${id}'`),
    );
    later(DAYS + 1);
    await remove();
    expect(await ids()).toEqual(["earlier"]);
    expect(await store.db.$count(receivingAddresses)).toBe(1_235);
  });

  test("a process that ends in between has removed nothing or all of a batch", async () => {
    const { make, remove, later, pay, admin } = await unpaidShop(store);
    const { id, address } = await make();
    later(DAYS + 1);
    for (const isWritten of [false, true]) {
      const mortal = new Proxy(store.db, {
        get(target, name, receiver) {
          if (name !== "transaction") return Reflect.get(target, name, receiver) as unknown;
          return async (act: (tx: Database) => Promise<unknown>) => {
            await target.transaction(async (tx) => {
              await act(tx);
              if (!isWritten) throw new Error("kill -9");
            });
            throw new Error("kill -9");
          };
        },
      });
      await expect(remove(mortal)).rejects.toThrow("kill -9");
      expect(await ids()).toEqual(isWritten ? [] : [id]);
      expect(await store.db.$count(receivingAddresses, isNotNull(receivingAddresses.orderId))).toBe(
        isWritten ? 1 : 0,
      );
    }
    await remove();
    await pay(address);
    expect(await admin("unmatched")).toMatchObject([{ reason: "no order", amount: "3.99" }]);
  });

  test("a backup from before brings the order back, and money that comes then is the order's", async () => {
    const fixture = await unpaidShop(store);
    const { id, address } = await fixture.make();
    const file = `${temporaryDirectory()}/backup.gz`;
    await backUp(store.db, file, fixture.clock.now);
    fixture.later(DAYS + 1);
    await fixture.remove();
    await fixture.pay(address);
    const other = await emptyStore(kind);
    onTestFinished(() => other.close());
    await restore(other.db, file, () => Promise.resolve());
    const again = await serve(other, {
      sandbox: false,
      chains: chainsOf(fixture.chains),
      startsAt: fixture.clock.now,
    });
    await again.settle();
    await removeUnpaidOrders(other.db, again.clock.now, DAYS);
    const answer = await run("unmatched", { ledger: again.ledger, args: [], options: {}, actor: "anna" });
    expect(answer).toMatchObject([{ reason: "late", order: id }]);
  });

  test("at a provider: an order that failed is removed, and one by card stays, because it is gone on with", async () => {
    const { cardOrder, stripeOrder, stripeEvent, unmatched, clock } = await providerShop(store);
    const [card, expired, open] = [await cardOrder(), await stripeOrder(), await stripeOrder()];
    await stripeEvent("checkout.session.expired", { ...expired.session, status: "expired" });
    await removeUnpaidOrders(store.db, clock.now + (DAYS + 1) * DAY, DAYS);
    expect(await ids()).toEqual([card.id]);
    // What is paid there all the same is for a person.
    expect(await open.completed()).toBe(200);
    expect(await unmatched()).toMatchObject([{ rail: "stripe", reason: "order unknown", isOpen: true }]);
  });

  test("in the sandbox too, by the hourly job", async () => {
    const { member, order, clock, ledger } = await serve(store);
    const { id } = await order(await member());
    clock.now += (DAYS + 1) * DAY;
    const stop = startRetention(ledger, DAYS);
    await vi.waitFor(async () => expect(await ids()).not.toContain(id));
    await stop();
  });
});
