/** Reads a text line by line, however it was cut on its way. */

/** @param parts of the text @returns what follows the last whole line */
export async function* wholeLines(parts: AsyncIterable<unknown>): AsyncGenerator<string, string> {
  let rest = "";
  for await (const part of parts) {
    const lines = (rest + String(part)).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  return rest;
}
