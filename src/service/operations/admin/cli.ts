/** `npm run admin -- …`: reads the command line, runs the command where the data is, and shows the answer. */
// oxlint-disable no-console -- a command line answers on the console
import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { UNITS_PER_CENT, type Ledger } from "../../payments/ledger.ts";
import { migrationsFolder } from "../../project.ts";
import type { Settings } from "../../settings.ts";
import { isServer, open } from "../../store/open.ts";
import { log } from "../log.ts";
import { CommandRefused, type Answer } from "./command.ts";
import { help, run } from "./commands.ts";
import { askService, type CommandRequest } from "./socket.ts";

const options = {
  json: { type: "boolean" },
  all: { type: "boolean" },
  as: { type: "string" },
  reason: { type: "string" },
  order: { type: "string" },
  member: { type: "string" },
  network: { type: "string" },
  since: { type: "string" },
  limit: { type: "string" },
  "pending-days": { type: "string" },
  "part-paid": { type: "boolean" },
  kept: { type: "boolean" },
  returned: { type: "string" },
} as const;

/** What stands for bytes that are no UTF-8. */
const NO_LETTER = "\uFFFD";

const namesFile: ReadonlySet<string> = new Set(["backup", "restore"]);

function text(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function show(answer: Answer, asJson: boolean): string {
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

/** Where no service runs, and on PostgreSQL, the command opens the database itself. */
async function runHere(settings: Settings, asked: CommandRequest): Promise<Answer> {
  // A restore fills an empty one.
  const by = asked.name === "restore" ? "service" : "command";
  const store = await open(settings.database, migrationsFolder(), limitsOf(settings), by);
  const ledger: Ledger = {
    db: store.db,
    now: store.now,
    log,
    tolerance: BigInt(settings.usdtToleranceCents) * UNITS_PER_CENT,
    lateDays: settings.latePaymentDays,
  };
  try {
    return await run(asked.name, { ledger, ...asked });
  } finally {
    await store.close();
  }
}

/** @param words what follows `admin` @returns the exit code */
export async function admin(settings: Settings, words: string[]): Promise<number> {
  try {
    if (words.some((word) => word.includes(NO_LETTER))) {
      throw new CommandRefused("The command is not UTF-8: set the terminal to it.");
    }
    const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true });
    const [name, ...given] = positionals;
    if (name === undefined || name === "help") {
      console.log(help());
      return name === undefined ? 1 : 0;
    }
    // npm runs it in the project's folder, wherever it was called.
    const args = namesFile.has(name)
      ? given.map((file) => resolve(process.env["INIT_CWD"] ?? "", file))
      : given;
    const { json = false, as = userInfo().username, ...rest } = values;
    // A flag that is given says yes.
    const flags = Object.entries(rest).map(([key, value]) => [key, value === true ? "yes" : value]);
    const asked: CommandRequest = {
      name,
      args,
      options: Object.fromEntries(flags) as CommandRequest["options"],
      actor: as,
    };
    // A service that runs has already begun to fill its database.
    const usesSocket = !isServer(settings.database) && name !== "restore";
    const answered = usesSocket ? await askService(settings.database, asked) : undefined;
    const answer = answered ?? (await runHere(settings, asked));
    // Under systemd the service has a /tmp of its own, and little else that it may write.
    if (name === "backup" && args[0] !== undefined && !existsSync(args[0])) {
      throw new CommandRefused(
        "The service wrote the backup where it is not seen from here: name a file in its DATA_DIR.",
      );
    }
    console.log(show(answer, json));
    return 0;
  } catch (error) {
    const isMistake = error instanceof CommandRefused || (error instanceof TypeError && "code" in error);
    console.error(
      isMistake
        ? error.message
        : `The command failed: ${error instanceof Error ? error.message : String(error)}`,
    );
    return 1;
  }
}
