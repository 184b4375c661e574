/** Formats any value as readable JSON; values that JSON lacks are named. */

const MOST_LETTERS = 40_000;

export function readable(value: unknown, indent = 2): string {
  const above: { one: object; shown: unknown }[] = [];
  const text =
    JSON.stringify(
      value,
      function show(this: unknown, _key, one: unknown) {
        if (one === undefined) return "(undefined)";
        if (typeof one === "bigint") return `${one}n`;
        if (typeof one === "function") return `(function ${one.name || "without a name"})`;
        if (typeof one !== "object" || one === null) return one;
        // `this` holds `one`: the entries above it in the list have been left.
        while (above.length > 0 && above.at(-1)?.shown !== this) above.pop();
        if (above.some((outer) => outer.one === one)) return "(circle)";
        const shown = plain(one);
        above.push({ one, shown });
        return shown;
      },
      indent,
    ) ?? "";
  return text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS)}\n…` : text;
}

function plain(one: object): unknown {
  if (one instanceof Error) return { [one.name]: one.message, ...one };
  if (one instanceof Map) return Object.fromEntries(one);
  if (one instanceof Set) return [...one];
  if ("sessionId" in one && "send" in one && "id" in one) return `(actor ${String(one.id)})`;
  return one;
}

/** A state value in short: `open (countdown: counting, asking: resting)`. */
export function stateWords(value: unknown): string {
  return wordsIn(value).replace(/^\((.*)\)$/, "$1");
}

function wordsIn(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  const entries = Object.entries(value);
  const words = entries.map(([name, inner]) => {
    const within = wordsIn(inner);
    if (within === "") return name;
    if (entries.length > 1) return `${name}: ${within}`;
    return within.startsWith("(") ? `${name} ${within}` : `${name}.${within}`;
  });
  return entries.length === 1 ? (words[0] ?? "") : words.length === 0 ? "" : `(${words.join(", ")})`;
}

/** The result of an invocation. */
export const outcomes = { active: "waiting", done: "done", error: "failed", stopped: "dropped" };

/** An event as the drawings show it: xstate's own by their meaning, all others by their type. */
export function eventWords(type: string): string {
  const [, kind, of = ""] = /^xstate\.(init|stop|after|done\.actor|error\.actor)\.?(.*)$/.exec(type) ?? [];
  switch (kind) {
    case "init":
      return "started";
    case "stop":
      return "stopped";
    case "after":
      return `after ${of.replace(/\..*$/, "")}`;
    case "done.actor":
      return `${of} done`;
    case "error.actor":
      return `${of} failed`;
    default:
      return type;
  }
}
