/** What every command of the operator's is made of: its arguments and options with their schemas, what it changes, and how that is undone. The help and the command line are both made from it. */
import { sql, type SQL } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import * as v from "valibot";
import { networks } from "../../../contract/calls.ts";
import { phrase, rights, type About, type Right, type TableRow } from "../../../contract/console.ts";
import type { Ledger } from "../../payments/ledger.ts";
import type { Settings } from "../../settings.ts";
import type { MadeFile } from "../backup-download.ts";
import type { Change, State } from "./change.ts";
import { tidied } from "./pasted.ts";

/** Rows to show as a table or as JSON. */
export type Rows = Record<string, unknown>[];
/** A text of more lines than memory should hold: some at a time, without the last newline. */
export type Lines = AsyncIterable<string>;
/** What a command answers: rows, or a text. Only one that changes nothing answers with lines, or with a file for a browser. */
export type Answer = Rows | string | Lines | MadeFile;

export const isMadeFile = (answer: Answer): answer is MadeFile =>
  typeof answer === "object" && "parts" in answer;

export const isLines = (answer: Answer): answer is Lines =>
  typeof answer === "object" && Symbol.asyncIterator in answer;

/** A mistake of the operator's, in words. */
export class CommandRefused extends Error {}

/** A command as it was given: the words after its name, and its options as text. */
export interface Given {
  command: string;
  args: readonly string[];
  options: Readonly<Record<string, string | undefined>>;
}

/** What `audited` needs to know of a change. */
export interface ChangeCall {
  given: Given;
  reason: string;
  /** The operator's own key of the change, taken once. */
  ticket: string | null;
  undo: Undo;
  /** What its undoing needs, too. */
  right: Right;
  /** Whether all is rolled back, once it is known what would change. */
  isPreview: boolean;
  /** The digest of the preview that was agreed to; absent: none was shown. */
  shown: string | undefined;
  /** Told of what changed, within the transaction. */
  onChange: (change: Change) => void;
  /** Called when a part of it stands, whatever becomes of the rest: what was logged is told. */
  onPart: () => void;
}

/** What commands are given to work with. */
export interface Context {
  ledger: Ledger;
  /** How each network is reached. */
  chains?: () => Promise<Settings["chains"]>;
  /** Where the operator's page is; null: nowhere. */
  console?: Settings["console"];
  /** How operators are told. */
  alerts?: Settings["alerts"];
  /** Where events are delivered to; null or absent: nowhere. */
  events?: Settings["events"];
  /** The file of the packages. */
  catalogue?: string;
  /** The folder in which a file is made for the browser that asks; absent: no browser asks. */
  spool?: string;
}

export interface Call<Args = Record<string, unknown>, Options = Record<string, unknown>> extends Context {
  /** Who gives the command, and what they may do. */
  actor: string;
  right: Right;
  args: Args;
  options: Options;
  /** Says something beside the answer, which a program may read. */
  beside: (words: string) => void;
  /** Of a command that changes something. */
  change: ChangeCall;
}

/** What a command changes. A preview is made of all of it but `data`: a restore fills an empty database. */
export type Changes =
  "nothing" | "money" | "days" | "account" | "events" | "addresses" | "packages" | "operators" | "data";
/** The right that a command needs, unless it says otherwise. */
const neededFor: Readonly<Record<Changes, Right>> = {
  nothing: "look",
  days: "support",
  account: "support",
  events: "support",
  money: "money",
  addresses: "money",
  packages: "money",
  operators: "money",
  data: "money",
};
/** Whether `undo` takes back what the command did; where it cannot, why, in a sentence. */
export type Undo = true | string;

type Schema = v.GenericSchema<unknown, unknown>;
type Schemas = Readonly<Record<string, Schema>>;

/** Where the page offers a command: at what its first word names, as long as it is possible there. */
export interface Offer {
  about: About;
  /** @param state of what it is about @param now milliseconds since 1970, UTC */
  isPossible?: (state: State, now: number) => boolean;
}

type Values<S extends Schemas> = { [Name in keyof S]: v.InferOutput<S[Name]> };

export interface Command {
  help: string;
  /** What follows the command, in order. */
  args: Schemas;
  options: Schemas;
  changes: Changes;
  undo: Undo;
  right: Right;
  /** Given on the machine alone: it names a file there, or decides who is an operator. */
  isLocal: boolean;
  offer: Offer | null;
  run: (call: Call) => Promise<Answer>;
}

export type Commands = Readonly<Record<string, Command>>;

interface Described<A extends Schemas, O extends Schemas> extends Partial<
  Pick<Command, "isLocal" | "right" | "offer">
> {
  help: string;
  args?: A;
  options?: O;
  run: (call: Call<Values<A>, Values<O>>) => Promise<Answer>;
}

/** A command that only looks. */
export const query = <A extends Schemas, O extends Schemas>({
  run,
  ...described
}: Described<A, O>): Command => ({
  args: {},
  options: {},
  right: "look",
  isLocal: false,
  offer: null,
  ...described,
  changes: "nothing",
  undo: "It changed nothing.",
  run: (call) => run(call as Call<Values<A>, Values<O>>),
});

