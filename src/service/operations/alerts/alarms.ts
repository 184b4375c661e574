/** What an operator has to know of at once: each alarm is told when it begins and when it is over, by whichever process sees it first. docs/operating.md, "Alarms". */
import { and, eq, isNull, lte, sql } from "drizzle-orm";
import type { AlarmKind } from "../../../contract/console.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../../contract/durations.ts";
import { networks, type Network } from "../../../contract/calls.ts";
import type { Database } from "../../store/database.ts";
import { SILENT } from "../../payments/chain/watcher.ts";
import type { RailKey } from "../../payments/rails.ts";
import { alarms, chainPositions, providerPositions } from "../../store/schema.ts";
import { inTransaction } from "../../store/transaction.ts";
import { backlogOf, isOld, lastBackup, readingOf } from "../backlog.ts";
import { addMessages } from "./messages.ts";
import type { Channel } from "./senders.ts";

/** Something that is wrong. `key` is the same for as long as it is. */
export interface Trouble {
  key: string;
  /** As a title. */
  what: string;
  /** With the figures of now. */
  facts: string;
  /** What the operator does about it. */
  remedy: string;
  /** Ms for which it has to last before it is told. */
  patience: number;
  /** When its latest cause came, where there may be several: then it is told again. */
  latest?: Date | null;
}

/** What the operator's page tells the alarms apart by. */
const keyOf = (kind: AlarmKind, about?: string) => (about === undefined ? kind : `${kind} ${about}`);

const plural = (number: number, one: string, more: string) => `${number} ${number === 1 ? one : more}`;

type Position = typeof chainPositions.$inferSelect;

/** In seconds, and in blocks: those of the metrics. */
const OLDEST_HEAD = 90;
const MOST_UNREAD = 20;

function networkTroubles(network: Network, position: Position | undefined, now: number): Trouble[] {
  const { silence = null, age = null, unread = null } = position ? readingOf(position, now) : {};
  const look = "Run `npm run admin -- status`, and see an explorer of the network.";
  // A node that answers has it written down anew within seconds.
  const ahead = (position?.checkedAt?.getTime() ?? 0) - now > SILENT * SECOND;
  if (silence === null || silence > SILENT || ahead) {
    const since =
      silence === null
        ? "No node has ever answered."
        : ahead
          ? "No node has answered since the clock was set back."
          : `No node has answered for ${silence} seconds.`;
    const what = `${network} is not read`;
    return [{ key: keyOf("network silent", network), what, facts: since, remedy: look, patience: MINUTE }];
  }
  return [
    ...(age !== null && age > OLDEST_HEAD
      ? [
          {
            key: keyOf("network stands still", network),
            what: `${network} stands still`,
            facts: `The newest block of every node is ${age} seconds old: payments are not seen.`,
            remedy: look,
            patience: 0,
          },
        ]
      : []),
    ...(unread !== null && unread > MOST_UNREAD
      ? [
          {
            key: keyOf("network lags", network),
            what: `${network} is read late`,
            facts: `${unread} blocks are not read yet: payments show late.`,
            remedy: look,
            patience: 5 * MINUTE,
          },
        ]
      : []),
  ];
}

export const providerNames = { card: "Razorpay", stripe: "Stripe" } as const;
type Provider = keyof typeof providerNames;

/** Ms after which a provider's lists are unread for too long: they are read every hour. */
const LISTS_UNREAD = 3 * HOUR;

/** The lists of a provider's payments, refunds and disputes find what its webhooks missed. */
function providerTroubles(provider: Provider, readUntil: readonly Date[], now: number): Trouble[] {
  const oldest = Math.min(now, ...readUntil.map((time) => time.getTime()));
  if (now - oldest <= LISTS_UNREAD) return [];
  const name = providerNames[provider];
  return [
    {
      key: keyOf("provider silent", name),
      what: `${name} is not read`,
      facts: `Its lists were not read for ${Math.floor((now - oldest) / HOUR)} hours: payments, refunds and disputes that no webhook tells of are not seen.`,
      remedy: "See that its keys are valid, and what the log says at `reconciliation failed`.",
      // After a start, what was not read meanwhile is read first.
      patience: HOUR,
    },
  ];
}

function missingTrouble(rail: RailKey): Trouble {
  const isProvider = rail === "card" || rail === "stripe";
  const name = isProvider ? providerNames[rail] : rail;
  return {
    key: keyOf(isProvider ? "provider silent" : "network silent", name),
    what: `${name} is not read`,
    facts: "It is not set up, and orders are young enough that money may still come or go back there.",
    remedy: "Set it up again, and name it in PAYMENTS_CLOSED: it takes no new orders then, and is read.",
    patience: 0,
  };
}

