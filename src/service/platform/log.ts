/** The log: one line of JSON for each event, on the standard output. Callers pass no body, header, password, token or query string. */
import { pino, type DestinationStream } from "pino";
import { createOutput, writerOf, type Output } from "./log-output.ts";

export type Level = "info" | "warn" | "error";
export type Log = (event: string, facts?: Record<string, string | number>, level?: Level) => void;

/** Safety net: values under these keys are replaced, should a caller pass them by mistake. */
const REDACTED = [
  "password",
  "old_password",
  "new_password",
  "new_password_confirmation",
  "security_problem_value",
  "token",
  "authorization",
  "Authorization",
  "cookie",
  "Cookie",
];

/** A log that writes to `stream`. The fields of a line are `level`, `at` (ISO 8601, UTC), `event` and the facts. */
export function createLog(stream: DestinationStream): Log {
  const logger = pino(
    {
      base: null,
      timestamp: () => `,"at":"${new Date().toISOString()}"`,
      formatters: { level: (level) => ({ level }) },
      redact: REDACTED,
    },
    stream,
  );
  return (event, facts, level = "info") => logger[level]({ event, ...facts });
}

const STDOUT = 1;
// Without a listener, what is said on the console would end the process. From here on a pipe that nothing reads does not
// block either: Node has set it so.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
const output: Output = createOutput(writerOf(STDOUT), (lines) => write("log lines lost", { lines }, "warn"));
const write = createLog({ write: (line) => output.take(line, false) });
const writeCall = createLog({ write: (line) => output.take(line, true) });
// Also when it ends by an error.
process.once("exit", () => output.finish(STDOUT));

/** Lines that were lost, because the output was full, slow or gone. */
export const linesLost = output.lost;

/** What anyone can cause without end. */
const FREQUENT: ReadonlySet<string> = new Set(["call", "console call", "console refused"]);

const listeners = new Set<Log>();

/** Has `listener` told of every line, whichever part of the service logs it. */
export const listen = (listener: Log): void => void listeners.add(listener);

/** No call waits for its line. Any other is written at once, after those before it. */
export const log: Log = (event, facts, level) => {
  for (const listener of listeners) listener(event, facts, level);
  if (FREQUENT.has(event)) {
    writeCall(event, facts, level);
    return;
  }
  write(event, facts, level);
  output.flush();
};

/** What of an error may be logged. The database puts the values of a failed query into the outer message: only the innermost cause speaks. */
export function factsOf(error: unknown): Record<string, string> {
  let inner = error;
  while (inner instanceof Error && inner.cause !== undefined) inner = inner.cause;
  if (!(inner instanceof Error)) return { error: "not an Error" };
  const places =
    error instanceof Error ? (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line)) : [];
  return {
    // A refused connection to several addresses has only a code.
    error: `${inner.name}: ${inner.message || ("code" in inner ? String(inner.code) : "")}`,
    ...("code" in inner ? { code: String(inner.code) } : {}),
    where: places
      .slice(0, 5)
      .map((line) => line.trim())
      .join(" < "),
  };
}
