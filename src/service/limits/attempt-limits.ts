/** How often something may be tried: counted in the database, so that it holds for all processes and through a restart. Decision 24. */
import { createHash } from "node:crypto";
import { and, gt, inArray, lte, sql } from "drizzle-orm";
import pLimit from "p-limit";
import { MINUTE, SECOND } from "../../contract/durations.ts";
import { ApiError } from "../platform/errors.ts";
import type { Word } from "../platform/messages.ts";
import { withWider } from "./network.ts";
import type { Database } from "../store/database.ts";
import { attempts } from "../store/schema.ts";

/** Ms that a try waits for those under way. */
const QUEUE_TIMEOUT = 10 * SECOND;
/** More than so many at one key would wait for longer than that. */
const MOST_WAITING = 200;
/** A household or an office may share an address; one password or answer tried on account after account may not. */
const ACCOUNTS_AT_ADDRESS = 6;

/** Ms: a time that is longer than the limit's own by more was written before the clock was set back. */
const AHEAD = MINUTE;

export interface Limit {
  name: string;
  /** Tries a key in `span` milliseconds from the first of them; 0 is no limit. */
  most: number;
  span: number;
  /** Tries that were right count, too. */
  countsRight?: true;
}

/** A limit at one key, and what is said when it is reached. */
export interface Bound {
  limit: Limit;
  key: string;
  tooMany: Word;
}

/** A limit at a network address, and at the wider network around it where there is one. @param most tries an address */
export function networkBounds(
  { name, most, span }: Limit,
  network: string,
  tooMany: Word,
): [Bound, ...Bound[]] {
  const [address, ...wider] = withWider(network, most);
  const boundAt = (share: typeof address): Bound => ({
    limit: { name: `${name} network`, most: share.most, span },
    key: share.key,
    tooMany,
  });
  return [boundAt(address), ...wider.map(boundAt)];
}

/** Failures at an address: more than at one account, because several people may share it. */
export const failuresAtNetwork = (limit: Limit, network: string, tooMany: Word): Bound[] =>
  networkBounds({ ...limit, most: limit.most * ACCOUNTS_AT_ADDRESS }, network, tooMany);

/** Names and addresses of people are not kept in clear. */
const keyOf = ({ limit: { name }, key }: Bound) =>
  `${name} ${createHash("sha256").update(key).digest("base64url")}`;

const tells = (bound: Bound) => bound.limit.most > 0;

