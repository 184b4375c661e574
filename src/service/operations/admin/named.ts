/** Finds what an operator names: a member by the account name, an order by whatever was pasted of it. */
import { and, eq, inArray, or } from "drizzle-orm";
import { networks } from "../../../contract/calls.ts";
import { phrase } from "../../../contract/console.ts";
import { nameKey } from "../../accounts/account-names.ts";
import type { Database } from "../../store/database.ts";
import { accounts, orders, payments, receivingAddresses, transfers } from "../../store/schema.ts";
import { CommandRefused } from "./command.ts";
import { pasted, tidied } from "./pasted.ts";

/** An account's number, as the audit and the log have it: `account 7`. */
const NUMBERED = /^account (\d{1,15})$/;

/** The number in such a name; null where it is another one. */
export const accountNumber = (name: string): number | null => {
  const digits = NUMBERED.exec(name)?.[1];
  return digits === undefined ? null : Number(digits);
};

/** The account of that name; as it was given, or else without what was pasted along with it: `anna!` may be another one's name than `anna`. A deleted one has its name as its key. `account 7` is the one of that number, whatever another one is called. */
export async function memberOf(db: Database, name: string) {
  const number = accountNumber(name);
  if (number !== null) {
    const [numbered] = await db.select().from(accounts).where(eq(accounts.id, number));
    if (!numbered) throw new CommandRefused(phrase("no account", { name }));
    return numbered;
  }
  const keys = [name.trim(), nameKey(name), tidied(name), nameKey(tidied(name))].filter(
    (key) => key !== null,
  );
  const found = await db.select().from(accounts).where(inArray(accounts.nameKey, keys));
  const account = found.toSorted((one, other) => keys.indexOf(one.nameKey) - keys.indexOf(other.nameKey))[0];
  if (!account) throw new CommandRefused(phrase("no account", { name }));
  return account;
}

/** All orders that a pasted text names: by number, address, provider's reference or payment, or a transaction; see `pasted`. */
export async function ordersNamed(db: Database, wanted: string) {
  const { orders: numbers, addresses, transactions, references } = pasted(wanted);
  const rails = ["card", "stripe"] as const;
  const [paid, captured] = await Promise.all([
    db
      .selectDistinct({ id: transfers.orderId })
      .from(transfers)
      .where(inArray(transfers.txHash, [...transactions, ...transactions.map((hash) => hash.slice(2))])),
    db
      .select({ id: payments.orderId })
      .from(payments)
      // By both columns, so that an index finds it; so too below.
      .where(and(inArray(payments.rail, rails), inArray(payments.paymentId, references))),
  ]);
  const ids = [...numbers, ...[...paid, ...captured].map(({ id }) => id).filter((id) => id !== null)];
  return db
    .select()
    .from(orders)
    .where(
      or(
        inArray(orders.id, ids),
        and(inArray(orders.network, networks), inArray(orders.address, addresses)),
        and(inArray(orders.rail, rails), inArray(orders.thirdReferenceId, references)),
      ),
    );
}

/** Whose order it was that a text names and that was removed unpaid. */
export const removedOrder = async (db: Database, wanted: string) =>
  (
    await db
      .select({ order: receivingAddresses.orderId, member: accounts.name, raw: receivingAddresses.raw })
      .from(receivingAddresses)
      .innerJoin(accounts, eq(accounts.id, receivingAddresses.accountId))
      .where(inArray(receivingAddresses.orderId, pasted(wanted).orders))
  )[0];

/** The one order that a text names. @throws CommandRefused */
export async function orderOf(db: Database, wanted: string) {
  const { transactions } = pasted(wanted);
  const found = await ordersNamed(db, wanted);
  const [order] = found;
  if (order && found.length === 1) return order;
  if (found.length > 1) {
    const named = found.map(({ id }) => id).toSorted();
    const kind = transactions.length > 0 ? "many orders paid" : "many orders";
    throw new CommandRefused(phrase(kind, { orders: named.join(", ") }));
  }
  const removed = await removedOrder(db, wanted);
  throw new CommandRefused(
    removed
      ? phrase("order removed", { order: String(removed.order), member: removed.member })
      : phrase("no order", { text: tidied(wanted) }),
  );
}
