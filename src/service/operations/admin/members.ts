/** The operator's commands about a member: look, add and take days, lock, log out, clear the security question. */
import { desc, eq, isNotNull } from "drizzle-orm";
import { OrderStatus } from "../../../contract/calls.ts";
import { DAY } from "../../../contract/durations.ts";
import { holds, phrase } from "../../../contract/console.ts";
import { lockAccount } from "../../accounts/locks.ts";
import { CREDIT, creditMembership, revokeDaysOf } from "../../payments/membership.ts";
import type { Database } from "../../store/database.ts";
import {
  accounts,
  auditEntries,
  membershipEntries,
  orders,
  securityEvents,
  sessions,
} from "../../store/schema.ts";
import { audited } from "./audit.ts";
import type { State, Subject } from "./change.ts";
import {
  accountName,
  at,
  change,
  CommandRefused,
  day,
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

type Account = Awaited<ReturnType<typeof memberOf>>;

function refuseDeleted({ name, deletedAt }: Pick<Account, "name" | "deletedAt">): void {
  if (deletedAt !== null)
    throw new CommandRefused(phrase("account deleted", { name, at: deletedAt.toISOString() }));
}

/** The same, of an account that can be changed. @throws CommandRefused where it was deleted */
async function livingMemberOf(db: Database, name: string): Promise<Account> {
  const account = await memberOf(db, name);
  refuseDeleted(account);
  return account;
}

export const subjectOf = ({ id, name }: Pick<Account, "id" | "name">): Subject => ({
  name: `account ${id}`,
  word: name,
  accounts: [id],
});

/** The member that a command names, or null for all of them. */
async function memberOrAll({ ledger: { db }, right }: Call, name: string | undefined, all: boolean) {
  if (all && !holds(right, "money"))
    throw new CommandRefused("What concerns all members needs the right money.");
  if (all && name !== undefined) throw new CommandRefused("Name an account or --all, not both.");
  if (all) return null;
  if (name === undefined) throw new CommandRefused("The member's account name is missing.");
  return livingMemberOf(db, name);
}

const ofAll: Subject = { name: "all accounts", word: "all" };

/** `audited`, of a member or, with null, of all: refused where its holder deleted the account since it was looked up. */
function auditedOf(
  call: Call,
  action: string,
  account: Account | null,
  act: Parameters<typeof audited>[3],
  ofIt: Pick<Subject, "orders"> = {},
): Promise<Rows> {
  if (account === null) return audited(call, action, ofAll, act);
  return audited(call, action, { ...subjectOf(account), ...ofIt }, async (tx, ...more) => {
    const [locked] = await tx
      .select({ deletedAt: accounts.deletedAt })
      .from(accounts)
      .where(eq(accounts.id, account.id));
    refuseDeleted({ name: account.name, deletedAt: locked?.deletedAt ?? null });
    return act(tx, ...more);
  });
}

/** Takes days of one order alone, so that those of others stay. @param most days @param wanted names the order */
async function revokeOfOrder(call: Call, account: Account, most: number, wanted: string): Promise<Rows> {
  const { ledger } = call;
  const named = await orderOf(ledger.db, wanted);
  if (named.accountId !== account.id)
    throw new CommandRefused(phrase("another's order", { order: named.id, member: account.name }));
  const act = async (tx: Database, auditId: number) => {
    const [order] = await tx.select().from(orders).where(eq(orders.id, named.id));
    if (order?.status !== OrderStatus.confirmed)
      throw new CommandRefused(phrase("no days of order", { order: named.id }));
    const taken = await revokeDaysOf(tx, order, most, ledger.now(), { auditId });
    const ends = taken.endsAt?.toISOString() ?? null;
    return [{ member: account.name, order: order.id, days: taken.days, ends }];
  };
  return auditedOf(call, "revoke", account, act, { orders: [named.id] });
}

/** @param by how many days, on the end of the account as it stands under its lock */
async function changeDays(
  call: Call,
  action: string,
  account: Account,
  by: (endsAt: Date | null) => number,
): Promise<Rows> {
  const { ledger } = call;
  return auditedOf(call, action, account, async (tx, auditId, told) => {
    const [before] = await tx
      .select({ endsAt: accounts.membershipEndsAt })
      .from(accounts)
      .where(eq(accounts.id, account.id));
    const endsAt = before?.endsAt ?? null;
    const wanted = by(endsAt);
    const now = ledger.now();
    // No more is taken than is left.
    const moved =
      wanted === 0
        ? { days: 0, endsAt }
        : await creditMembership(tx, account.id, wanted, CREDIT, now, { auditId });
    if (wanted < 0 && moved.endsAt?.getTime() === now)
      told.note(phrase("ends now", { at: moved.endsAt.toISOString() }));
    return [{ member: account.name, days: moved.days, ends: moved.endsAt?.toISOString() ?? null }];
  });
}

const midnight = (time: number) => Math.floor(time / DAY) * DAY;

/** Days from the day on which a membership ends, or from today where none runs, to another day; to today: as many as are left. */
function daysTo(wanted: Date, endsAt: Date | null, now: number): number {
  const today = midnight(now);
  if (wanted.getTime() < today) throw new CommandRefused(phrase("day past", {}));
  const end = Math.max(endsAt?.getTime() ?? now, now);
  // No more is taken than is left, so that the end is now, not at the hour at which it was to be.
  if (wanted.getTime() === today) return -Math.ceil((end - now) / DAY);
  return Math.round((wanted.getTime() - midnight(end)) / DAY);
}

const isLocked = ({ members: [member] }: State) => (member?.lockedAt ?? null) !== null;
const isRunning = ({ members: [member] }: State, now: number) => Date.parse(member?.ends ?? "") > now;

export const memberCommands: Commands = {
  member: query({
    help: "an account, its membership and what was done to it",
    args: { member: accountName },
    async run({ ledger: { db }, args }) {
      const account = await memberOf(db, args.member);
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
          facts: `member until ${account.membershipEndsAt?.toISOString() ?? "never"}, ${signedIn} sessions, security question ${account.securityProblem === null ? "not set" : "set"}${account.lockedAt === null ? "" : ", locked"}${account.deletedAt === null ? "" : `, deleted by its holder at ${account.deletedAt.toISOString()}`}`,
        },
      ];
    },
  }),
  credit: change({
    help: "add days to a membership",
    args: { member: accountName, days },
    changes: "days",
    undo: true,
    offer: { about: "member" },
    async run(call) {
      const { member, days: wanted } = call.args;
      return changeDays(call, "credit", await livingMemberOf(call.ledger.db, member), () => wanted);
    },
  }),
  revoke: change({
    help: "take days of a membership back: the last ones, or those of one order",
    args: { member: accountName, days },
    options: { order: optional(orderWord) },
    changes: "days",
    undo: true,
    offer: { about: "member", isPossible: isRunning },
    async run(call) {
      const { member, days: wanted } = call.args;
      const { order } = call.options;
      const account = await livingMemberOf(call.ledger.db, member);
      return order === undefined
        ? changeDays(call, "revoke", account, () => -wanted)
        : revokeOfOrder(call, account, wanted, order);
    },
  }),
  "set-end": change({
    help: "have a membership end on a day (UTC), by adding days or taking them back; today: now",
    args: { member: accountName, day },
    changes: "days",
    undo: true,
    offer: { about: "member" },
    async run(call) {
      const { ledger, args } = call;
      const account = await livingMemberOf(ledger.db, args.member);
      return changeDays(call, "set end", account, (endsAt) => daysTo(args.day, endsAt, ledger.now()));
    },
  }),
  "clear-question": change({
    help: "let a member set a new security question, or all members",
    args: { member: optional(accountName) },
    options: { all: flag },
    changes: "account",
    undo: phrase("clear for good", {}),
    offer: { about: "member", isPossible: ({ members: [member] }) => member?.hasQuestion === true },
    async run(call) {
      const account = await memberOrAll(call, call.args.member, call.options.all);
      return auditedOf(call, "clear question", account, async (tx, _, told) => {
        if (!account) told.note(phrase("questions", {}));
        await tx
          .update(accounts)
          .set({ securityProblem: null, securityAnswerHash: null })
          // No row is locked in vain: payments wait for their accounts.
          .where(account ? eq(accounts.id, account.id) : isNotNull(accounts.securityProblem));
        return [{ member: account?.name ?? "all", question: null }];
      });
    },
  }),
  "end-sessions": change({
    help: "log a member out on every device, or all members",
    args: { member: optional(accountName) },
    options: { all: flag },
    changes: "account",
    undo: phrase("sessions gone", {}),
    offer: { about: "member" },
    async run(call) {
      const account = await memberOrAll(call, call.args.member, call.options.all);
      return auditedOf(call, "end sessions", account, async (tx, _, told) => {
        const theirs = account ? eq(sessions.accountId, account.id) : undefined;
        const ended = await tx.$count(sessions, theirs);
        await tx.delete(sessions).where(theirs);
        told.note(phrase("sessions", { count: ended }));
        return [{ member: account?.name ?? "all", ended }];
      });
    },
  }),
  lock: change({
    help: "log a member out, and refuse every log-in to the account",
    args: { member: accountName },
    changes: "account",
    undo: true,
    offer: { about: "member", isPossible: (state) => !isLocked(state) },
    async run(call) {
      const { ledger } = call;
      const account = await livingMemberOf(ledger.db, call.args.member);
      return auditedOf(call, "lock", account, async (tx, _, told) => {
        const theirs = eq(sessions.accountId, account.id);
        told.note(phrase("sessions for good", { count: await tx.$count(sessions, theirs) }));
        await lockAccount(tx, account.id, new Date(ledger.now()), ledger.now());
        return [{ member: account.name, locked: true }];
      });
    },
  }),
  unlock: change({
    help: "let the member log in again",
    args: { member: accountName },
    changes: "account",
    undo: true,
    offer: { about: "member", isPossible: isLocked },
    async run(call) {
      const account = await livingMemberOf(call.ledger.db, call.args.member);
      return auditedOf(call, "unlock", account, async (tx) => {
        await lockAccount(tx, account.id, null, call.ledger.now());
        return [{ member: account.name, locked: false }];
      });
    },
  }),
  security: query({
    help: "log-ins, refusals and changes, of an account or of all",
    args: { member: optional(accountName) },
    options: { limit },
    async run(call) {
      const { ledger, args, options } = call;
      const account = args.member === undefined ? null : await memberOf(ledger.db, args.member);
      const where = account ? eq(securityEvents.accountId, account.id) : undefined;
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
        .where(where)
        .orderBy(desc(securityEvents.id))
        .limit(options.limit);
      await tellRest(call, rows, securityEvents, where);
      return rows.map((row) => ({ ...row, at: at(row.at) }));
    },
  }),
};
