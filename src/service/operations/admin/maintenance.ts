/** The operator's commands about the service itself: how it stands, its outgoing events, its backups, its audit. */
import { statSync } from "node:fs";
import { asc, desc, isNull } from "drizzle-orm";
import { isPartPaid } from "../../payments/standing.ts";
import { replayEvents } from "../../payments/outbox.ts";
import { auditEntries, chainPositions, orders, outboxEvents } from "../../store/schema.ts";
import { backlogOf } from "../backlog.ts";
import { BackupRefused, backUp, restore } from "../backup.ts";
import { at, audited, CommandRefused, limitOf, need, type Commands } from "./command.ts";

/** A refused backup is the operator's mistake: it is told in words. */
function asCommandRefused(error: unknown): never {
  if (error instanceof BackupRefused) throw new CommandRefused(error.message);
  throw error;
}

export const maintenanceCommands: Commands = {
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
        { what: "paid in part", value: await db.$count(orders, isPartPaid) },
        { what: "events late", value: backlog.eventsLate },
        { what: "events given up", value: backlog.eventsGivenUp },
      ];
    },
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
      await backUp(ledger.db, file, ledger.now()).catch(asCommandRefused);
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
      ).catch(asCommandRefused);
      return [{ file, rows }];
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
