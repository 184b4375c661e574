/** The operator's commands about money that no rule settles: list it, credit it, resolve it. */
import { desc, eq, inArray, isNull } from "drizzle-orm";
import { paymentAddress, rawAddress } from "../../../contract/address.ts";
import { networks } from "../../../contract/calls.ts";
import { phrase } from "../../../contract/console.ts";
import { CENT, lockOrders } from "../../payments/book.ts";
import {
  creditHeld,
  heldOf,
  moveHeldTransfer,
  moveOfOrder,
  transferOf,
  type ByHand,
} from "../../payments/book-by-hand.ts";
import { isOfDeleted, settleOrder } from "../../payments/ledger.ts";
import { OrderUnknown, takePayment } from "../../payments/provider.ts";
import { shownAmount } from "../../payments/unmatched.ts";
import type { Database } from "../../store/database.ts";
import { accounts, orders, receivingAddresses, unmatchedPayments } from "../../store/schema.ts";
import { audited } from "./audit.ts";
import type { State, Subject } from "./change.ts";
import {
  change,
  CommandRefused,
  flag,
  limit,
  tellRest,
  optional,
  orderWord,
  query,
  rowNumber,
  transactionWord,
  type Call,
  type Commands,
  type Rows,
} from "./command.ts";
import { orderOf } from "./named.ts";
import { HELD, standingOf } from "./orders.ts";
import { pasted } from "./pasted.ts";

/** Characters of a transaction's hash. */
const TX_HASH = 66;

type Row = typeof unmatchedPayments.$inferSelect;

/** A surplus and a part that was refunded are of money that is credited already. */
const CREDITED: ReadonlySet<string> = new Set([...HELD, "order unknown", "incomplete"]);

/** A provider's event about money that went back. Earlier releases wrote one that names no payment as `incomplete`. */
const WENT_BACK =
  /"(event|type)"\s*:\s*"(refund\.|payment\.dispute\.|charge\.(refund|dispute))|"(entity|object)"\s*:\s*"(refund|dispute)"/;

/** The transfer of a row of the operator's list. */
async function transferOfRow(tx: Database, { eventId }: Row) {
  const transfer = await transferOf(tx, eventId);
  if (!transfer) throw new CommandRefused("The row names no transfer.");
  return transfer;
}

/** Of a provider's payment nothing is in the book before it is credited. */
const isHeld = ({ rail, reason }: Row) => rail === "usdt" && HELD.some((one) => one === reason);

/** Where the money of a row comes from. */
export const originOf = (row: Row) => ({
  rail: row.rail,
  payment: paymentOf(row),
  reference: row.reference,
  // Of an address without an order: where it is below which account's key.
  path: row.reason === "no order" ? row.body.slice(TX_HASH).trim() : null,
});

/** A row that is open, locked. */
async function openRow(tx: Database, id: number): Promise<Row> {
  const [row] = await tx.select().from(unmatchedPayments).where(eq(unmatchedPayments.id, id)).for("update");
  if (!row) throw new CommandRefused(`There is no row ${id}.`);
  if (row.resolvedAt !== null)
    throw new CommandRefused(phrase("row resolved", { row: id, resolution: row.resolution ?? "" }));
  return row;
}

async function rowOf(db: Database, id: number): Promise<Row> {
  const [row] = await db.select().from(unmatchedPayments).where(eq(unmatchedPayments.id, id));
  if (!row) throw new CommandRefused(`There is no row ${id}.`);
  return row;
}

/** The provider's number of a row's payment or event, or its transaction: the body of an event is no number, and stays out of the log. */
const paymentOf = ({ rail, paymentId, eventId, body }: Row) =>
  paymentId ?? (rail === "usdt" ? body.slice(0, TX_HASH) : eventId);

const subjectOf = (row: Row, order: string | null): Subject => ({
  name: `unmatched ${row.id}`,
  word: order ?? String(row.id),
  orders: order === null ? [] : [order],
  unmatched: [row.id],
  facts: {
    why: row.reason,
    payment: paymentOf(row),
    ...(order === null ? {} : { order }),
  },
});

