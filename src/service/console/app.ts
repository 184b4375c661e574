/** The operator's page as one Hono application of its own: the page's files, and its calls, each behind the door. It shares no origin, no port and no bundle with the shop. */
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono, type Context, type MiddlewareHandler } from "hono";
import { requestId } from "hono/request-id";
import * as v from "valibot";
import {
  consoleCalls,
  filters,
  LINES,
  MADE,
  type Making,
  type QueryAnswer,
  type Done,
  type ListName,
} from "../../contract/console.ts";
import { CatalogueRefused } from "../catalogue.ts";
import { addressOf } from "../http/client-address.ts";
import { createRequestLimits } from "../limits/request-limits.ts";
import { bodyLimit } from "../http/body-limit.ts";
import {
  consolePolicy,
  dataPolicy,
  everywhere,
  HTTPS_ONLY,
  inlineIn,
  OPENER_POLICY,
  POLICY,
} from "../http/security-headers.ts";
import {
  CommandRefused,
  isLines,
  isMadeFile,
  type Answer,
  type Context as CommandContext,
  type Lines,
  type Rows,
} from "../operations/admin/command.ts";
import { isPreviewed, perform, preview, table, type Outcome } from "../operations/admin/commands.ts";
import { backupReceived, type MadeFile } from "../operations/backup-download.ts";
import { factsOf } from "../platform/log.ts";
import type { Settings } from "../settings.ts";
import { isServer } from "../store/open.ts";
import { createDoor, type Door, type OperatorEnv } from "./door.ts";
import { CURSOR, lists } from "./lists.ts";
import { backupStory, find, memberStory, orderStory, packagesStory } from "./stories.ts";
import { todayOf } from "./today.ts";

const MOST_BYTES = 64 * 1024;

const text = (most: number) => v.pipe(v.string(), v.maxLength(most));
const given = {
  command: text(64),
  args: v.pipe(v.array(text(1_024)), v.maxLength(16)),
  options: v.record(text(64), text(4_096)),
};
/** What the browser hands over of a device's answer: read closely by the library that verifies it. */
const credential = <Response extends v.ObjectEntries>(response: Response) =>
  v.looseObject({
    id: text(1_024),
    rawId: text(1_024),
    type: v.literal("public-key"),
    clientExtensionResults: v.record(v.string(), v.unknown()),
    response: v.looseObject({ clientDataJSON: text(4_096), ...response }),
  });

const bodies = {
  proof: credential({ authenticatorData: text(4_096), signature: text(4_096) }),
  passkey: credential({ attestationObject: text(32_768) }),
  enter: v.object({ link: text(256) }),
  nothing: v.object({}),
  find: v.object({ text: text(4_096) }),
  list: v.object({
    list: v.picklist(Object.keys(filters) as ListName[]),
    filter: text(32),
    cursor: v.nullable(v.pipe(v.string(), v.regex(CURSOR))),
  }),
  order: v.object({ order: text(256) }),
  member: v.object({ name: text(256) }),
  entry: v.object({ entry: v.pipe(v.number(), v.safeInteger()) }),
  given: v.object(given),
  /** `shown`: the digest of the preview that was agreed to. */
  perform: v.object({ ...given, shown: text(128) }),
};

/** What the calls work with. */
export interface Console
  extends
    Omit<Door, "db" | "now" | "log" | "settings">,
    Omit<CommandContext, "console" | "catalogue" | "events"> {
  settings: Door["settings"] & Pick<Settings, "catalogueFile" | "database" | "events" | "requestsPerMinute">;
}

const rowsOf = (answer: Answer): Rows => (Array.isArray(answer) ? answer : [{ answer }]);

async function* ended(lines: Lines): AsyncGenerator<Buffer> {
  for await (const some of lines) yield Buffer.from(`${some}\n`);
}

/** Lines as they go to the page, no faster than it takes them. */
const fileOf = (lines: Lines) => Readable.toWeb(Readable.from(ended(lines))) as ReadableStream;

async function* written(parts: AsyncIterable<Making | Buffer>): AsyncGenerator<Buffer> {
  for await (const part of parts)
    yield Buffer.isBuffer(part) ? part : Buffer.from(`${JSON.stringify(part)}\n`);
}

