/** Which packages are on sale: the newest version that an operator put there, or the file's. docs/operating.md, "Packages". */
import { statSync } from "node:fs";
import { desc, eq } from "drizzle-orm";
import { SECOND } from "../contract/durations.ts";
import {
  CatalogueRefused,
  onSaleOf,
  parsePackages,
  readPackages,
  toWritten,
  type Catalogue,
  type Listing,
  type Offered,
} from "./catalogue.ts";
import { factsOf, type Log } from "./platform/log.ts";
import { repeat } from "./platform/repeat.ts";
import type { Database } from "./store/database.ts";
import { catalogueVersions } from "./store/schema.ts";

/** Versions that are gone back through for one that this release reads. */
const DEEPEST = 20;
/** Ms between two looks at the file and at the versions. */
const LOOKS = 10 * SECOND;

/** A version. `packages` null: the file's. */
export interface Version {
  id: number;
  at: Date;
  packages: readonly Offered[] | null;
}

type Row = typeof catalogueVersions.$inferSelect;

/** @throws CatalogueRefused where it has mistakes, or is of a later release */
export const versionOf = ({ id, at, content }: Row): Version => ({
  id,
  at,
  packages: content === null ? null : parsePackages(content, `Version ${id} of the packages`),
});

/**
 * The newest version that this release reads: one of a later release changes nothing here.
 * @param refused told of each newer one, and why
 */
export async function newestVersion(
  db: Database,
  refused: (error: unknown) => void = () => undefined,
): Promise<Version | null> {
  const rows = await db.select().from(catalogueVersions).orderBy(desc(catalogueVersions.id)).limit(DEEPEST);
  for (const row of rows) {
    try {
      return versionOf(row);
    } catch (error) {
      refused(error);
    }
  }
  return null;
}

/**
 * What a version put on sale; null: the file's.
 * @throws CatalogueRefused where there is none of that number, or this release does not read it
 */
export async function packagesOf(db: Database, id: number): Promise<readonly Offered[] | null> {
  const [row] = await db.select().from(catalogueVersions).where(eq(catalogueVersions.id, id));
  if (!row) throw new CatalogueRefused(`There is no version ${id} of the packages.`);
  return versionOf(row).packages;
}

/** The number of the newest version, whatever it is like; 0: there is none. */
async function newestNumber(db: Database): Promise<number> {
  const [row] = await db
    .select({ id: catalogueVersions.id })
    .from(catalogueVersions)
    .orderBy(desc(catalogueVersions.id))
    .limit(1);
  return row?.id ?? 0;
}

function listingOf(version: Version | null, file: Listing): Listing {
  if (version === null) return file;
  if (version.packages !== null) return { packages: version.packages, at: version.at };
  return { ...file, at: new Date(Math.max(file.at.getTime(), version.at.getTime())) };
}

/** The packages now. @throws CatalogueRefused where they are the file's, and it has mistakes */
export async function packagesNow(
  db: Database,
  path: string,
): Promise<{ version: Version | null; packages: readonly Offered[] }> {
  const version = await newestVersion(db);
  return { version, packages: version?.packages ?? readPackages(path).packages };
}

/** Puts packages on sale. @param packages null: the file's @returns the version's number */
export async function addVersion(
  tx: Database,
  packages: readonly Offered[] | null,
  { at, auditId }: { at: Date; auditId: number },
): Promise<number> {
  const [added] = await tx
    .insert(catalogueVersions)
    .values({ at, content: packages?.map(toWritten) ?? null, auditId })
    .returning({ id: catalogueVersions.id });
  return added?.id ?? 0;
}

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
 * Keeps a catalogue as the file and the versions say, whichever process changed them. A file or a version with mistakes
 * changes nothing. Orders keep the package that they were placed for.
 * @param wait milliseconds between two looks
 * @throws CatalogueRefused as `readPackages` does, at the start alone
 */
export async function followCatalogue(
  path: string,
  db: Database,
  log: Log,
  wait = LOOKS,
): Promise<{ catalogue: Catalogue; stop: () => Promise<void> }> {
  let stamp = stampOf(path);
  let file = readPackages(path);
  let number = await newestNumber(db);
  let version = await newestVersion(db, refused);
  const catalogue = onSaleOf(listingOf(version, file));

  function refused(error: unknown): void {
    log("catalogue refused", factsOf(error), "warn");
  }
  function take(): void {
    Object.assign(catalogue, onSaleOf(listingOf(version, file)));
    log("catalogue read", { packages: catalogue.entries.length, version: version?.id ?? 0 });
  }
  function lookAtFile(): void {
    // Where it cannot even be looked at, reading it says why.
    const now = stampOf(path);
    if (now === stamp) return;
    stamp = now;
    try {
      file = readPackages(path);
    } catch (error) {
      return refused(error);
    }
    if ((version?.packages ?? null) === null) take();
  }
  async function lookAtVersions(): Promise<void> {
    const newest = await newestNumber(db);
    if (newest === number) return;
    const found = await newestVersion(db, refused);
    number = newest;
    if (found === null || found.id === version?.id) return;
    version = found;
    take();
  }
  const look = async () => {
    lookAtFile();
    await lookAtVersions().catch((error: unknown) => log("catalogue not read", factsOf(error), "warn"));
  };
  return { catalogue, stop: repeat(wait, look) };
}