/** A command that changes something: it takes a reason, and `run` does it within `audited`. */
export const change = <A extends Schemas, O extends Schemas>({
  run,
  options,
  ...described
}: Described<A, O> & Pick<Command, "changes" | "undo">): Command => ({
  args: {},
  right: neededFor[described.changes],
  isLocal: false,
  offer: null,
  ...described,
  // What puts a database back has no earlier change to find its ticket by.
  options: { ...options, ...(described.changes === "data" ? {} : { ticket }), reason },
  run: (call) => run(call as unknown as Call<Values<A>, Values<O>>),
});

/**
 * A word that has to be there.
 * @param title as the help shows it
 * @param what as a sentence begins that says that it is missing
 */
export const word = (title: string, what: string) =>
  v.pipe(
    v.string(`${what} is missing.`),
    v.transform(tidied),
    v.nonEmpty(`${what} is missing.`),
    v.title(title),
  );

/** A text as it was typed. */
export const asTyped = (title: string, what: string) =>
  v.pipe(
    v.string(`${what} is missing.`),
    v.check((text) => text.trim() !== "", `${what} is missing.`),
    v.title(title),
  );

export const accountName = asTyped("account name", "The member's account name");
export const orderWord = asTyped(
  "number | address | reference | transaction",
  "The order's number, address, reference or transaction",
);
export const transactionWord = asTyped("transaction", "The transaction that gave it back");
export const fileName = asTyped("file", "The file");
export const eventId = word("id", "The event's id");
const reason = asTyped('"…"', '--reason "…"');
const ticket = v.pipe(v.optional(word("KEY", "The ticket's key")), v.title("KEY"));

export const whole = (title: string, what: string, most: number, wrong: string) =>
  v.pipe(
    word(title, what),
    v.transform((text) => Number(text.replace(/^#/, ""))),
    v.check((number) => Number.isInteger(number) && number >= 1 && number <= most, wrong),
    v.title(title),
  );

const MOST_DAYS = 36_500;
export const operatorName = v.pipe(
  word("name", "The operator's name"),
  v.transform((text) => text.toLowerCase()),
  v.regex(
    /^[\p{Ll}\p{Lo}\p{M}\p{N}][\p{Ll}\p{Lo}\p{M}\p{N}._-]{0,63}$/u,
    "A name has letters, digits, dots and dashes.",
  ),
  v.title("name"),
);
export const rightWord = v.pipe(
  word(rights.join(" | "), "The right"),
  v.picklist(rights, "The right is look, support or money."),
  v.title(rights.join(" | ")),
);
export const days = whole("days", "The number of days", MOST_DAYS, phrase("days", { most: MOST_DAYS }));
export const rowNumber = whole(
  "id",
  "The row's number",
  Number.MAX_SAFE_INTEGER,
  "The row's number must be a whole number.",
);
export const auditNumber = whole(
  "audit id",
  "The audit entry's number",
  Number.MAX_SAFE_INTEGER,
  "The audit entry's number must be a whole number.",
);
export const seriesNumber = whole(
  "series",
  "The series",
  Number.MAX_SAFE_INTEGER,
  "The series is the number in a line `address series` of the log.",
);
/** How many rows are shown at most. */
export const limit = v.optional(
  whole("N", "--limit", Number.MAX_SAFE_INTEGER, "--limit must be a whole number above 0."),
  "100",
);

/** Rows that are counted at most. */
const COUNTED = 10_000;

/** Says how many more rows there are than a list shows. @param where with what its rows must be */
export async function tellRest(
  { ledger: { db }, options, beside }: Call<unknown, { limit: number }>,
  shown: readonly unknown[],
  table: PgTable,
  where?: SQL,
): Promise<void> {
  if (shown.length < options.limit) return;
  const counted = db
    .select({ one: sql`1`.as("one") })
    .from(table)
    .where(where)
    .limit(shown.length + COUNTED + 1);
  const rest = (await db.$count(counted.as("counted"))) - shown.length;
  if (rest > COUNTED) beside(`And more than ${COUNTED} more: --limit shows more of them.`);
  else if (rest > 0) beside(`And ${rest} more: --limit ${shown.length + rest} shows all.`);
}

/** A day of the calendar, in UTC; its first moment. */
export const day = v.pipe(
  word("YYYY-MM-DD", "The day"),
  v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
    const date = new Date(`${value}T00:00:00Z`);
    if (
      /^\d{4}-\d{2}-\d{2}$/.test(value) &&
      !Number.isNaN(date.getTime()) &&
      date.toISOString().startsWith(value)
    )
      return date;
    addIssue({ message: phrase("no day", { text: value }) });
    return NEVER;
  }),
  v.title("YYYY-MM-DD"),
);

/** A month of the calendar, in UTC; its first moment. */
export const month = v.pipe(
  word("YYYY-MM", "The month, as YYYY-MM,"),
  v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
    if (/^\d{4}-(0[1-9]|1[0-2])$/.test(value)) return new Date(`${value}-01T00:00:00Z`);
    addIssue({ message: `${value} is no month, such as 2026-11.` });
    return NEVER;
  }),
  v.title("YYYY-MM"),
);

