/** The engine of the embedded database: PGlite, PostgreSQL in WebAssembly, on files that outlive a power cut. Decision 17. */
import { fsyncSync, openAsBlob } from "node:fs";
import { PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";

/** By itself ("-F") it leaves all to the operating system, which a power cut takes along; the one kind of sync that its file system is asked for is fsync. */
const SYNC = ["-c", "wal_sync_method=fsync"];
/** By itself it takes 128 MB for pages that the operating system keeps as well, and room for a hundred connections. It has one. */
const SMALL = ["-c", "shared_buffers=16MB", "-c", "wal_buffers=1MB", "-c", "max_connections=4"];
/** EIO, as the database in its WebAssembly counts errors. */
const EIO = 29;

/** What the engine's file system is told to do; it knows no `fsync` by itself. */
interface FileCalls {
  fsync?: (file: { nfd: number }) => number;
}

/** Teaches the engine's file system to have what was written put on the disk. */
function teachSync({ NODEFS }: { NODEFS: { stream_ops: FileCalls } }): void {
  NODEFS.stream_ops.fsync = ({ nfd }) => {
    try {
      fsyncSync(nfd);
      return 0;
    } catch {
      return EIO;
    }
  };
}

class Files extends NodeFS {
  readonly #onAbort: () => void;
  constructor(directory: string, onAbort: () => void) {
    super(directory);
    this.#onAbort = onAbort;
  }
  override async init(...parameters: Parameters<InstanceType<typeof NodeFS>["init"]>) {
    const { emscriptenOpts } = await super.init(...parameters);
    const preRun = [...(emscriptenOpts.preRun ?? []), teachSync];
    return { emscriptenOpts: { ...emscriptenOpts, preRun, onAbort: this.#onAbort } };
  }
}

/** Where the data is: files in a directory, or memory, which may begin as the copy in a file (`dumpDataDir` of PGlite). */
export type Place = { directory: string } | { copy: string | null };

const openMemory = async (copy: string | null): Promise<PGlite> =>
  PGlite.create({
    startParams: [...PGlite.defaultStartParams, ...SMALL],
    ...(copy === null ? {} : { loadDataDir: await openAsBlob(copy) }),
  });

/**
 * Opens the files in a directory, or makes them where there are none; or opens memory.
 * @param leave called when it gives up, from within the engine, which would try again for ever: ends the thread, and what
 * was under way is as after a crash
 * @throws Error in the database's own last words, where it had any
 */
export async function openEngine(place: Place, leave: (reason: string) => never): Promise<PGlite> {
  if ("copy" in place) return openMemory(place.copy);
  /** What it gave up for, and what it added to that. */
  let words: string[] = [];
  let started = false;
  const files = new Files(place.directory, () => {
    if (started) leave(words.join("; "));
  });
  try {
    const engine = await PGlite.create({
      fs: files,
      startParams: PGlite.defaultStartParams.filter((word) => word !== "-F").concat(SYNC, SMALL),
      onStderr(text) {
        const [, weight, word = ""] = /\b(FATAL|PANIC|DETAIL): +(.*)/.exec(text) ?? [];
        if (weight === "DETAIL" && words.length === 1) words.push(word);
        else if (weight !== undefined && weight !== "DETAIL") words = [word];
        return true;
      },
    });
    started = true;
    return engine;
  } catch (error) {
    throw words.length === 0 ? error : new Error(words.join("; "));
  }
}

/**
 * Answers messages of PostgreSQL's protocol. The engine does so before this returns, and what awaits it goes on in the same
 * task: no other message comes in between. Of what it answers in one piece (`execProtocolRawSync`) it would keep a parsed copy for ever.
 */
export async function answerOf(engine: PGlite, messages: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  // Copies, because each part is a piece of the engine's own memory.
  const onRawData = (part: Uint8Array) => void parts.push(part.slice());
  await engine.execProtocolRawStream(messages, { syncToFs: false, onRawData });
  const [first] = parts;
  return first && parts.length === 1 ? first : new Uint8Array(Buffer.concat(parts));
}
