/** The operator's commands about an order: its history, the latest ones, a refund. */
import { and, desc, eq, inArray, isNull, lt, ne } from "drizzle-orm";
import { shownUnits } from "../../../contract/money.ts";
import { OrderStatus } from "../../../contract/calls.ts";
import { phrase } from "../../../contract/console.ts";
import { DAY } from "../../../contract/durations.ts";
import { balancesOf, isPartPaid } from "../../payments/standing.ts";
import { lockOrders, type Movement } from "../../payments/book.ts";
import { moveOfOrder } from "../../payments/book-by-hand.ts";
import { settleOrder } from "../../payments/ledger.ts";
import { shownAmount } from "../../payments/unmatched.ts";
import type { Database } from "../../store/database.ts";
import {
  accounts,
  membershipEntries,
  movements,
  orders,
  transfers,
  unmatchedPayments,
} from "../../store/schema.ts";
import { audited, entriesOfOrder } from "./audit.ts";
import { statusWord, type State, type Subject } from "./change.ts";
import {
  accountName,
  at,
  change,
  CommandRefused,
  days,
  flag,
  limit,
  tellRest,
  optional,
  orderWord,
  query,
  type Call,
  type Commands,
  type Rows,
} from "./command.ts";
import { memberOf, orderOf } from "./named.ts";

export const subjectOf = ({ id }: Pick<typeof orders.$inferSelect, "id">): Subject => ({
  name: `order ${id}`,
  word: id,
  orders: [id],
});

const shownOrder = (order: typeof orders.$inferSelect) => ({
  order: order.id,
  made: order.createdAt.toISOString(),
  package: order.packId,
  days: order.days,
  amount: `${shownUnits(order.amount)} ${order.currency}`,
  by: order.network ?? order.rail,
  status: statusWord(order.status),
});

const balanceWords = (row: Movement) =>
  `${shownUnits(row.amount)} ${row.currency}, ${row.from} → ${row.to}${row.reference === null ? "" : `, ${row.reference}`}`;

