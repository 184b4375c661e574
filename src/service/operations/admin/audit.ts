/** How a command changes something: in one transaction with its audit entry, shown before it is done, once for a ticket. */
import { and, desc, eq, inArray, gt, ne, sql } from "drizzle-orm";
import { MINUTE } from "../../../contract/durations.ts";
import { phrase, type Right } from "../../../contract/console.ts";
import type { Database } from "../../store/database.ts";
import { auditEntries } from "../../store/schema.ts";
import { inTransaction } from "../../store/transaction.ts";
import { digestOf, linesOf, lock, stateOf, touchedBy, type Change, type Subject } from "./change.ts";
import { CommandRefused, type Call, type Given, type Rows, type Undo } from "./command.ts";

export type AuditEntry = typeof auditEntries.$inferSelect;

/** What an audit entry keeps of its change. Entries of earlier releases, and those of a backup, keep nothing. */
export interface Kept {
  given: Given;
  change: Change;
  answer: Rows;
  undo: Undo;
  /** What the command needed, and its undoing does. */
  right?: Right;
}

export const keptOf = ({ details }: Pick<AuditEntry, "details">): Kept | null =>
  "change" in details ? (details as unknown as Kept) : null;

/** Ends the transaction of a preview. */
export class Previewed extends Error {
  readonly change: Change;
  constructor(change: Change) {
    super("A preview changes nothing.");
    this.change = change;
  }
}

/** The entries about an order. Its rows of the list are settled under their own number. @param rows those rows */
export const entriesOfOrder = (
  db: Database,
  id: string,
  rows: readonly { id: number }[],
): Promise<AuditEntry[]> =>
  db
    .select()
    .from(auditEntries)
    .where(inArray(auditEntries.subject, [`order ${id}`, ...rows.map((row) => `unmatched ${row.id}`)]));

/** A ticket that was taken before. */
export class Repeated extends Error {
  readonly entry: AuditEntry;
  constructor(entry: AuditEntry) {
    super("The ticket was taken before.");
    this.entry = entry;
  }
}

/** Where a command tells of what its preview would not show by itself. */
export interface Told {
  note(text: string): void;
  warn(text: string): void;
}

/** Ms within which the same change for the same reason is likely a mistake. */
const AGAIN = 15 * MINUTE;

/** Characters that are typed to agree to a change. */
const TYPED = 4;

/** What a command was told to do, but for its reason and its ticket. */
function request({ command, args, options }: Given): string {
  const { reason: _, ticket: __, ...rest } = options;
  const given = Object.entries(rest).filter(([, value]) => value !== undefined);
  return JSON.stringify([command, args, given.toSorted(([one], [other]) => one.localeCompare(other))]);
}

/**
 * The change that took the ticket, if one did.
 * @throws CommandRefused where it was another one
 */
export async function takenBy(
  db: Database,
  { given, ticket }: Call["change"],
): Promise<AuditEntry | undefined> {
  if (ticket === null) return undefined;
  const [entry] = await db.select().from(auditEntries).where(eq(auditEntries.ticket, ticket));
  if (!entry) return undefined;
  const kept = keptOf(entry);
  if (kept !== null && request(kept.given) === request(given)) return entry;
  throw new CommandRefused(
    `Ticket ${ticket} was taken by another change: ${entry.action}, ${entry.subject}, at ${entry.at.toISOString()} by ${entry.actor} (audit entry ${entry.id}).`,
  );
}

/** Says where an entry cannot be written because another one stands in its place. */
async function refuseSecond(tx: Database, change: Call["change"], undoes: number | null): Promise<never> {
  const entry = await takenBy(tx, change);
  if (entry) throw new Repeated(entry);
  const [undone] =
    undoes === null ? [] : await tx.select().from(auditEntries).where(eq(auditEntries.undoes, undoes));
  throw new CommandRefused(
    phrase("undone already", {
      entry: String(undoes),
      at: String(undone?.at.toISOString()),
      actor: String(undone?.actor),
      by: String(undone?.id),
    }),
  );
}

/** Tells of the same change, done for the same reason a few minutes ago. */
async function warnOfSame(tx: Database, entry: AuditEntry, given: Given, told: Told): Promise<void> {
  const before = await tx
    .select()
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.subject, entry.subject),
        eq(auditEntries.action, entry.action),
        eq(auditEntries.reason, entry.reason),
        gt(auditEntries.at, new Date(entry.at.getTime() - AGAIN)),
        ne(auditEntries.id, entry.id),
      ),
    )
    .orderBy(desc(auditEntries.id));
  const same = before.find((each) => {
    const kept = keptOf(each);
    return kept !== null && request(kept.given) === request(given);
  });
  if (same) told.warn(phrase("same done", { at: same.at.toISOString(), actor: same.actor, entry: same.id }));
}

const dayOf = (date: Date) => date.toISOString().slice(0, "YYYY-MM-DD".length);

