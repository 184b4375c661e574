/** A backup that goes to the operator's browser: it is made first, in a file without a name, and sent then, so that a slow line holds up no database. docs/operating.md, "Data and backups". */
import { randomUUID } from "node:crypto";
import { open, unlink, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { and, eq } from "drizzle-orm";
import { type Making, ownReasons } from "../../contract/console.ts";
import { MINUTE, SECOND } from "../../contract/durations.ts";
import type { Ledger } from "../payments/ledger.ts";
import { factsOf } from "../platform/log.ts";
import type { Database } from "../store/database.ts";
import { auditEntries } from "../store/schema.ts";
import { BackupRefused, isBeingMade, refuseWithoutRoom, writeBackup } from "./backup.ts";

/** Ms between two words about how far it is. */
const TOLD = SECOND;
/** Bytes that are read at a time. */
const PART = 256 * 1024;
/** Ms for which the browser may take nothing before it is given up. */
const PATIENCE = MINUTE;

/** A file that is made while its making is told of: words about it, and after the last one its bytes. */
export interface MadeFile {
  parts: AsyncIterable<Making | Buffer>;
  /** Ends it. */
  signal: AbortSignal;
}

/** The databases of which a backup is being made for a browser, or sent to one. */
const underWay = new WeakSet<Database>();

/** A file that has no name: it is gone with this process, however that ends. Each end is closed by its stream. @throws Error of the system's */
async function namelessFile(folder: string): Promise<{ into: FileHandle; from: FileHandle }> {
  const place = join(folder, `backup-${randomUUID()}`);
  const into = await open(place, "wx", 0o600);
  try {
    return { into, from: await open(place, "r") };
  } catch (error) {
    await into.close();
    throw error;
  } finally {
    await unlink(place);
  }
}

/** @param when milliseconds since 1970, UTC @returns such as `everlit-2026-11-28-0015.gz` */
const fileName = (when: number) =>
  `everlit-${new Date(when).toISOString().slice(0, 16).replace("T", "-").replace(":", "")}.gz`;

/** The same parts, as long as each is taken in time. */
async function* takenInTime<T>(parts: AsyncIterable<T>, giveUp: () => void): AsyncGenerator<T> {
  let timer: NodeJS.Timeout | undefined;
  try {
    for await (const part of parts) {
      timer = setTimeout(giveUp, PATIENCE);
      yield part;
      clearTimeout(timer);
    }
  } finally {
    clearTimeout(timer);
  }
}

interface Asked {
  ledger: Pick<Ledger, "db" | "now" | "log">;
  actor: string;
  /** Where there is room for it, on a disk. */
  folder: string;
  /** Called when something was logged. */
  onLog: () => void;
}

async function* makeAndSend({ ledger, actor, folder, onLog }: Asked): AsyncGenerator<Making | Buffer> {
  const { db, now, log } = ledger;
  if (underWay.has(db) || isBeingMade(db)) {
    yield { refused: "A backup is being made or sent already: wait until it is done." };
    return;
  }
  underWay.add(db);
  const ended = new AbortController();
  let entry: number | undefined;
  let spool: { into: FileHandle; from: FileHandle } | undefined;
  let making: Promise<unknown> | undefined;
  /** What the entry says at the end, whatever becomes of it. */
  let details: Record<string, unknown> = { failed: "It was not taken to its end." };
  let isSending = false;
  try {
    const at = now();
    await refuseWithoutRoom(db, folder);
    const { into, from } = (spool = await namelessFile(folder));
    // Written before the first row is read: a process that ends meanwhile leaves no data elsewhere without an entry.
    const [begun] = await db
      .insert(auditEntries)
      .values({ actor, action: "backup", subject: "database", reason: ownReasons.backup, at: new Date(at) })
      .returning({ id: auditEntries.id });
    entry = begun?.id ?? 0;
    let rows = 0;
    const made = (making = writeBackup(db, () => into.createWriteStream(), at, {
      onRows: (written) => {
        rows = written;
      },
      signal: ended.signal,
    }).then(() => true));
    while (!(await Promise.race([made, pause(TOLD, false)]))) yield { rows };
    const { size: bytes } = await from.stat();
    log("backup downloaded", { operator: actor, entry }, "warn");
    onLog();
    isSending = true;
    yield { file: fileName(at), bytes, entry };
    yield* from.createReadStream({ highWaterMark: PART }) as AsyncIterable<Buffer>;
    // Whether all of it has come, the browser alone can say.
    details = { sent: bytes };
  } catch (error) {
    const facts = factsOf(error);
    details = { failed: facts["error"] };
    if (!(error instanceof BackupRefused)) {
      log("backup failed", facts, "error");
      onLog();
    }
    // Among its bytes there is no place for words: it ends before its time, which the browser sees.
    if (isSending) throw error;
    yield {
      refused: error instanceof BackupRefused ? error.message : `The backup failed: ${facts["error"]}`,
    };
  } finally {
    ended.abort();
    await making?.catch(() => undefined);
    await Promise.all([spool?.into.close(), spool?.from.close()]);
    if (entry !== undefined) await db.update(auditEntries).set({ details }).where(eq(auditEntries.id, entry));
    underWay.delete(db);
  }
}

/** A backup for the browser of an operator. Nothing happens before its first part is asked for. */
export function backupFor(asked: Asked): MadeFile {
  const ended = new AbortController();
  return { parts: takenInTime(makeAndSend(asked), () => ended.abort()), signal: ended.signal };
}

/**
 * Writes down that all of a backup has come to the operator who asked for it: only then it is one.
 * @returns whether there is such a backup, sent to its end
 */
export async function backupReceived(db: Database, actor: string, entry: number): Promise<boolean> {
  const { id, details, subject, action } = auditEntries;
  const which = and(
    eq(id, entry),
    eq(subject, "database"),
    eq(action, "backup"),
    eq(auditEntries.actor, actor),
  );
  const [found] = await db.select({ details }).from(auditEntries).where(which);
  const bytes = found?.details["sent"] ?? found?.details["bytes"];
  if (typeof bytes !== "number") return false;
  await db.update(auditEntries).set({ details: { bytes } }).where(which);
  return true;
}
