/** The operator's commands about an order: its history, the latest ones, a refund. */
import { and, desc, eq, inArray, isNull, lt, ne, or } from "drizzle-orm";
import { networks, OrderStatus } from "../../../contract/calls.ts";
import { isPartPaid } from "../../payments/standing.ts";
import { lockOrders, type Movement } from "../../payments/book.ts";
import { moveOfOrder } from "../../payments/book-by-hand.ts";
import { settleOrder } from "../../payments/ledger.ts";
import { shownAmount } from "../../payments/unmatched.ts";
import type { Database } from "../../store/database.ts";
import {
  accounts,
  auditEntries,
  membershipEntries,
  movements,
  orders,
  receivingAddresses,
  transfers,
  unmatchedPayments,
} from "../../store/schema.ts";
import {
  at,
  audited,
  CommandRefused,
  daysOf,
  limitOf,
  need,
  usdt,
  type Answer,
  type Call,
  type Commands,
} from "./command.ts";
import { memberOf } from "./members.ts";

const DAY = 86_400_000;

const statusWords: Record<number, string> = {
  [OrderStatus.pending]: "pending",
  [OrderStatus.confirmed]: "confirmed",
  [OrderStatus.failed]: "failed",
};

/** By its number, address, provider's reference or a transaction that paid it. */
export async function orderOf(db: Database, wanted: string | undefined) {
  const key = need(wanted, "The order's number, address, reference or transaction");
  const paid = await db
    .selectDistinct({ id: transfers.orderId })
    .from(transfers)
    .where(inArray(transfers.txHash, [key.toLowerCase(), `0x${key.toLowerCase()}`]));
  if (paid.length > 1) {
    const ids = paid.map(({ id }) => id ?? "none").toSorted();
    throw new CommandRefused(`This transaction paid several orders: ${ids.join(", ")}. Name one of them.`);
  }
  const [paidBy] = paid;
  const [order] = await db
    .select()
    .from(orders)
    .where(
      or(
        eq(orders.id, key),
        // By all of its columns, so that an index finds it.
        and(inArray(orders.network, networks), eq(orders.address, key)),
        and(inArray(orders.rail, ["card", "stripe"]), eq(orders.thirdReferenceId, key)),
        paidBy?.id ? eq(orders.id, paidBy.id) : undefined,
      ),
    );
  if (order) return order;
  const [removed] = await db
    .select({ member: accounts.name })
    .from(receivingAddresses)
    .innerJoin(accounts, eq(accounts.id, receivingAddresses.accountId))
    .where(eq(receivingAddresses.orderId, key));
  throw new CommandRefused(
    removed
      ? `Order ${key} of ${removed.member} was removed, because it was never paid. Money that came later is in \`unmatched\`.`
      : `No order is known by ${key}.`,
  );
}

const shownOrder = (order: typeof orders.$inferSelect) => ({
  order: order.id,
  made: order.createdAt.toISOString(),
  package: order.packId,
  days: order.days,
  amount: `${usdt(order.amount)} ${order.currency}`,
  by: order.network ?? order.rail,
  status: statusWords[order.status] ?? order.status,
});

const balanceWords = (row: Movement) =>
  `${usdt(row.amount)} ${row.currency}, ${row.from} → ${row.to}${row.reference === null ? "" : `, ${row.reference}`}`;