async function history(db: Database, wanted: string): Promise<Rows> {
  const order = await orderOf(db, wanted);
  const [account] = await db
    .select({ name: accounts.name })
    .from(accounts)
    .where(eq(accounts.id, order.accountId));
  const of = eq(transfers.orderId, order.id);
  const [found, moved, entries, open] = await Promise.all([
    db
      .select()
      .from(transfers)
      .where(and(of, ne(transfers.state, "final"))),
    db.select().from(movements).where(eq(movements.orderId, order.id)),
    db.select().from(membershipEntries).where(eq(membershipEntries.orderId, order.id)),
    db.select().from(unmatchedPayments).where(eq(unmatchedPayments.orderId, order.id)),
  ]);
  const audits = await entriesOfOrder(db, order.id, open);
  const lines = [
    {
      at: at(order.createdAt),
      what: `ordered by ${account?.name}`,
      facts: `${shownUnits(order.amount)} ${order.currency}, ${order.days} days, ${order.network ?? order.rail}, to ${order.address ?? order.thirdReferenceId ?? "nothing yet"}${order.addressSeries === null ? "" : ` (${order.addressSeries}/${order.addressIndex} of key ${order.keyFingerprint})`}`,
    },
    ...found.map((each) => ({
      at: at(each.seenAt),
      what: `transfer ${each.state}${each.heldFor === null ? "" : `, held: ${each.heldFor}`}`,
      facts: `${shownUnits(each.amount)} USDT on ${each.network}, block ${each.blockNumber}, ${each.txHash}`,
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
    { at: at(order.confirmedAt), what: "now", facts: statusWord(order.status) },
  ];
}

/** How an order stands, whose it is, and when that membership ends. */
export async function standingOf(tx: Database, id: string): Promise<Rows> {
  const [row] = await tx
    .select({ member: accounts.name, status: orders.status, ends: accounts.membershipEndsAt })
    .from(orders)
    .innerJoin(accounts, eq(accounts.id, orders.accountId))
    .where(eq(orders.id, id));
  return row ? [{ order: id, ...row, status: statusWord(row.status), ends: at(row.ends) }] : [];
}

/** Reasons for which a transfer is held until the operator credits or resolves it. */
export const HELD = ["late", "network", "no order", "account deleted"] as const;
/** Reasons of rows about money that an order has in the book. */
const OF_THE_ORDER = [...HELD, "surplus", "partly refunded"] as const;

/**
 * Locks an order and settles it, before its money is moved.
 * @throws CommandRefused while a transfer for it is not final: what comes meanwhile was neither given back nor kept
 */
async function settledOrder(
  { ledger }: Call,
  tx: Database,
  { id }: typeof orders.$inferSelect,
): Promise<void> {
  await lockOrders(tx, [id]);
  const coming = and(eq(transfers.orderId, id), eq(transfers.state, "seen"));
  if ((await tx.$count(transfers, coming)) > 0)
    throw new CommandRefused(phrase("transfer coming", { order: id }));
  await settleOrder(ledger, tx, id);
}

/** Notes that all that came in for an order was given back: its membership ends. */
async function refund(call: Call, wanted: string): Promise<Rows> {
  const { ledger } = call;
  const order = await orderOf(ledger.db, wanted);
  return audited(call, "refund", subjectOf(order), async (tx, auditId) => {
    await settledOrder(call, tx, order);
    if (!(await holdsMoney(tx, order.id, GOES_BACK)))
      throw new CommandRefused(phrase("nothing to give back", { order: order.id }));
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
    return standingOf(tx, order.id);
  });
}

/** Notes that what came in part for an order stays here, and was settled in another way: it pays the order no more. */
async function keep(call: Call, wanted: string): Promise<Rows> {
  const { ledger } = call;
  const order = await orderOf(ledger.db, wanted);
  return audited(call, "keep", subjectOf(order), async (tx, auditId) => {
    await settledOrder(call, tx, order);
    if (!(await holdsMoney(tx, order.id, PART_PAID)))
      throw new CommandRefused(phrase("nothing to keep", { order: order.id }));
    const now = new Date(ledger.now());
    await moveOfOrder(tx, order, { from: "paying", to: "kept" }, { at: now, auditId });
    await settleOrder(ledger, tx, order.id);
    return standingOf(tx, order.id);
  });
}

/** Balances of money that can go back. What a bank contests is not there to be given back: if it is won, it pays the order again. */
const GOES_BACK: ReadonlySet<string> = new Set(["open", "credited", "surplus", "held"]);

/** The balance of what came in part: other money that is kept has a row of its own. */
const PART_PAID: ReadonlySet<string> = new Set(["open"]);

const hasMoney =
  (where: ReadonlySet<string>) =>
  ({ orders: [order] }: State) =>
    Object.keys(order?.balances ?? {}).some((balance) => where.has(balance));

/** The same of an order as it stands in the book. */
async function holdsMoney(tx: Database, id: string, where: ReadonlySet<string>): Promise<boolean> {
  const [row] = await tx
    .select({ balances: balancesOf(orders.id) })
    .from(orders)
    .innerJoin(accounts, eq(accounts.id, orders.accountId))
    .where(eq(orders.id, id));
  return Object.entries(row?.balances ?? {}).some(
    ([balance, total]) => where.has(balance) && BigInt(total) > 0n,
  );
}

export const orderCommands: Commands = {
  order: query({
    help: "everything recorded about an order",
    args: { order: orderWord },
    run: ({ ledger, args }) => history(ledger.db, args.order),
  }),
  orders: query({
    help: "the latest orders, of a member, pending for some days, or paid in part",
    options: { member: optional(accountName), "pending-days": optional(days), "part-paid": flag, limit },
    async run(call) {
      const { ledger, options } = call;
      const member = options.member === undefined ? null : await memberOf(ledger.db, options.member);
      const pending = options["pending-days"];
      const where = and(
        member ? eq(orders.accountId, member.id) : undefined,
        pending === undefined ? undefined : eq(orders.status, OrderStatus.pending),
        pending === undefined ? undefined : lt(orders.createdAt, new Date(ledger.now() - pending * DAY)),
        options["part-paid"] ? isPartPaid : undefined,
      );
      const rows = await ledger.db
        .select()
        .from(orders)
        .where(where)
        .orderBy(desc(orders.createdAt))
        .limit(options.limit);
      await tellRest(call, rows, orders, where);
      return rows.map(shownOrder);
    },
  }),
  refund: change({
    help: "an order's money was given back: its membership ends",
    args: { order: orderWord },
    changes: "money",
    undo: true,
    offer: { about: "order", isPossible: hasMoney(GOES_BACK) },
    run: (call) => refund(call, call.args.order),
  }),
  keep: change({
    help: "what came in part for an order is kept, and was settled by days or otherwise",
    args: { order: orderWord },
    changes: "money",
    undo: true,
    offer: { about: "order", isPossible: hasMoney(PART_PAID) },
    run: (call) => keep(call, call.args.order),
  }),
};