/** Whose order a row names, or whose it was before it was removed, and the account. */
async function holderOf(db: Database, { orderId, reference, rail }: Row) {
  const [holder] =
    orderId !== null
      ? await db
          .select({ id: accounts.id, name: accounts.name })
          .from(orders)
          .innerJoin(accounts, eq(accounts.id, orders.accountId))
          .where(eq(orders.id, orderId))
      : await db
          .select({ id: accounts.id, name: accounts.name })
          .from(receivingAddresses)
          .innerJoin(accounts, eq(accounts.id, receivingAddresses.accountId))
          .where(inArray(receivingAddresses.raw, rail === "usdt" ? rawOf(reference) : []));
  return holder;
}

/** The 20 bytes of the address that a row names. */
export const rawOf = (reference: string | null): string[] =>
  networks.flatMap((network) =>
    reference !== null && paymentAddress(network, reference) !== null ? [rawAddress(network, reference)] : [],
  );

/** Credits a row of the operator's list to its order, or to the one that is named. */
async function creditUnmatched(call: Call, id: number, named: string | undefined): Promise<Rows> {
  const { ledger } = call;
  const listed = await rowOf(ledger.db, id);
  const wanted = named ?? listed.orderId;
  if (wanted === null) throw new CommandRefused(phrase("row without order", {}));
  const order = await orderOf(ledger.db, wanted);
  const holder = await holderOf(ledger.db, listed);
  if (await isOfDeleted(ledger.db, order))
    throw new CommandRefused(phrase("holder deleted", { order: order.id }));
  return audited(call, "unmatched credit", subjectOf(listed, order.id), async (tx, auditId, told) => {
    const row = await openRow(tx, id);
    if (!CREDITED.has(row.reason)) {
      throw new CommandRefused(phrase("never credited", { why: row.reason }));
    }
    if (row.reason === "incomplete" && WENT_BACK.test(row.body)) {
      throw new CommandRefused(phrase("money went back", { row: id }));
    }
    if (holder && holder.id !== order.accountId)
      told.warn(phrase("another's money", { row: id, member: holder.name }));
    if (row.rail === "usdt") {
      if (order.rail !== "usdt")
        throw new CommandRefused(phrase("other rail", { order: order.id, rail: "USDT" }));
      const transfer = await transferOfRow(tx, row);
      await lockOrders(tx, [order.id, ...(transfer.orderId === null ? [] : [transfer.orderId])]);
      if ((await heldOf(tx, transfer)) === 0n)
        throw new CommandRefused(phrase("transfer given back", { row: id }));
      await creditHeld(tx, transfer, order, { at: new Date(ledger.now()), auditId });
    } else {
      if (row.currency?.toUpperCase() !== "USD" || !/^\d{1,14}$/.test(row.amount ?? "")) {
        throw new CommandRefused(phrase("dollars alone", {}));
      }
      const captured = {
        rail: row.rail,
        paymentId: row.paymentId ?? `unmatched-${id}`,
        reference: null,
        orderId: order.id,
        amount: BigInt(row.amount ?? "0") * CENT,
      };
      await takePayment(ledger, captured, tx, auditId).catch((error: unknown) => {
        if (!(error instanceof OrderUnknown)) throw error;
        throw new CommandRefused(phrase("other rail", { order: order.id, rail: row.rail }));
      });
    }
    const resolution = `Credited to ${order.id}.`;
    await tx
      .update(unmatchedPayments)
      .set({
        resolvedAt: new Date(ledger.now()),
        resolution,
        resolvedAs: "credited",
        auditId,
        orderId: order.id,
      })
      .where(eq(unmatchedPayments.id, id));
    await settleOrder(ledger, tx, order.id);
    return (await standingOf(tx, order.id)).map((standing) => ({ row: id, ...standing }));
  });
}

/** The transaction by which a row's money went back, as it is looked up. */
function transactionOf({ rail }: Row, text: string): string {
  const { transactions, references } = pasted(text);
  const [transaction] = rail === "usdt" ? transactions : [...references, ...transactions];
  if (transaction !== undefined) return transaction;
  throw new CommandRefused(phrase(rail === "usdt" ? "no transaction" : "no reference", { text }));
}

interface WhereTo {
  kept: boolean;
  /** The transaction by which it went back. */
  returned: string | undefined;
}

/** Where money of an order stands in the book that a row is about. */
const PLACES: Partial<Record<Row["reason"], "surplus" | "paying">> = {
  surplus: "surplus",
  "amount differs": "paying",
};