/** What is looked at. */
export interface Looked {
  /** The ways to pay that are read. */
  read: readonly RailKey[];
  /** Those that are not set up, though money may still move there. */
  missing: readonly RailKey[];
  /** Whether events are delivered. */
  hasReceiver: boolean;
  /** Hours after which a backup is old; 0: never. */
  backupHours: number;
}

const backupTrouble = (facts: string): Trouble => ({
  key: keyOf("backup old"),
  what: "The last backup is old",
  facts,
  remedy:
    "Run `npm run admin -- backup <file>`, or save one on the operator's page, and see why it was not run.",
  patience: 0,
});

/** What is wrong now, by what is written down: every process of the same settings sees the same. */
export async function troublesOf(
  db: Database,
  now: number,
  { read, missing, hasReceiver, backupHours }: Looked,
): Promise<Trouble[]> {
  const [positions, lists, backlog, backup] = await Promise.all([
    db.select().from(chainPositions),
    db.select().from(providerPositions),
    backlogOf(db, now, hasReceiver),
    backupHours > 0 ? lastBackup(db) : null,
  ]);
  const { unmatchedPayments, latestUnmatched, eventsLate, eventsGivenUp } = backlog;
  const found = networks
    .filter((network) => read.includes(network))
    .flatMap((network) =>
      networkTroubles(
        network,
        positions.find((position) => position.network === network),
        now,
      ),
    );
  for (const provider of ["card", "stripe"] as const) {
    if (!read.includes(provider)) continue;
    const readUntil = lists.filter(({ rail }) => rail === provider).map((list) => list.readUntil);
    found.push(...providerTroubles(provider, readUntil, now));
  }
  found.push(...missing.map(missingTrouble));
  if (unmatchedPayments > 0)
    found.push({
      key: keyOf("payments unmatched"),
      what: "Money waits for you",
      facts: `${plural(unmatchedPayments, "payment is", "payments are")} settled by no rule.`,
      remedy: "Run `npm run admin -- unmatched`, and settle each.",
      patience: 0,
      latest: latestUnmatched,
    });
  if (eventsLate > 0)
    found.push({
      key: keyOf("events late"),
      what: "Events are not delivered",
      facts: `${plural(eventsLate, "event has", "events have")} waited for more than ten minutes: members may be without what they paid for.`,
      remedy:
        'See that EVENTS_URL answers; `npm run admin -- events` says what it answered. Then `npm run admin -- replay-events --reason "…"` sends them at once.',
      patience: 0,
    });
  if (eventsGivenUp > 0)
    found.push({
      key: keyOf("events given up"),
      what: "Events were given up",
      facts: `${plural(eventsGivenUp, "event was", "events were")} not accepted for nearly three days.`,
      remedy: 'Mend the receiver, and run `npm run admin -- replay-events --reason "…"`.',
      patience: 0,
    });
  if (backupHours > 0 && backup === null)
    found.push(backupTrouble("None has been made by a command or on the operator's page."));
  if (backup !== null && isOld(backup.at, now, backupHours))
    found.push(
      backupTrouble(
        backup.at.getTime() > now
          ? "It was made before the clock was set back: how old it is, is not known."
          : `It was made ${Math.floor((now - backup.at.getTime()) / HOUR)} hours ago.`,
      ),
    );
  return found;
}

/** Lines of the log that are alarms of their own: something happened, and is over. Each is marked in docs/operating.md, "The log". `by`: the one fact that tells two of them apart; absent: all do. */
export const moments: Readonly<Record<string, { what: string; remedy: string; by?: string }>> = {
  "open failed": {
    what: "A customer could not pay",
    remedy:
      "See that the provider's keys are valid or, for usdt, that a node answers: it is told once a day, and the log has each.",
    by: "rail",
  },
  "webhook missed": {
    what: "A webhook did not arrive",
    remedy: "See what the provider says of its webhook, and its secret in the settings.",
    by: "rail",
  },
  "final transfer orphaned": {
    what: "A credited transfer was taken back by its network",
    remedy: "See the runbook: the order is open again, and its days were taken back.",
  },
  "order swept": {
    what: "An order was confirmed late",
    remedy: "It was paid and not confirmed until the sweep found it. That is a fault: report it.",
  },
  "book differs": {
    what: "The book does not agree with what came in",
    remedy: "Run `npm run admin -- reconcile <YYYY-MM>`. That is a fault: report it.",
  },
  "backup downloaded": {
    what: "All data went to the browser of an operator",
    remedy:
      'If that was none of you, see docs/security.md, "When something leaked": the database or a backup.',
  },
  "network closed": {
    what: "Orders on a network are refused",
    remedy: "Correct the setting that the reason names.",
  },
  "token deprecated": {
    what: "The issuer has replaced a token",
    remedy: "See the runbook, before customers pay in the new one.",
  },
};

