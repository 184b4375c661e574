/** What an operator can look at and do: the table of commands, and how one is previewed and done. Every change needs a reason and leaves an audit entry, in the same transaction. docs/operating.md, "The operator's commands". */
import { holds, phrase, type About, type Right, type TableRow } from "../../../contract/console.ts";
import { CatalogueRefused } from "../../catalogue.ts";
import type { Log } from "../../platform/log.ts";
import type { Ledger } from "../../payments/ledger.ts";
import { addressCommands } from "./addresses.ts";
import { chainCommands } from "./chain.ts";
import { keptOf, Previewed, Repeated, takenBy, type AuditEntry } from "./audit.ts";
import type { Change, State } from "./change.ts";
import {
  CommandRefused,
  isFlag,
  rowOf,
  usageOf,
  valuesOf,
  type Answer,
  type Call,
  type Command,
  type Commands,
  type Context,
} from "./command.ts";
import { exportCommands } from "./export.ts";
import { maintenanceCommands } from "./maintenance.ts";
import { memberCommands } from "./members.ts";
import { operatorCommands } from "./operators.ts";
import { orderCommands } from "./orders.ts";
import { packageCommands } from "./packages.ts";
import { undoCommands } from "./undo.ts";
import { unmatchedCommands } from "./unmatched.ts";

export const commands: Commands = {
  ...orderCommands,
  ...unmatchedCommands,
  ...memberCommands,
  ...addressCommands,
  ...chainCommands,
  ...exportCommands,
  ...packageCommands,
  ...maintenanceCommands,
  ...operatorCommands,
  ...undoCommands,
};

/** A command with what was given to it. */
export interface CommandRequest extends Context {
  args: readonly string[];
  options: Readonly<Record<string, string | undefined>>;
  /** Who gives the command. */
  actor: string;
  /** What an operator of the page may do; absent on the machine itself, where everything may be done. */
  right?: Right;
}

/** What a command answered. `change`: what it changed, as its preview shows it; null where nothing was changed now. */
export interface Outcome {
  answer: Answer;
  change: Change | null;
  /** Set where its ticket was taken before: nothing was done again, and the answer is that of then. */
  repeated: string | null;
  /** What is said beside the answer. */
  beside?: string[];
}

/** @throws CommandRefused */
function commandOf(name: string): Command {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new CommandRefused(`There is no command ${name}.\n\n${help()}`);
  return command;
}

/** The commands that an operator with that right may give on the page. */
export const table = (has: Right): TableRow[] =>
  Object.entries(commands)
    .filter(([, { isLocal, right }]) => !isLocal && holds(has, right))
    .map(([name, command]) => rowOf(name, command));

/** The names of the commands about such a thing that are possible as it stands, for an operator with that right. */
export const possible = (about: About, state: State, now: number, right: Right): string[] =>
  Object.entries(commands)
    .filter(
      ([, { offer, isLocal, right: needed }]) =>
        offer?.about === about &&
        !isLocal &&
        holds(right, needed) &&
        (offer.isPossible?.(state, now) ?? true),
    )
    .map(([name]) => name);

/** @throws CommandRefused unless the one who asks may give the command */
function allow(name: string, { right, isLocal }: Command, has: Right | undefined): void {
  if (has === undefined) return;
  if (isLocal)
    throw new CommandRefused(`${name} is given on the machine alone: \`npm run admin -- ${name}\`.`);
  if (!holds(has, right)) throw new CommandRefused(phrase("right", { command: name, right, has }));
}

/** Words of the longest name of a command. */
const MOST_WORDS = Math.max(...Object.keys(commands).map((name) => name.split("-").length));

/** The name of a command that was given in one word or in several, and the words after it: `operator passkeys remove` is `operator-passkeys-remove`. */
export function namedIn(words: readonly string[]): [name: string, ...words: string[]] {
  for (let count = MOST_WORDS; count > 1; count--) {
    const joined = words.slice(0, count).join("-");
    if (words.length >= count && Object.hasOwn(commands, joined)) return [joined, ...words.slice(count)];
  }
  const [first = "", ...rest] = words;
  return [first, ...rest];
}

/** Whether a preview of the command is shown before it is done. */
export const isPreviewed = (name: string): boolean => {
  const { changes } = commandOf(name);
  return changes !== "nothing" && changes !== "data";
};

const EACH = [
  ["--json", "print JSON"],
  ["--as NAME", "who gives the command, if not the user of the machine"],
] as const;
const CHANGING = [
  ["--reason", "why: it stands in the audit entry"],
  ["--ticket KEY", "a key of your own, taken once: the same command with it again does nothing again"],
  ["--dry-run", "show what would change, and stop"],
  ["--yes", "do it without asking, for scripts"],
] as const;

function aligned(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}

