/** The book of money: every movement between two balances, append-only. What an order was paid, still owes and has too much is derived from it, here and nowhere else. */
import { and, eq, inArray, isNull, notInArray, sql, type SQLWrapper } from "drizzle-orm";
import type { Database } from "../store/database.ts";
import {
  accounts,
  movements,
  orders,
  payments,
  reversals,
  type sweeps,
  transfers,
  type Balance,
  type MovementKind,
} from "../store/schema.ts";

type Order = typeof orders.$inferSelect;
type Transfer = typeof transfers.$inferSelect;
type Sweep = typeof sweeps.$inferSelect;
export type Movement = typeof movements.$inferSelect;
export type NewMovement = typeof movements.$inferInsert;

/** Smallest units of a cent; one dollar is one USDT. Less than that is dust: it is no surplus, and is not asked for. */
export const CENT = 10_000n;

/** The balances of an order whose money pays it, in the order in which money is taken from them. */
export const PAYING = ["surplus", "open", "credited"] as const;
type Paying = (typeof PAYING)[number];
/** The balances of a transfer whose money pays nothing. */
const NOT_PAYING = ["held", "returned", "kept"] as const;

/** What names a transfer in the book. A log's index counts over its block. */
export const transferCause = ({
  network,
  blockHash,
  logIndex,
}: Pick<Transfer, "network" | "blockHash" | "logIndex">) => `${network}:${blockHash}:${logIndex}`;

/** What names a provider's payment in the book. */
export const paymentCause = ({ rail, paymentId }: Pick<typeof payments.$inferSelect, "rail" | "paymentId">) =>
  `${rail}:${paymentId}`;

/** Columns of a query, by their names in the schema. */
type Columns<Name extends string> = Readonly<Record<Name, SQLWrapper>>;

/** `transferCause`, for a query. */
export const transferCauseIn = ({
  network,
  blockHash,
  logIndex,
}: Columns<"network" | "blockHash" | "logIndex">) =>
  sql`(${network} || ':' || ${blockHash} || ':' || ${logIndex})`;

/** `paymentCause`, for a query. */
export const paymentCauseIn = ({ rail, paymentId }: Columns<"rail" | "paymentId">) =>
  sql`(${rail} || ':' || ${paymentId})`;

/** Who or what writes, and for when. */
export interface Posting {
  /** The time of what is written. */
  at: Date;
  /** The operator's audit entry. */
  auditId?: number | undefined;
}

/** Movements of one kind between two balances, for one cause, summed up. */
interface Sum {
  cause: string;
  from: Balance;
  to: Balance;
  isByHand: boolean;
  amount: bigint;
}

/** The book of one order, or of a transfer without an order, as far as it is written. */
export class OrderBook {
  private readonly sums: Sum[];

  constructor(sums: readonly Sum[]) {
    this.sums = [...sums];
  }

  add(sum: Sum): void {
    this.sums.push(sum);
  }

  /** What stands on a balance. @param cause of one cause alone @param byHand what operators moved alone */
  of(balance: Balance, cause?: string, byHand = false): bigint {
    let total = 0n;
    for (const sum of this.sums) {
      if (cause !== undefined && sum.cause !== cause) continue;
      if (byHand && !sum.isByHand) continue;
      if (sum.to === balance) total += sum.amount;
      if (sum.from === balance) total -= sum.amount;
    }
    return total;
  }

  /** What went from one balance to another by a cause, less what came back the same way. */
  moved(from: Balance, to: Balance, cause: string): bigint {
    const amountOf = (one: Balance, other: Balance) =>
      total(
        this.sums
          .filter((sum) => sum.cause === cause && sum.from === one && sum.to === other)
          .map(({ amount }) => amount),
      );
    return amountOf(from, to) - amountOf(to, from);
  }

  /** The same of all causes. */
  movedByAll = (from: Balance, to: Balance) =>
    total(this.causes().map((cause) => this.moved(from, to, cause)));

  /** The balance to which money of some causes came first; undefined where none ever came. */
  cameTo = (causes: readonly string[]): Balance | undefined =>
    this.sums.find((sum) => causes.includes(sum.cause) && sum.from === "outside")?.to;

  /** What came from outside by that cause. */
  received = (cause: string) => -this.of("outside", cause);
  /** What a cause brought to the balances that pay, less what left them. */
  paying = (cause?: string) => PAYING.reduce((total, balance) => total + this.of(balance, cause), 0n);
  /** Whether anything was ever written of that cause. */
  knows = (cause: string) => this.sums.some((sum) => sum.cause === cause);
  /** The oldest first. */
  causes = () => [...new Set(this.sums.map(({ cause }) => cause))];
}

