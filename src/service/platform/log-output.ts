/** Writes the log's lines to a file, a pipe or a terminal that may be full, slow or gone: it never throws, and nothing waits for it. */
import { fstatSync, write, writeSync } from "node:fs";

/** Bytes that wait at most; lines that come on top of them are lost, and counted. */
const MOST = 1024 * 1024;
/** Of these, what frequent lines may take: the rare ones are those that matter. */
const FREQUENT = MOST / 2;
/** Bytes of lines that are written together at the most. */
const TOGETHER = 8 * 1024;
/** Ms after which fewer are written too; and those until the next try after one that failed. */
const DELAY = 200;
/** Bytes that are written at a time. */
const PIECE = 64 * 1024;
/** Ms that a full pipe may hold up the end of the process, and between two tries then. */
const PIPE_TIMEOUT = 500;
const PAUSE = 10;

/** Writes some of `bytes`. @param done gets how many, or the error; may be called at once */
export type Write = (bytes: Buffer, done: (error: Error | null, written: number) => void) => void;

/**
 * A pipe or socket never blocks, because Node's `process.stdout` has set it so: it takes what it has room for. Anything else
 * is written to on another thread, as a disk may be slow.
 */
export function writerOf(fd: number): Write {
  const kind = fstatSync(fd);
  if (!kind.isFIFO() && !kind.isSocket()) return (bytes, done) => write(fd, bytes, done);
  return (bytes, done) => {
    let written: number;
    try {
      written = writeSync(fd, bytes);
    } catch (error) {
      done(error as Error, 0);
      return;
    }
    done(null, written);
  };
}

export interface Output {
  /** Takes a whole line, with its end. @param isFrequent whether it is lost sooner where there is no room */
  take: (line: string, isFrequent: boolean) => void;
  /** Writes now what waits. */
  flush: () => void;
  /** Writes what it can before the process ends, at once. */
  finish: (fd: number) => void;
  /** Lines that were lost so far. */
  lost: () => number;
}

/** @param onRoom called when there is room again, with the number of lines that were lost: takes a line that says so */
export function createOutput(put: Write, onRoom: (lines: number) => void): Output {
  let waiting: string[] = [];
  /** What is being written, or could not be. It stays until all of it is out, so that no line is torn. */
  let piece = Buffer.alloc(0);
  let bytes = 0;
  let isWriting = false;
  let isStuck = false;
  let timer: NodeJS.Timeout | undefined;
  let lost = 0;
  let untold = 0;

  function nextPiece(): Buffer {
    if (piece.length > 0) return piece;
    let size = 0;
    const fits = waiting.findIndex((line) => (size += Buffer.byteLength(line)) > PIECE);
    const lines = waiting.splice(0, fits === -1 ? waiting.length : Math.max(fits, 1));
    piece = Buffer.from(lines.join(""));
    return piece;
  }

  function wrote(written: number): void {
    piece = piece.subarray(written);
    bytes -= written;
    if (untold === 0 || bytes > FREQUENT) return;
    const lines = untold;
    untold = 0;
    onRoom(lines);
  }

  function go(): void {
    clearTimeout(timer);
    timer = undefined;
    if (isWriting || nextPiece().length === 0) return;
    isWriting = true;
    put(piece, (error, written) => {
      isWriting = false;
      isStuck = error !== null;
      if (!isStuck) wrote(written);
      if (isStuck) later();
      else go();
    });
  }

  function later(): void {
    timer ??= setTimeout(go, DELAY).unref();
  }

  return {
    take(line, isFrequent) {
      const size = Buffer.byteLength(line);
      if (bytes + size > (isFrequent ? FREQUENT : MOST)) {
        lost += 1;
        untold += 1;
        return;
      }
      waiting.push(line);
      bytes += size;
      if (bytes >= TOGETHER && !isStuck) go();
      else later();
    },
    flush() {
      if (!isStuck) go();
    },
    finish(fd) {
      // A thread that is writing ends first.
      if (isWriting) wrote(piece.length);
      const until = performance.now() + PIPE_TIMEOUT;
      while (nextPiece().length > 0) {
        try {
          wrote(writeSync(fd, piece));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== "EAGAIN" || performance.now() > until) return;
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
        }
      }
    },
    lost: () => lost,
  };
}