/** What a line of the log is as an alarm; null where it is none. */
export function momentOf(event: string, facts: Readonly<Record<string, string | number>>): Trouble | null {
  const moment = moments[event];
  if (!moment) return null;
  const { what, remedy, by } = moment;
  const told = Object.entries(facts).map(([name, value]) => `${name}: ${value}`);
  const key = by === undefined ? [event, ...told] : [event, facts[by]];
  return { key: key.join(" "), what, remedy, facts: told.join("\n"), patience: 0 };
}

/** Ms after which the same moment is told again. */
const AGAIN = DAY;

const lasted = (ms: number) => {
  if (ms < 0) return "It began before the clock was set back: how long it lasted is not known.";
  const minutes = Math.max(1, Math.round(ms / MINUTE));
  return `It lasted ${minutes < 120 ? plural(minutes, "minute", "minutes") : `${Math.round(minutes / 60)} hours`}.`;
};

/** What the messages begin with, and where they lead. */
export interface Telling {
  channels: readonly Channel[];
  /** The origin of the operator's page; null: there is none. */
  page: string | null;
}

const textOf = (lines: readonly string[], { page }: Telling) =>
  [...lines, ...(page === null ? [] : [page])].filter((line) => line !== "").join("\n\n");

/** Of many at once, so many are named in their message. */
const MOST_NAMED = 5;

/** Tells of what happened, unless that was told of within a day: what is of one kind, in one message. */
export async function tellMoments(
  db: Database,
  now: number,
  troubles: readonly Trouble[],
  telling: Telling,
): Promise<void> {
  if (troubles.length === 0) return;
  const at = new Date(now);
  await inTransaction(db, async (tx) => {
    const values = troubles.map(({ key, what }) => ({ key, what, begunAt: at, endedAt: at }));
    const told = await tx
      .insert(alarms)
      // In one order always: two that lock the same rows would otherwise wait for each other.
      .values(values.toSorted((one, other) => (one.key < other.key ? -1 : 1)))
      .onConflictDoUpdate({
        target: alarms.key,
        set: { what: sql`excluded.what`, begunAt: at, endedAt: at },
        // One that lies ahead was told of before the clock was set back.
        setWhere: sql`${alarms.begunAt} NOT BETWEEN ${new Date(now - AGAIN).toISOString()}::timestamptz AND ${new Date(now + AGAIN).toISOString()}::timestamptz`,
      })
      .returning({ key: alarms.key });
    const keys = new Set(told.map(({ key }) => key));
    const kinds = Map.groupBy(
      troubles.filter(({ key }) => keys.has(key)),
      ({ what }) => what,
    );
    for (const [what, [first, ...others]] of kinds) {
      if (!first) continue;
      const named = [first, ...others].slice(0, MOST_NAMED).map(({ facts }) => facts);
      const many = `${others.length + 1} at once: the log has each. The first ${named.length}:`;
      await addMessages(tx, now, telling.channels, {
        title: `Everlit: ${what}`,
        text: textOf([...(others.length > 0 ? [many] : []), ...named, first.remedy], telling),
      });
    }
  });
}

/** Collects what the log tells of, so that many at once are one message. One of each process. */
export class Moments {
  readonly #db: Database;
  readonly #telling: Telling;
  readonly #collected = new Map<string, Trouble>();

  constructor(db: Database, telling: Telling) {
    this.#db = db;
    this.#telling = telling;
  }

