/** What must hold in the service's database whatever was sent to it, and however often it was killed. */
import { sql } from "drizzle-orm";
import type { Store } from "../../src/service/store/database.ts";

/** Asked where the sandbox has the chain. */
const FROM_NOWHERE = "a transfer from nowhere";
/** Queries for rows that should not be, by what is wrong with them. */
const FORBIDDEN: Readonly<Record<string, string>> = {
  "a confirmed order without its money": `SELECT o.id FROM orders o WHERE o.status = 1 AND o.amount >
    coalesce((SELECT sum(t.amount) FROM transfers t WHERE t.order_id = o.id AND t.state = 'final' AND t.held_for IS NULL), 0) +
    coalesce((SELECT sum(p.amount) FROM payments p WHERE p.order_id = o.id AND p.refunded < p.amount AND p.disputed_at IS NULL), 0)`,
  "a paid order that is not confirmed": `SELECT o.id FROM orders o WHERE o.status = 0 AND o.amount <=
    coalesce((SELECT sum(t.amount) FROM transfers t WHERE t.order_id = o.id AND t.state = 'final' AND t.held_for IS NULL), 0) +
    coalesce((SELECT sum(p.amount) FROM payments p WHERE p.order_id = o.id AND p.refunded < p.amount AND p.disputed_at IS NULL), 0)`,
  "a transfer or payment that the book does not have": `SELECT cause, amount FROM (
      SELECT network || ':' || block_hash || ':' || log_index AS cause, CASE WHEN state = 'final' AND held_for IS DISTINCT FROM 'own address' THEN amount ELSE 0 END AS amount FROM transfers
      UNION ALL SELECT rail || ':' || payment_id, amount FROM payments) seen
    WHERE amount <> coalesce((SELECT sum(CASE WHEN m.from_balance = 'outside' THEN m.amount WHEN m.to_balance = 'outside' THEN -m.amount ELSE 0 END)
      FROM movements m WHERE m.cause = seen.cause), 0)`,
  "an order that the book has otherwise": `SELECT o.id FROM orders o WHERE (o.status = 1) <> (coalesce((
      SELECT sum(CASE WHEN m.to_balance = 'credited' THEN m.amount WHEN m.from_balance = 'credited' THEN -m.amount ELSE 0 END)
      FROM movements m WHERE m.order_id = o.id), 0) > 0)`,
  "an order whose days are not those of its status": `SELECT o.id FROM orders o WHERE
    coalesce((SELECT sum(e.days) FROM membership_entries e WHERE e.order_id = o.id), 0) <> CASE WHEN o.status = 1 THEN o.days ELSE 0 END`,
  "an entry for another account than its order's":
    "SELECT e.id FROM membership_entries e JOIN orders o ON o.id = e.order_id WHERE e.account_id <> o.account_id",
  "a membership without money": `SELECT a.id FROM accounts a WHERE a.membership_ends_at IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM membership_entries e JOIN orders o ON o.id = e.order_id WHERE e.account_id = a.id)`,
  "a membership that is not its latest entry's": `SELECT a.id FROM accounts a WHERE a.membership_ends_at IS DISTINCT FROM
    (SELECT e.ends_at FROM membership_entries e WHERE e.account_id = a.id ORDER BY e.id DESC LIMIT 1)`,
  "an order without an account":
    "SELECT o.id FROM orders o LEFT JOIN accounts a ON a.id = o.account_id WHERE a.id IS NULL",
  "an address that was given twice":
    "SELECT address FROM orders WHERE address IS NOT NULL GROUP BY address HAVING count(*) > 1",
  "two orders of one key": `SELECT account_id FROM (SELECT account_id, unnest(further_keys || idempotency_key) AS key FROM orders) k
    WHERE key IS NOT NULL GROUP BY account_id, key HAVING count(*) > 1`,
  "a name that is taken twice": "SELECT name_key FROM accounts GROUP BY name_key HAVING count(*) > 1",
  "a secret that is no hash":
    "SELECT id FROM accounts WHERE password_hash NOT LIKE '$argon2id$%' OR security_answer_hash NOT LIKE '$argon2id$%'",
  "a session that is no hash": "SELECT account_id FROM sessions WHERE token_hash !~ '^[0-9a-f]{64}$'",
  [FROM_NOWHERE]: `SELECT t.tx_hash FROM transfers t WHERE t.order_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM sandbox_transfers s WHERE s.recipient = t.recipient AND s.amount = t.amount AND s.network = t.network)`,
  "a transfer that was written down twice":
    "SELECT tx_hash FROM transfers WHERE state <> 'orphaned' GROUP BY network, tx_hash HAVING count(*) > 1",
};

/** The rows of a query, as the database names their columns. */
export async function rowsOf({ db }: Pick<Store, "db">, query: string): Promise<Record<string, unknown>[]> {
  const { rows } = (await db.execute(sql.raw(query))) as { rows: Record<string, unknown>[] };
  return rows;
}

/**
 * What is wrong with the data, with the first rows of each; empty where all is well.
 * @param isPractice whether transfers are those of the sandbox
 */
export async function forbiddenRows(
  store: Pick<Store, "db">,
  isPractice = true,
): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {};
  for (const [what, query] of Object.entries(FORBIDDEN)) {
    if (what === FROM_NOWHERE && !isPractice) continue;
    const rows = await rowsOf(store, query);
    if (rows.length > 0) found[what] = rows.slice(0, 5);
  }
  return found;
}