async function history({ ledger: { db } }: Call, wanted: string | undefined): Promise<Answer> {
  const order = await orderOf(db, wanted);
  const [account] = await db
    .select({ name: accounts.name })
    .from(accounts)
    .where(eq(accounts.id, order.accountId));
  const of = eq(transfers.orderId, order.id);
  const [found, moved, entries, open, audits] = await Promise.all([
    db
      .select()
      .from(transfers)
      .where(and(of, ne(transfers.state, "final"))),
    db.select().from(movements).where(eq(movements.orderId, order.id)),
    db.select().from(membershipEntries).where(eq(membershipEntries.orderId, order.id)),
    db.select().from(unmatchedPayments).where(eq(unmatchedPayments.orderId, order.id)),
    db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.subject, `order ${order.id}`)),
  ]);
  const lines = [
    {
      at: at(order.createdAt),
      what: `ordered by ${account?.name}`,
      facts: `${usdt(order.amount)} ${order.currency}, ${order.days} days, ${order.network ?? order.rail}, to ${order.address ?? order.thirdReferenceId ?? "nothing yet"}${order.addressSeries === null ? "" : ` (${order.addressSeries}/${order.addressIndex} of key ${order.keyFingerprint})`}`,
    },
    ...found.map((each) => ({
      at: at(each.seenAt),
      what: `transfer ${each.state}${each.heldFor === null ? "" : `, held: ${each.heldFor}`}`,
      facts: `${usdt(each.amount)} USDT on ${each.network}, block ${each.blockNumber}, ${each.txHash}`,
    })),
    ...moved
      .toSorted((one, other) => one.id - other.id)
      .map((each) => ({ at: at(each.at), what: each.kind, facts: balanceWords(each) })),
    ...entries.map((each) => ({
      at: at(each.createdAt),
      what: `membership: ${each.reason}`,
      facts: `${each.days} days, ends ${at(each.endsAt)}`,
    })),
    ...open.map((each) => ({
      at: at(each.receivedAt),
      what: `unmatched: ${each.reason}`,
      facts: `${each.id}: ${shownAmount(each)} ${each.currency}, ${each.resolution ?? (each.resolvedAt === null ? "open" : "resolved")}`,
    })),
    ...audits.map((each) => ({
      at: at(each.at),
      what: `${each.action} by ${each.actor}`,
      facts: each.reason,
    })),
  ];
  return [
    ...lines.toSorted((one, other) => one.at.localeCompare(other.at)),
    { at: at(order.confirmedAt), what: "now", facts: statusWords[order.status] ?? String(order.status) },
  ];
}

export async function statusOf(tx: Database, id: string) {
  const [order] = await tx.select({ status: orders.status }).from(orders).where(eq(orders.id, id));
  return { order: id, status: statusWords[order?.status ?? OrderStatus.pending] };
}

/** Reasons for which a transfer is held until the operator credits or resolves it. */
export const HELD = ["late", "network", "no order"] as const;
/** Reasons of rows about money that an order has in the book. */
const OF_THE_ORDER = [...HELD, "surplus", "partly refunded"] as const;

/** Notes that all that came in for an order was given back: its membership ends. */
async function refund(call: Call, wanted: string | undefined): Promise<Answer> {
  const { ledger } = call;
  const order = await orderOf(ledger.db, wanted);
  const settled = await audited(call, "refund", `order ${order.id}`, async (tx, auditId) => {
    await lockOrders(tx, [order.id]);
    // What comes meanwhile was not given back.
    const coming = and(eq(transfers.orderId, order.id), eq(transfers.state, "seen"));
    if ((await tx.$count(transfers, coming)) > 0) {
      throw new CommandRefused(`A transfer for order ${order.id} is not final yet: wait for it.`);
    }
    await settleOrder(ledger, tx, order.id);
    const now = new Date(ledger.now());
    // None of it is credited after that.
    await tx
      .update(unmatchedPayments)
      .set({
        resolvedAt: now,
        resolution: `Given back with order ${order.id}.`,
        resolvedAs: "returned",
        auditId,
      })
      .where(
        and(
          eq(unmatchedPayments.orderId, order.id),
          inArray(unmatchedPayments.reason, OF_THE_ORDER),
          isNull(unmatchedPayments.resolvedAt),
        ),
      );
    for (const from of ["held", "paying"] as const)
      await moveOfOrder(tx, order, { from, to: "returned" }, { at: now, auditId });
    await settleOrder(ledger, tx, order.id, { cause: "refund" });
    return statusOf(tx, order.id);
  });
  return [settled];
}

export const orderCommands: Commands = {
  order: {
    usage: "<number | address | reference | transaction>",
    help: "everything recorded about an order",
    run: (call) => history(call, call.args[0]),
  },
  orders: {
    usage: "[--member NAME] [--pending-days N | --part-paid] [--limit N]",
    help: "the latest orders, of a member, pending for some days, or paid in part",
    async run(call) {
      const { ledger, options } = call;
      const member = options["member"] === undefined ? null : await memberOf(ledger.db, options["member"]);
      const pending = options["pending-days"];
      const rows = await ledger.db
        .select()
        .from(orders)
        .where(
          and(
            member ? eq(orders.accountId, member.id) : undefined,
            pending === undefined ? undefined : eq(orders.status, OrderStatus.pending),
            pending === undefined
              ? undefined
              : lt(orders.createdAt, new Date(ledger.now() - daysOf(pending) * DAY)),
            options["part-paid"] === undefined ? undefined : isPartPaid,
          ),
        )
        .orderBy(desc(orders.createdAt))
        .limit(limitOf(call));
      return rows.map(shownOrder);
    },
  },
  refund: {
    usage: '<order> --reason "…"',
    help: "an order's money was given back: its membership ends",
    run: (call) => refund(call, call.args[0]),
  },
};
