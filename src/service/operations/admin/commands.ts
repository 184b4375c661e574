/** What an operator can look at and do. Every change needs a reason and leaves an audit entry, in the same transaction. docs/operating.md, "The operator's commands". */
import { statSync } from "node:fs";
import { and, asc, desc, eq, gte, inArray, isNull, lt, or, sql, sum } from "drizzle-orm";
import { fromUnits, USD_DECIMALS, USDT_DECIMALS } from "../../../../machines/money.ts";
import { networks, OrderStatus } from "../../../contract/calls.ts";
import { keyOfOwn } from "../../account-names.ts";
import { backlogOf } from "../backlog.ts";
import { BackupRefused, backUp, restore } from "../backup.ts";
import { seriesAt } from "../../payments/addresses.ts";
import { shownAddress } from "../../payments/chain/blocks.ts";
import { settleOrder, UNITS_PER_CENT, type Ledger } from "../../payments/ledger.ts";
import { creditMembership, membershipOf } from "../../payments/membership.ts";
import { replayEvents } from "../../payments/outbox.ts";
import { OrderUnknown, reversePayment, takePayment } from "../../payments/provider.ts";
import type { Database } from "../../store/database.ts";
import {
  accounts,
  addressSeries,
  auditEntries,
  chainPositions,
  membershipEntries,
  orders,
  outboxEvents,
  payments,
  receivingAddresses,
  securityEvents,
  sessions,
  transfers,
  unmatchedPayments,
} from "../../store/schema.ts";
import { inTransaction } from "../../store/transaction.ts";

/** What a command answers: rows to show as a table or as JSON, or a text. */
export type Answer = Record<string, unknown>[] | string;

/** A mistake of the operator's, in words. */
export class CommandRefused extends Error {}

export interface Call {
  ledger: Ledger;
  /** The words after the command. */
  args: readonly string[];
  options: Readonly<Record<string, string | undefined>>;
  /** Who gives the command. */
  actor: string;
}

interface Command {
  /** What follows the command. */
  usage: string;
  help: string;
  run(call: Call): Promise<Answer>;
}

const DAY = 86_400_000;
const SHOWN = 100;
/** Characters of a transaction's hash. */
const TX_HASH = 66;
const statusWords: Record<number, string> = {
  [OrderStatus.pending]: "pending",
  [OrderStatus.confirmed]: "confirmed",
  [OrderStatus.failed]: "failed",
};
const usdt = (units: bigint) => fromUnits(units, USDT_DECIMALS, USD_DECIMALS);

function need(value: string | undefined, what: string): string {
  if (value === undefined || value.trim() === "") throw new CommandRefused(`${what} is missing.`);
  return value;
}

function limitOf({ options }: Call): number {
  const limit = Number(options["limit"] ?? SHOWN);
  if (!Number.isInteger(limit) || limit < 1)
    throw new CommandRefused("--limit must be a whole number above 0.");
  return limit;
}

function daysOf(text: string | undefined): number {
  const days = Number(text);
  if (!Number.isInteger(days) || days < 1 || days > 36_500) {
    throw new CommandRefused("The days must be a whole number from 1 to 36500.");
  }
  return days;
}

async function memberOf(db: Database, name: string | undefined) {
  const wanted = need(name, "The member's account name");
  const [account] = await db
    .select()
    .from(accounts)
    .where(eq(accounts.nameKey, keyOfOwn(wanted)));
  if (!account) throw new CommandRefused(`There is no account ${wanted}.`);
  return account;
}

/** The member that a command names, or null for all of them. */
async function memberOrAll({ ledger: { db }, args, options }: Call) {
  if (options["all"] === undefined) return memberOf(db, args[0]);
  if (args.length > 0) throw new CommandRefused("Name an account or --all, not both.");
  return null;
}

const subjectOf = (account: { id: number } | null) => (account ? `account ${account.id}` : "all accounts");

