/** Adds the lines that a restore needs to a file of their own, which outlives the log's rotation and the container. docs/operating.md, "Restore from a backup". */
import { appendFileSync } from "node:fs";
import { createLog, factsOf, type Log } from "./log.ts";

/** What a backup cannot know: addresses that are given out after it, and changes that are made after it. */
const NEEDED: ReadonlySet<string> = new Set(["address series", "change made"]);

/** @param log is told where a line could not be kept: what it tells of stands all the same */
export function keepForRestore(file: string, log: Log): Log {
  const keep = createLog({ write: (line) => appendFileSync(file, line, { mode: 0o600 }) });
  return (event, facts, level) => {
    if (!NEEDED.has(event)) return;
    try {
      keep(event, facts, level);
    } catch (error) {
      log("line not kept", { file, error: factsOf(error)["error"] ?? "" }, "error");
    }
  };
}
