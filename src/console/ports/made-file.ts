/** Reads a file that the service makes while it tells of it: what is said first, a line of JSON each, then as many bytes as were named. */
import { CallFailed } from "../../../machines/call-error.ts";
import type { FileProgress } from "../../../machines/console-download.ts";
import type { Making } from "../../contract/console.ts";

/** Bytes that stay in memory: of more, the browser makes a file of its own. */
const HELD = 4_000_000;
const NEWLINE = 0x0a;

/**
 * @param tell told how far it is, of the bytes at each percent
 * @throws CallFailed where the service refuses, or an Error where it broke off: half a file is none
 */
export async function readMade(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  tell: (progress: FileProgress) => void,
): Promise<{ file: Blob; name: string; entry: number }> {
  const letters = new TextDecoder();
  let line = "";
  const said: { last: Extract<Making, { bytes: number }> | null } = { last: null };
  let whole = new Blob([]);
  let parts: Uint8Array<ArrayBuffer>[] = [];
  let held = 0;
  let percent = -1;

  const add = (part: Uint8Array<ArrayBuffer>, of: number) => {
    parts.push(part);
    held += part.length;
    if (held > HELD) {
      whole = new Blob([whole, ...parts]);
      [parts, held] = [[], 0];
    }
    const bytes = whole.size + held;
    const now = Math.floor((100 * bytes) / Math.max(1, of));
    if (now === percent) return;
    percent = now;
    tell({ bytes, of });
  };
  const hear = (text: string) => {
    const word = JSON.parse(text) as Making;
    if ("refused" in word) throw new CallFailed({ kind: "refused", code: 422, message: word.refused });
    if ("bytes" in word) said.last = word;
    else tell(word);
  };
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      let rest = value;
      while (rest.length > 0) {
        if (said.last !== null) {
          add(rest, said.last.bytes);
          break;
        }
        const end = rest.indexOf(NEWLINE);
        line += letters.decode(end < 0 ? rest : rest.subarray(0, end), { stream: true });
        if (end < 0) break;
        rest = rest.subarray(end + 1);
        const [text] = [line, (line = "")];
        hear(text);
      }
    }
  } finally {
    // What is not wanted any more is not made either.
    await reader.cancel().catch(() => undefined);
  }
  const file = new Blob([whole, ...parts], { type: "application/gzip" });
  const { last } = said;
  if (last === null || file.size !== last.bytes)
    throw new Error(`${file.size} of ${last?.bytes ?? "unknown"} bytes came.`);
  return { file, name: last.file, entry: last.entry };
}