/** By its number, address, provider's reference or a transaction that paid it. */
async function orderOf(db: Database, wanted: string | undefined) {
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

/** A refused backup is the operator's to mend. */
function inWords(error: unknown): never {
  if (error instanceof BackupRefused) throw new CommandRefused(error.message);
  throw error;
}

/** Does something and writes down who did it and why, in one transaction. */
async function audited<T>(
  { ledger, options, actor }: Call,
  action: string,
  subject: string,
  act: (tx: Database) => Promise<T>,
): Promise<T> {
  const reason = need(options["reason"], '--reason "…"');
  return inTransaction(ledger.db, async (tx) => {
    const result = await act(tx);
    await tx.insert(auditEntries).values({ at: new Date(ledger.now()), actor, action, subject, reason });
    return result;
  });
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

/** A provider's own word may be anything. */
function shownAmount({ rail, amount }: typeof unmatchedPayments.$inferSelect): string | null {
  if (amount === null || !/^\d{1,18}$/.test(amount)) return amount;
  return rail === "usdt" ? usdt(BigInt(amount)) : fromUnits(BigInt(amount), USD_DECIMALS, USD_DECIMALS);
}

const at = (when: Date | null) => when?.toISOString() ?? "";

async function story({ ledger: { db } }: Call, wanted: string | undefined): Promise<Answer> {
  const order = await orderOf(db, wanted);
  const [account] = await db
    .select({ name: accounts.name })
    .from(accounts)
    .where(eq(accounts.id, order.accountId));
  const of = eq(transfers.orderId, order.id);
  const [found, paid, entries, open, audits] = await Promise.all([
    db.select().from(transfers).where(of),
    db.select().from(payments).where(eq(payments.orderId, order.id)),
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
    ...paid.map((each) => ({
      at: at(each.takenAt),
      what: `payment${each.disputedAt === null ? "" : ", disputed"}`,
      facts: `${usdt(each.amount)} by ${each.rail}, ${each.paymentId}, ${usdt(each.refunded)} refunded`,
    })),
    ...entries.map((each) => ({
      at: at(each.createdAt),
      what: `membership: ${each.reason}`,
      facts: `${each.days} days, ends ${at(each.endsAt)}`,
    })),
    ...open.map((each) => ({
      at: at(each.receivedAt),
      what: `unmatched: ${each.reason}`,
      facts: `${each.id}: ${each.amount} ${each.currency}, ${each.resolution ?? (each.resolvedAt === null ? "open" : "resolved")}`,
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

/** Reasons for which a transfer is held until the operator credits or resolves it. */
const HELD: ReadonlySet<string> = new Set(["late", "network", "no order"]);

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
      await tx.update(transfers).set({ heldFor: null, orderId: order.id }).where(transferOf(row));
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

async function statusOf(tx: Database, id: string) {
  const [order] = await tx.select({ status: orders.status }).from(orders).where(eq(orders.id, id));
  return { order: id, status: statusWords[order?.status ?? OrderStatus.pending] };
}

/** Takes the credit for all that paid an order away, because it was given back. */
async function refund(call: Call, wanted: string | undefined): Promise<Answer> {
  const { ledger } = call;
  const order = await orderOf(ledger.db, wanted);
  const settled = await audited(call, "refund", `order ${order.id}`, async (tx) => {
    const ofOrder = eq(transfers.orderId, order.id);
    // What comes meanwhile was not given back.
    if ((await tx.$count(transfers, and(ofOrder, eq(transfers.state, "seen")))) > 0) {
      throw new CommandRefused(`A transfer for order ${order.id} is not final yet: wait for it.`);
    }
    await tx
      .update(transfers)
      .set({ heldFor: "refunded" })
      .where(and(ofOrder, eq(transfers.state, "final")));
    const paid = await tx.select().from(payments).where(eq(payments.orderId, order.id));
    for (const { rail, paymentId, amount } of paid) {
      if (rail === "usdt") continue;
      // As the provider would report it: its own report of the same refund changes nothing then.
      const reversal = {
        rail,
        paymentId,
        amount,
        reversalId: `admin:${rail}:${paymentId}`,
        asOf: ledger.now(),
      };
      await reversePayment(ledger, { ...reversal, kind: "total", state: "done" }, tx);
    }
    await settleOrder(ledger, tx, order.id, "refund");
    return statusOf(tx, order.id);
  });
  return [settled];
}

/** What a membership is called that only an operator gave. */
const CREDIT = { en: "Credit", "zh-CN": "赠送" };

async function changeDays(call: Call, sign: 1 | -1): Promise<Answer> {
  const { ledger, args } = call;
  const account = await memberOf(ledger.db, args[0]);
  const days = sign * daysOf(args[1]);
  await audited(call, sign > 0 ? "credit" : "revoke", `account ${account.id}`, (tx) =>
    creditMembership(tx, account.id, days, CREDIT, ledger.now()),
  );
  const membership = await membershipOf(ledger.db, account.id);
  return [{ account: account.name, days, ends: membership?.endsAt.toISOString() ?? null }];
}

async function addresses({ ledger: { db }, options }: Call): Promise<Answer> {
  const wanted = and(
    eq(transfers.state, "final"),
    options["network"] === undefined ? undefined : sql`${transfers.network} = ${options["network"]}`,
    options["since"] === undefined ? undefined : gte(transfers.finalAt, dateOf(options["since"])),
  );
  const rows = await db
    .select({
      network: orders.network,
      address: orders.address,
      series: orders.addressSeries,
      index: orders.addressIndex,
      key: orders.keyFingerprint,
      received: sum(transfers.amount),
    })
    .from(transfers)
    .innerJoin(orders, eq(orders.id, transfers.orderId))
    .where(wanted)
    .groupBy(orders.id)
    .orderBy(asc(orders.network), asc(orders.addressSeries), asc(orders.addressIndex));
  const unordered = await db
    .select({
      network: transfers.network,
      recipient: transfers.recipient,
      series: receivingAddresses.series,
      index: receivingAddresses.index,
      key: receivingAddresses.fingerprint,
      received: sum(transfers.amount),
    })
    .from(transfers)
    .innerJoin(receivingAddresses, eq(receivingAddresses.raw, transfers.recipient))
    .where(and(isNull(transfers.orderId), wanted))
    .groupBy(
      transfers.network,
      transfers.recipient,
      receivingAddresses.fingerprint,
      receivingAddresses.series,
      receivingAddresses.index,
    )
    .orderBy(asc(transfers.network), asc(receivingAddresses.series), asc(receivingAddresses.index));
  return [
    ...rows,
    ...unordered.map(({ recipient, network, ...row }) => ({
      network,
      address: shownAddress(network, recipient),
      ...row,
    })),
  ].map(({ received, ...row }) => ({ ...row, received: usdt(BigInt(received ?? 0)) }));
}

/** Has a series watched of which the database that was put back knows nothing. */
async function addSeries(call: Call): Promise<Answer> {
  const { ledger, args } = call;
  const series = Number(need(args[0], "The series"));
  if (!Number.isSafeInteger(series) || series < 1 || series > seriesAt(ledger.now())) {
    throw new CommandRefused("The series is the number in a line `address series` of the log.");
  }
  await audited(call, "series add", `series ${series}`, (tx) =>
    tx
      .insert(addressSeries)
      .values({ series, openedAt: new Date(ledger.now()) })
      .onConflictDoNothing(),
  );
  return [{ series, watched: "from the next start on" }];
}

function dateOf(text: string): Date {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw new CommandRefused(`${text} is no date.`);
  return date;
}

const cell = (value: string | number | null | undefined) => {
  const text = String(value ?? "");
  // A cell that begins like a formula would be one in a spreadsheet.
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

async function exportMonth({ ledger: { db }, args }: Call): Promise<Answer> {
  const month = need(args[0], "The month, as YYYY-MM,");
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month))
    throw new CommandRefused(`${month} is no month, such as 2026-11.`);
  const from = new Date(`${month}-01T00:00:00Z`);
  const to = new Date(from);
  to.setUTCMonth(to.getUTCMonth() + 1);
  const rows = await db
    .select({
      confirmed: orders.confirmedAt,
      order: orders.id,
      account: accounts.name,
      package: orders.packId,
      days: orders.days,
      amount: orders.amount,
      currency: orders.currency,
      rail: orders.rail,
      network: orders.network,
      paid_to: sql<string>`coalesce(${orders.address}, ${orders.thirdReferenceId})`,
    })
    .from(orders)
    .innerJoin(accounts, eq(accounts.id, orders.accountId))
    .where(
      and(
        eq(orders.status, OrderStatus.confirmed),
        gte(orders.confirmedAt, from),
        lt(orders.confirmedAt, to),
      ),
    )
    .orderBy(orders.confirmedAt);
  const head = [
    "confirmed",
    "order",
    "account",
    "package",
    "days",
    "amount",
    "currency",
    "rail",
    "network",
    "paid_to",
  ];
  const lines = rows.map((row) =>
    [
      row.confirmed?.toISOString(),
      row.order,
      row.account,
      row.package,
      row.days,
      usdt(row.amount),
      row.currency,
      row.rail,
      row.network,
      row.paid_to,
    ]
      .map(cell)
      .join(","),
  );
  return [head.join(","), ...lines].join("\n");
}

export const commands: Readonly<Record<string, Command>> = {
  status: {
    usage: "",
    help: "how far the networks are read, and what waits",
    async run({ ledger: { db, now } }) {
      const [positions, backlog] = await Promise.all([
        db.select().from(chainPositions),
        backlogOf(db, now()),
      ]);
      return [
        ...positions.map(({ network, number, finalNumber, checkedAt }) => ({
          what: `${network} read to block`,
          value: `${number}, final ${finalNumber}, asked ${checkedAt?.toISOString() ?? "never"}`,
        })),
        { what: "unmatched payments", value: backlog.unmatchedPayments },
        { what: "pending orders", value: backlog.pendingOrders },
        { what: "events due", value: backlog.eventsDue },
        { what: "events given up", value: backlog.eventsGivenUp },
      ];
    },
  },
  order: {
    usage: "<number | address | reference | transaction>",
    help: "the whole story of an order",
    run: (call) => story(call, call.args[0]),
  },
  orders: {
    usage: "[--member NAME] [--pending-days N] [--limit N]",
    help: "the latest orders, of a member, or pending for some days",
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
          ),
        )
        .orderBy(desc(orders.createdAt))
        .limit(limitOf(call));
      return rows.map(shownOrder);
    },
  },
  member: {
    usage: "<account name>",
    help: "an account, its membership and what was done to it",
    async run({ ledger: { db }, args }) {
      const account = await memberOf(db, args[0]);
      const [entries, signedIn, audits] = await Promise.all([
        db
          .select()
          .from(membershipEntries)
          .where(eq(membershipEntries.accountId, account.id))
          .orderBy(membershipEntries.id),
        db.$count(sessions, eq(sessions.accountId, account.id)),
        db
          .select()
          .from(auditEntries)
          .where(eq(auditEntries.subject, `account ${account.id}`)),
      ]);
      return [
        { at: account.createdAt.toISOString(), what: "registered", facts: account.name },
        ...entries.map((each) => ({
          at: each.createdAt.toISOString(),
          what: `membership: ${each.reason}`,
          facts: `${each.days} days${each.orderId === null ? "" : ` for order ${each.orderId}`}, ends ${each.endsAt.toISOString()}`,
        })),
        ...audits.map((each) => ({
          at: each.at.toISOString(),
          what: `${each.action} by ${each.actor}`,
          facts: each.reason,
        })),
        {
          at: "",
          what: "now",
          facts: `member until ${account.membershipEndsAt?.toISOString() ?? "never"}, ${signedIn} sessions, security question ${account.securityProblem === null ? "not set" : "set"}${account.lockedAt === null ? "" : ", locked"}`,
        },
      ];
    },
  },
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
        if (row.rail !== "usdt" || !HELD.has(row.reason)) return;
        await tx.update(transfers).set({ heldFor: "refunded" }).where(transferOf(row));
      });
      return [{ id, resolved: true }];
    },
  },
  credit: {
    usage: '<account name> <days> --reason "…"',
    help: "add days to a membership",
    run: (call) => changeDays(call, 1),
  },
  revoke: {
    usage: '<account name> <days> --reason "…"',
    help: "take days of a membership back",
    run: (call) => changeDays(call, -1),
  },
  refund: {
    usage: '<order> --reason "…"',
    help: "an order's money was given back: its membership ends",
    run: (call) => refund(call, call.args[0]),
  },
  "clear-question": {
    usage: '<account name | --all> --reason "…"',
    help: "let a member set a new security question, or all members",
    async run(call) {
      const account = await memberOrAll(call);
      await audited(call, "clear question", subjectOf(account), (tx) =>
        tx
          .update(accounts)
          .set({ securityProblem: null, securityAnswerHash: null })
          .where(account ? eq(accounts.id, account.id) : undefined),
      );
      return [{ account: account?.name ?? "all", question: null }];
    },
  },
  "end-sessions": {
    usage: '<account name | --all> --reason "…"',
    help: "log a member out on every device, or all members",
    async run(call) {
      const account = await memberOrAll(call);
      const ended = await audited(call, "end sessions", subjectOf(account), async (tx) => {
        const theirs = account ? eq(sessions.accountId, account.id) : undefined;
        const open = await tx.$count(sessions, theirs);
        await tx.delete(sessions).where(theirs);
        return open;
      });
      return [{ account: account?.name ?? "all", ended }];
    },
  },
  lock: {
    usage: '<account name> --reason "…"',
    help: "log a member out, and refuse every log-in to the account",
    async run(call) {
      const { ledger } = call;
      const account = await memberOf(ledger.db, call.args[0]);
      await audited(call, "lock", `account ${account.id}`, async (tx) => {
        await tx
          .update(accounts)
          .set({ lockedAt: new Date(ledger.now()) })
          .where(eq(accounts.id, account.id));
        await tx.delete(sessions).where(eq(sessions.accountId, account.id));
      });
      return [{ account: account.name, locked: true }];
    },
  },
  unlock: {
    usage: '<account name> --reason "…"',
    help: "let the member log in again",
    async run(call) {
      const account = await memberOf(call.ledger.db, call.args[0]);
      await audited(call, "unlock", `account ${account.id}`, (tx) =>
        tx.update(accounts).set({ lockedAt: null }).where(eq(accounts.id, account.id)),
      );
      return [{ account: account.name, locked: false }];
    },
  },
  addresses: {
    usage: "[--network TRC20|ERC20] [--since YYYY-MM-DD]",
    help: "receiving addresses with their path below the key and what they received, for sweeping",
    run: addresses,
  },
  "series-add": {
    usage: '<series> --reason "…"',
    help: "look for money at the addresses of a series that a restored database does not know",
    run: addSeries,
  },
  export: {
    usage: "<YYYY-MM>",
    help: "the confirmed orders of a month (UTC), as CSV",
    run: exportMonth,
  },
  events: {
    usage: "[--limit N]",
    help: "outgoing events that were not delivered",
    async run(call) {
      const rows = await call.ledger.db
        .select()
        .from(outboxEvents)
        .where(isNull(outboxEvents.deliveredAt))
        .orderBy(asc(outboxEvents.createdAt))
        .limit(limitOf(call));
      return rows.map(({ id, type, createdAt, attempts, nextAttemptAt, lastError }) => ({
        id,
        type,
        at: createdAt.toISOString(),
        attempts,
        next: nextAttemptAt?.toISOString() ?? "given up",
        error: lastError,
      }));
    },
  },
  "replay-events": {
    usage: '[id] --reason "…"',
    help: "deliver an event again, or all that were given up",
    async run(call) {
      const { ledger, args } = call;
      const again = await audited(call, "replay events", `event ${args[0] ?? "*"}`, (tx) =>
        replayEvents(tx, ledger.now(), args[0]),
      );
      return [{ due: again }];
    },
  },
  backup: {
    usage: "<file>",
    help: "write all data into a new file, while the service runs",
    async run({ ledger, args, actor }) {
      const file = need(args[0], "The file");
      await backUp(ledger.db, file, ledger.now()).catch(inWords);
      const entry = { actor, action: "backup", subject: "database", reason: file };
      await ledger.db.insert(auditEntries).values({ ...entry, at: new Date(ledger.now()) });
      return [{ file, bytes: statSync(file).size }];
    },
  },
  restore: {
    usage: '<file> --reason "…"',
    help: "fill an empty database from such a file, while no service runs",
    async run({ ledger, args, options, actor }) {
      const file = need(args[0], "The file");
      const reason = need(options["reason"], '--reason "…"');
      const entry = { actor, action: "restore", subject: "database", reason };
      const rows = await restore(ledger.db, file, (tx) =>
        tx.insert(auditEntries).values({ ...entry, at: new Date(ledger.now()) }),
      ).catch(inWords);
      return [{ file, rows }];
    },
  },
  security: {
    usage: "[account name] [--limit N]",
    help: "log-ins, refusals and changes, of an account or of all",
    async run(call) {
      const { ledger, args } = call;
      const account = args[0] === undefined ? null : await memberOf(ledger.db, args[0]);
      const rows = await ledger.db
        .select({
          at: securityEvents.at,
          event: securityEvents.event,
          account: accounts.name,
          network: securityEvents.network,
          request: securityEvents.request,
        })
        .from(securityEvents)
        .leftJoin(accounts, eq(accounts.id, securityEvents.accountId))
        .where(account ? eq(securityEvents.accountId, account.id) : undefined)
        .orderBy(desc(securityEvents.id))
        .limit(limitOf(call));
      return rows.map((row) => ({ ...row, at: at(row.at) }));
    },
  },
  audit: {
    usage: "[--limit N]",
    help: "what operators did",
    async run(call) {
      const rows = await call.ledger.db
        .select({
          at: auditEntries.at,
          actor: auditEntries.actor,
          action: auditEntries.action,
          subject: auditEntries.subject,
          reason: auditEntries.reason,
        })
        .from(auditEntries)
        .orderBy(desc(auditEntries.id))
        .limit(limitOf(call));
      return rows.map((row) => ({ ...row, at: at(row.at) }));
    },
  },
};

/** Every command in a line. */
export function help(): string {
  const lines = Object.entries(commands).map(
    ([name, { usage, help: what }]) => [`${name} ${usage}`.trim(), what] as const,
  );
  const width = Math.max(...lines.map(([call]) => call.length));
  return [
    "npm run admin -- <command> [--json]",
    "",
    ...lines.map(([call, what]) => `  ${call.padEnd(width)}  ${what}`),
  ].join("\n");
}

/** @throws CommandRefused */
export async function run(name: string, call: Call): Promise<Answer> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new CommandRefused(`There is no command ${name}.\n\n${help()}`);
  return command.run(call);
}
