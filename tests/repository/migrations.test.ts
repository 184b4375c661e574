/** A release's migrations leave the tables usable by the release before it, so that the processes can be exchanged one after the other: a migration adds, and only a later release takes away what nothing uses any more. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const FOLDER = "src/service/store/migrations";
/** Earlier ones are of releases that were stopped for the next one. */
const FIRST = "0015";
/** Begins a migration that takes away what the release before it has left alone already, and says why. */
const CONTRACT = /^-- contract: \S/;

const ADDED = /^ALTER TABLE "(\w+)" ADD COLUMN (?:IF NOT EXISTS )?"(\w+)"/i;
const CREATED = /^CREATE TABLE (?:IF NOT EXISTS )?"(\w+)"/i;

/** What the release before would stumble over, each with the statements that it names. */
const refused: [string, RegExp][] = [
  ["it reads by the old name", /\bRENAME\b/i],
  [
    "it reads what is taken away",
    /^(DROP (TABLE|TYPE|VIEW|SCHEMA|FUNCTION)|ALTER TABLE "\w+" DROP COLUMN)\b/i,
  ],
  [
    "it writes nothing there",
    /\bSET NOT NULL\b|\bADD COLUMN\b(?!.*\bDEFAULT\b).*\bNOT NULL\b|\bDROP DEFAULT\b/i,
  ],
  ["it cannot read nothing there", /\bDROP NOT NULL\b/i],
  ["it writes another type", /\bALTER COLUMN "\w+" (SET DATA )?TYPE\b/i],
];
/** What a later release may do. */
const contracting = new Set(["it reads what is taken away", "it writes nothing there"]);
/** A rule about columns: the release before breaks it, unless it does not know them. */
const RULE = /^ALTER TABLE "(\w+)" ADD CONSTRAINT|^CREATE UNIQUE INDEX (?:IF NOT EXISTS )?"\w+" ON "(\w+)"/i;

/** @returns each statement that the release before cannot live with, and why */
function contradictions(text: string): string[] {
  const statements = text
    .replaceAll(/^--(?!>).*$/gm, "")
    .split(/--> statement-breakpoint|;\s*$/m)
    .map((statement) => statement.replaceAll(/\s+/g, " ").trim())
    .filter(Boolean);
  const found = (pattern: RegExp) =>
    statements.flatMap((each) => [pattern.exec(each)].filter((one) => one !== null));
  const fresh = new Set(found(CREATED).map(([, table]) => table));
  const added = new Set(found(ADDED).map(([, table, column]) => `${table}.${column}`));
  const isKnownBefore = (table: string, statement: string) =>
    !fresh.has(table) &&
    ![...added].some((each) => statement.includes(`"${each.split(".")[1]}"`) && each.startsWith(`${table}.`));
  const isContract = CONTRACT.test(text);
  return statements.flatMap((statement) => {
    const [, altered, indexed] = RULE.exec(statement) ?? [];
    const table = altered ?? indexed;
    const because = [
      ...refused
        .filter(([why, pattern]) => pattern.test(statement) && !(isContract && contracting.has(why)))
        .map(([why]) => why),
      ...(table !== undefined && isKnownBefore(table, statement)
        ? ["it may write what the rule forbids"]
        : []),
    ];
    return because.map((why) => `${why}: ${statement.slice(0, 80)}`);
  });
}

const migrations = readdirSync(FOLDER).filter((name) => name.endsWith(".sql") && name >= FIRST);

test("there are migrations to look at", () => {
  expect(migrations.length).toBeGreaterThan(2);
});

test.each(migrations)("the release before goes on with what %s makes of the tables", (name) => {
  expect(contradictions(readFileSync(`${FOLDER}/${name}`, "utf8"))).toEqual([]);
});

test.each([
  `ALTER TABLE "orders" RENAME COLUMN "a" TO "b";`,
  `ALTER TABLE "orders" RENAME TO "sales";`,
  `ALTER TABLE "orders" DROP COLUMN "a";`,
  `DROP TABLE "orders";`,
  `ALTER TABLE "orders" ALTER COLUMN "a" SET NOT NULL;`,
  `ALTER TABLE "orders" ALTER COLUMN "a" DROP NOT NULL;`,
  `ALTER TABLE "orders" ALTER COLUMN "a" DROP DEFAULT;`,
  `ALTER TABLE "orders" ALTER COLUMN "a" SET DATA TYPE text;`,
  `ALTER TABLE "orders" ADD COLUMN "a" text NOT NULL;`,
  `ALTER TABLE "orders" ADD CONSTRAINT "c" UNIQUE("a");`,
  `ALTER TABLE "orders" ADD CONSTRAINT "c" CHECK ("orders"."a" > 0);`,
  `CREATE UNIQUE INDEX IF NOT EXISTS "u" ON "orders" USING btree ("a");`,
  `CREATE TABLE "other" ("a" text);--> statement-breakpoint\nCREATE UNIQUE INDEX "u" ON "orders" ("a");`,
  `-- contract: nothing reads it since release 7\nALTER TABLE "orders" RENAME COLUMN "a" TO "b";`,
])("%s is refused", (text) => {
  expect(contradictions(text)).toHaveLength(1);
});

test.each([
  `ALTER TABLE "orders" ADD COLUMN "a" text;`,
  `ALTER TABLE "orders" ADD COLUMN "a" text DEFAULT '' NOT NULL;`,
  `ALTER TABLE "orders" ADD COLUMN "a" text;--> statement-breakpoint\nALTER TABLE "orders" ADD CONSTRAINT "c" UNIQUE("a");`,
  `CREATE TABLE "other" ("a" text NOT NULL);--> statement-breakpoint\nCREATE UNIQUE INDEX "u" ON "other" ("a");`,
  `CREATE INDEX IF NOT EXISTS "i" ON "orders" USING btree ("a");`,
  `DROP INDEX "i";`,
  `UPDATE "orders" SET "a" = '';`,
  `-- contract: nothing reads it since release 7\nALTER TABLE "orders" DROP COLUMN "a";`,
])("%s is taken", (text) => {
  expect(contradictions(text)).toEqual([]);
});
