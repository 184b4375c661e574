/** The operator's commands about what is on sale: the packages, their versions, and the file that they come from otherwise. */
import { isDeepStrictEqual } from "node:util";
import { desc } from "drizzle-orm";
import type { Language } from "../../../contract/languages.ts";
import { addVersion, packagesNow, packagesOf } from "../../catalogue-versions.ts";
import { MOST_DAYS, parsePackages, toLine, toWritten, type Written } from "../../catalogue.ts";
import { catalogueVersions } from "../../store/schema.ts";
import { audited, entriesOf, keptOf } from "./audit.ts";
import type { Subject } from "./change.ts";
import {
  asTyped,
  change,
  CommandRefused,
  limit,
  tellRest,
  oneOf,
  optional,
  query,
  whole,
  word,
  type Commands,
  type Context,
} from "./command.ts";
import { phrase, type SubjectName } from "../../../contract/console.ts";

/** How much dearer or cheaper a package becomes at once before that is asked about. */
const SLIP = 2;

const price = (title: string) => optional(word("9.99", title));
const fields = {
  "name-en": optional(asTyped('"…"', "The English name")),
  "name-zh": optional(asTyped('"…"', "The Chinese name")),
  "buy-price": price("The price"),
  price: price("The list price"),
  days: optional(
    whole("N", "The number of days", MOST_DAYS, `The days must be a whole number from 1 to ${MOST_DAYS}.`),
  ),
  place: optional(whole("N", "The place", 1_000, "The place must be a whole number: 1 is the first.")),
  sale: optional(oneOf(["open", "closed"], "The sale")),
};

interface Wanted {
  "name-en"?: string | undefined;
  "name-zh"?: string | undefined;
  "buy-price"?: string | undefined;
  price?: string | undefined;
  days?: number | undefined;
  place?: number | undefined;
  sale?: "open" | "closed" | undefined;
}

function fileOf({ catalogue }: Context): string {
  if (catalogue === undefined) throw new CommandRefused("The packages are not known here.");
  return catalogue;
}

/** A number that none has: apps send it along with the product's. */
const freshId = (list: readonly Written[]) =>
  String(Math.max(0, ...list.map(({ id }) => Number(id)).filter(Number.isSafeInteger)) + 1);

/** @throws CommandRefused where something that a new one needs is missing */
function added(list: readonly Written[], product: string, wanted: Wanted): Written {
  const needed = ["name-en", "name-zh", "days", "buy-price"] as const;
  const missing = needed.filter((name) => wanted[name] === undefined);
  if (missing.length > 0)
    throw new CommandRefused(
      `There is no package ${product}. A new one needs ${missing.map((name) => `--${name}`).join(", ")}.`,
    );
  const asked = wanted["buy-price"] ?? "";
  return {
    id: freshId(list),
    product_id: product,
    name: { en: "", "zh-CN": "" } satisfies Record<Language, string>,
    days: 0,
    price: asked,
    buy_price: asked,
  };
}

/** The list with a package as it is wanted: altered where it is, or added at the end. */
function withPackage(list: readonly Written[], product: string, wanted: Wanted): Written[] {
  const was = list.find((each) => each.product_id === product);
  const base = was ?? added(list, product, wanted);
  const made: Written = {
    ...base,
    name: {
      en: wanted["name-en"]?.trim() ?? base.name.en,
      "zh-CN": wanted["name-zh"]?.trim() ?? base.name["zh-CN"],
    },
    days: wanted.days ?? base.days,
    price: wanted.price ?? base.price,
    buy_price: wanted["buy-price"] ?? base.buy_price,
    closed: wanted.sale === undefined ? (base.closed ?? false) : wanted.sale === "closed",
  };
  const others = list.filter((each) => each !== was);
  const place = wanted.place ?? (was ? list.indexOf(was) + 1 : list.length + 1);
  if (place > others.length + 1) throw new CommandRefused(phrase("place", { last: others.length + 1 }));
  return [...others.slice(0, place - 1), made, ...others.slice(place - 1)];
}

const subjectOf = (name: SubjectName, typed: string, catalogue: string): Subject => ({
  name,
  word: typed,
  catalogue,
});