/** Counts tries at bounds. One for all tries of a limit's name, because it also knows which tries are under way. */
export function createLimits(db: Database, now: () => number) {
  /** Tries that are made now, those that wait for one of them to end, and how many were right so far. */
  const underWay = new Map<string, number>();
  const waiting = new Map<string, Set<() => void>>();
  let right = 0;
  /** So that a try that is refused knows of all that were counted before it. */
  const inTurn = pLimit(1);

  const running = (key: string) => underWay.get(key) ?? 0;

  /**
   * Uncounts one try at each of the bounds. Where that fails, it counts until its time is over: on the safe side. A row that
   * counts none any more is deleted.
   */
  async function giveBack(bounds: readonly Bound[]): Promise<void> {
    const keys = bounds.filter(tells).map(keyOf);
    if (keys.length === 0) return;
    // Locked in the order in which they are counted, all before the first is changed: as an array they are asked for once.
    const counted = db.$with("counted").as(
      db
        .select({ key: attempts.key, count: attempts.count })
        .from(attempts)
        .where(and(inArray(attempts.key, keys), gt(attempts.expiresAt, new Date(now()))))
        .orderBy(sql`${attempts.key} COLLATE "C"`)
        .for("update"),
    );
    const withOthers = db.select({ key: counted.key }).from(counted).where(gt(counted.count, 1));
    const alone = db.select({ key: counted.key }).from(counted).where(lte(counted.count, 1));
    const emptied = db.$with("emptied").as(
      db
        .delete(attempts)
        .where(sql`${attempts.key} = ANY(ARRAY(${alone}))`)
        .returning({ key: attempts.key }),
    );
    await db
      .with(counted, emptied)
      .update(attempts)
      .set({ count: sql`${attempts.count} - 1` })
      .where(sql`${attempts.key} = ANY(ARRAY(${withOthers}))`)
      .catch(() => undefined);
  }

  /**
   * Counts one try at each of the bounds, or at none of them. Where one was reached before, nothing is written: a network that
   * is refused adds no row for each name that it tries.
   * @returns the first that is reached
   */
  async function count(bounds: readonly Bound[]): Promise<Bound | undefined> {
    const at = now();
    const held = bounds.filter(tells).map((bound) => ({ bound, key: keyOf(bound) }));
    if (held.length === 0) return undefined;
    const named = held.map(({ key }) => key);
    const stored = await db.select().from(attempts).where(inArray(attempts.key, named));
    const full = held.find(({ bound: { limit }, key }) => {
      const row = stored.find((each) => each.key === key);
      const left = row ? row.expiresAt.getTime() - at : 0;
      return row && row.count >= limit.most && left > 0 && left <= limit.span + AHEAD;
    });
    if (full) return full.bound;
    const rows = held.map(({ bound: { limit }, key }) => ({
      key,
      count: 1,
      most: limit.most,
      expiresAt: new Date(at + limit.span),
    }));
    const isOver = sql`(${attempts.expiresAt} <= ${new Date(at).toISOString()}::timestamptz
      OR ${attempts.expiresAt} > excluded.expires_at + ${AHEAD} * interval '1 millisecond')`;
    const counted = await db
      .insert(attempts)
      // In one order always: two that lock the same rows would otherwise wait for each other.
      .values(rows.toSorted((one, other) => (one.key < other.key ? -1 : 1)))
      .onConflictDoUpdate({
        target: attempts.key,
        set: {
          count: sql`CASE WHEN ${isOver} THEN 1 ELSE ${attempts.count} + 1 END`,
          most: sql`excluded.most`,
          expiresAt: sql`CASE WHEN ${isOver} THEN excluded.expires_at ELSE ${attempts.expiresAt} END`,
        },
        setWhere: sql`${isOver} OR ${attempts.count} < excluded.most`,
      })
      .returning({ key: attempts.key });
    const keys = new Set(counted.map(({ key }) => key));
    const reached = held.find(({ key }) => !keys.has(key));
    if (reached) await giveBack(held.filter(({ key }) => keys.has(key)).map(({ bound }) => bound));
    return reached?.bound;
  }

  /** @throws ApiError when too many are waiting */
  function nextEnd(key: string, signal: AbortSignal): Promise<void> {
    const waiters = waiting.get(key) ?? new Set();
    if (waiters.size >= MOST_WAITING) throw ApiError.of("busy");
    waiting.set(key, waiters);
    return new Promise((resolve) => {
      const goOn = () => {
        waiters.delete(goOn);
        if (waiters.size === 0) waiting.delete(key);
        signal.removeEventListener("abort", goOn);
        resolve();
      };
      waiters.add(goOn);
      signal.addEventListener("abort", goOn);
    });
  }

  function begin(keys: readonly string[]): void {
    for (const key of keys) underWay.set(key, running(key) + 1);
  }

  function wake(key: string, most: number): void {
    for (const wakes of [...(waiting.get(key) ?? [])].slice(0, most)) wakes();
  }

  /** Has one try go on for the place that was given back, or all where there is none and nothing is left to wait for. */
  function end(keys: readonly string[], failed: boolean): void {
    if (!failed) right += 1;
    for (const key of keys) {
      if (running(key) > 1) underWay.set(key, running(key) - 1);
      else underWay.delete(key);
      if (!failed) wake(key, 1);
      else if (running(key) === 0) wake(key, MOST_WAITING);
    }
  }

  return {
    giveBack,

    /** Counts one try, the successful ones too. @throws ApiError when a bound is reached */
    async limitTries(bounds: readonly Bound[]): Promise<void> {
      const reached = await count(bounds);
      if (reached) throw ApiError.of(reached.tooMany);
    },

    /**
     * Does what all of `bounds` allow. Only a failure counts, and not when the service itself could not tell. It is counted
     * before it is known, so that many wrong ones at once do not pass; many right ones do, for they wait for each other.
     * @param signal of a client that has gone, whose try is not made any more
     * @throws ApiError, with `tooMany` when a bound is reached; and whatever `act` throws
     */
    async limitFailures<T>(
      bounds: readonly Bound[],
      act: () => Promise<T>,
      signal: AbortSignal,
      patience = QUEUE_TIMEOUT,
    ): Promise<T> {
      const held = bounds.filter(tells);
      const keys = held.map(keyOf);
      let gone: AbortSignal | undefined;
      for (;;) {
        const rightBefore = right;
        const reached = await inTurn(async () => {
          const refusing = await count(held);
          if (!refusing) begin(keys);
          return refusing;
        });
        if (!reached) break;
        const key = keyOf(reached);
        gone ??= AbortSignal.any([signal, AbortSignal.timeout(patience)]);
        const isOver =
          gone.aborted || reached.limit.countsRight || (running(key) === 0 && right === rightBefore);
        if (isOver) {
          // With no attempt under way nothing else would wake the next one that waits.
          if (running(key) === 0) wake(key, 1);
          throw ApiError.of(gone.aborted ? "busy" : reached.tooMany);
        }
        // One that was right meanwhile has made room.
        if (running(key) > 0) await nextEnd(key, gone);
      }
      let failed = false;
      try {
        return await act();
      } catch (error) {
        failed = error instanceof ApiError && error.word !== "busy";
        throw error;
      } finally {
        if (!failed) await giveBack(held.filter(({ limit }) => !limit.countsRight));
        end(keys, failed);
      }
    },
  };
}

/** Whether one more may be: `most` in any `span` milliseconds, counted by this process for itself. */
export function memoryLimit(most: number, span: number, now: () => number): () => boolean {
  let times: number[] = [];
  return () => {
    const present = now();
    // The clock may be set back.
    times = times.filter((at) => at > present - span && at <= present);
    if (times.length >= most) return false;
    times.push(present);
    return true;
  };
}
