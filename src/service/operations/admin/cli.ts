/** `npm run admin -- …`: reads the command line, runs the command where the data is, and shows the answer. */
// oxlint-disable no-console -- a command line answers on the console
import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { parseArgs } from "node:util";
import { folded } from "../../accounts/account-names.ts";
import { ledgerOf } from "../../payments/ledger.ts";
import { migrationsFolder } from "../../platform/project.ts";
import { openSandbox } from "../../sandbox/sandbox.ts";
import { NO_LETTER, type Settings } from "../../settings.ts";
import { isServer, open } from "../../store/open.ts";
import { createLog, type Log } from "../../platform/log.ts";
import { keepForRestore } from "../../platform/restore-log.ts";
import { inWords, type Change } from "./change.ts";
import { CommandRefused, isLines, isMadeFile, type Answer, type Rows } from "./command.ts";
import { help, isPreviewed, namedIn, optionTypes, type Outcome } from "./commands.ts";
import { askService, handle, type Answered, type Asking, type CommandRequest } from "./socket.ts";

const own = {
  json: { type: "boolean" },
  as: { type: "string" },
  yes: { type: "boolean" },
  "dry-run": { type: "boolean" },
} as const;

/** Beside the answer, which a program may read. */
const write = createLog(process.stderr);

function logOf({ restoreLog }: Settings): Log {
  if (restoreLog === null) return write;
  const keep = keepForRestore(restoreLog, write);
  return (...line) => {
    write(...line);
    keep(...line);
  };
}

const namesFile: ReadonlySet<string> = new Set(["backup", "restore"]);