  /** Of the same one, the first is kept. */
  add(event: string, facts: Readonly<Record<string, string | number>>): void {
    const trouble = momentOf(event, facts);
    if (trouble && !this.#collected.has(trouble.key)) this.#collected.set(trouble.key, trouble);
  }

  /** Tells of what was collected. Where that fails, it is told the next time. */
  async tell(now: number): Promise<void> {
    const troubles = [...this.#collected.values()];
    await tellMoments(this.#db, now, troubles, this.#telling);
    for (const { key } of troubles) this.#collected.delete(key);
  }
}

/**
 * Ms for which no process sees a trouble any more before its alarm is over: it is not told of again and again, by two that
 * have other settings or other releases meanwhile either.
 */
const QUIET = 2 * MINUTE;

/** Ms between two messages of one alarm that gets further causes. */
const RETELL_INTERVAL = HOUR;

/** Compares what is wrong with what was told of. One of each process. */
export class AlarmBoard {
  readonly #db: Database;
  readonly #telling: Telling;
  /** Since when this process sees a trouble. */
  readonly #seen = new Map<string, number>();

  constructor(db: Database, telling: Telling) {
    this.#db = db;
    this.#telling = telling;
  }

  /** @param troubles what is wrong now */
  async compare(troubles: readonly Trouble[], now: number): Promise<void> {
    for (const key of this.#seen.keys())
      if (troubles.every((trouble) => trouble.key !== key)) this.#seen.delete(key);
    for (const trouble of troubles) {
      // By a clock that was set back since, it is seen from now on.
      const since = Math.min(this.#seen.get(trouble.key) ?? now, now);
      this.#seen.set(trouble.key, since);
      if (now - since >= trouble.patience) await this.#begin(trouble, now);
    }
    const open = await this.#db.select().from(alarms).where(isNull(alarms.endedAt));
    for (const { key, what, begunAt, seenAt } of open) {
      const since = (seenAt ?? begunAt).getTime();
      const isThere = troubles.some((trouble) => trouble.key === key);
      // By a clock that was set back since, it was seen just now.
      if (isThere || since > now) await this.#see(key, now);
      else if (now - since >= QUIET) await this.#end(key, what, begunAt, now);
    }
  }

  async #see(key: string, now: number): Promise<void> {
    await this.#db
      .update(alarms)
      .set({ seenAt: new Date(now) })
      .where(eq(alarms.key, key));
  }

  async #begin({ key, what, facts, remedy, latest = null }: Trouble, now: number): Promise<void> {
    const at = new Date(now);
    const isTold = this.#telling.channels.length > 0;
    const before = sql`coalesce(${alarms.latest}, ${alarms.begunAt})`;
    const quiet = new Date(now - RETELL_INTERVAL).toISOString();
    const hasMore =
      latest === null
        ? sql`false`
        : sql`${before} < ${latest.toISOString()}::timestamptz AND ${before} <= ${quiet}::timestamptz`;
    await inTransaction(this.#db, async (tx) => {
      const values = { key, what, begunAt: at, endedAt: null, isTold, latest, seenAt: at };
      const begun = await tx
        .insert(alarms)
        .values(values)
        .onConflictDoUpdate({
          target: alarms.key,
          // One that is told late began when it began.
          set: {
            ...values,
            begunAt: sql`CASE WHEN ${alarms.endedAt} IS NULL THEN ${alarms.begunAt} ELSE ${at.toISOString()}::timestamptz END`,
          },
          // Else another process tells of it, or did.
          setWhere: sql`${alarms.endedAt} IS NOT NULL OR (${isTold}::boolean AND (NOT ${alarms.isTold} OR (${hasMore})))`,
        })
        .returning({ key: alarms.key });
      if (begun.length === 0) return;
      const title = `Everlit: ${what}`;
      await addMessages(tx, now, this.#telling.channels, {
        title,
        text: textOf([facts, remedy], this.#telling),
      });
    });
  }

  async #end(key: string, what: string, begunAt: Date, now: number): Promise<void> {
    // Another process may see it at this moment.
    const quiet = new Date(now - QUIET).toISOString();
    await inTransaction(this.#db, async (tx) => {
      const ended = await tx
        .update(alarms)
        .set({ endedAt: new Date(now) })
        .where(
          and(
            eq(alarms.key, key),
            isNull(alarms.endedAt),
            lte(sql`coalesce(${alarms.seenAt}, ${alarms.begunAt})`, quiet),
          ),
        )
        .returning({ isTold: alarms.isTold });
      if (ended[0]?.isTold !== true) return;
      await addMessages(tx, now, this.#telling.channels, {
        title: `Everlit: over: ${what}`,
        text: textOf([lasted(now - begunAt.getTime())], this.#telling),
      });
    });
  }
}

/** The alarms that are not over, the oldest first. */
export const openAlarms = (db: Database) =>
  db.select().from(alarms).where(isNull(alarms.endedAt)).orderBy(alarms.begunAt);
