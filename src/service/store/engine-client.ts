/** Reaches the embedded database's engine, which runs on a thread of its own, so that a query does not hold up what else the service does. */
import { once } from "node:events";
import { Duplex } from "node:stream";
import { MessageChannel, Worker, type MessagePort } from "node:worker_threads";
import type { Told } from "./engine-thread.ts";
import type { Place } from "./engine.ts";

/** Beside this file, or beside the bundle. */
const THREAD = import.meta.filename.endsWith(".ts") ? "./engine-thread.ts" : "./engine.js";

/** MB for what its thread soon forgets. The data is not in there. */
const YOUNG = 8;

export interface Engine {
  /** A new connection, as `pg` takes one: a socket that speaks PostgreSQL's protocol. */
  connect: () => Duplex;
  close: () => Promise<void>;
}

/** The methods of a socket that `pg` calls besides those of a stream. */
class Connection extends Duplex {
  readonly #port: MessagePort;

  constructor(port: MessagePort) {
    super();
    this.#port = port;
    port.on("message", ({ buffer }: Uint8Array<ArrayBuffer>) => this.push(Buffer.from(buffer)));
  }
  connect(): void {
    process.nextTick(() => this.emit("connect"));
  }
  setNoDelay(): void {}
  setKeepAlive(): void {}
  ref(): void {
    this.#port.ref();
  }
  unref(): void {
    this.#port.unref();
  }

  #send(messages: Buffer): void {
    const copy = new Uint8Array(messages);
    this.#port.postMessage(copy, [copy.buffer]);
  }
  override _read(): void {}
  override _write(messages: Buffer, _: BufferEncoding, done: () => void): void {
    this.#send(messages);
    done();
  }
  // What belongs to one query is written together, and sent together.
  override _writev(parts: { chunk: Buffer }[], done: () => void): void {
    this.#send(Buffer.concat(parts.map(({ chunk }) => chunk)));
    done();
  }
  override _final(done: () => void): void {
    this.push(null);
    done();
  }
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#port.close();
    done(error);
  }
}

/**
 * Starts the engine.
 * @param leave called when the engine has given up
 * @throws Error in the engine's words when it cannot be started
 */
export async function startEngine(place: Place, leave: (reason: string) => never): Promise<Engine> {
  const thread = new Worker(new URL(THREAD, import.meta.url), {
    workerData: place,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG },
  });
  const exited = once(thread, "exit");
  const [told] = (await Promise.race([
    once(thread, "message"),
    exited.then(() => [{ failed: "Error: The engine ended." }]),
  ])) as [Told];
  if ("failed" in told) throw new Error(told.failed);
  let closing = false;
  thread.on("message", (later: Told) => {
    if ("lost" in later) leave(later.lost);
  });
  thread.on("error", (error) => leave(String(error)));
  thread.on("exit", () => {
    if (!closing) leave("The engine ended.");
  });
  return {
    connect() {
      const { port1, port2 } = new MessageChannel();
      thread.postMessage(port2, [port2]);
      return new Connection(port1);
    },
    async close() {
      closing = true;
      thread.postMessage("close", []);
      await exited;
    },
  };
}