/** A file with what is said of its making, no faster than the page takes it. */
const madeOf = ({ parts, signal }: MadeFile) =>
  Readable.toWeb(Readable.from(written(parts), { signal })) as ReadableStream;

const doneOf = ({ answer }: Outcome): Done => {
  const rows = rowsOf(answer);
  const entry = rows[0]?.["audit"];
  return { rows, entry: typeof entry === "number" ? entry : null };
};

const pass: MiddlewareHandler<OperatorEnv> = (_, next) => next();

/** The page and its calls. @param console `page` is where it is reached */
export function buildConsole(console: Console) {
  const { ledger, page, settings } = console;
  const { db, now, log } = ledger;
  const requests = createRequestLimits({ ...settings, accountRequestsPerMinute: 0 }, now);
  const door = createDoor({ ...console, db, now, log });
  const app = new Hono<OperatorEnv>();

  app.use(requestId({ headerName: "" }));
  app.use(async (c, next) => {
    c.set("now", now);
    await next();
    const { headers } = c.res;
    if (!headers.has(POLICY)) headers.set(POLICY, dataPolicy);
    for (const [name, value] of everywhere) headers.set(name, value);
    // No window of another site has a hold on this one, nor this one on it.
    headers.set(OPENER_POLICY, "same-origin");
    if (page.url?.startsWith("https:")) headers.set(...HTTPS_ONLY);
  });
  app.use("/api/*", async (c, next) => {
    const start = performance.now();
    await next();
    c.header("Cache-Control", "no-store");
    const { operator } = c.var as Partial<OperatorEnv["Variables"]>;
    log("console call", {
      request: c.var.requestId,
      path: c.req.path,
      status: c.res.status,
      ...(operator === undefined ? {} : { operator: operator.name }),
      ms: Math.round(performance.now() - start),
    });
  });
  app.use("/api/*", async (c, next) =>
    requests.countNetwork(addressOf(c, console)) === null ? next() : c.json({ refused: "tries" }, 429),
  );
  app.use(
    "/api/*",
    bodyLimit(MOST_BYTES, (c) => c.json({ refused: "size" }, 413)),
    door.ownOrigin,
  );

  /** A call with such a body; the one who asks is in, unless the call is the one that lets them in. */
  const call = <Schema extends v.GenericSchema>(
    path: string,
    schema: Schema,
    answer: (body: v.InferOutput<Schema>, c: Context<OperatorEnv>) => Promise<unknown>,
    isOpen = false,
  ) =>
    app.post(path, isOpen ? pass : door.signedIn, async (c) => {
      const body = v.safeParse(schema, await c.req.json().catch(() => undefined));
      if (!body.success) return c.json({ refused: "body" }, 400);
      const answered = await answer(body.output, c);
      return answered instanceof Response ? answered : c.json({ data: answered ?? null });
    });

  /** The one who asks, as the commands know them: their name stands in the audit entry. */
  const callOf = (
    c: Context<OperatorEnv>,
    { args, options }: { args: string[]; options: Record<string, string> },
  ) => ({
    ledger,
    ...(console.chains && { chains: console.chains }),
    ...(console.alerts && { alerts: console.alerts }),
    events: settings.events,
    catalogue: settings.catalogueFile,
    // Of a server, what is beside the database is another machine's.
    spool: isServer(settings.database) ? tmpdir() : settings.database,
    args,
    options,
    actor: c.var.operator.name,
    right: c.var.operator.right,
  });
  const looking = (c: Context<OperatorEnv>) => ({ db, now: now(), right: c.var.operator.right });

  call(consoleCalls.enter, bodies.enter, async ({ link }, c) => (await door.comeIn(c, link)) ?? null, true);
  for (const path of ["proof", "enterByPasskey", "newPasskey", "addPasskey"] as const)
    app.use(consoleCalls[path], door.withName);
  call(consoleCalls.proof, bodies.nothing, async (_, c) => door.wantProof(c), true);
  call(consoleCalls.enterByPasskey, bodies.proof, async (proof, c) => door.comeInByPasskey(c, proof), true);
  call(consoleCalls.newPasskey, bodies.nothing, async (_, c) => door.wantPasskey(c));
  call(consoleCalls.addPasskey, bodies.passkey, async (made, c) => door.addPasskey(c, made));
  call(consoleCalls.leave, bodies.nothing, async (_, c) => door.goOut(c));
  call(consoleCalls.whoami, bodies.nothing, async (_, c) => {
    const { name, right } = c.var.operator;
    return { name, right, commands: table(right) };
  });
  call(consoleCalls.today, bodies.nothing, async () => todayOf(db, now(), settings.events !== null));
  call(consoleCalls.find, bodies.find, async ({ text: wanted }, c) => find(looking(c), wanted));
  call(consoleCalls.list, bodies.list, async ({ list, filter, cursor }, c) => {
    const choices: readonly string[] = filters[list];
    if (!choices.includes(filter)) return c.json({ refused: "body" }, 400);
    return lists[list](looking(c), filter as never, cursor);
  });
  call(consoleCalls.order, bodies.order, async ({ order }, c) => orderStory(looking(c), order));
  call(consoleCalls.member, bodies.member, async ({ name }, c) => memberStory(looking(c), name));
  call(consoleCalls.packages, bodies.nothing, async (_, c) =>
    packagesStory(looking(c), settings.catalogueFile),
  );
  call(consoleCalls.backups, bodies.nothing, async (_, c) =>
    backupStory(looking(c), console.alerts?.backupHours ?? 0, settings.database),
  );
  call(consoleCalls.backupReceived, bodies.entry, async ({ entry }, c) => {
    if (!(await backupReceived(db, c.var.operator.name, entry)))
      throw new CommandRefused("There is no such backup of yours that was sent to its end.");
  });
  call(consoleCalls.ask, bodies.given, async ({ command, ...rest }, c): Promise<QueryAnswer | Response> => {
    if (isPreviewed(command))
      throw new CommandRefused(`${command} changes something: it is previewed first.`);
    const { answer } = await perform(command, callOf(c, rest));
    // A proxy hands on what is said of a long work when it is said.
    const headers = { "X-Accel-Buffering": "no" };
    if (isMadeFile(answer)) return c.body(madeOf(answer), { headers: { ...headers, "Content-Type": MADE } });
    return isLines(answer)
      ? c.body(fileOf(answer), { headers: { "Content-Type": LINES } })
      : { rows: rowsOf(answer) };
  });
  call(consoleCalls.preview, bodies.given, async ({ command, ...rest }, c) => {
    const shown = await preview(command, callOf(c, rest));
    return "digest" in shown ? { change: shown } : { done: doneOf(shown) };
  });
  call(consoleCalls.perform, bodies.perform, async ({ command, shown, ...rest }, c) => {
    if (!isPreviewed(command))
      throw new CommandRefused(`${command} has no preview, so it is not done from here.`);
    return doneOf(await perform(command, callOf(c, rest), shown));
  });
  app.all("/api/*", (c) => c.json({ refused: "nothing here" }, 404));

  const index = join(page.directory, "index.html");
  if (existsSync(index)) app.use("/assets/*", serveStatic<OperatorEnv>({ root: page.directory }));
  app.get("/assets/*", (c) => c.text("Not found.\n", 404));
  app.get("*", async (c) => {
    if (!existsSync(index))
      return c.text(`The operator's page is not built: ${page.directory} has no index.html.\n`, 503);
    const whole = await readFile(index, "utf8");
    c.header(POLICY, consolePolicy(inlineIn(whole)));
    c.header("Cache-Control", "no-cache");
    return c.html(whole);
  });
  app.notFound((c) => c.json({ refused: "nothing here" }, 404));
  app.onError((error, c) => {
    if (error instanceof CommandRefused || error instanceof CatalogueRefused)
      return c.json({ refused: error.message }, 422);
    log("failed", { request: c.var.requestId, path: c.req.path, ...factsOf(error) }, "error");
    return c.json({ refused: "broken" }, 500);
  });
  return app;
}