export const packageCommands: Commands = {
  packages: query({
    help: "the packages, in their order, and where they come from",
    async run(call) {
      const { version, packages } = await packagesNow(call.ledger.db, fileOf(call));
      const from = version?.packages ? `version ${version.id}` : "file";
      return packages.map(toLine).map((each, at) => ({
        place: at + 1,
        product: each.product_id,
        sale: each.closed ? "closed" : "open",
        "buy price": each.buy_price,
        price: each.price,
        days: each.days,
        "name (en)": each.name.en,
        "name (zh)": each.name["zh-CN"],
        from,
      }));
    },
  }),
  "packages-versions": query({
    help: "every version of the packages that operators put on sale, the latest first, with who and why",
    options: { limit },
    async run(call) {
      const { db } = call.ledger;
      const versions = await db
        .select()
        .from(catalogueVersions)
        .orderBy(desc(catalogueVersions.id))
        .limit(call.options.limit);
      await tellRest(call, versions, catalogueVersions);
      const entries = await entriesOf(db, versions);
      return versions.map(({ id, at, content, auditId }) => {
        const entry = entries.find((each) => each.id === auditId);
        return {
          version: id,
          at: at.toISOString(),
          from: content === null ? "file" : "version",
          actor: entry?.actor ?? null,
          reason: entry?.reason ?? null,
          audit: auditId,
          changed: (entry && keptOf(entry))?.change.lines.join("; ") ?? null,
        };
      });
    },
  }),
  "package-set": change({
    help: "change what is said of a package, its price, its place, or whether it is on sale; add one that is not there",
    args: { product: word("product", "The package's product_id") },
    options: fields,
    changes: "packages",
    undo: true,
    offer: { about: "package" },
    run(call) {
      const { ledger, args, options } = call;
      const file = fileOf(call);
      const subject = subjectOf(`package ${args.product}`, args.product, file);
      return audited(call, "package set", subject, async (tx, auditId, told) => {
        const { packages } = await packagesNow(tx, file);
        const written = withPackage(packages.map(toWritten), args.product, options);
        const made = parsePackages(written, "What is wanted");
        if (isDeepStrictEqual(made, packages))
          throw new CommandRefused(phrase("same package", { product: args.product }));
        const was = packages.find((each) => each.product_id === args.product);
        const is = made.find((each) => each.product_id === args.product);
        const [asked = 0, before = asked] = [is, was].map((each) => Number(each?.buy_price ?? 0n));
        if (was && (asked > before * SLIP || asked * SLIP < before))
          told.warn(phrase(asked > before ? "price doubles" : "price halves", {}));
        if (made.every(({ closed }) => closed)) told.warn(phrase("nothing on sale", {}));
        const version = await addVersion(tx, made, { at: new Date(ledger.now()), auditId });
        return [{ version, package: args.product }];
      });
    },
  }),
  "packages-restore": change({
    help: "put an earlier version of the packages on sale again, or the file's: `packages-restore file`",
    args: {
      version: word("version | file", "The version"),
    },
    changes: "packages",
    undo: true,
    offer: { about: "version" },
    run(call) {
      const { ledger, args } = call;
      const file = fileOf(call);
      const isFile = args.version.toLowerCase() === "file";
      const number = Number(args.version.replace(/^#/, ""));
      if (!isFile && !(Number.isSafeInteger(number) && number > 0))
        throw new CommandRefused("The version is a number of `packages-versions`, or `file`.");
      return audited(
        call,
        "packages restore",
        subjectOf("packages", "packages", file),
        async (tx, auditId) => {
          const wanted = isFile ? null : await packagesOf(tx, number);
          const { version, packages } = await packagesNow(tx, file);
          const isSame =
            wanted === null
              ? (version?.packages ?? null) === null
              : (version?.packages ?? null) !== null && isDeepStrictEqual(wanted, packages);
          if (isSame) throw new CommandRefused(phrase("same packages", {}));
          const made = await addVersion(tx, wanted, { at: new Date(ledger.now()), auditId });
          return [{ version: made, from: wanted === null ? "file" : `version ${number}` }];
        },
      );
    },
  }),
};
