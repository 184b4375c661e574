/** The operator's commands about money that no rule settles: list it, credit it, resolve it. */
import { desc, eq, isNull } from "drizzle-orm";
import { CENT, lockOrders } from "../../payments/book.ts";
import {
  creditHeld,
  heldOf,
  moveHeldTransfer,
  moveOfOrder,
  transferOf,
  type ByHand,
} from "../../payments/book-by-hand.ts";
import { settleOrder, UNITS_PER_CENT } from "../../payments/ledger.ts";
import { OrderUnknown, takePayment } from "../../payments/provider.ts";
import { shownAmount } from "../../payments/unmatched.ts";
import type { Database } from "../../store/database.ts";
import { unmatchedPayments } from "../../store/schema.ts";
import { audited, CommandRefused, limitOf, need, type Answer, type Call, type Commands } from "./command.ts";
import { HELD, orderOf, statusOf } from "./orders.ts";

/** Characters of a transaction's hash. */
const TX_HASH = 66;

type Row = typeof unmatchedPayments.$inferSelect;

/** A surplus and a part that was refunded are of money that is credited already. */
const CREDITED: ReadonlySet<string> = new Set(["late", "network", "no order", "order unknown", "incomplete"]);

/** The transfer of a row of the operator's list. */
async function transferOfRow(tx: Database, { eventId }: Row) {
  const transfer = await transferOf(tx, eventId);
  if (!transfer) throw new CommandRefused("The row names no transfer.");
  return transfer;
}

const isHeld = (reason: string) => HELD.some((one) => one === reason);

/** A row that is open, locked. */
async function openRow(tx: Database, id: number): Promise<Row> {
  const [row] = await tx.select().from(unmatchedPayments).where(eq(unmatchedPayments.id, id)).for("update");
  if (!row) throw new CommandRefused(`There is no row ${id}.`);
  if (row.resolvedAt !== null) throw new CommandRefused(`Row ${id} is resolved: ${row.resolution ?? ""}`);
  return row;
}

