/** The operator's commands about operators: who is let in to the page, and the link that lets one in. */
import { createLink, keepOperator, operatorsOf, removeOperator } from "../../accounts/operators.ts";
import { removePasskeys } from "../../accounts/passkeys.ts";
import type { ConsoleSettings } from "../../settings.ts";
import { auditEntries } from "../../store/schema.ts";
import { audited } from "./audit.ts";
import type { Subject } from "./change.ts";
import {
  change,
  CommandRefused,
  operatorName,
  optional,
  query,
  rightWord,
  type Call,
  type Commands,
} from "./command.ts";
import { ownReasons } from "../../../contract/console.ts";

const subjectOf = (name: string): Subject => ({ name: `operator ${name}`, word: name });

/** The origin of the page, as operators reach it. */
export const consoleOrigin = ({ host, port, url }: ConsoleSettings): string =>
  url ?? `http://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}:${port}`;

/** A link to the page, for one use within two minutes. */
async function link({ ledger, console, actor }: Call, wanted: string | undefined): Promise<string> {
  if (!console)
    throw new CommandRefused("There is no operator's page: set CONSOLE_PORT, and start the service again.");
  const name = wanted ?? actor.toLowerCase();
  const token = await createLink(ledger.db, name, ledger.now());
  if (token === null) {
    throw new CommandRefused(
      `${name} is no operator. To let them in: \`operator add ${name} money --reason "…"\`, or with the right look or support.`,
    );
  }
  const action = "console link";
  const entry = { actor, action, subject: subjectOf(name).name, reason: ownReasons[action] };
  await ledger.db.insert(auditEntries).values({ ...entry, at: new Date(ledger.now()) });
  // Behind the #, where neither a log nor a program that looks at links in messages finds it.
  return `${consoleOrigin(console)}/#${token}\nFor ${name}, once, within two minutes.`;
}

export const operatorCommands: Commands = {
  console: query({
    help: "a link to the operator's page, for one use within two minutes: for oneself, or the operator named",
    args: { name: optional(operatorName) },
    isLocal: true,
    run: (call) => link(call, call.args.name),
  }),
  "operator-add": change({
    help: "let someone in to the operator's page, or give them another right",
    args: { name: operatorName, right: rightWord },
    changes: "operators",
    undo: "`operator remove` lets them in no more; `operator add` gives another right.",
    isLocal: true,
    run(call) {
      const { ledger, args } = call;
      return audited(call, "operator add", subjectOf(args.name), async (tx, _, told) => {
        const had = await keepOperator(tx, args, ledger.now());
        told.note(`operator ${args.name}: ${had ?? "not let in"} → ${args.right}`);
        return [{ operator: args.name, right: args.right }];
      });
    },
  }),
  "operator-remove": change({
    help: "let an operator in no more, and out of the page at once",
    args: { name: operatorName },
    changes: "operators",
    undo: "`operator add` lets them in again.",
    isLocal: true,
    run(call) {
      const { name } = call.args;
      return audited(call, "operator remove", subjectOf(name), async (tx) => {
        if (!(await removeOperator(tx, name))) throw new CommandRefused(`There is no operator ${name}.`);
        return [{ operator: name, right: null }];
      });
    },
  }),
  "operator-passkeys-remove": change({
    help: "take all passkeys from an operator and end their sessions, as when a device is lost; they come in by a link again",
    args: { name: operatorName },
    changes: "operators",
    undo: "An operator who is in adds a passkey on the page.",
    isLocal: true,
    run(call) {
      const { name } = call.args;
      return audited(call, "operator passkeys remove", subjectOf(name), async (tx) => {
        const removed = await removePasskeys(tx, name);
        if (removed === null) throw new CommandRefused(`There is no operator ${name}.`);
        return [{ operator: name, ...removed }];
      });
    },
  }),
  "operator-list": query({
    help: "who is let in to the operator's page, and with which right",
    isLocal: true,
    run: ({ ledger }) => operatorsOf(ledger.db),
  }),
};
