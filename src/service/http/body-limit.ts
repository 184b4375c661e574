/** Refuses a body that is too large. The rest of it is read and dropped first: a client that is cut off while it sends never reads the answer. */
import type { Context, MiddlewareHandler } from "hono";
import { SECOND } from "../../contract/durations.ts";
import type { Env } from "./service.ts";
import { ApiError } from "../platform/errors.ts";

/** So much of a refused body is waited for, in bytes and in ms; then the connection ends. */
const MOST_DROPPED = 16 * 1024 * 1024;
const DROP_TIMEOUT = 10 * SECOND;

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** Takes in what comes, and keeps nothing. @returns whether that was all */
async function drop(reader: Reader, alreadyRead: number): Promise<boolean> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(late.resolve, DROP_TIMEOUT, null);
  try {
    for (let size = alreadyRead; size <= MOST_DROPPED;) {
      const read = await Promise.race([reader.read(), late.promise]);
      if (read === null) return false;
      if (read.done) return true;
      size += read.value.length;
    }
    return false;
  } catch {
    // The client has gone.
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * @param most bytes
 * @param answer to a larger body
 */
export function bodyLimit(most: number, answer: (c: Context<Env>) => Response): MiddlewareHandler<Env> {
  return async (c, next) => {
    const length = Number(c.req.header("Content-Length") ?? Number.NaN);
    // The server itself holds a sender to the length that was said. The body is not touched, which makes it a stream.
    if (length <= most && c.req.header("Transfer-Encoding") === undefined) return next();
    const { body } = c.req.raw;
    if (!body) return next();

    const refuse = async (reader: Reader, alreadyRead: number) => {
      const isWhole = length > MOST_DROPPED ? false : await drop(reader, alreadyRead);
      if (!isWhole) c.header("Connection", "close");
      return answer(c);
    };
    const reader: Reader = body.getReader();
    if (length > most) return refuse(reader, 0);
    const parts: Uint8Array[] = [];
    let size = 0;
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        throw ApiError.of("unreadable");
      });
      if (done) break;
      size += value.length;
      if (size > most) return refuse(reader, size);
      parts.push(value);
    }
    c.req.raw = new Request(c.req.raw, { method: c.req.method, body: Buffer.concat(parts) });
    return next();
  };
}
