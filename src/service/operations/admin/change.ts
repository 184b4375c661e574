/** What a command changes of members, orders and the rows of the operator's list: read before and after it, and put into words. */
import { createHash } from "node:crypto";
import { asc, eq, inArray, or } from "drizzle-orm";
import { shownUnits } from "../../../contract/money.ts";
import { OrderStatus } from "../../../contract/calls.ts";
import {
  orderChange,
  packageChanges,
  type PackageChange,
  type PackageLine,
  type ShownCatalogue,
  type SubjectName,
} from "../../../contract/console.ts";
import { packagesNow } from "../../catalogue-versions.ts";
import { toLine } from "../../catalogue.ts";
import { lockOrders } from "../../payments/book.ts";
import { balancesOf, type StoredBalances } from "../../payments/standing.ts";
import { shownAmount } from "../../payments/unmatched.ts";
import type { Database } from "../../store/database.ts";
import { accounts, orders, unmatchedPayments } from "../../store/schema.ts";
import { advisoryLock } from "../../store/transaction.ts";

/** What a change is about. The members of its orders, and the orders of its rows, belong to it too. */
export interface Subject {
  /** As its audit entry names it: `order 7K2…`, `account 7`, `unmatched 3`. */
  name: SubjectName;
  /** The number, name or word whose first four characters are typed to agree to it. */
  word: string;
  accounts?: readonly number[];
  orders?: readonly string[];
  /** Rows of the operator's list. */
  unmatched?: readonly number[];
  /** What the log says of it, where its number is given anew after a restore. */
  facts?: Record<string, string>;
  /** Set where it is about the packages: their file. */
  catalogue?: string | undefined;
}

interface Member {
  id: number;
  member: string;
  /** When the membership ends, ISO 8601. */
  ends: string | null;
  lockedAt: string | null;
  hasQuestion: boolean;
}

interface Order {
  order: string;
  accountId: number;
  member: string;
  /** With its currency. */
  amount: string;
  status: string;
  /** What stands on its balances, in whole USDT or USD. */
  balances: Readonly<Record<string, string>>;
}

interface Unmatched {
  row: number;
  order: string | null;
  reason: string;
  amount: string;
  resolvedAt: string | null;
  resolution: string | null;
  resolvedAs: "credited" | "returned" | "kept" | null;
  auditId: number | null;
}

/** Everything that a change is about, at one moment. */
export interface State {
  members: Member[];
  orders: Order[];
  unmatched: Unmatched[];
  /** Of a change of the packages alone. */
  catalogue?: ShownCatalogue;
}

/** What a command does, or did: as it is shown before it is agreed to, and kept with its audit entry. */
export interface Change {
  command: string;
  subject: string;
  before: State;
  after: State;
  /** What changes and what it belongs to, in words, a line each. */
  lines: string[];
  /** What it does besides. */
  notes: string[];
  /** What may be a mistake. */
  warnings: string[];
  /** What is typed to agree to it. */
  confirm: string;
  /** Of the lines: two previews with the same one say the same. */
  digest: string;
}

const statusWords: Record<number, string> = {
  [OrderStatus.pending]: "pending",
  [OrderStatus.confirmed]: "confirmed",
  [OrderStatus.failed]: "failed",
};
export const statusWord = (status: number) => statusWords[status] ?? String(status);

const money = (units: string | bigint) => shownUnits(BigInt(units));

/** The ids of all that a subject names, and of what belongs to it. */
export interface Touched {
  accounts: readonly number[];
  orders: readonly string[];
  unmatched: readonly number[];
  catalogue?: string | undefined;
}

export async function touchedBy(
  tx: Database,
  { accounts: named = [], orders: numbers = [], unmatched = [], catalogue }: Partial<Touched>,
): Promise<Touched> {
  const rows =
    unmatched.length === 0
      ? []
      : await tx
          .select({ orderId: unmatchedPayments.orderId })
          .from(unmatchedPayments)
          .where(inArray(unmatchedPayments.id, [...unmatched]));
  const ofRows = rows.map(({ orderId }) => orderId).filter((id) => id !== null);
  const orderIds = [...new Set([...numbers, ...ofRows])];
  const holders =
    orderIds.length === 0
      ? []
      : await tx.select({ id: orders.accountId }).from(orders).where(inArray(orders.id, orderIds));
  const accountIds = [...new Set([...named, ...holders.map(({ id }) => id)])];
  return { accounts: accountIds, orders: orderIds, unmatched, catalogue };
}

