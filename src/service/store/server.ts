/** A PostgreSQL server, as the database. */
import { Socket } from "node:net";
import type { Client, ClientBase, ClientConfig, PoolClient } from "pg";
import { MINUTE, SECOND } from "../../contract/durations.ts";
import { factsOf, log } from "../platform/log.ts";
import { openClock } from "./clock.ts";
import type { Store } from "./database.ts";
import { driverUrl, isUnverified } from "./database-url.ts";
import { changeUnlessBlocked, untilDone, type Blocked } from "./migrating.ts";
import { nameStatements } from "./named-statements.ts";
import { changesTables, refuseOutdated, type OpenedBy } from "./outdated.ts";
import { beginLong, checkSession, checkWritable, prepareSession } from "./session.ts";
import { hasCode, UNLIMITED } from "./transaction.ts";

/** Ms to wait for a connection, before the caller is told that it failed. */
const CONNECT_TIMEOUT = 10 * SECOND;
export interface DatabaseLimits {
  /** Connections at a time. */
  connections: number;
  /** Ms that a statement may take. */
  statement: number;
  /**
   * How long a connection is the same session of the server: "transaction" behind a pooler such as PgBouncer in that mode,
   * where nothing may be set or named that outlives a transaction.
   */
  pooling: "session" | "transaction";
}

const LIMITS: DatabaseLimits = { connections: 10, statement: 15_000, pooling: "session" };
/** Ms that the server has to say that a statement took too long. */
const ANSWERING = 5 * SECOND;
/** Ms in which the borrower of a lost connection gives it back by itself. */
const GRACE = SECOND;
/** Any number that no other program would take in the same database. */
const MIGRATION_LOCK = 7_203_114_051;
/** A write was refused: the server, or the transaction, is read-only. */
const READ_ONLY: ReadonlySet<unknown> = new Set(["25006"]);
/** A write was refused: the server's disk is full. */
const NO_ROOM: ReadonlySet<unknown> = new Set(["53100"]);
/** Ms after such a refusal in which the server counts as full. */
const FULL = MINUTE;

function giveBack(lent: PoolClient): void {
  try {
    lent.release(true);
  } catch {
    // It has been given back.
  }
}

/**
 * Has a connection closed when it is given back, once a write on it was refused: its server may have become a standby.
 * @param onFull is told where the server has no room
 */
function watchRefusals(lent: PoolClient, onFull: () => void): void {
  const query = lent.query.bind(lent) as (...words: unknown[]) => unknown;
  const notice = (error: unknown) => {
    if (hasCode(error, NO_ROOM)) onFull();
    if (!hasCode(error, READ_ONLY)) return;
    const release = lent.release.bind(lent);
    lent.release = () => release(true);
  };
  const watched = (...words: unknown[]) => {
    // Outside a transaction the pool asks, by a callback.
    const told = words.at(-1);
    if (typeof told === "function")
      words.splice(-1, 1, (error: unknown, ...rest: unknown[]) => {
        notice(error);
        (told as (...answer: unknown[]) => void)(error, ...rest);
      });
    const answered = query(...words);
    if (answered instanceof Promise) answered.catch(notice);
    return answered;
  };
  lent.query = watched as unknown as PoolClient["query"];
}

/** Lets a server be silent while a snapshot lasts. @param usually ms in which it says something otherwise */
function letSnapshotsBeSilent(lent: PoolClient, socket: Socket, usually: number): void {
  const query = lent.query.bind(lent) as (...words: unknown[]) => unknown;
  const watched = (...words: unknown[]) => {
    const [asked] = words;
    const text = typeof asked === "string" ? asked : (asked as { text?: string } | undefined)?.text;
    if (text === UNLIMITED) socket.setTimeout(0);
    else if (text === "commit" || text === "rollback") socket.setTimeout(usually);
    return query(...words);
  };
  lent.query = watched as unknown as PoolClient["query"];
}

/**
 * Tells once that no connection is made any more, and once that one is again; not of each that failed.
 * @returns takes how an attempt ended, and when it began (`performance.now`)
 */
function watchReach(place: string): (error: Error | null, begunAt: number) => void {
  let lostAt: number | null = null;
  let reachedAt = 0;
  return (error, begunAt) => {
    if (!error) reachedAt = performance.now();
    // An attempt may be given up when later ones are through: it tells of what was before.
    if (error && lostAt === null && begunAt >= reachedAt) {
      lostAt = performance.now();
      log("database unreachable", { place, error: String(factsOf(error)["error"]) }, "error");
    } else if (!error && lostAt !== null) {
      log("database reached", { place, seconds: Math.round((performance.now() - lostAt) / 1000) }, "warn");
      lostAt = null;
    }
  };
}

/**
 * @param url `postgres://…`
 * @param silence ms without a word, after which a connection is given up: of a server that is suddenly gone, TCP itself
 * finds out a quarter of an hour later
 * @throws Error that says which server and what is wrong, without the password
 */