/** Reads the book of an order. Its row is locked, so that nothing is written meanwhile. */
export async function bookOf(tx: Database, orderId: string): Promise<OrderBook> {
  return readBook(tx, eq(movements.orderId, orderId));
}

export async function readBook(tx: Database, which: ReturnType<typeof eq>): Promise<OrderBook> {
  const rows = await tx
    .select({
      cause: movements.cause,
      from: movements.from,
      to: movements.to,
      isByHand: sql<boolean>`${movements.auditId} IS NOT NULL`,
      amount: sql<string>`sum(${movements.amount})`,
    })
    .from(movements)
    .where(which)
    .groupBy(movements.cause, movements.from, movements.to, sql`4`)
    .orderBy(sql`min(${movements.id})`);
  return new OrderBook(rows.map((row) => ({ ...row, amount: BigInt(row.amount) })));
}

/** Writes movements, and adds them to what was read of the book. */
export async function post(tx: Database, book: OrderBook, rows: readonly NewMovement[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.insert(movements).values([...rows]);
  for (const { cause, from, to, amount, auditId } of rows) {
    book.add({ cause, from, to, amount, isByHand: typeof auditId === "number" });
  }
}

/** What every movement of an order has in common. */
export const ofOrder = (order: Order, { at, auditId }: Posting) => ({
  at,
  currency: order.currency,
  rail: order.rail,
  network: order.network,
  orderId: order.id,
  accountId: order.accountId,
  auditId: auditId ?? null,
});

/** Takes an amount from the balances that pay, of the surplus first. */
export function takenFrom(book: OrderBook, amount: bigint): { from: Paying; amount: bigint }[] {
  const taken: { from: Paying; amount: bigint }[] = [];
  let left = amount;
  for (const from of PAYING) {
    const there = book.of(from);
    const part = there < left ? there : left;
    if (part <= 0n) continue;
    taken.push({ from, amount: part });
    left -= part;
  }
  // The amount has left whatever the balances say: what pays the order is divided anew afterwards.
  if (left > 0n) taken.push({ from: "open", amount: left });
  return taken;
}

/** What tells transfers apart, within a block and beyond it. */
type Placed = Pick<Transfer, "network" | "txHash" | "recipient" | "amount" | "blockHash" | "logIndex">;

/**
 * Of some transfers, those that are the same one, in whichever block a reorganisation put it. A transaction may hold equal
 * ones: they are told apart by their places.
 */
export function sameTransfers<One extends Placed>(transfer: Placed, among: readonly One[]): One[] {
  const { network, txHash, recipient, amount } = transfer;
  const equal = among.filter(
    (one) =>
      one.network === network &&
      one.txHash === txHash &&
      one.recipient === recipient &&
      one.amount === amount,
  );
  const placeOf = ({ blockHash, logIndex }: Placed) =>
    equal.filter((one) => one.blockHash === blockHash && one.logIndex < logIndex).length;
  return equal.filter((one) => placeOf(one) === placeOf(transfer));
}

/**
 * Has a transfer stand in the book as it stands on the chain: received once it is final, and gone when its block is. When its
 * transaction is in the chain again, the money is where it was before: an operator's word about it still holds.
 * @param known what the ledger has of that transaction, in whichever block
 */
function transferRows(
  book: OrderBook,
  transfer: Transfer,
  known: readonly Transfer[],
  common: Omit<NewMovement, "kind" | "from" | "to" | "amount" | "cause">,
): NewMovement[] {
  // The book knows no single address: between two of ours, nothing moves.
  if (transfer.heldFor === "own address") return [];
  const cause = transferCause(transfer);
  const received = book.received(cause);
  const row = { ...common, network: transfer.network, cause, reference: transfer.txHash };
  if (transfer.state === "final" && received === 0n) {
    const causes = sameTransfers(transfer, known).map(transferCause);
    const leftFrom = (balances: readonly Balance[]) =>
      total(causes.flatMap((one) => balances.map((balance) => book.moved(balance, "outside", one))));
    const isHeld = transfer.heldFor !== null && transfer.heldFor !== "refunded";
    const places: { to: Balance; amount: bigint }[] = [
      ...NOT_PAYING.map((to) => ({ to, amount: leftFrom([to]) })),
      { to: "open", amount: leftFrom(PAYING) },
      { to: isHeld ? (book.cameTo(causes) ?? "held") : "open", amount: transfer.amount },
    ];
    let left = transfer.amount;
    return places.flatMap((place): NewMovement[] => {
      const amount = least(place.amount, left);
      if (amount <= 0n) return [];
      left -= amount;
      return [{ ...row, kind: "received", from: "outside", to: place.to, amount }];
    });
  }
  if (transfer.state !== "orphaned" || received <= 0n) return [];
  const elsewhere = NOT_PAYING.map((from) => ({ from, amount: book.of(from, cause) })).filter(
    ({ amount }) => amount > 0n,
  );
  const paying = book.paying(cause);
  const parts = [...elsewhere, ...(paying > 0n ? takenFrom(book, paying) : [])];
  return parts.map((part) => ({ ...row, ...part, kind: "orphaned", to: "outside" }));
}

const total = (amounts: readonly bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n);

/**
 * What banks contest of a provider's payment, and what they took for good, in smallest units.
 * @param whole how much a dispute is about that tells no amount
 */
async function disputesOf(
  tx: Database,
  { rail, paymentId }: typeof payments.$inferSelect,
  whole: bigint,
): Promise<{ contested: bigint; lost: bigint }> {
  const found = await tx
    .select()
    .from(reversals)
    .where(
      and(
        eq(reversals.rail, rail),
        eq(reversals.paymentId, paymentId),
        eq(reversals.kind, "dispute"),
        notInArray(reversals.state, ["void", "closed"]),
      ),
    );
  const sumOf = (isWanted: boolean) =>
    total(
      found
        .filter(({ state }) => (state === "lost") === isWanted)
        .map(({ amount }) => (amount === 0n ? whole : amount)),
    );
  return { contested: sumOf(false), lost: sumOf(true) };
}

/**
 * Has a provider's payments stand in the book as the provider reports them. What an operator noted as given back counts until
 * the provider reports it, of any payment of the order.
 */
async function recordPayments(
  tx: Database,
  book: OrderBook,
  order: Order,
  posting: Posting,
  isEarlier: boolean,
): Promise<void> {
  const found = await tx
    .select()
    .from(payments)
    .where(eq(payments.orderId, order.id))
    .orderBy(payments.takenAt);
  const causes = found.map(paymentCause);
  let unreported =
    total(causes.map((cause) => book.of("returned", cause, true))) -
    total(found.map(({ refunded }) => refunded));
  for (const payment of found) {
    const cause = paymentCause(payment);
    const at = isEarlier && !book.knows(cause) ? payment.takenAt : posting.at;
    const row = { ...ofOrder(order, { at }), cause, reference: payment.paymentId };
    const move = (kind: MovementKind, from: Balance, to: Balance, amount: bigint) =>
      post(tx, book, [{ ...row, kind, from, to, amount }]);
    if (!book.knows(cause)) {
      // By hand, where an operator credited it.
      const auditId = posting.auditId ?? null;
      await post(tx, book, [
        { ...row, auditId, kind: "received", from: "outside", to: "open", amount: payment.amount },
      ]);
    }
    const received = book.received(cause);
    // An operator took it away from this order.
    if (received === 0n) continue;

    const noted = book.of("returned", cause, true);
    const extra = unreported > 0n ? least(unreported, noted) : 0n;
    unreported -= extra;
    const told = await disputesOf(tx, payment, payment.amount);
    const lostBefore = book.moved("disputed", "returned", cause);
    const returnedBefore = book.of("returned", cause) - lostBefore;
    // Of a payment that went back twice, what was written first stands.
    const returned = least(received - least(told.lost, lostBefore), payment.refunded + extra);
    const lost = least(received - returned, told.lost);
    const disputed = least(received - returned - lost, told.contested);
    const moveAll = async (kind: MovementKind, from: Balance, to: Balance, amount: bigint) => {
      if (amount > 0n) await move(kind, from, to, amount);
    };
    /** What an operator kept of it goes last, and is kept again before the rest pays again. */
    const takeAll = async (kind: MovementKind, to: Balance, amount: bigint) => {
      if (amount <= 0n) return;
      const paying = least(book.paying(cause), amount);
      const kept = least(amount - paying, book.of("kept", cause));
      for (const part of takenFrom(book, amount - kept)) await move(kind, part.from, to, part.amount);
      await moveAll(kind, "kept", to, kept);
    };
    const giveBack = async (kind: MovementKind, from: Balance, amount: bigint) => {
      if (amount <= 0n) return;
      const kept = least(amount, book.moved("kept", from, cause));
      await moveAll(kind, from, "kept", kept);
      await moveAll(kind, from, "open", amount - kept);
    };
    const newlyLost = lost > lostBefore ? lost - lostBefore : 0n;
    // What comes back first, so that the balances that pay have what is taken next. What was lost and is won was contested again.
    await moveAll("disputed", "returned", "disputed", lostBefore - lost);
    await giveBack("dispute won", "disputed", book.of("disputed", cause) - disputed - newlyLost);
    await giveBack("refund withdrawn", "returned", returnedBefore - returned);
    await takeAll("refunded", "returned", returned - returnedBefore);
    await takeAll("disputed", "disputed", disputed + newlyLost - book.of("disputed", cause));
    await moveAll("dispute lost", "disputed", "returned", newlyLost);
  }
}

/** What banks contest or took of an order that had been given back before, in smallest units: it would go out twice. */
export async function disputedAfterRefund(tx: Database, book: OrderBook, order: Order): Promise<bigint> {
  const found = await tx.select().from(payments).where(eq(payments.orderId, order.id));
  let again = 0n;
  for (const payment of found) {
    const cause = paymentCause(payment);
    const received = book.received(cause);
    const refunded = book.of("returned", cause) - book.moved("disputed", "returned", cause);
    if (refunded <= 0n) continue;
    const rest = received - refunded;
    const { contested, lost } = await disputesOf(tx, payment, rest > 0n ? rest : received);
    const beyond = contested + lost - rest;
    if (beyond > 0n) again += least(beyond, refunded);
  }
  return again;
}

/** Whether an operator took a provider's payment away from its order. */
export async function isWithdrawn(tx: Database, payment: typeof payments.$inferSelect): Promise<boolean> {
  const cause = paymentCause(payment);
  const book = await readBook(tx, eq(movements.cause, cause));
  return book.knows(cause) && book.received(cause) === 0n;
}

/** Has a payment that was taken away from an order pay this one. The order is settled afterwards. */
export async function receiveAgain(
  tx: Database,
  order: Order,
  payment: typeof payments.$inferSelect,
  posting: Posting,
): Promise<void> {
  const { amount, paymentId: reference } = payment;
  const row = { ...ofOrder(order, posting), cause: paymentCause(payment), reference, amount };
  await tx.insert(movements).values({ ...row, kind: "received", from: "outside", to: "open" });
}

export const least = (one: bigint, other: bigint) => (one < other ? one : other);

/**
 * Brings the book of an order in line with what chains and providers report of it. Safe to repeat; of an earlier release's
 * order it writes the whole book.
 * @param isEarlier the movements get the times of what they tell of
 * @returns the book
 */
export async function recordSources(
  tx: Database,
  order: Order,
  posting: Posting,
  isEarlier = false,
): Promise<OrderBook> {
  const book = await bookOf(tx, order.id);
  if (order.rail === "usdt") {
    const found = await tx
      .select()
      .from(transfers)
      .where(and(eq(transfers.orderId, order.id), inArray(transfers.state, ["final", "orphaned"])));
    for (const transfer of found) {
      const at = isEarlier ? (transfer.finalAt ?? posting.at) : posting.at;
      const common = { ...ofOrder(order, { at }), auditId: null };
      await post(tx, book, transferRows(book, transfer, found, common));
    }
    return book;
  }
  await recordPayments(tx, book, order, posting, isEarlier);
  return book;
}

/** Whether money of an order is not in the book: of an earlier release, or of one that runs beside this one. */
export const isUnwritten = sql<boolean>`(
  EXISTS (SELECT FROM ${transfers} WHERE ${transfers.orderId} = ${orders.id} AND ${transfers.state} = 'final'
    AND NOT EXISTS (SELECT FROM ${movements} WHERE ${movements.cause} = ${transferCauseIn(transfers)}))
  OR EXISTS (SELECT FROM ${payments} WHERE ${payments.orderId} = ${orders.id}
    AND NOT EXISTS (SELECT FROM ${movements} WHERE ${movements.cause} = ${paymentCauseIn(payments)})))`;

/** Has a transfer that no order has stand in the book. */
export async function recordTransfer(tx: Database, transfer: Transfer, at: Date): Promise<void> {
  const known = await tx
    .select()
    .from(transfers)
    .where(and(eq(transfers.txHash, transfer.txHash), isNull(transfers.orderId)));
  const isOfIt = inArray(movements.cause, [transfer, ...known].map(transferCause));
  const book = await readBook(tx, and(isOfIt, isNull(movements.orderId)) ?? sql`true`);
  const common = { at, currency: "USDT", rail: "usdt" } as const;
  await post(tx, book, transferRows(book, transfer, known, common));
}

/** Has a transfer from an address of ours to one that is not stand in the book. @param orderId whose address it is, if any order's */
export async function recordSweep(
  tx: Database,
  sweep: Sweep,
  orderId: string | null,
  at: Date,
): Promise<void> {
  const cause = transferCause(sweep);
  const book = await readBook(tx, eq(movements.cause, cause));
  const swept = book.of("swept", cause);
  const { network, txHash: reference, amount } = sweep;
  const row = { at, currency: "USDT", rail: "usdt", network, cause, reference, orderId, amount } as const;
  if (sweep.state === "final" && swept === 0n)
    await post(tx, book, [{ ...row, kind: "swept", from: "address", to: "swept" }]);
  if (sweep.state === "orphaned" && swept > 0n)
    await post(tx, book, [{ ...row, kind: "orphaned", from: "swept", to: "address" }]);
}

const allocationKinds: Readonly<Record<`${Paying} ${Paying}`, MovementKind | undefined>> = {
  "open credited": "credited",
  "surplus credited": "credited",
  "open surplus": "surplus",
  "credited surplus": "credit withdrawn",
  "credited open": "credit withdrawn",
  "surplus open": "surplus withdrawn",
  "open open": undefined,
  "credited credited": undefined,
  "surplus surplus": undefined,
};

/** What money buys of an order: `paid`, the order; `short`, nothing yet; `void`, nothing ever. */
export type Purchase = "paid" | "short" | "void";

/** Divides what pays an order into what is credited, what is too much, and what stays open until more comes. */
export async function allocate(
  tx: Database,
  book: OrderBook,
  order: Order,
  purchase: Purchase,
  posting: Posting,
): Promise<void> {
  const net = book.paying();
  const credited = purchase === "paid" ? least(net, order.amount) : 0n;
  const open = purchase === "short" ? net : 0n;
  const target: Record<Paying, bigint> = { credited, open, surplus: net - credited - open };
  const over = PAYING.map((balance) => ({ balance, amount: book.of(balance) - target[balance] }));
  const rows: NewMovement[] = [];
  for (const giver of over) {
    for (const taker of over) {
      if (giver.amount <= 0n || taker.amount >= 0n) continue;
      const amount = giver.amount < -taker.amount ? giver.amount : -taker.amount;
      giver.amount -= amount;
      taker.amount += amount;
      const kind = allocationKinds[`${giver.balance} ${taker.balance}`];
      if (!kind) continue;
      const common = { ...ofOrder(order, posting), auditId: null, cause: order.id };
      rows.push({ ...common, kind, from: giver.balance, to: taker.balance, amount });
    }
  }
  await post(tx, book, rows);
}

/**
 * Smallest units by which an order counts as paid: what providers took for it, whole as long as a part of it is there, and
 * on a chain what is there. What a part is worth in days that went back, only the operator can say. What a bank contests or
 * took pays nothing, nor does the rest of that payment; nor what an operator kept.
 */
export async function paidFor(tx: Database, book: OrderBook, order: Order): Promise<bigint> {
  if (order.rail === "usdt") return book.paying();
  const found = await tx.select().from(payments).where(eq(payments.orderId, order.id));
  return found.reduce((sum, payment) => {
    const cause = paymentCause(payment);
    const isContested = book.of("disputed", cause) > 0n || book.moved("disputed", "returned", cause) > 0n;
    const isThere = book.paying(cause) > 0n && !isContested;
    return isThere ? sum + book.received(cause) - book.of("kept", cause) : sum;
  }, 0n);
}

/** Locks orders and, before them, their accounts, each in one order everywhere: of two transactions neither waits for the other. */
export async function lockOrders(tx: Database, ids: readonly string[]): Promise<Order[]> {
  if (ids.length === 0) return [];
  const named = sql`${orders.id} = ANY(${sql.param([...ids])}::text[])`;
  const owners = tx.select({ id: orders.accountId }).from(orders).where(named);
  await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(inArray(accounts.id, owners))
    .orderBy(accounts.id)
    .for("no key update");
  return tx.select().from(orders).where(named).orderBy(orders.id).for("update");
}