export const networkName = v.pipe(
  word("TRC20 | ERC20", "The network"),
  v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
    const network = networks.find((one) => one === value.toUpperCase());
    if (network) return network;
    addIssue({ message: `${value} is none of ${networks.join(", ")}.` });
    return NEVER;
  }),
  v.title("TRC20 | ERC20"),
);

/** The number of a block. */
export const blockNumber = (title: string) =>
  v.pipe(
    word(title, "The block"),
    v.regex(/^\d{1,15}$/, "The block is a whole number."),
    v.transform(Number),
    v.title(title),
  );

/** The number of a block, or `latest`. */
export const blockOrLatest = v.pipe(
  word("block | latest", "The block"),
  v.regex(/^(latest|\d{1,15})$/, "The block is a whole number, or `latest`."),
  v.transform((text): number | "latest" => (text === "latest" ? "latest" : Number(text))),
  v.title("block | latest"),
);

/** A transaction's hash, with 0x and in small letters. */
export const networkTransaction = v.pipe(
  word("transaction", "The transaction's hash"),
  v.transform((text) => `0x${text.toLowerCase().replace(/^0x/, "")}`),
  v.regex(/^0x[0-9a-f]{64}$/, "The hash has 64 hexadecimal digits."),
  v.title("transaction"),
);

/** One of a few words. @param what as a sentence begins that says what it is */
export const oneOf = <const Words extends readonly string[]>(words: Words, what: string) =>
  v.pipe(
    word(words.join(" | "), what),
    v.picklist(words, `${what} is one of ${words.join(", ")}.`),
    v.title(words.join(" | ")),
    v.metadata({ choices: words }),
  );

/** An option without a value. */
export const flag = v.pipe(
  v.optional(v.string()),
  v.transform((value) => value !== undefined),
  v.metadata({ isFlag: true }),
);

/** What may be left out. @param schema of the value, if it is there */
export const optional = <S extends Schema>(schema: S) =>
  v.pipe(v.optional(schema), v.title(v.getTitle(schema) ?? ""), v.metadata(v.getMetadata(schema)));

export const isFlag = (schema: Schema): boolean => v.getMetadata(schema)["isFlag"] === true;

const titleOf = (schema: Schema) =>
  v.getTitle(schema) ?? ("wrapped" in schema ? v.getTitle(schema.wrapped as Schema) : undefined) ?? "";

const mayBeMissing = (schema: Schema) => v.is(schema, undefined);

/** What follows a command's name, as the help shows it: what stands in brackets may be left out. */
export function usageOf({ args, options }: Command): string {
  const words = Object.values(args).map((schema) =>
    mayBeMissing(schema) ? `[${titleOf(schema)}]` : `<${titleOf(schema)}>`,
  );
  const flags = Object.entries(options).map(([name, schema]) => {
    const text = isFlag(schema) ? `--${name}` : `--${name} ${titleOf(schema)}`;
    return mayBeMissing(schema) ? `[${text}]` : text;
  });
  return [...words, ...flags].join(" ");
}

const entriesOf = (schemas: Schemas) =>
  Object.entries(schemas).map(([name, schema]) => ({
    name,
    title: titleOf(schema),
    optional: mayBeMissing(schema),
    isFlag: isFlag(schema),
    choices: (v.getMetadata(schema)["choices"] as readonly string[] | undefined) ?? [],
  }));

/** A command as the page reads it. */
export const rowOf = (name: string, command: Command): TableRow => ({
  name,
  args: entriesOf(command.args),
  options: entriesOf(command.options),
  noUndo: command.undo === true ? null : command.undo,
});

function valueOf(schema: Schema, given: string | undefined): unknown {
  const parsed = v.safeParse(schema, given);
  if (parsed.success) return parsed.output;
  throw new CommandRefused(parsed.issues[0].message);
}

const valuesBy = (schemas: Schemas, given: (name: string, at: number) => string | undefined) =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema], at) => [name, valueOf(schema, given(name, at))]),
  );

/**
 * The values of what was given. Words beyond the last argument belong to the first one: a number may be pasted with spaces.
 * @throws CommandRefused
 */
export function valuesOf(command: Command, { command: name, args, options }: Given) {
  const names = Object.keys(command.args);
  const usage = `\`${`${name} ${usageOf(command)}`.trim()}\``;
  if (names.length === 0 && args.length > 0)
    throw new CommandRefused(`${name} takes no word after it: ${usage}.`);
  for (const [option, value] of Object.entries(options)) {
    if (value !== undefined && !Object.hasOwn(command.options, option))
      throw new CommandRefused(`--${option} is no option of ${name}: ${usage}.`);
  }
  const surplus = Math.max(0, args.length - names.length);
  const words = surplus === 0 ? args : [args.slice(0, surplus + 1).join(" "), ...args.slice(surplus + 1)];
  return {
    args: valuesBy(command.args, (_, at) => words[at]),
    options: valuesBy(command.options, (option) => options[option]),
  };
}

export const at = (when: Date | null) => when?.toISOString() ?? "";
