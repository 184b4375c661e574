/** The packages on sale, from a file that the operator edits. What can be computed from the prices is computed, not typed. */
import { readFileSync, statSync } from "node:fs";
import * as v from "valibot";
import { fromUnits, toUnits, USD_DECIMALS } from "../contract/money.ts";
import type { Package } from "../contract/offer.ts";
import type { Language } from "../contract/languages.ts";
import { factsOf, type Log } from "./platform/log.ts";
import { repeat } from "./platform/repeat.ts";

const words = v.pipe(v.string(), v.trim(), v.nonEmpty("must not be empty"));
const price = v.pipe(
  v.string('must be text, such as "9.99"'),
  v.check(
    (text) => (toUnits(text, USD_DECIMALS) ?? 0n) > 0n,
    "must be an amount above zero with at most two decimals",
  ),
  v.transform((text) => toUnits(text, USD_DECIMALS) ?? 0n),
);

const file = v.pipe(
  v.array(
    v.pipe(
      v.strictObject({
        id: words,
        product_id: v.pipe(
          words,
          v.regex(/^[\w.-]+$/, "must be letters, digits, dots and dashes: it is part of an address"),
        ),
        name: v.strictObject({ en: words, "zh-CN": words }),
        days: v.pipe(
          v.number("must be a number"),
          v.integer("must be whole"),
          v.minValue(1, "must be 1 or more"),
          v.maxValue(3660, "must be 3660 or less"),
        ),
        price,
        buy_price: price,
      }),
      v.forward(
        v.check((entry) => entry.buy_price <= entry.price, "must not be above price"),
        ["buy_price"],
      ),
    ),
    "must be a list of packages",
  ),
  v.minLength(1, "must hold at least one package"),
  v.check((list) => new Set(list.map((entry) => entry.id)).size === list.length, "holds the same id twice"),
  v.check(
    (list) => new Set(list.map((entry) => entry.product_id)).size === list.length,
    "holds the same product_id twice",
  ),
);

/** A package on sale; prices in cents. */
export type Entry = v.InferOutput<typeof file>[number];

export interface Catalogue {
  entries: readonly Entry[];
  /** ISO 8601, when the file was last changed. */
  updatedAt: string;
}

/** A byte order mark before the text is left out. @throws Error where it is not UTF-8 */
function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Error("it is not UTF-8.");
  }
}

/**
 * Reads the catalogue.
 * @throws Error that says in words what is wrong and where
 */
export function readCatalogue(path: string): Catalogue {
  let content: unknown;
  try {
    content = JSON.parse(decoded(readFileSync(path)));
  } catch (error) {
    throw new Error(
      `The catalogue ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      {
        cause: error,
      },
    );
  }
  const result = v.safeParse(file, content);
  if (!result.success) {
    const faults = result.issues.map((issue) => `  ${v.getDotPath(issue) ?? "the list"}: ${issue.message}`);
    throw new Error(`The catalogue ${path} has mistakes:\n${faults.join("\n")}`);
  }
  return { entries: result.output, updatedAt: statSync(path).mtime.toISOString() };
}

/** Ms between two looks at the file. */
const LOOKS = 10_000;

/** What differs when a file has been changed or replaced; "" where there is none that can be looked at. */
function stampOf(path: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return "";
  }
}

/**
 * Reads the catalogue, and reads it again when its file has changed. A file with mistakes changes nothing. Orders keep the
 * package that they were placed for.
 * @param wait milliseconds between two looks at the file
 * @throws Error as `readCatalogue` does, at the start alone
 */
export function followCatalogue(
  path: string,
  log: Log,
  wait = LOOKS,
): { catalogue: Catalogue; stop: () => Promise<void> } {
  let seen = stampOf(path);
  const catalogue = readCatalogue(path);
  const look = async () => {
    // Where it cannot even be looked at, reading it says why.
    const stamp = stampOf(path);
    if (stamp === seen) return;
    seen = stamp;
    try {
      Object.assign(catalogue, readCatalogue(path));
      log("catalogue read", { packages: catalogue.entries.length });
    } catch (error) {
      log("catalogue refused", factsOf(error), "warn");
    }
  };
  return { catalogue, stop: repeat(wait, look) };
}

/** A quotient of positive whole numbers, rounded to the nearest. */
const divide = (one: bigint, other: bigint) => (2n * one + other) / (2n * other);

const dollars = (cents: bigint) => fromUnits(cents, USD_DECIMALS, USD_DECIMALS);

/** An entry as the API shows it. `discount` is the share of the list price that is asked, in whole percent. Specification, section 3. */
export function toPackage(entry: Entry, language: Language): Package {
  return {
    id: entry.id,
    name: entry.name[language],
    product_id: entry.product_id,
    price: dollars(entry.price),
    buy_price: dollars(entry.buy_price),
    day_price: dollars(divide(entry.buy_price, BigInt(entry.days))),
    discount: String(divide(entry.buy_price * 100n, entry.price)),
  };
}