/** Locks what a change is about, so that it stays as it was read: accounts before orders, as everywhere. */
export async function lock(tx: Database, touched: Touched): Promise<void> {
  if (touched.accounts.length > 0)
    await tx
      .select({ id: accounts.id })
      .from(accounts)
      .where(inArray(accounts.id, [...touched.accounts]))
      .orderBy(asc(accounts.id))
      .for("no key update");
  await lockOrders(tx, touched.orders);
  // Two versions at once would each be made of the one before.
  if (touched.catalogue !== undefined) await advisoryLock(tx, "packages");
}

async function catalogueOf(tx: Database, path: string): Promise<ShownCatalogue> {
  const { version, packages } = await packagesNow(tx, path);
  return {
    version: version === null || version.packages === null ? null : version.id,
    packages: packages.map(toLine),
  };
}

/** What stands on an order's balances, those with nothing left out. */
const shownBalances = (balances: StoredBalances) =>
  Object.fromEntries(
    Object.entries(balances)
      .filter(([balance, amount]) => balance !== "outside" && BigInt(amount) !== 0n)
      .map(([balance, amount]) => [balance, money(amount)]),
  );

export async function stateOf(tx: Database, touched: Touched): Promise<State> {
  const accountIds = [...touched.accounts];
  const orderIds = [...touched.orders];
  const rowIds = [...touched.unmatched];
  const members =
    accountIds.length === 0
      ? []
      : await tx
          .select({
            id: accounts.id,
            member: accounts.name,
            ends: accounts.membershipEndsAt,
            lockedAt: accounts.lockedAt,
            question: accounts.securityProblem,
          })
          .from(accounts)
          .where(inArray(accounts.id, accountIds))
          .orderBy(asc(accounts.id));
  const found =
    orderIds.length === 0
      ? []
      : await tx
          .select({ order: orders, member: accounts.name, balances: balancesOf(orders.id) })
          .from(orders)
          .innerJoin(accounts, eq(accounts.id, orders.accountId))
          .where(inArray(orders.id, orderIds))
          .orderBy(asc(orders.id));
  const rows =
    rowIds.length + orderIds.length === 0
      ? []
      : await tx
          .select()
          .from(unmatchedPayments)
          .where(or(inArray(unmatchedPayments.id, rowIds), inArray(unmatchedPayments.orderId, orderIds)))
          .orderBy(asc(unmatchedPayments.id));
  return {
    members: members.map(({ ends, lockedAt, question, ...rest }) => ({
      ...rest,
      ends: ends?.toISOString() ?? null,
      lockedAt: lockedAt?.toISOString() ?? null,
      hasQuestion: question !== null,
    })),
    orders: found.map(({ order: { id, accountId, amount, currency, status }, member, balances }) => ({
      order: id,
      accountId,
      member,
      amount: `${money(amount)} ${currency}`,
      status: statusWord(status),
      balances: shownBalances(balances),
    })),
    unmatched: rows.map((row) => ({
      row: row.id,
      order: row.orderId,
      reason: row.reason,
      amount: `${shownAmount(row) ?? "?"} ${row.currency ?? ""}`.trim(),
      resolvedAt: row.resolvedAt?.toISOString() ?? null,
      resolution: row.resolution,
      resolvedAs: row.resolvedAs,
      auditId: row.auditId,
    })),
    ...(touched.catalogue !== undefined && { catalogue: await catalogueOf(tx, touched.catalogue) }),
  };
}

const dayInWords = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/** A day, in UTC, as "26 December 2026". */
export const shownDay = (iso: string | null): string =>
  iso === null ? "never" : dayInWords.format(new Date(iso));

const arrow = (what: string, before: string, after: string) =>
  before === after ? null : `${what} ${before} → ${after}`.trim();

/** That an end is another one on its day. Not the hour: one that is now would be another at every look. */
function hourMoved({ ends: before }: Member, { ends: after }: Member): string | null {
  if (before === null || after === null || before === after) return null;
  const way = Date.parse(after) < Date.parse(before) ? "earlier" : "later";
  return `membership ends ${way} on ${shownDay(after)}`;
}

function memberLine(before: Member | undefined, after: Member): string {
  const was = before ?? after;
  const locked = ({ lockedAt }: Member) => (lockedAt === null ? "open" : "locked");
  const question = ({ hasQuestion }: Member) => (hasQuestion ? "set" : "not set");
  const changed = [
    arrow("membership ends", shownDay(was.ends), shownDay(after.ends)) ?? hourMoved(was, after),
    arrow("account", locked(was), locked(after)),
    arrow("security question", question(was), question(after)),
  ].filter((each) => each !== null);
  const same = `membership ends ${shownDay(after.ends)}, as before`;
  return `member ${after.member}: ${changed.length === 0 ? same : changed.join(", ")}`;
}

