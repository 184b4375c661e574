/** The operator's commands about a member: look, add and take days, lock, log out, clear the security question. */
import { desc, eq } from "drizzle-orm";
import { keyOfOwn } from "../../accounts/account-names.ts";
import { CREDIT, creditMembership, membershipOf } from "../../payments/membership.ts";
import type { Database } from "../../store/database.ts";
import { accounts, auditEntries, membershipEntries, securityEvents, sessions } from "../../store/schema.ts";
import {
  at,
  audited,
  CommandRefused,
  daysOf,
  limitOf,
  need,
  type Answer,
  type Call,
  type Commands,
} from "./command.ts";

export async function memberOf(db: Database, name: string | undefined) {
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

async function changeDays(call: Call, sign: 1 | -1): Promise<Answer> {
  const { ledger, args } = call;
  const account = await memberOf(ledger.db, args[0]);
  const days = sign * daysOf(args[1]);
  await audited(call, sign > 0 ? "credit" : "revoke", `account ${account.id}`, (tx, auditId) =>
    creditMembership(tx, account.id, days, CREDIT, ledger.now(), { auditId }),
  );
  const membership = await membershipOf(ledger.db, account.id);
  return [{ account: account.name, days, ends: membership?.endsAt.toISOString() ?? null }];
}

export const memberCommands: Commands = {
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
};