/** The arguments and options of a command as JSON, without its reason and ticket. Account names stay out of the log: the subject has the account's number. */
function termsOf({ args, options }: Pick<Call, "args" | "options">): string {
  const { reason: _, ticket: __, ...rest } = options;
  const { member: ___, ...named } = args;
  const terms = [...Object.entries(named), ...Object.entries(rest)];
  // A day as it is given.
  const asGiven = terms.map(([name, value]) => [name, value instanceof Date ? dayOf(value) : value] as const);
  return JSON.stringify(Object.fromEntries(asGiven.filter(([, value]) => value !== false)));
}

/**
 * Changes something and writes down who did it and why, in one transaction. The entry is written first, so that what `act`
 * writes can carry its id. What the change is about is locked, and read before and after. Once it stands, the log has it, too:
 * a backup of before, when it is restored, does not.
 * @param action what the entry calls it
 * @param undoes the entry that it undoes
 * @throws CommandRefused, Previewed, Repeated; nothing has changed then
 */
export async function audited(
  { ledger, actor, args, options, change: call }: Call,
  action: string,
  subject: Subject,
  act: (tx: Database, auditId: number, told: Told) => Promise<Rows>,
  undoes: number | null = null,
): Promise<Rows> {
  const { given, reason, ticket, undo, right } = call;
  const made = await inTransaction(ledger.db, async (tx) => {
    const [entry] = await tx
      .insert(auditEntries)
      .values({ at: new Date(ledger.now()), actor, action, subject: subject.name, reason, ticket, undoes })
      .onConflictDoNothing()
      .returning();
    if (!entry) return refuseSecond(tx, call, undoes);
    const notes: string[] = [];
    const warnings: string[] = [];
    const told = { note: (text: string) => notes.push(text), warn: (text: string) => warnings.push(text) };
    await warnOfSame(tx, entry, given, told);
    const touched = await touchedBy(tx, subject);
    await lock(tx, touched);
    const before = await stateOf(tx, touched);
    const rows = await act(tx, entry.id, told);
    const after = await stateOf(tx, touched);
    const lines = linesOf(subject, before, after);
    const change: Change = {
      command: given.command,
      subject: subject.name,
      before,
      after,
      lines,
      notes,
      warnings,
      confirm: [...subject.word].slice(0, TYPED).join(""),
      digest: digestOf([given.command, subject.name, ...lines]),
    };
    if (call.isPreview) throw new Previewed(change);
    if (call.shown !== undefined && call.shown !== change.digest) {
      throw new CommandRefused(phrase("other than shown", {}));
    }
    const answer = rows.map((row) => ({ ...row, audit: entry.id }));
    const details = { given, change, answer, undo, right };
    await tx.update(auditEntries).set({ details }).where(eq(auditEntries.id, entry.id));
    call.onChange(change);
    return { audit: entry.id, answer };
  });
  // After the commit: a transaction may be done again, and a restore would repeat a change that is told twice.
  ledger.log("change made", {
    audit: made.audit,
    operator: actor,
    command: given.command,
    subject: subject.name,
    terms: termsOf({ args, options }),
    ...subject.facts,
  });
  return made.answer;
}

/** What a change that is done in parts has done so far, and the number of its entry. */
export interface PartDone {
  auditId: number;
  answer: Rows;
}

/**
 * Does a part of a change that is too long for one transaction. The first one writes the entry; each further one has the
 * entry say, in the transaction of the part, what was done up to there: whenever the process ends, the entry is true. The
 * last one takes the ticket: until then the same command does its work again.
 * @param done of the part before; null: this is the first one
 * @param act answers with what was done in all
 * @throws CommandRefused; the part has changed nothing then
 */
export async function auditedPart(
  call: Call,
  action: string,
  subject: Subject,
  { done, isLast }: { done: PartDone | null; isLast: boolean },
  act: (tx: Database, told: Told) => Promise<Rows>,
): Promise<PartDone> {
  const { ledger, change } = call;
  if (done === null) {
    let auditId = 0;
    const first = { ...call, change: { ...change, ticket: isLast ? change.ticket : null } };
    const answer = await audited(first, action, subject, (tx, id, told) => {
      auditId = id;
      return act(tx, told);
    });
    change.onPart();
    return { auditId, answer };
  }
  const { auditId } = done;
  const told = { note: () => undefined, warn: () => undefined };
  const answer = await inTransaction(ledger.db, async (tx) => {
    const rows = (await act(tx, told)).map((row) => ({ ...row, audit: auditId }));
    const { ticket } = auditEntries;
    // Another change may have taken it meanwhile.
    const free = sql`(SELECT ${change.ticket}::text WHERE NOT EXISTS (SELECT FROM ${auditEntries} WHERE ${ticket} = ${change.ticket}))`;
    await tx
      .update(auditEntries)
      .set({
        details: sql`jsonb_set(${auditEntries.details}, '{answer}', ${JSON.stringify(rows)}::jsonb)`,
        ...(isLast && { ticket: free }),
      })
      .where(eq(auditEntries.id, auditId));
    return rows;
  });
  change.onPart();
  return { auditId, answer };
}

/** The entries of the changes that made these. */
export const entriesOf = (db: Database, made: readonly { auditId: number }[]) =>
  db
    .select()
    .from(auditEntries)
    .where(
      inArray(
        auditEntries.id,
        made.map(({ auditId }) => auditId),
      ),
    );
