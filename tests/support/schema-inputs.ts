/** Derives fast-check arbitraries from valibot schemas, so that a schema is fuzzed without a generator of its own. */
import * as fc from "fast-check";
import * as v from "valibot";

/** What the walker reads of a schema or an action; valibot's own types name each kind apart. */
interface Piece {
  kind: string;
  type: string;
  pipe?: readonly Piece[];
  entries?: Readonly<Record<string, Piece>>;
  options?: readonly unknown[];
  literal?: unknown;
  wrapped?: Piece;
  item?: Piece;
  requirement?: unknown;
}

/** An arbitrary of values that only the run knows (an order's number, a password), by the entry's key; or undefined. */
export type Known = (key: string) => fc.Arbitrary<unknown> | undefined;

const HALF = 32;
const LONGEST = 2000;
/** More than the real calendar has, so that days that do not exist stay out. */
const dates = fc
  .date({ min: new Date("1600-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, "YYYY-MM-DD".length));

/** Every action of a pipe, those of the pipes within it first. */
const actionsOf = ({ pipe = [] }: Piece): Piece[] =>
  pipe.flatMap((piece) => (piece.kind === "schema" ? actionsOf(piece) : [piece]));

/** Patterns that rule out classes of characters are left to the filter: nearly every string matches them, and they are slow to derive from. */
const matching = (pattern: RegExp) => (/\\p/i.test(pattern.source) ? null : fc.stringMatching(pattern));

/** Strings as the actions want them, as far as those can be read; short ones and those at the limit. */
function strings(actions: readonly Piece[]): fc.Arbitrary<string> {
  for (const { type, requirement } of actions) {
    if (type === "iso_date") return dates;
    const patterned = type === "regex" && requirement instanceof RegExp ? matching(requirement) : null;
    if (patterned) return patterned;
  }
  const limit = actions.find(({ type }) => type === "max_length")?.requirement;
  const most = typeof limit === "number" ? limit : LONGEST;
  const unit = fc.constantFrom("grapheme" as const, "grapheme-ascii" as const, "binary" as const);
  return fc.oneof(
    {
      weight: 6,
      arbitrary: unit.chain((kind) => fc.string({ unit: kind, maxLength: Math.min(most, HALF) })),
    },
    // One character over and over: as long, and a thousand times quicker to make.
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom("a", "漢", "👍"), fc.nat(1))
        .map(([letter, less]) => letter.repeat(Math.floor((most - less) / letter.length))),
    },
  );
}

function inputs(piece: Piece, actions: readonly Piece[], known: Known, key: string): fc.Arbitrary<unknown> {
  const { entries = {}, options = [], wrapped } = piece;
  switch (piece.type) {
    case "object":
    case "loose_object":
    case "strict_object":
      return fc.record(
        Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, walk(entry, known, name)])),
      );
    case "union":
    case "variant":
      return fc.oneof(...options.map((option) => inputs(option as Piece, actions, known, key)));
    case "picklist":
      return fc.constantFrom(...options);
    case "literal":
      return fc.constant(piece.literal);
    case "string":
      return strings([...actionsOf(piece), ...actions]);
    case "array":
      if (!piece.item) break;
      return fc.array(walk(piece.item, known, ""), {
        maxLength: Number(actionsOf(piece).find(({ type }) => type === "max_length")?.requirement ?? 3),
      });
    case "number":
      return fc.oneof(fc.nat(), fc.integer(), fc.double());
    case "boolean":
      return fc.boolean();
    case "unknown":
      return fc.jsonValue();
    case "optional":
    case "nullable":
    case "nullish":
      if (wrapped)
        return fc.option(walk(wrapped, known, key), { nil: piece.type === "optional" ? undefined : null });
  }
  throw new Error(
    `No arbitrary is known for a schema of the type ${piece.type}: add it to ${import.meta.filename}.`,
  );
}

const isChoice = (type?: string) => type === "union" || type === "variant";

const holdsObjects = ({ type, options = [] }: Piece): boolean =>
  type.endsWith("object") || (isChoice(type) && options.some((each) => holdsObjects(each as Piece)));

function walk(piece: Piece, known: Known, key: string): fc.Arbitrary<unknown> {
  const made = inputs(piece, actionsOf(piece), known, key);
  // An object may hold values that are not known yet, and is not checked as a whole.
  if (holdsObjects(piece)) return made;
  const fitting = made.filter((value) => v.is(piece as unknown as v.GenericSchema, value));
  const remembered = known(key);
  if (!remembered) return fitting;
  return fc.oneof({ weight: 5, arbitrary: remembered }, { weight: 1, arbitrary: fitting });
}

/**
 * Inputs that `schema` accepts.
 * @param known values for entries by their key, mixed with derived ones; they are not checked
 * @throws Error for a kind of schema that the walker does not know
 */
export const inputsOf = (schema: v.GenericSchema, known: Known = () => undefined): fc.Arbitrary<unknown> =>
  walk(schema, known, "");

/** Whether it is what a client sends: the contract writes requests with `v.object`, and answers with `v.looseObject`. */
export function isRequestSchema(value: unknown): value is v.GenericSchema {
  const piece = value as Partial<Piece> | null;
  if (typeof piece !== "object" || piece?.kind !== "schema") return false;
  return (
    piece.type === "object" ||
    (isChoice(piece.type) && (piece.options ?? []).every((each) => isRequestSchema(each)))
  );
}