function text(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function show(answer: Rows | string, asJson: boolean): string {
  if (typeof answer === "string") return answer;
  if (asJson) return JSON.stringify(answer, null, 2);
  if (answer.length === 0) return "Nothing.";
  const names = [...new Set(answer.flatMap((row) => Object.keys(row)))];
  const rows = [names, ...answer.map((row) => names.map((name) => text(row[name])))];
  const widths = names.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((value, at) => value.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** A month's export or a backup may take long. */
const limitsOf = ({ databaseLimits }: Settings) => ({
  ...databaseLimits,
  connections: 2,
  statement: 3_600_000,
});

/** Is given what was answered, while the database is open: lines are read from it. */
type Take<T> = (answered: Answered) => Promise<T>;

/** Where no service runs, and on PostgreSQL, the command opens the database itself. */
async function answerHere<T>(settings: Settings, asking: Asking, take: Take<T>): Promise<T> {
  const by = "perform" in asking && asking.perform.name === "restore" ? "restore" : "command";
  const store = await open(settings.database, migrationsFolder(), limitsOf(settings), by);
  const ledger = ledgerOf(settings, store, logOf(settings));
  const { catalogueFile: catalogue } = settings;
  try {
    const chains = async () =>
      settings.payments === "sandbox"
        ? (await openSandbox(ledger, settings.sandboxConfirmSeconds)).chains
        : settings.chains;
    const context = {
      ledger,
      chains,
      console: settings.console,
      alerts: settings.alerts,
      events: settings.events,
      catalogue,
    };
    return await take(await handle(context, asking));
  } finally {
    await store.close();
  }
}

async function ask<T>(settings: Settings, asking: Asking, take: Take<T>): Promise<T> {
  const { name } = "preview" in asking ? asking.preview : asking.perform;
  // A service that runs has already begun to fill its database.
  const usesSocket = !isServer(settings.database) && name !== "restore";
  const answered = usesSocket ? await askService(settings.database, asking) : undefined;
  return answered ? take(answered) : answerHere(settings, asking, take);
}

/** Where a person is asked, and answers. Its end is an answer, too: none. */
export interface Terminal {
  input: Readable & { isTTY?: boolean };
  /** What a program may read on. */
  print: (line: string) => void;
  /** What is for people alone. */
  tell: (line: string) => void;
}

const terminal: Terminal = {
  input: process.stdin,
  print: (line) => console.log(line),
  tell: (line) => console.error(line),
};

async function lineOf(input: Readable): Promise<string> {
  for await (const line of createInterface({ input })) return line;
  return "";
}

async function print(at: Terminal, answer: Answer, asJson: boolean): Promise<void> {
  if (isMadeFile(answer)) throw new CommandRefused("It is a file for a browser.");
  if (isLines(answer)) for await (const lines of answer) at.print(lines);
  else at.print(show(answer, asJson));
}

/** @throws CommandRefused unless the person types what the change asks for */
async function agreed({ input, tell }: Terminal, { confirm }: Change): Promise<void> {
  tell(`To do it, type ${confirm}`);
  if (folded(await lineOf(input)) !== folded(confirm))
    throw new CommandRefused("That was not it, so nothing was done.");
}

interface Chosen {
  json?: boolean | undefined;
  yes?: boolean | undefined;
  "dry-run"?: boolean | undefined;
}

/** Shows what a command changes, and does it once that is agreed to. */
async function changed(
  settings: Settings,
  request: CommandRequest,
  { json = false, yes = false, "dry-run": isDry = false }: Chosen,
  at: Terminal,
): Promise<void> {
  const tell = async (change: Change | null, done: Outcome | null) => {
    if (json) at.print(JSON.stringify({ preview: change, answer: done?.answer ?? null }, null, 2));
    else if (done) await print(at, done.answer, false);
    else if (change) at.print(inWords(change));
  };
  const end = async (outcome: Outcome) => {
    if (outcome.repeated !== null) at.tell(outcome.repeated);
    else if (!json && outcome.change && yes) at.tell(inWords(outcome.change));
    await tell(outcome.change, outcome);
  };
  const endOf = async (done: Answered) => {
    if ("outcome" in done) await end(done.outcome);
  };
  if (!yes && !isDry && at.input.isTTY !== true) {
    throw new CommandRefused(
      "This command changes something, and there is no terminal to ask at: --dry-run shows what it would do, --yes does it.",
    );
  }
  if (yes && isDry) throw new CommandRefused("Say --yes or --dry-run, not both.");
  if (yes) {
    return ask(settings, { perform: request }, endOf);
  }
  const shown = await ask(settings, { preview: request }, async (answered) => answered);
  if ("outcome" in shown) return end(shown.outcome);
  if (isDry) return tell(shown.change, null);
  at.tell(inWords(shown.change));
  await agreed(at, shown.change);
  return ask(settings, { perform: request, shown: shown.change.digest }, endOf);
}

/** @param words what follows `admin` @returns the exit code */
export async function admin(settings: Settings, words: string[], at = terminal): Promise<number> {
  try {
    if (words.some((word) => word.includes(NO_LETTER))) {
      throw new CommandRefused("The command is not UTF-8: set the terminal to it.");
    }
    const { values, positionals } = parseArgs({
      args: words,
      options: { ...optionTypes(), ...own },
      allowPositionals: true,
    });
    const [first, ...others] = positionals;
    if (first === undefined || first === "help") {
      at.print(others.length === 0 ? help() : help(namedIn(others)[0]));
      return first === undefined ? 1 : 0;
    }
    const [name, ...given] = namedIn(positionals);
    const { json = false, as = userInfo().username, yes, "dry-run": isDry, ...rest } = values;
    const request: CommandRequest = {
      name,
      // npm runs it in the project's folder, wherever it was called.
      args: namesFile.has(name) ? given.map((file) => resolve(process.env["INIT_CWD"] ?? "", file)) : given,
      options: Object.fromEntries(
        Object.entries(rest).map(([option, value]) => [option, value === true ? "yes" : String(value)]),
      ),
      actor: as,
    };
    if (isPreviewed(name)) {
      await changed(settings, request, { json, yes, "dry-run": isDry }, at);
      return 0;
    }
    if (isDry === true)
      throw new CommandRefused(`${name} is not previewed: with --dry-run, nothing was done.`);
    await ask(settings, { perform: request }, async (done) => {
      const [file] = request.args;
      // Under systemd the service has a /tmp of its own, and little else that it may write.
      if (name === "backup" && file !== undefined && !existsSync(file)) {
        throw new CommandRefused(
          "The service wrote the backup where it is not seen from here: name a file in its DATA_DIR.",
        );
      }
      if (!("outcome" in done)) return;
      await print(at, done.outcome.answer, json);
      for (const line of done.outcome.beside ?? []) at.tell(line);
    });
    return 0;
  } catch (error) {
    const isMistake = error instanceof CommandRefused || (error instanceof TypeError && "code" in error);
    at.tell(
      isMistake
        ? error.message
        : `The command failed: ${error instanceof Error ? error.message : String(error)}`,
    );
    return 1;
  }
}
