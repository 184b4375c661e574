/** The operator's commands about the service itself: how it stands, its outgoing events, its backups, its audit. */
import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { asc, desc, eq, isNull } from "drizzle-orm";
import { networks, type Network } from "../../../contract/calls.ts";
import { phrase } from "../../../contract/console.ts";
import { SECOND } from "../../../contract/durations.ts";
import type { Position } from "../../payments/chain/blocks.ts";
import { endSessions } from "../../accounts/operators.ts";
import { beginSequenceAnew, startAnnouncing } from "../../events/account-events.ts";
import { replayEvents } from "../../events/outbox.ts";
import { factsOf } from "../../platform/log.ts";
import { auditEntries, chainPositions, orders, outboxEvents } from "../../store/schema.ts";
import { inTransaction } from "../../store/transaction.ts";
import { openAlarms } from "../alerts/alarms.ts";
import { channels, refusalOf, sendersOf } from "../alerts/senders.ts";
import { isPartPaid } from "../../payments/standing.ts";
import { backlogOf, countPending, isOld, isBackup, latestBackups, readingOf } from "../backlog.ts";
import { backupFor } from "../backup-download.ts";
import { BackupRefused, backUp, continueAllNumbers, restore } from "../backup.ts";
import { audited, keptOf } from "./audit.ts";
import { askNodes, type NodeReport } from "./chain.ts";
import {
  at,
  change,
  CommandRefused,
  eventId,
  fileName,
  limit,
  tellRest,
  optional,
  query,
  type Commands,
  type Rows,
} from "./command.ts";
import type { Subject } from "./change.ts";

/** A refused backup is the operator's mistake: it is told in words. */
function asCommandRefused(error: unknown): never {
  if (error instanceof BackupRefused) throw new CommandRefused(error.message);
  throw error;
}

/** Where the reading of a network stands, and what each of its nodes answers at the moment. */
function networkRows(
  network: Network,
  position: Position | undefined,
  nodes: readonly NodeReport[],
  now: number,
): Rows {
  const shown = nodes.flatMap(({ latest }) => (latest ? [latest] : []));
  const newest = shown.toSorted((one, other) => other.number - one.number)[0];
  const head = newest?.number ?? position?.headNumber ?? null;
  const headAt = newest ? new Date(newest.timestamp * SECOND) : (position?.headAt ?? null);
  const { number = 0, checkedAt = null } = position ?? {};
  const { age, unread } = readingOf({ number, headNumber: head, headAt, checkedAt }, now);
  const howOld = [
    ...(age === null ? [] : [`${age} seconds old`]),
    ...(unread === null || !position ? [] : [`${unread} blocks not read yet`]),
  ];
  return [
    ...(position
      ? [
          {
            what: `${network} read to block`,
            value: `${position.number}, final ${position.finalNumber}, asked ${position.checkedAt?.toISOString() ?? "never"}`,
          },
        ]
      : []),
    ...(head === null ? [] : [{ what: `${network} newest block`, value: [head, ...howOld].join(", ") }]),
    ...nodes.map(({ name, latest, trouble }) => {
      const behind = head === null || !latest ? 0 : head - latest.number;
      const facts = [
        ...(latest ? [`block ${latest.number}`] : []),
        ...(behind > 0 ? [`${behind} behind`] : []),
        ...(trouble === null ? [] : [trouble]),
      ];
      return { what: `${network} node ${name}`, value: facts.join(", ") };
    }),
  ];
}

