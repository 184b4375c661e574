/** The operator's commands on the embedded database while the service runs: through a socket in the data folder, which only the owner of the folder can open. */
import { chmodSync, existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { createServer, request, type IncomingMessage, type Server } from "node:http";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { wholeLines } from "../../platform/lines.ts";
import type { Change } from "./change.ts";
import { CommandRefused, isLines, type Context } from "./command.ts";
import { perform, preview, type Outcome } from "./commands.ts";

/** A command as it goes through the socket. */
export interface CommandRequest {
  name: string;
  args: string[];
  options: Record<string, string | undefined>;
  actor: string;
}

/**
 * What is asked of the service. A change is previewed, and done in a second request that names what was shown. No name of a
 * command stands at the top, by which a service of an earlier release would do at once what is to be previewed.
 */
export type Asking = { preview: CommandRequest } | { perform: CommandRequest; shown?: string | undefined };

export type Answered = { change: Change } | { outcome: Outcome };
type Reply = Answered | { refused: string } | { broken: string };
/** What goes through the socket, each as a line of JSON: parts of a long answer, and at last the reply. */
type Said = Reply | { lines: string };

const socketIn = (directory: string) => join(directory, "admin.sock");

const MOST_BYTES = 64 * 1024;
/** Bytes that a system takes for the path of a socket: 103 on macOS, 107 on Linux. */
const LONGEST = 103;

/**
 * A path of the socket that is short enough, and what takes it away again. A longer one goes by a link to its folder, which
 * this user alone can follow; the socket itself stays where it is.
 * @throws Error where there is no temporary folder
 */
function shortPath(place: string): { path: string; remove: () => void } {
  if (Buffer.byteLength(place) <= LONGEST) return { path: place, remove: () => undefined };
  const folder = mkdtempSync(join(tmpdir(), "everlit-"));
  symlinkSync(dirname(place), join(folder, "data"));
  return {
    path: join(folder, "data", basename(place)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Previews a command or does it. @throws CommandRefused */
export async function handle(context: Context, asking: Asking): Promise<Answered> {
  if ("preview" in asking) {
    const { name, ...given } = asking.preview;
    const found = await preview(name, { ...context, ...given });
    return "digest" in found ? { change: found } : { outcome: found };
  }
  const { name, ...given } = asking.perform;
  return { outcome: await perform(name, { ...context, ...given }, asking.shown) };
}

async function* replies(context: Context, body: string, verify: () => void): AsyncGenerator<Said> {
  try {
    const asking = JSON.parse(body) as Asking;
    if (!("preview" in asking) && !("perform" in asking))
      throw new CommandRefused("The command is of another release than the service that runs.");
    const answered = await handle(context, asking);
    verify();
    if ("outcome" in answered && isLines(answered.outcome.answer)) {
      for await (const lines of answered.outcome.answer) yield { lines };
      yield { outcome: { ...answered.outcome, answer: "" } };
    } else yield answered;
  } catch (error) {
    if (error instanceof CommandRefused) yield { refused: error.message };
    else yield { broken: error instanceof Error ? error.message : String(error) };
  }
}

async function* inLines(said: AsyncIterable<Said>): AsyncGenerator<string> {
  for await (const each of said) yield `${JSON.stringify(each)}\n`;
}

/** Opens the socket. @param verify ends the process where the data is no longer what was opened @returns what closes it */
export function openSocket(
  context: Context,
  directory: string,
  verify: () => void = () => undefined,
): () => void {
  // Windows has no sockets that belong to the owner of a folder: there, commands need the service stopped.
  if (process.platform === "win32") return () => undefined;
  const place = socketIn(directory);
  const server: Server = createServer((incoming, response) => {
    let body = "";
    incoming.setEncoding("utf8");
    incoming.on("data", (chunk: string) => {
      body += chunk;
      if (body.length > MOST_BYTES) incoming.destroy();
    });
    incoming.on("end", () => {
      // Where the one who asked goes away meanwhile, nothing more is read.
      pipeline(Readable.from(inLines(replies(context, body, verify))), response).catch(() => undefined);
    });
  });
  const failed = ({ message }: Error) =>
    context.ledger.log("admin socket failed", { error: message }, "warn");
  // The folder is locked: a socket that is left over belongs to a process that is gone.
  rmSync(place, { force: true });
  try {
    const { path, remove } = shortPath(place);
    server.once("listening", remove).once("error", remove).on("error", failed);
    server.listen(path, () => chmodSync(place, 0o600)).unref();
  } catch (error) {
    failed(error as Error);
  }
  return () => {
    server.close();
    rmSync(place, { force: true });
  };
}

/** @throws CommandRefused, or an Error of the service's */
function answeredBy(said: Reply): Answered {
  if ("refused" in said) throw new CommandRefused(said.refused);
  if ("broken" in said) throw new Error(said.broken);
  return said;
}

/** The parts of a long answer, of which one is known already. @throws what `answeredBy` does, also where it breaks off */
async function* partsOf(first: string, rest: AsyncIterator<string, string>): AsyncGenerator<string> {
  yield first;
  for (;;) {
    const { value } = await rest.next();
    const said = JSON.parse(value) as Said;
    if (!("lines" in said)) return void answeredBy(said);
    yield said.lines;
  }
}

/** @returns undefined when no service listens in that folder @throws CommandRefused, or an Error of the service's */
export async function askService(directory: string, asking: Asking): Promise<Answered | undefined> {
  const place = socketIn(directory);
  if (!existsSync(place)) return undefined;
  const { path, remove } = shortPath(place);
  const response = await new Promise<IncomingMessage | undefined>((resolve, reject) => {
    const sent = request({ socketPath: path, method: "POST" }, resolve);
    sent.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED" || error.code === "ENOENT") resolve(undefined);
      else reject(error);
    });
    sent.end(JSON.stringify(asking));
  }).finally(remove);
  if (!response) return undefined;
  const lines = wholeLines(response.setEncoding("utf8"));
  // A service of an earlier release says one thing alone, and ends no line.
  const { value: first } = await lines.next();
  const said = JSON.parse(first) as Said;
  if (!("lines" in said)) return answeredBy(said);
  return { outcome: { answer: partsOf(said.lines, lines), change: null, repeated: null } };
}
