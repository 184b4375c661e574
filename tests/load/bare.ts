/** The bare handler that the service is measured against: the same queries and answers with Hono and a driver alone, without limits on bodies, log, metrics, languages or headers. */
import { createHash, randomInt } from "node:crypto";
import { serve } from "@hono/node-server";
import { Hono, type Context } from "hono";
import { Pool } from "pg";
import { coinTypes, paths, type Network } from "../../src/contract/calls.ts";
import { addressesOf } from "../../src/service/payments/addresses.ts";
import { randomId } from "../../src/service/platform/random-id.ts";
import { openEngine } from "../../src/service/store/engine.ts";

const XPUB =
  "xpub6D4BDPcP2GT577Vvch3R8wDkScZWzQzMMUm3PWbmWvVJrZwQY4VUNgqFJPMM3No2dFDFGTsxxpG5uJh7n7epu4trkrX7x7DogT5Uv6fcLW5";
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

type Row = Record<string, unknown>;
type Query = (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>;
interface Database {
  query: Query;
  transaction: <T>(act: (query: Query) => Promise<T>) => Promise<T>;
}

async function embedded(directory: string): Promise<Database> {
  const engine = await openEngine({ directory: `${directory}/database` }, () => process.exit(1));
  return {
    query: (text, values) => engine.query(text, values),
    transaction: (act) => engine.transaction((tx) => act((text, values) => tx.query(text, values))),
  };
}

function server(url: string): Database {
  const pool = new Pool({ connectionString: url, max: 10 });
  return {
    query: (text, values) => pool.query(text, values),
    async transaction(act) {
      const client = await pool.connect();
      try {
        await client.query("BEGIN");
        const done = await act((text, values) => client.query(text, values));
        await client.query("COMMIT");
        return done;
      } catch (error) {
        await client.query("ROLLBACK");
        throw error;
      } finally {
        client.release();
      }
    },
  };
}

const { DATABASE_URL: url, DATA_DIR: directory = "", PORT: port } = process.env;
const db = url === undefined ? await embedded(directory) : server(url);
const addressAt = addressesOf(XPUB);
const series = randomInt(2 ** 30);
let next = 0;

async function holderOf(c: Context): Promise<Row> {
  const token = /^Bearer (\S+)$/.exec(c.req.header("Authorization") ?? "")?.[1] ?? "";
  const { rows } = await db.query(
    `SELECT a.*, s.expires_at FROM sessions s JOIN accounts a ON a.id = s.account_id
     WHERE s.token_hash = $1 AND s.expires_at > $2`,
    [createHash("sha256").update(token).digest("hex"), new Date()],
  );
  if (rows.length === 0) throw new Error("No session has this token.");
  return rows[0] as Row;
}

const shown = (amount: unknown) => (Number(amount) / 1e6).toFixed(2);
const answer = (c: Context, data: unknown) =>
  c.json({ code: 200, message: "Done.", data, server_time: Date.now() });

const app = new Hono();
app.get("/api/health/live", (c) => answer(c, null));

app.post(paths.orderDetail, async (c) => {
  const { id } = await holderOf(c);
  const { order_id: wanted } = await c.req.json<{ order_id: string }>();
  const found = await db.query("SELECT * FROM orders WHERE id = $1 AND account_id = $2", [wanted, id]);
  const order = found.rows[0] as Row & { created_at: Date; pack_name: Row };
  const { rows } = await db.query(
    "SELECT * FROM transfers WHERE order_id = $1 AND state <> 'orphaned' ORDER BY seen_at, block_number, log_index",
    [wanted],
  );
  return answer(c, {
    order_id: order["id"],
    payment_amount: shown(order["amount"]),
    created_at: order.created_at.toISOString(),
    status: order["status"],
    address: order["address"],
    coin_type: coinTypes[order["network"] as Network],
    paid_amount: "0.00",
    pack_name: order.pack_name["en"],
    held: false,
    returned: false,
    transfers: rows,
  });
});

app.get(paths.centre, async (c) => {
  const account = await holderOf(c);
  const { rows } = await db.query(
    "SELECT ends_at, pack_name FROM membership_entries WHERE account_id = $1 ORDER BY id DESC LIMIT 1",
    [account["id"]],
  );
  const membership = rows[0] as Row | undefined;
  const user = {
    account_name: account["name"],
    name: account["nickname"],
    sex: account["sex"],
    birth_date: account["birth_date"],
    pack_name: membership?.["pack_name"] ?? null,
    pack_exp_date: membership?.["ends_at"] ?? null,
    security_problem: account["security_problem"],
  };
  return answer(c, { user });
});

app.post(paths.createOrder, async (c) => {
  const { id } = await holderOf(c);
  const wanted = await c.req.json<{ pack_id: string; product_id: string }>();
  const key = c.req.header("Idempotency-Key");
  const { address, raw, index, fingerprint } = addressAt("ERC20", series, next++);
  const order = await db.transaction(async (query) => {
    await query("SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE", [id]);
    const made = await query(
      "SELECT * FROM orders WHERE account_id = $1 AND (idempotency_key = $2 OR further_keys @> $3)",
      [id, key, [key]],
    );
    if (made.rows.length > 0) return made.rows[0] as Row;
    const since = new Date(Date.now() - 3_600_000);
    await query(
      "SELECT count(*) FROM orders WHERE account_id = $1 AND rail = 'usdt' AND status = 0 AND created_at > $2",
      [id, since],
    );
    const { rows } = await query(
      `INSERT INTO orders (id, account_id, pack_id, product_id, pack_name, days, rail, network, address, raw_address,
         address_series, address_index, key_fingerprint, amount, currency, language, status, idempotency_key, created_at)
       VALUES ($1, $2, $3, $4, $5, 30, 'usdt', 'ERC20', $6, $7, $8, $9, $10, 9900000, 'USDT', 'en', 0, $11, $12)
       RETURNING *`,
      [
        randomId(ALPHABET, 16),
        id,
        wanted.pack_id,
        wanted.product_id,
        { en: "Monthly", "zh-CN": "包月" },
        address,
        raw,
        series,
        index,
        fingerprint,
        key,
        new Date(),
      ],
    );
    return rows[0] as Row;
  });
  return answer(c, {
    order: { order_id: order["id"], payment_amount: shown(order["amount"]), created_at: order["created_at"] },
    payData: { address: order["address"] },
  });
});

serve({ fetch: app.fetch, hostname: "127.0.0.1", port: Number(port) });
