/** An order that is removed as unpaid while a transfer to it is written: in whichever order they come, the money is found. */
import { Client } from "pg";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { migrationsFolder } from "../../src/service/platform/project.ts";
import { open } from "../../src/service/store/open.ts";
import { orders } from "../../src/service/store/schema.ts";
import { emptyDatabase, servers } from "./support.ts";
import { DAYS, PRICE, raw, unpaidShop } from "./unpaid-shop.ts";

const FINAL = 20;

describe.skipIf(servers.length === 0)("while money comes in", () => {
  async function fixture() {
    const { url, drop } = await emptyDatabase();
    const store = await open(url, migrationsFolder());
    const client = new Client({ connectionString: url });
    await client.connect();
    onTestFinished(async () => {
      await client.end();
      await store.close();
      await drop();
    });
    const made = await unpaidShop(store);
    const { id, address } = await made.make();
    made.later(DAYS + 1);
    return { ...made, store, client, id, address };
  }
  /** Resolves when a statement of the service waits for a lock. */
  const isWaiting = (client: Client) =>
    vi.waitFor(
      async () => {
        const { rows } = await client.query(`SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
          WHERE NOT granted AND datname = current_database()`);
        expect(rows.length).toBeGreaterThan(0);
      },
      { timeout: 30_000 },
    );

  test("an order whose transfer is just being written is left alone", async () => {
    const { client, id, address, store, remove } = await fixture();
    await client.query("BEGIN");
    await client.query(
      `INSERT INTO transfers (network, block_hash, log_index, block_number, tx_hash, contract, sender, recipient, order_id, amount, state, seen_at)
       VALUES ('TRC20', 'b', 0, 1, 't', 'c', 's', $1, $2, 1, 'seen', now())`,
      [raw(address), id],
    );
    await remove();
    expect(await store.db.$count(orders)).toBe(1);
    await client.query("COMMIT");
    await remove();
    expect(await store.db.$count(orders)).toBe(1);
  });

  test("a transfer waits for an order that is just being removed, and is then on the operator's list", async () => {
    const { client, id, address, chains, settle, lines, admin } = await fixture();
    const { rows } = await client.query("SELECT * FROM orders");
    await client.query("BEGIN");
    const removed = rows[0] as Record<string, unknown>;
    await client.query("DELETE FROM orders WHERE id = $1", [id]);
    await client.query(
      "INSERT INTO receiving_addresses SELECT $1, $2, $3, $4, $5, $6 ON CONFLICT DO NOTHING",
      [
        removed["key_fingerprint"],
        removed["address_series"],
        removed["address_index"],
        removed["raw_address"],
        id,
        removed["account_id"],
      ],
    );
    chains.TRC20.mine({ to: raw(address), amount: PRICE });
    chains.TRC20.grow(FINAL);
    const settled = settle();
    await isWaiting(client);
    await client.query("COMMIT");
    await settled;
    expect(lines.filter((line) => line.includes("failed"))).toEqual([]);
    expect(await admin("unmatched")).toMatchObject([{ reason: "no order", amount: "3.99" }]);
  });
});
