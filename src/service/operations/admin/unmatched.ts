/** The operator's commands about money that no rule settles: list it, credit it, resolve it. */
import { and, desc, eq, inArray, isNull } from "drizzle-orm";
import { fromUnits, USD_DECIMALS } from "../../../../machines/money.ts";
import { networks } from "../../../contract/calls.ts";
import { settleOrder, UNITS_PER_CENT } from "../../payments/ledger.ts";
import { OrderUnknown, takePayment } from "../../payments/provider.ts";
import { transfers, unmatchedPayments } from "../../store/schema.ts";
import {
  audited,
  CommandRefused,
  limitOf,
  need,
  usdt,
  type Answer,
  type Call,
  type Commands,
} from "./command.ts";
import { HELD, orderOf, statusOf } from "./orders.ts";

/** Characters of a transaction's hash. */
const TX_HASH = 66;

/** A provider's own word may be anything. */
function shownAmount({ rail, amount }: typeof unmatchedPayments.$inferSelect): string | null {
  if (amount === null || !/^\d{1,18}$/.test(amount)) return amount;
  return rail === "usdt" ? usdt(BigInt(amount)) : fromUnits(BigInt(amount), USD_DECIMALS, USD_DECIMALS);
}

/** A surplus and a part that was refunded are of money that is credited already. */
const CREDITED: ReadonlySet<string> = new Set(["late", "network", "no order", "order unknown", "incomplete"]);

/** The transfer of a row of the operator's list. */
function transferOf({ eventId }: Pick<typeof unmatchedPayments.$inferSelect, "eventId">) {
  const [network = "", blockHash = "", logIndex = ""] = eventId.split(":");
  const known = networks.find((one) => one === network);
  if (!known) throw new CommandRefused("The row names no transfer.");
  return and(
    eq(transfers.network, known),
    eq(transfers.blockHash, blockHash),
    eq(transfers.logIndex, Number(logIndex)),
  );
}

const isHeld = (reason: string) => HELD.some((one) => one === reason);

/** Credits a row of the operator's list to its order, or to the one that is named. */
async function creditUnmatched(call: Call, wanted: string | undefined): Promise<Answer> {
  const { ledger, options } = call;
  const id = Number(need(wanted, "The row's number"));
  const answer = await audited(call, "unmatched credit", `unmatched ${id}`, async (tx) => {
    const [row] = await tx.select().from(unmatchedPayments).where(eq(unmatchedPayments.id, id)).for("update");
    if (!row) throw new CommandRefused(`There is no row ${id}.`);
    if (row.resolvedAt !== null) throw new CommandRefused(`Row ${id} is resolved: ${row.resolution ?? ""}`);
    if (!CREDITED.has(row.reason)) {
      throw new CommandRefused(
        `A row of reason ${row.reason} is not credited: give it back, or add days by \`credit\`.`,
      );
    }
    const orderId = options["order"] ?? row.orderId;
    if (orderId === null) throw new CommandRefused("The row names no order: name one with --order.");
    const order = await orderOf(tx, orderId);
    if (row.rail === "usdt") {
      const held = await tx
        .update(transfers)
        .set({ heldFor: null, orderId: order.id })
        .where(and(transferOf(row), inArray(transfers.heldFor, HELD)))
        .returning({ network: transfers.network });
      if (held.length === 0) throw new CommandRefused(`The transfer of row ${id} was given back.`);
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
      await takePayment(ledger, captured, tx).catch((error: unknown) => {
        if (!(error instanceof OrderUnknown)) throw error;
        throw new CommandRefused(`Order ${order.id} is not paid by ${row.rail}: add days by \`credit\`.`);
      });
    }
    await tx
      .update(unmatchedPayments)
      .set({ resolvedAt: new Date(ledger.now()), resolution: `Credited to ${order.id}.`, orderId: order.id })
      .where(eq(unmatchedPayments.id, id));
    await settleOrder(ledger, tx, order.id);
    return statusOf(tx, order.id);
  });
  return [answer];
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
    usage: '<id> --reason "…"',
    help: "it needs nothing more: given back, or not ours",
    async run(call) {
      const id = Number(need(call.args[0], "The row's number"));
      const { ledger } = call;
      await audited(call, "unmatched resolve", `unmatched ${id}`, async (tx) => {
        const [row] = await tx
          .update(unmatchedPayments)
          .set({ resolvedAt: new Date(ledger.now()), resolution: call.options["reason"] ?? null })
          .where(and(eq(unmatchedPayments.id, id), isNull(unmatchedPayments.resolvedAt)))
          .returning();
        if (!row) throw new CommandRefused(`There is no open row ${id}.`);
        // It is no longer shown as held, and the order can still be paid.
        if (row.rail !== "usdt" || !isHeld(row.reason)) return;
        await tx.update(transfers).set({ heldFor: "refunded" }).where(transferOf(row));
      });
      return [{ id, resolved: true }];
    },
  },
};
