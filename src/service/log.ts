/** One line of JSON for each thing worth knowing later. Never a body, a header, a password, a token or a query string. */

export type Log = (event: string, facts?: Record<string, string | number>) => void;

export const log: Log = (event, facts) => {
  console.log(JSON.stringify({ at: new Date().toISOString(), event, ...facts }));
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
