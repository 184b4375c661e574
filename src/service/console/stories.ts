/** An order, a member and the packages as the operator's page tells of them: everything that happened in one line of time, and what can be done now; and whom or what a pasted text names. */
import { desc, eq, inArray, or, and, ne } from "drizzle-orm";
import { networks } from "../../contract/calls.ts";
import { shownUnits } from "../../contract/money.ts";
import {
  type BackupStory,
  type Found,
  type MemberStory,
  type Moment,
  type OrderStory,
  type PackagesStory,
  ownReasons,
} from "../../contract/console.ts";
import { nameKey } from "../accounts/account-names.ts";
import { packagesNow } from "../catalogue-versions.ts";
import { toLine } from "../catalogue.ts";
import { entriesOfOrder } from "../operations/admin/audit.ts";
import { stateOf, touchedBy } from "../operations/admin/change.ts";
import { accountNumber, memberOf, orderOf, ordersNamed, removedOrder } from "../operations/admin/named.ts";
import { pasted, tidied } from "../operations/admin/pasted.ts";
import { isOld, lastBackup } from "../operations/backlog.ts";
import { transferCause } from "../payments/book.ts";
import { shownAddress } from "../payments/chain/blocks.ts";
import { isServer } from "../store/open.ts";
import {
  accounts,
  auditEntries,
  membershipEntries,
  movements,
  orders,
  sessions,
  transfers,
  unmatchedPayments,
} from "../store/schema.ts";
import { possible } from "../operations/admin/commands.ts";
import { rawOf } from "../operations/admin/unmatched.ts";
import { actionsOn, entryLines, NOTHING, orderLine, ordersWhere, rowLines, type Looking } from "./lines.ts";

/** Orders of a member that are shown beside them; the list of orders has all. */
const LATEST_ORDERS = 20;

const inOrder = (moments: Moment[]) => moments.toSorted((one, other) => one.at.localeCompare(other.at));

const membershipMoment = (entry: typeof membershipEntries.$inferSelect): Moment => ({
  at: entry.createdAt.toISOString(),
  kind: "membership",
  reason: entry.reason,
  days: entry.days,
  ends: entry.endsAt.toISOString(),
  order: entry.orderId,
});

/** @param wanted whatever names one order @throws CommandRefused */
export async function orderStory(looking: Looking, wanted: string): Promise<OrderStory> {
  const { db } = looking;
  const order = await orderOf(db, wanted);
  const ofOrder = { orders: [order.id] };
  const [holder, state, coming, moved, entries, rows, actions] = await Promise.all([
    db.select({ name: accounts.name }).from(accounts).where(eq(accounts.id, order.accountId)),
    touchedBy(db, ofOrder).then((touched) => stateOf(db, touched)),
    db
      .select()
      .from(transfers)
      .where(and(eq(transfers.orderId, order.id), ne(transfers.state, "final"))),
    db.select().from(movements).where(eq(movements.orderId, order.id)).orderBy(movements.id),
    db.select().from(membershipEntries).where(eq(membershipEntries.orderId, order.id)),
    db.select().from(unmatchedPayments).where(eq(unmatchedPayments.orderId, order.id)),
    actionsOn(looking, "order", ofOrder),
  ]);
  const audits = await entriesOfOrder(db, order.id, rows);
  const [rowsShown, auditsShown] = await Promise.all([rowLines(looking, rows), entryLines(looking, audits)]);
  return {
    order: {
      ...orderLine(order, holder[0]?.name ?? ""),
      address: order.address ?? order.thirdReferenceId,
      path:
        order.addressSeries === null
          ? null
          : `${order.addressSeries}/${order.addressIndex} · ${order.keyFingerprint}`,
      balances: { ...state.orders[0]?.balances },
    },
    moments: inOrder([
      { at: order.createdAt.toISOString(), kind: "ordered", order: order.id },
      ...coming.map((each): Moment => ({
        at: each.seenAt.toISOString(),
        kind: "transfer",
        state: each.state,
        heldFor: each.heldFor,
        amount: shownUnits(each.amount),
        network: each.network,
        transaction: each.txHash,
      })),
      ...moved.map((each): Moment => ({
        at: each.at.toISOString(),
        kind: "moved",
        how: each.kind,
        from: each.from,
        to: each.to,
        amount: shownUnits(each.amount),
        currency: each.currency,
        reference: each.reference,
      })),
      ...entries.map(membershipMoment),
      ...rowsShown.map((row): Moment => ({ at: row.at, kind: "row", row })),
      ...auditsShown.map((entry): Moment => ({ at: entry.at, kind: "entry", entry })),
    ]),
    actions,
  };
}

