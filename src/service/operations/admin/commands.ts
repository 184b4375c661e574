/** What an operator can look at and do. Every change needs a reason and leaves an audit entry, in the same transaction. docs/operating.md, "The operator's commands". */
import { addressCommands } from "./addresses.ts";
import { CommandRefused, type Answer, type Call, type Commands } from "./command.ts";
import { exportCommands } from "./export.ts";
import { memberCommands } from "./members.ts";
import { orderCommands } from "./orders.ts";
import { maintenanceCommands } from "./maintenance.ts";
import { unmatchedCommands } from "./unmatched.ts";

export const commands: Commands = {
  ...orderCommands,
  ...unmatchedCommands,
  ...memberCommands,
  ...addressCommands,
  ...exportCommands,
  ...maintenanceCommands,
};

/** Every command in a line. */
export function help(): string {
  const lines = Object.entries(commands).map(
    ([name, { usage, help: what }]) => [`${name} ${usage}`.trim(), what] as const,
  );
  const width = Math.max(...lines.map(([call]) => call.length));
  return [
    "npm run admin -- <command> [--json]",
    "",
    ...lines.map(([call, what]) => `  ${call.padEnd(width)}  ${what}`),
  ].join("\n");
}

/** @throws CommandRefused */
export async function run(name: string, call: Call): Promise<Answer> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new CommandRefused(`There is no command ${name}.\n\n${help()}`);
  return command.run(call);
}