export async function openServer(
  url: string,
  migrationsFolder: string,
  limits = LIMITS,
  by: OpenedBy = "service",
  silence = limits.statement + ANSWERING,
): Promise<Store> {
  const [{ default: pg }, { drizzle }, { migrate }] = await Promise.all([
    import("pg"),
    import("drizzle-orm/node-postgres"),
    import("drizzle-orm/node-postgres/migrator"),
  ]);
  const hasSessions = limits.pooling === "session";
  const { host, pathname } = new URL(url);
  const place = `PostgreSQL at ${host}${pathname}`;
  const connectionString = driverUrl(url);
  const reach = { connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT, keepAlive: true };
  const migration = async (): Promise<Blocked | null> => {
    // By itself, because changing tables may take long.
    const client = new pg.Client(reach);
    client.on("error", () => undefined);
    try {
      await client.connect();
      await checkSession(client, hasSessions);
      // Two processes that start together would otherwise both create the tables. All of it is one transaction, so that the
      // lock and the limits hold behind a pooler too: PostgreSQL only warns of the "begin" that follows, and goes on.
      await beginLong(client);
      await client.query("SELECT pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
      const db = drizzle(client);
      if (await changesTables(db, by))
        return await changeUnlessBlocked(client, () => migrate(db, { migrationsFolder }));
      await refuseOutdated(db, migrationsFolder);
      return null;
    } finally {
      await client.end();
    }
  };
  try {
    await untilDone(place, migration);
  } catch (error) {
    throw new Error(`${place} cannot be used: ${factsOf(error)["error"]}`, { cause: error });
  }
  if (by === "service" && isUnverified(connectionString)) {
    const hint = "sslmode=verify-full&sslrootcert=<the authority's file> in DATABASE_URL checks who answers.";
    log("database not verified", { hint }, "warn");
  }

  const newSocket = () => {
    const socket = new Socket();
    socket.on("timeout", () => socket.destroy(new Error(`The database said nothing for ${silence} ms.`)));
    return socket.setTimeout(silence);
  };
  const prepare = (fresh: ClientBase) =>
    hasSessions ? prepareSession(fresh, limits.statement) : checkWritable(fresh);
  const reached = watchReach(place);
  type Connected = ((error: Error) => void) | ((error: null, client: Client) => void);
  class Watched extends pg.Client {
    begunAt = 0;
    readonly socket: Socket;
    constructor(config?: ClientConfig) {
      const socket = newSocket();
      super({ ...config, stream: () => socket });
      this.socket = socket;
    }
    override connect(): Promise<Client>;
    override connect(callback: Connected): void;
    override connect(callback?: Connected): Promise<Client> | void {
      // The pool's way is the other one.
      if (!callback) return super.connect();
      this.begunAt = performance.now();
      super.connect((error: Error | null) => {
        if (error) reached(error, this.begunAt);
        (callback as (error: Error | null, client: Client) => void)(error, this);
      });
      return undefined;
    }
  }
  /** One that cannot be prepared counts as one that could not be made. */
  async function onConnect(fresh: ClientBase): Promise<void> {
    const { begunAt } = fresh as Watched;
    try {
      await prepare(fresh);
    } catch (error) {
      reached(error instanceof Error ? error : new Error(String(error)), begunAt);
      throw error;
    }
    reached(null, begunAt);
  }
  const pool = new pg.Pool({
    ...reach,
    Client: Watched,
    max: limits.connections,
    // oxlint-disable-next-line no-misused-promises -- the pool waits for it, which its types do not say
    onConnect,
  });
  // A connection that is lost is replaced at the next query; without listeners it would end the process: while idle …
  pool.on("error", () => undefined);
  // … and while lent. Drizzle never gives one back that was lost as its transaction began, and the pool would run dry.
  pool.on("connect", (lent) => {
    nameStatements(lent, hasSessions);
    watchRefusals(lent, noteFull);
    letSnapshotsBeSilent(lent, (lent as PoolClient & Watched).socket, silence);
    lent.on("error", () => setTimeout(giveBack, GRACE, lent).unref());
  });
  const connections = () => ({
    busy: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
  });
  // A server with a full disk still answers: what it refused tells.
  let fullAt: number | null = null;
  const isFull = () => fullAt !== null && performance.now() - fullAt < FULL;
  function noteFull(): void {
    if (!isFull()) log("database full", { place }, "error");
    fullAt = performance.now();
  }
  /** A connection whose server takes no writes is not kept: the next question may come to another one. */
  async function ping(): Promise<void> {
    if (isFull()) throw new Error("The server's disk is full.");
    const lent = await pool.connect();
    try {
      await checkWritable(lent);
    } catch (error) {
      giveBack(lent);
      throw error;
    }
    lent.release();
  }
  const clock = await openClock(async () => {
    const { rows } = await pool.query<{ at: string }>(
      "SELECT extract(epoch FROM clock_timestamp()) * 1000 AS at",
    );
    return Number(rows[0]?.at);
  }).catch(async (error: unknown) => {
    await pool.end();
    throw new Error(`${place} cannot be used: ${factsOf(error)["error"]}`, { cause: error });
  });
  return {
    db: drizzle(pool),
    now: clock.now,
    place,
    connections,
    ping,
    verify: () => undefined,
    close: async () => {
      void clock.stop();
      await pool.end();
    },
  };
}
