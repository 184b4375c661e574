/** Deletes an account for its holder: personal data is removed, the money's records are kept without a name. Decision 32. */
import { and, eq, isNull, or, sql } from "drizzle-orm";
import { OrderStatus } from "../../contract/calls.ts";
import { DAY, PAYMENT_WINDOW } from "../../contract/durations.ts";
import type { Language } from "../../contract/languages.ts";
import { unusableHash } from "../accounts/passwords.ts";
import type { Principal } from "../accounts/sessions.ts";
import { addAccountEvents } from "../events/account-events.ts";
import { ApiError } from "../platform/errors.ts";
import type { Word } from "../platform/messages.ts";
import type { Database } from "../store/database.ts";
import {
  accounts,
  orders,
  receivingAddresses,
  sessions,
  transfers,
  unmatchedPayments,
} from "../store/schema.ts";
import { inTransaction } from "../store/transaction.ts";
import { CENT } from "./book.ts";
import { CREDIT, creditMembership } from "./membership.ts";
import { listOf } from "./order-list.ts";
import type { Shop } from "./shop.ts";
import { balancesOf, ofTransfer, type StoredBalances } from "./standing.ts";

interface OrderMoney {
  order: typeof orders.$inferSelect;
  balances: StoredBalances;
  /** Whether something came in that is not final yet, or that a person has to look at. */
  isUnclear: boolean;
}

/** Why money stands in the way, the most serious reason first. */
const reasons: readonly [word: Word, is: (money: OrderMoney, now: number) => boolean][] = [
  ["deletionDisputed", ({ balances }) => BigInt(balances.disputed ?? 0) > 0n],
  ["deletionPartPaid", ({ balances }) => BigInt(balances.open ?? 0) >= CENT],
  ["deletionSurplus", ({ balances }) => BigInt(balances.surplus ?? 0) >= CENT],
  ["deletionChecked", ({ balances, isUnclear }) => isUnclear || BigInt(balances.held ?? 0) >= CENT],
  // Also one that has no address or no reference yet: a request may be about to bring it.
  [
    "deletionOrderOpen",
    ({ order }, now) =>
      order.status === OrderStatus.pending && now - order.createdAt.getTime() < PAYMENT_WINDOW,
  ],
];

/** Why the account's money has to be settled first; null where it is. @param tx has locked the account */
async function openMoneyOf(tx: Database, accountId: number, now: number): Promise<Word | null> {
  const coming = sql`EXISTS (SELECT FROM ${transfers} WHERE ${transfers.orderId} = ${orders.id} AND ${transfers.state} = 'seen')`;
  const waiting = sql`EXISTS (SELECT FROM ${unmatchedPayments} WHERE ${unmatchedPayments.orderId} = ${orders.id} AND ${unmatchedPayments.resolvedAt} IS NULL)`;
  const found: OrderMoney[] = await tx
    .select({
      order: orders,
      balances: balancesOf(orders.id),
      isUnclear: sql<boolean>`${coming} OR ${waiting}`,
    })
    .from(orders)
    // With another table beside it, the columns of both are written with their tables, as the parts of the query need them.
    .innerJoin(accounts, eq(accounts.id, orders.accountId))
    .where(eq(orders.accountId, accountId));
  const reason = reasons.find(([, is]) => found.some((money) => is(money, now)))?.[0];
  if (reason !== undefined) return reason;
  return (await hasLatePayment(tx, accountId)) ? "deletionChecked" : null;
}

/** Whether money has come to the address of an order that was removed unpaid, and waits. */
async function hasLatePayment(tx: Database, accountId: number): Promise<boolean> {
  const [found] = await tx
    .select({ hash: transfers.txHash })
    .from(receivingAddresses)
    .innerJoin(transfers, eq(transfers.recipient, receivingAddresses.raw))
    .where(
      and(
        eq(receivingAddresses.accountId, accountId),
        isNull(transfers.orderId),
        or(
          eq(transfers.state, "seen"),
          and(eq(transfers.state, "final"), sql`${ofTransfer("held")} >= ${sql.raw(String(CENT))}`),
        ),
      ),
    )
    .limit(1);
  return found !== undefined;
}

/** What a deleted account is called, and its key: one that no name has, for those are in small letters. */
const nameOfDeleted = (id: number) => `Deleted account ${id}`;

/**
 * Deletes the account, in one transaction: its sessions end and its membership, other systems are told, and its name,
 * particulars and secrets are gone. Before it, providers and networks are asked about its orders.
 * @param account as it was read when its password was found right
 * @throws ApiError while money of it is open, or where it was changed meanwhile
 */
export async function deleteAccount(shop: Shop, account: Principal, language: Language): Promise<void> {
  const { id, passwordHash } = account;
  await listOf(shop, id, { ids: [], key: "" }, language);
  await inTransaction(shop.db, async (tx) => {
    const [held] = await tx
      .select()
      .from(accounts)
      .where(and(eq(accounts.id, id), eq(accounts.passwordHash, passwordHash), isNull(accounts.deletedAt)))
      .for("update");
    if (!held) throw ApiError.of("passwordWrong", "password");
    const now = shop.now();
    const open = await openMoneyOf(tx, id, now);
    if (open !== null) throw ApiError.of(open);

    const left = (held.membershipEndsAt?.getTime() ?? now) - now;
    // No more is taken than is left.
    if (left > 0) await creditMembership(tx, id, -Math.ceil(left / DAY), CREDIT, now);
    await tx.delete(sessions).where(eq(sessions.accountId, id));
    await tx
      .update(accounts)
      .set({
        deletedAt: new Date(now),
        passwordHash: unusableHash(),
        nickname: null,
        sex: null,
        birthDate: null,
        securityProblem: null,
        securityAnswerHash: null,
        membershipEndAnnounced: sql`${accounts.membershipEndsAt}`,
      })
      .where(eq(accounts.id, id));
    // The last event with the name: other systems find by it what they have to forget.
    await addAccountEvents(tx, now, "member.deleted", [id]);
    const name = nameOfDeleted(id);
    await tx.update(accounts).set({ name, nameKey: name }).where(eq(accounts.id, id));
  });
  shop.log("account deleted", { account: id });
}
