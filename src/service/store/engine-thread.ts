/** The thread of the embedded database's engine. For each connection it gets a port, on which it answers PostgreSQL's protocol. */
import { parentPort, workerData, type MessagePort } from "node:worker_threads";
import { answerOf, openEngine, type Place } from "./engine.ts";

/** What the thread tells the one that began it: that it is ready, or why it is not, or why it can no longer be used. */
export type Told = { ready: true } | { failed: string } | { lost: string };

/** A message of the protocol that runs a simple query. */
function simpleQuery(text: string): Uint8Array {
  const message = Buffer.from(`Q....${text}\0`);
  message.writeInt32BE(message.length - 1, 1);
  return new Uint8Array(message);
}

const tell = (told: Told) => parentPort?.postMessage(told, []);

function leave(reason: string): never {
  tell({ lost: reason });
  process.exit(1);
}

async function run(place: Place): Promise<void> {
  const engine = await openEngine(place, leave);

  /** The engine has one session. A new connection finds it as a server's would be. */
  async function greet(messages: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
    for (const text of ["ROLLBACK", "DISCARD ALL"]) await answerOf(engine, simpleQuery(text));
    // The one answer that it gives in one piece alone.
    return new Uint8Array(engine.execProtocolRawSync(messages));
  }

  async function answer(port: MessagePort, messages: Uint8Array): Promise<void> {
    // Only the first message of a connection has no letter before it.
    const reply = await (messages[0] === 0 ? greet(messages) : answerOf(engine, messages));
    port.postMessage(reply, [reply.buffer]);
  }

  parentPort?.on("message", (message: MessagePort | "close") => {
    if (message === "close") {
      void engine.close().finally(() => process.exit());
      return;
    }
    message.on("message", (messages: Uint8Array) => void answer(message, messages));
  });
  tell({ ready: true });
}

run(workerData as Place).catch((error: unknown) => {
  tell({ failed: error instanceof Error ? `${error.name}: ${error.message}` : String(error) });
  process.exit(1);
});
