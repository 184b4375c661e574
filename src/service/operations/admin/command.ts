/** What every command of the operator's is made of: its arguments, its answer, and the audit entry of a change. */
import { fromUnits, USD_DECIMALS, USDT_DECIMALS } from "../../../../machines/money.ts";
import type { Ledger } from "../../payments/ledger.ts";
import type { Database } from "../../store/database.ts";
import { auditEntries } from "../../store/schema.ts";
import { inTransaction } from "../../store/transaction.ts";

/** What a command answers: rows to show as a table or as JSON, or a text. */
export type Answer = Record<string, unknown>[] | string;

/** A mistake of the operator's, in words. */
export class CommandRefused extends Error {}

export interface Call {
  ledger: Ledger;
  /** The words after the command. */
  args: readonly string[];
  options: Readonly<Record<string, string | undefined>>;
  /** Who gives the command. */
  actor: string;
}

export interface Command {
  /** What follows the command. */
  usage: string;
  help: string;
  run(call: Call): Promise<Answer>;
}

export type Commands = Readonly<Record<string, Command>>;

const SHOWN = 100;

export const usdt = (units: bigint) => fromUnits(units, USDT_DECIMALS, USD_DECIMALS);

export const at = (when: Date | null) => when?.toISOString() ?? "";

export function need(value: string | undefined, what: string): string {
  if (value === undefined || value.trim() === "") throw new CommandRefused(`${what} is missing.`);
  return value;
}

export function limitOf({ options }: Call): number {
  const limit = Number(options["limit"] ?? SHOWN);
  if (!Number.isInteger(limit) || limit < 1)
    throw new CommandRefused("--limit must be a whole number above 0.");
  return limit;
}

export function daysOf(text: string | undefined): number {
  const days = Number(text);
  if (!Number.isInteger(days) || days < 1 || days > 36_500) {
    throw new CommandRefused("The days must be a whole number from 1 to 36500.");
  }
  return days;
}

export function dateOf(text: string): Date {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw new CommandRefused(`${text} is no date.`);
  return date;
}

/** Does something and writes down who did it and why, in one transaction. What it moves carries the entry's id. */
export async function audited<T>(
  { ledger, options, actor }: Call,
  action: string,
  subject: string,
  act: (tx: Database, auditId: number) => Promise<T>,
): Promise<T> {
  const reason = need(options["reason"], '--reason "…"');
  return inTransaction(ledger.db, async (tx) => {
    const entry = { at: new Date(ledger.now()), actor, action, subject, reason };
    const [written] = await tx.insert(auditEntries).values(entry).returning({ id: auditEntries.id });
    return act(tx, written?.id ?? 0);
  });
}