/** Where the money of a row went, of the two that can be. */
function whereTo({ kept, returned }: WhereTo, row: Row) {
  if (!isHeld(row) && !PLACES[row.reason]) {
    if (!kept && returned === undefined) return null;
    throw new CommandRefused(phrase("not in the book", { why: row.reason }));
  }
  if (kept === (returned !== undefined)) {
    throw new CommandRefused(phrase("where to", {}));
  }
  return returned === undefined
    ? { to: "kept" as const, reference: null }
    : { to: "returned" as const, reference: transactionOf(row, returned) };
}

/** Moves the money of a row to where it went. */
async function moveMoney(
  tx: Database,
  row: Row,
  to: "returned" | "kept",
  by: ByHand,
): Promise<string | null> {
  if (isHeld(row)) {
    const transfer = await transferOfRow(tx, row);
    if (transfer.orderId !== null) await lockOrders(tx, [transfer.orderId]);
    if ((await moveHeldTransfer(tx, transfer, to, by)) === 0n)
      throw new CommandRefused(phrase("transfer given back", { row: row.id }));
    return transfer.orderId;
  }
  const [order] = await lockOrders(tx, row.orderId === null ? [] : [row.orderId]);
  const from = PLACES[row.reason];
  if (!order || !from) throw new CommandRefused("The row names no order.");
  const amount = BigInt(row.amount ?? 0) * (row.rail === "usdt" ? 1n : CENT);
  await moveOfOrder(tx, order, { from, to, amount }, by);
  return order.id;
}

/** Notes that a row needs nothing more, and where its money went. */
async function resolveRow(call: Call, id: number, wanted: WhereTo): Promise<Rows> {
  const { ledger } = call;
  const listed = await rowOf(ledger.db, id);
  const holder = await holderOf(ledger.db, listed);
  const subject = subjectOf(listed, listed.orderId);
  return audited(call, "unmatched resolve", subject, async (tx, auditId, told) => {
    const row = await openRow(tx, id);
    const went = whereTo(wanted, row);
    if (went?.to === "returned") told.note(phrase("went back", { reference: went.reference }));
    const at = new Date(ledger.now());
    const orderId = went && (await moveMoney(tx, row, went.to, { at, auditId, reference: went.reference }));
    const resolution = call.change.reason;
    await tx
      .update(unmatchedPayments)
      .set({ resolvedAt: at, resolution, resolvedAs: went?.to ?? null, auditId })
      .where(eq(unmatchedPayments.id, id));
    if (orderId !== null) await settleOrder(ledger, tx, orderId);
    const { reason, currency } = row;
    const resolved = went?.to ?? "resolved";
    return [{ row: id, member: holder?.name ?? null, reason, amount: shownAmount(row), currency, resolved }];
  });
}

const isOpen = ({ unmatched: [row] }: State) => row?.resolvedAt === null;
const isCreditable = ({ unmatched: [row] }: State) => CREDITED.has(row?.reason ?? "");

export const unmatchedCommands: Commands = {
  unmatched: query({
    help: "money that no rule settles; with --all, what is settled too",
    options: { all: flag, limit },
    async run(call) {
      const { options } = call;
      const where = options.all ? undefined : isNull(unmatchedPayments.resolvedAt);
      const rows = await call.ledger.db
        .select()
        .from(unmatchedPayments)
        .where(where)
        .orderBy(desc(unmatchedPayments.receivedAt))
        .limit(options.limit);
      await tellRest(call, rows, unmatchedPayments, where);
      return rows.map((row) => ({
        id: row.id,
        at: row.receivedAt.toISOString(),
        reason: row.reason,
        amount: shownAmount(row),
        currency: row.currency,
        order: row.orderId,
        ...originOf(row),
        resolution: row.resolution,
      }));
    },
  }),
  "unmatched-credit": change({
    help: "credit it to its order, or to the one named",
    args: { id: rowNumber },
    options: { order: optional(orderWord) },
    changes: "money",
    undo: true,
    offer: { about: "row", isPossible: (state) => isOpen(state) && isCreditable(state) },
    run: (call) => creditUnmatched(call, call.args.id, call.options.order),
  }),
  "unmatched-resolve": change({
    help: "it needs nothing more: given back by a transaction, kept, or about no money of ours",
    args: { id: rowNumber },
    options: { kept: flag, returned: optional(transactionWord) },
    changes: "money",
    undo: true,
    offer: { about: "row", isPossible: isOpen },
    run: (call) => resolveRow(call, call.args.id, call.options),
  }),
};