/** Credits a row of the operator's list to its order, or to the one that is named. */
async function creditUnmatched(call: Call, wanted: string | undefined): Promise<Answer> {
  const { ledger, options } = call;
  const id = Number(need(wanted, "The row's number"));
  const answer = await audited(call, "unmatched credit", `unmatched ${id}`, async (tx, auditId) => {
    const row = await openRow(tx, id);
    if (!CREDITED.has(row.reason)) {
      throw new CommandRefused(
        `A row of reason ${row.reason} is not credited: give it back, or add days by \`credit\`.`,
      );
    }
    const orderId = options["order"] ?? row.orderId;
    if (orderId === null) throw new CommandRefused("The row names no order: name one with --order.");
    const order = await orderOf(tx, orderId);
    if (row.rail === "usdt") {
      const transfer = await transferOfRow(tx, row);
      await lockOrders(tx, [order.id, ...(transfer.orderId === null ? [] : [transfer.orderId])]);
      if ((await heldOf(tx, transfer)) === 0n)
        throw new CommandRefused(`The transfer of row ${id} was given back.`);
      await creditHeld(tx, transfer, order, { at: new Date(ledger.now()), auditId });
    } else {
      if (row.currency?.toUpperCase() !== "USD" || !/^\d{1,14}$/.test(row.amount ?? "")) {
        throw new CommandRefused("Only an amount in USD can be credited: refund it at the provider.");
      }
      const captured = {
        rail: row.rail,
        paymentId: row.paymentId ?? `unmatched-${id}`,
        reference: null,
        orderId: order.id,
        amount: BigInt(row.amount ?? "0") * UNITS_PER_CENT,
      };
      await takePayment(ledger, captured, tx, auditId).catch((error: unknown) => {
        if (!(error instanceof OrderUnknown)) throw error;
        throw new CommandRefused(`Order ${order.id} is not paid by ${row.rail}: add days by \`credit\`.`);
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
    return statusOf(tx, order.id);
  });
  return [answer];
}

/** Where the money of a row went, of the two that can be. */
function whereTo({ options }: Call, row: Row): { to: "returned" | "kept"; reference: string | null } | null {
  const { kept, returned } = options;
  if (!isHeld(row.reason) && row.reason !== "surplus") {
    if (kept === undefined && returned === undefined) return null;
    throw new CommandRefused(
      `No money of a row of reason ${row.reason} is in the book: leave --kept and --returned out.`,
    );
  }
  if ((kept === undefined) === (returned === undefined)) {
    throw new CommandRefused("Say what became of the money: --returned <transaction>, or --kept.");
  }
  return returned === undefined
    ? { to: "kept", reference: null }
    : { to: "returned", reference: need(returned, "The transaction that gave it back") };
}

/** Moves the money of a row to where it went. */
async function moveMoney(
  tx: Database,
  row: Row,
  to: "returned" | "kept",
  by: ByHand,
): Promise<string | null> {
  if (isHeld(row.reason)) {
    const transfer = await transferOfRow(tx, row);
    if (transfer.orderId !== null) await lockOrders(tx, [transfer.orderId]);
    await moveHeldTransfer(tx, transfer, to, by);
    return transfer.orderId;
  }
  const [order] = await lockOrders(tx, row.orderId === null ? [] : [row.orderId]);
  if (!order) throw new CommandRefused("The row names no order.");
  const amount = BigInt(row.amount ?? 0) * (row.rail === "usdt" ? 1n : CENT);
  await moveOfOrder(tx, order, { from: "surplus", to, amount }, by);
  return order.id;
}

/** Notes that a row needs nothing more, and where its money went. */
async function resolveRow(call: Call, wanted: string | undefined): Promise<Answer> {
  const id = Number(need(wanted, "The row's number"));
  const { ledger } = call;
  const status = await audited(call, "unmatched resolve", `unmatched ${id}`, async (tx, auditId) => {
    const row = await openRow(tx, id);
    const went = whereTo(call, row);
    const at = new Date(ledger.now());
    const orderId = went && (await moveMoney(tx, row, went.to, { at, auditId, reference: went.reference }));
    await tx
      .update(unmatchedPayments)
      .set({
        resolvedAt: at,
        resolution: call.options["reason"] ?? null,
        resolvedAs: went?.to ?? null,
        auditId,
      })
      .where(eq(unmatchedPayments.id, id));
    if (orderId !== null) await settleOrder(ledger, tx, orderId);
    return went?.to ?? "resolved";
  });
  return [{ id, resolved: status }];
}

export const unmatchedCommands: Commands = {
  unmatched: {
    usage: "[--all]",
    help: "money that no rule settles",
    async run(call) {
      const rows = await call.ledger.db
        .select()
        .from(unmatchedPayments)
        .where(call.options["all"] === undefined ? isNull(unmatchedPayments.resolvedAt) : undefined)
        .orderBy(desc(unmatchedPayments.receivedAt))
        .limit(limitOf(call));
      return rows.map((row) => ({
        id: row.id,
        at: row.receivedAt.toISOString(),
        rail: row.rail,
        reason: row.reason,
        amount: shownAmount(row),
        currency: row.currency,
        order: row.orderId,
        payment: row.paymentId ?? row.body.slice(0, TX_HASH),
        reference: row.reference,
        // Of an address without an order: where it is below which account's key.
        path: row.reason === "no order" ? row.body.slice(TX_HASH).trim() : null,
        resolution: row.resolution,
      }));
    },
  },
  "unmatched-credit": {
    usage: '<id> [--order NUMBER] --reason "…"',
    help: "credit it to its order, or to the one named",
    run: (call) => creditUnmatched(call, call.args[0]),
  },
  "unmatched-resolve": {
    usage: '<id> [--returned TRANSACTION | --kept] --reason "…"',
    help: "it needs nothing more: given back by that transaction, kept, or not ours",
    run: (call) => resolveRow(call, call.args[0]),
  },
};