export const maintenanceCommands: Commands = {
  status: query({
    help: "how far the networks are read, what their nodes answer, and what waits",
    async run(call) {
      const { db, now } = call.ledger;
      const hasReceiver = (call.events ?? null) !== null;
      const [positions, backlog, reports] = await Promise.all([
        db.select().from(chainPositions),
        backlogOf(db, now(), hasReceiver),
        Promise.all(networks.map((network) => askNodes(call, network))),
      ]);
      return [
        ...networks.flatMap((network, index) =>
          networkRows(
            network,
            positions.find((position) => position.network === network),
            reports[index] ?? [],
            now(),
          ),
        ),
        { what: "unmatched payments", value: backlog.unmatchedPayments },
        { what: "pending orders", value: await countPending(db) },
        { what: "paid in part", value: await db.$count(orders, isPartPaid) },
        { what: "events late", value: backlog.eventsLate },
        { what: "events given up", value: backlog.eventsGivenUp },
      ];
    },
  }),
  alarms: query({
    help: "what is wrong now, as operators were told of it",
    async run({ ledger: { db } }) {
      return (await openAlarms(db)).map(({ what, begunAt }) => ({ since: begunAt.toISOString(), what }));
    },
  }),
  "alert-test": query({
    help: "sends a message by each way that operators are told, and says what became of it",
    right: "support",
    async run({ alerts }) {
      const senders = alerts ? sendersOf(alerts) : {};
      const set = channels.flatMap((channel) => {
        const send = senders[channel];
        return send ? [{ channel, send }] : [];
      });
      if (set.length === 0)
        throw new CommandRefused("No way is set. Set SMTP_URL, TELEGRAM_BOT_TOKEN or NTFY_URL first.");
      const message = {
        id: `alert-test-${randomUUID()}`,
        title: "Everlit: a test",
        text: "Alarms reach you here.",
      };
      const never = new AbortController().signal;
      return Promise.all(
        set.map(async ({ channel, send }) => ({
          channel,
          result: (await refusalOf(send, message, never)) ?? "taken",
        })),
      );
    },
  }),
  events: query({
    help: "outgoing events that were not delivered",
    options: { limit },
    async run(call) {
      const where = isNull(outboxEvents.deliveredAt);
      const rows = await call.ledger.db
        .select()
        .from(outboxEvents)
        .where(where)
        .orderBy(asc(outboxEvents.createdAt))
        .limit(call.options.limit);
      await tellRest(call, rows, outboxEvents, where);
      return rows.map(({ id, type, createdAt, attempts, nextAttemptAt, lastError }) => ({
        id,
        type,
        at: createdAt.toISOString(),
        attempts,
        next: nextAttemptAt?.toISOString() ?? "given up",
        error: lastError,
      }));
    },
  }),
  "replay-events": change({
    help: "deliver an event again, or at once all that were not delivered",
    args: { id: optional(eventId) },
    changes: "events",
    undo: phrase("events gone", {}),
    run(call) {
      const { ledger, args } = call;
      const subject: Subject = { name: `event ${args.id ?? "*"}`, word: args.id ?? "all" };
      return audited(call, "replay events", subject, async (tx, _, told) => {
        const due = await replayEvents(tx, ledger.now(), args.id);
        told.note(phrase("events", { count: due }));
        return [{ due }];
      });
    },
  }),
  "announce-members": change({
    help: "send the state of every member to other systems again: whose membership runs, or ended within 31 days",
    changes: "events",
    undo: phrase("members gone", {}),
    run(call) {
      const subject: Subject = { name: "all accounts", word: "all" };
      return audited(call, "announce members", subject, async (tx, _, told) => {
        const members = await startAnnouncing(tx, call.ledger.now());
        told.note(phrase("members", { count: members }));
        return [{ members }];
      });
    },
  }),
  backups: query({
    help: "when backups were made by a command or on the page, how large they are, and whether the last is old",
    options: { limit },
    async run(call) {
      const { db, now } = call.ledger;
      const { options, alerts } = call;
      const found = await latestBackups(db, options.limit);
      await tellRest(call, found, auditEntries, isBackup);
      const last = found.find(({ bytes }) => bytes !== null);
      const hours = alerts?.backupHours ?? 0;
      return found.map((backup) => ({
        at: at(backup.at),
        by: backup.actor,
        to: backup.to,
        bytes: backup.bytes,
        state:
          backup.bytes === null
            ? `not whole${backup.failed === null ? "" : `: ${backup.failed}`}`
            : backup === last && isOld(backup.at, now(), hours)
              ? `old: it is not of the last ${hours} hours`
              : "whole",
      }));
    },
  }),
  backup: query({
    help: "write all data into a new file, while the service runs; on the page, the browser saves it",
    args: { file: optional(fileName) },
    right: "money",
    offer: { about: "data" },
    async run({ ledger, args: { file }, actor, spool, change: { onPart } }) {
      if (spool !== undefined) {
        if (file === undefined) return backupFor({ ledger, actor, folder: spool, onLog: onPart });
        throw new CommandRefused(
          "A file of the machine is named there alone: `npm run admin -- backup <file>`.",
        );
      }
      if (file === undefined) throw new CommandRefused("The file is missing.");
      // Written before the first row is read: a process that ends meanwhile leaves no data elsewhere without an entry.
      const entry = {
        actor,
        action: "backup",
        subject: "database",
        reason: file,
        at: new Date(ledger.now()),
      };
      let id = 0;
      const begin = async () => {
        const [begun] = await ledger.db.insert(auditEntries).values(entry).returning({ id: auditEntries.id });
        id = begun?.id ?? 0;
      };
      const end = (details: Record<string, unknown>) =>
        ledger.db.update(auditEntries).set({ details }).where(eq(auditEntries.id, id));
      try {
        await backUp(ledger.db, file, ledger.now(), begin);
      } catch (error) {
        if (id !== 0) await end({ failed: factsOf(error)["error"] });
        return asCommandRefused(error);
      }
      const { size: bytes } = statSync(file);
      await end({ bytes });
      return [{ file, bytes }];
    },
  }),
  restore: change({
    help: "fill an empty database from such a file, while no service runs",
    args: { file: fileName },
    isLocal: true,
    changes: "data",
    undo: "A restore fills an empty database: begin with another empty one.",
    async run({ ledger, args: { file }, actor, change: { reason } }) {
      const entry = { actor, action: "restore", subject: "database", reason };
      const rows = await restore(ledger.db, file, async (tx) => {
        await beginSequenceAnew(tx);
        // Of the ones that were open when the backup was made, some were ended since.
        await endSessions(tx, null);
        await tx.insert(auditEntries).values({ ...entry, at: new Date(ledger.now()) });
      }).catch(asCommandRefused);
      return [{ file, rows }];
    },
  }),
  "after-restore": change({
    help: "go on above all numbers that were given out, after the database was put back by other means than `restore`",
    isLocal: true,
    changes: "data",
    undo: "Numbers only go up.",
    async run({ ledger, actor, change: { reason } }) {
      const entry = { actor, action: "after restore", subject: "database", reason };
      await inTransaction(ledger.db, async (tx) => {
        await continueAllNumbers(tx);
        await beginSequenceAnew(tx);
        await endSessions(tx, null);
        await tx.insert(auditEntries).values({ ...entry, at: new Date(ledger.now()) });
      });
      return [{ numbers: "go on above all that were given out" }];
    },
  }),
  audit: query({
    help: "what operators did",
    options: { limit },
    async run(call) {
      const rows = await call.ledger.db
        .select()
        .from(auditEntries)
        .orderBy(desc(auditEntries.id))
        .limit(call.options.limit);
      await tellRest(call, rows, auditEntries);
      return rows.map((entry) => ({
        id: entry.id,
        at: at(entry.at),
        actor: entry.actor,
        action: entry.action,
        subject: entry.subject,
        reason: entry.reason,
        ticket: entry.ticket,
        undoes: entry.undoes,
        changed: keptOf(entry)?.change.lines.join("; ") ?? null,
      }));
    },
  }),
};