/** Every command in a line; or of one command, what it takes, changes, and how it is undone. */
export function help(name?: string): string {
  if (name !== undefined) {
    const command = commandOf(name);
    return [
      `npm run admin -- ${name} ${usageOf(command)}`.trim(),
      "",
      `  ${command.help}`,
      `  It changes ${command.changes}.`,
      `  An operator of the page ${command.isLocal ? "cannot give it: it is given on the machine alone" : `needs the right ${command.right}`}.`,
      ...(command.changes === "nothing"
        ? []
        : [`  ${command.undo === true ? "`undo` takes it back." : command.undo}`]),
    ].join("\n");
  }
  const lines = Object.entries(commands).map(
    ([each, command]) => [`${each} ${usageOf(command)}`.trim(), command.help] as const,
  );
  return [
    "npm run admin -- <command> [--json] [--as NAME]",
    "",
    ...aligned(lines),
    "",
    "With each command:",
    ...aligned(EACH),
    "With each that changes something; it is shown first, and done once that is agreed to:",
    ...aligned(CHANGING),
    "`help <command>` tells of one.",
  ].join("\n");
}

/** The options of all commands, as `parseArgs` takes them. */
export function optionTypes(): Record<string, { type: "string" | "boolean" }> {
  const all = Object.values(commands).flatMap(({ options }) => Object.entries(options));
  return Object.fromEntries(
    all.map(([name, schema]) => [name, { type: isFlag(schema) ? "boolean" : "string" }]),
  );
}

function callOf(
  name: string,
  { args, options, actor, right, ...context }: CommandRequest,
  { isPreview, shown, onChange, onPart }: Pick<Call["change"], "isPreview" | "shown" | "onChange" | "onPart">,
  beside: Call["beside"] = () => undefined,
): Call {
  const command = commandOf(name);
  allow(name, command, right);
  const given = { command: name, args, options };
  const values = valuesOf(command, given);
  const { reason, ticket } = values.options as { reason?: string; ticket?: string };
  return {
    ...context,
    actor,
    right: right ?? "money",
    ...values,
    beside,
    change: {
      given,
      reason: reason ?? "",
      ticket: ticket ?? null,
      undo: command.undo,
      right: command.right,
      isPreview,
      shown,
      onChange,
      onPart,
    },
  };
}

function repeatedBy(entry: AuditEntry): Outcome {
  const { at, actor, id, ticket } = entry;
  return {
    answer: keptOf(entry)?.answer ?? [],
    change: null,
    repeated: `Ticket ${ticket} was taken at ${at.toISOString()} by ${actor} (audit entry ${id}): nothing is done again.`,
  };
}

/** Runs a command, unless its ticket was taken before by the same one. */
async function once(name: string, call: Call): Promise<{ answer: Answer } | Outcome> {
  const entry = await takenBy(call.ledger.db, call.change);
  if (entry) return repeatedBy(entry);
  try {
    return { answer: await commandOf(name).run(call) };
  } catch (error) {
    if (error instanceof Repeated) return repeatedBy(error.entry);
    if (error instanceof CatalogueRefused) throw new CommandRefused(error.message);
    throw error;
  }
}

/**
 * Does what the command says.
 * @param shown the digest of the preview that was agreed to
 * @throws CommandRefused, also where the outcome is no longer what was shown; nothing has changed then
 */
export async function perform(name: string, request: CommandRequest, shown?: string): Promise<Outcome> {
  // What is rolled back is not told of.
  const lines: Parameters<Log>[] = [];
  const log: Log = (...line) => lines.push(line);
  let change: Change | null = null;
  const onChange = (made: Change) => {
    change = made;
  };
  const ledger = { ...request.ledger, log };
  const tell = () => lines.splice(0).forEach((line) => request.ledger.log(...line));
  const beside: string[] = [];
  const call = callOf(
    name,
    { ...request, ledger },
    { isPreview: false, shown, onChange, onPart: tell },
    (words) => beside.push(words),
  );
  const outcome = await once(name, call);
  tell();
  return { change, repeated: null, beside, ...outcome };
}

/**
 * Does what the command says, reads what that changed, and rolls all of it back.
 * @returns the change; or the outcome of the same command, where its ticket was taken before
 * @throws CommandRefused where the command would be refused
 */
export async function preview(name: string, request: CommandRequest): Promise<Change | Outcome> {
  const ledger: Ledger = { ...request.ledger, log: () => undefined };
  const call = callOf(
    name,
    { ...request, ledger },
    { isPreview: true, shown: undefined, onChange: () => undefined, onPart: () => undefined },
  );
  if (!isPreviewed(name))
    throw new CommandRefused(`${name} has no preview: it changes nothing that there is.`);
  try {
    return { change: null, repeated: null, ...(await once(name, call)) };
  } catch (error) {
    if (error instanceof Previewed) return error.change;
    throw error;
  }
}

/** Does what the command says. @returns its answer @throws CommandRefused */
export const run = async (name: string, request: CommandRequest): Promise<Answer> =>
  (await perform(name, request)).answer;