function orderLine(before: Order | undefined, after: Order): string {
  const was = before ?? after;
  const balances = [...new Set([...Object.keys(was.balances), ...Object.keys(after.balances)])].toSorted();
  const changed = [
    arrow("", was.status, after.status),
    ...balances.map((balance) =>
      arrow(balance, was.balances[balance] ?? "0.00", after.balances[balance] ?? "0.00"),
    ),
  ].filter((each) => each !== null);
  return `order ${after.order} of ${after.member}, ${after.amount}: ${changed.length === 0 ? `${after.status}, as before` : changed.join(", ")}`;
}

const rowWord = ({ resolvedAt, resolvedAs }: Unmatched) =>
  resolvedAt === null ? "open" : (resolvedAs ?? "resolved");

function rowLine(before: Unmatched | undefined, after: Unmatched): string {
  const was = before === undefined ? "new" : rowWord(before);
  const now = rowWord(after);
  return `row ${after.row}, ${after.reason} ${after.amount}: ${was === now ? `${now}, as before` : `${was} → ${now}`}`;
}

const saleWord = ({ closed }: PackageLine) => (closed ? "closed" : "on sale");

const names = ({ name }: PackageLine) => `${name.en}, ${name["zh-CN"]}`;
const products = (list: readonly PackageLine[]) => list.map(({ product_id }) => product_id).join(", ");

/** A package in words, where it is added, taken away or altered: `monthly: 3.99 → 4.49`. */
function packageLine({ before, after }: PackageChange): string {
  if (after === null) return `${before?.product_id ?? ""}: no longer there`;
  const { product_id: id, buy_price: asked, price, days } = after;
  if (before === null)
    return `${id}: new, ${names(after)}, ${asked} instead of ${price} for ${days} days, ${saleWord(after)}`;
  const changed = [
    arrow("", before.buy_price, asked),
    arrow("list price", before.price, price),
    arrow("days", String(before.days), String(days)),
    arrow("name", names(before), names(after)),
    arrow("id", before.id, after.id),
    arrow("", saleWord(before), saleWord(after)),
  ].filter((each) => each !== null);
  return `${id}: ${changed.join(", ")}`;
}

const sourceWord = ({ version }: ShownCatalogue) =>
  version === null ? "the file" : "a version of their own";

function catalogueLines(before: ShownCatalogue, after: ShownCatalogue): string[] {
  const order = orderChange(before.packages, after.packages);
  return [
    ...packageChanges(before.packages, after.packages).map(packageLine),
    order === null ? null : arrow("order:", products(order.before), products(order.after)),
    arrow("packages of", sourceWord(before), sourceWord(after)),
  ].filter((each) => each !== null);
}

/** What changed of a subject, in words. Other rows of its orders are told of only where they change. */
export function linesOf({ unmatched = [] }: Subject, before: State, after: State): string[] {
  return [
    ...after.orders.map((each) =>
      orderLine(
        before.orders.find(({ order }) => order === each.order),
        each,
      ),
    ),
    ...after.members.map((each) =>
      memberLine(
        before.members.find(({ id }) => id === each.id),
        each,
      ),
    ),
    ...after.unmatched
      .map((each) => ({ each, was: before.unmatched.find(({ row }) => row === each.row) }))
      .filter(
        ({ each, was }) =>
          unmatched.includes(each.row) || was === undefined || rowWord(was) !== rowWord(each),
      )
      .map(({ each, was }) => rowLine(was, each)),
    ...(before.catalogue && after.catalogue ? catalogueLines(before.catalogue, after.catalogue) : []),
  ];
}

/** Of what is shown, so that a preview can be told from another one. */
export const digestOf = (lines: readonly string[]) =>
  createHash("sha256").update(JSON.stringify(lines)).digest("base64url");

/** A change in words, as it is shown before it is agreed to. */
export function inWords({ command, subject, lines, notes, warnings }: Change): string {
  return [
    `${command}, ${subject}:`,
    ...lines.map((line) => `  ${line}`),
    ...notes.map((note) => `  ${note}`),
    ...warnings.map((warning) => `  Look again: ${warning}`),
  ].join("\n");
}
