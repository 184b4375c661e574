/** The address of a database server as it is handed out, in the words that the driver takes for the same. */

/** These mean to libpq, psql and those who run servers: encrypted, perhaps without a look at who answers. The driver by itself takes each for `verify-full`. */
const LIBPQ = new Set(["prefer", "require", "verify-ca"]);

/**
 * `sslmode` as libpq has it, of the address or else of `PGSSLMODE`; `sslrootcert=system` means the authorities that Node knows.
 * @param url `postgres://…`
 */
export function driverUrl(
  url: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const given = url.replace(/(?<=\?)sslrootcert=system(&|$)|&sslrootcert=system(?=&|$)/, "");
  const { searchParams } = new URL(given);
  const added = new URLSearchParams();
  const mode = searchParams.get("sslmode") ?? env["PGSSLMODE"] ?? "";
  if (!searchParams.has("sslmode") && mode !== "") added.set("sslmode", mode);
  if (LIBPQ.has(mode) && !searchParams.has("uselibpqcompat")) added.set("uselibpqcompat", "true");
  if (added.size === 0) return given;
  // As it was given: written anew, a password may become another.
  return `${given}${given.includes("?") ? "&" : "?"}${added}`;
}

/** Whether such a connection is encrypted without a look at who answers. */
export function isUnverified(driver: string): boolean {
  const { searchParams } = new URL(driver);
  const mode = searchParams.get("sslmode") ?? "";
  return (
    mode === "no-verify" || mode === "prefer" || (mode === "require" && !searchParams.has("sslrootcert"))
  );
}