/** @param wanted an account's name @throws CommandRefused */
export async function memberStory(looking: Looking, wanted: string): Promise<MemberStory> {
  const { db, now } = looking;
  const account = await memberOf(db, wanted);
  const [entries, signedIn, audits, latest, ordered, actions] = await Promise.all([
    db.select().from(membershipEntries).where(eq(membershipEntries.accountId, account.id)),
    db.$count(sessions, eq(sessions.accountId, account.id)),
    db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.subject, `account ${account.id}`)),
    ordersWhere(db, eq(orders.accountId, account.id))
      .orderBy(desc(orders.createdAt), desc(orders.id))
      .limit(LATEST_ORDERS),
    db.$count(orders, eq(orders.accountId, account.id)),
    actionsOn(looking, "member", { accounts: [account.id] }),
  ]);
  const ends = account.membershipEndsAt;
  const auditsShown = await entryLines(looking, audits);
  return {
    member: {
      name: account.name,
      ends: ends?.toISOString() ?? null,
      isRunning: ends !== null && ends.getTime() > now,
      isLocked: account.lockedAt !== null,
      hasQuestion: account.securityProblem !== null,
      sessions: signedIn,
    },
    orders: latest.map(({ order, member }) => orderLine(order, member)),
    earlierOrders: ordered - latest.length,
    moments: inOrder([
      { at: account.createdAt.toISOString(), kind: "registered" },
      ...entries.map(membershipMoment),
      ...auditsShown.map((entry): Moment => ({ at: entry.at, kind: "entry", entry })),
    ]),
    actions,
  };
}

/** Everything that a pasted text names: orders, a member, money that no rule settles. */
export async function find(looking: Looking, text: string): Promise<Found> {
  const { db } = looking;
  const { addresses, transactions, references } = pasted(text);
  const keys = [nameKey(text), nameKey(tidied(text))].filter((key) => key !== null);
  const number = accountNumber(tidied(text));
  const [named, members, moved, removed] = await Promise.all([
    ordersNamed(db, text),
    db
      .select({ name: accounts.name })
      .from(accounts)
      .where(number === null ? inArray(accounts.nameKey, keys) : eq(accounts.id, number)),
    db
      .select({
        network: transfers.network,
        blockHash: transfers.blockHash,
        logIndex: transfers.logIndex,
      })
      .from(transfers)
      .where(inArray(transfers.txHash, [...transactions, ...transactions.map((hash) => hash.slice(2))])),
    removedOrder(db, text),
  ]);
  // The same 20 bytes may have been paid on either network.
  const shown = [...addresses.flatMap(rawOf), ...(removed ? [removed.raw] : [])].flatMap((raw) =>
    networks.map((network) => shownAddress(network, raw)),
  );
  const events = moved.map(transferCause);
  const ids = named.map(({ id }) => id);
  const [lines, rows] = await Promise.all([
    ordersWhere(db, inArray(orders.id, ids)).orderBy(desc(orders.createdAt)),
    db
      .select()
      .from(unmatchedPayments)
      .where(
        or(
          and(eq(unmatchedPayments.rail, "usdt"), inArray(unmatchedPayments.eventId, events)),
          and(
            inArray(unmatchedPayments.rail, ["card", "stripe"]),
            inArray(unmatchedPayments.paymentId, references),
          ),
          // An address that no order has, or a provider's number.
          inArray(unmatchedPayments.reference, [...shown, ...references]),
          inArray(unmatchedPayments.orderId, ids),
        ),
      ),
  ]);
  const isUnknown = lines.length + rows.length + members.length === 0;
  return {
    orders: lines.map(({ order, member }) => orderLine(order, member)),
    members: members.map(({ name }) => name),
    rows: await rowLines(looking, rows),
    removed: isUnknown && removed ? { order: removed.order ?? "", member: removed.member } : null,
  };
}

/** @param file of the packages @throws CatalogueRefused where they are the file's, and it has mistakes */
export async function packagesStory({ db, now, right }: Looking, file: string): Promise<PackagesStory> {
  const { version, packages } = await packagesNow(db, file);
  const isOfFile = version === null || version.packages === null;
  return {
    version: isOfFile ? null : version.id,
    packages: packages.map(toLine),
    actions: possible("package", NOTHING, now, right),
    restoring: isOfFile ? [] : possible("version", NOTHING, now, right),
  };
}

/** @param oldAfter hours; 0: never @param database where it is, as in the settings */
export async function backupStory(
  { db, now, right }: Looking,
  oldAfter: number,
  database: string,
): Promise<BackupStory> {
  const last = await lastBackup(db);
  return {
    last: last && {
      at: last.at.toISOString(),
      bytes: last.bytes ?? 0,
      by: last.actor,
      to: last.to === ownReasons.backup ? null : last.to,
    },
    isOld: last !== null && isOld(last.at, now, oldAfter),
    oldAfter,
    database: isServer(database) ? "postgres" : "embedded",
    actions: possible("data", NOTHING, now, right),
  };
}
