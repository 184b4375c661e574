/** The packages, as a file or a version of them says: catalogue-versions.ts decides between the two. What can be computed from the prices is computed, not typed. */
import { readFileSync, statSync } from "node:fs";
import * as v from "valibot";
import type { PackageLine } from "../contract/console.ts";
import { fromUnits, toUnits, USD_DECIMALS } from "../contract/money.ts";
import type { Package } from "../contract/offer.ts";
import type { Language } from "../contract/languages.ts";

/** The most days of a package. */
export const MOST_DAYS = 3_660;

const words = v.pipe(v.string(), v.trim(), v.nonEmpty("must not be empty"));
const price = v.pipe(
  v.string('must be text, such as "9.99"'),
  v.check(
    (text) => (toUnits(text, USD_DECIMALS) ?? 0n) > 0n,
    "must be an amount above zero with at most two decimals",
  ),
  v.transform((text) => toUnits(text, USD_DECIMALS) ?? 0n),
);

const packages = v.pipe(
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
          v.maxValue(MOST_DAYS, `must be ${MOST_DAYS} or less`),
        ),
        price,
        buy_price: price,
        closed: v.optional(v.boolean("must be true or false"), false),
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

/** A package; prices in cents. One that is closed is neither shown nor ordered anew. */
export type Offered = v.InferOutput<typeof packages>[number];
/** The same, as a file or a version holds it. */
export type Written = v.InferInput<typeof packages>[number];
/** A package on sale. */
export type Entry = Omit<Offered, "closed">;

/** What a file or a version holds. */
export interface Listing {
  packages: readonly Offered[];
  /** When it was put there. */
  at: Date;
}

export interface Catalogue {
  /** Those on sale, in their order. */
  entries: readonly Entry[];
  /** ISO 8601, when they were last changed. */
  updatedAt: string;
}

/** What is wrong with packages, in words. */
export class CatalogueRefused extends Error {}

/** @param what names them in the refusal @throws CatalogueRefused that says in words what is wrong and where */
export function parsePackages(content: unknown, what: string): Offered[] {
  const result = v.safeParse(packages, content);
  if (result.success) return result.output;
  const faults = result.issues.map((issue) => `  ${v.getDotPath(issue) ?? "the list"}: ${issue.message}`);
  throw new CatalogueRefused(`${what} has mistakes:\n${faults.join("\n")}`);
}

/** A byte order mark before the text is left out. @throws Error where it is not UTF-8 */
function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Error("it is not UTF-8.");
  }
}

/** Reads the packages of a file. @throws CatalogueRefused that says in words what is wrong and where */
export function readPackages(path: string): Listing {
  let content: unknown;
  try {
    content = JSON.parse(decoded(readFileSync(path)));
  } catch (error) {
    throw new CatalogueRefused(
      `The catalogue ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
  return { packages: parsePackages(content, `The catalogue ${path}`), at: statSync(path).mtime };
}

/** What is on sale of a list. */
export const onSaleOf = ({ packages: all, at }: Listing): Catalogue => ({
  entries: all.filter(({ closed }) => !closed),
  updatedAt: at.toISOString(),
});

/** What a file puts on sale. @throws CatalogueRefused as `readPackages` does */
export const readCatalogue = (path: string): Catalogue => onSaleOf(readPackages(path));

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

/** A package as a file or a version holds it. */
export const toWritten = ({ closed, ...offered }: Offered): Written => ({
  ...offered,
  price: dollars(offered.price),
  buy_price: dollars(offered.buy_price),
  ...(closed && { closed }),
});

/** A package as operators see it. */
export function toLine(offered: Offered): PackageLine {
  const { id, product_id, name, days, closed } = offered;
  return { ...toPackage(offered, "en"), id, product_id, name, days, closed };
}
