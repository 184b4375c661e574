/** Deletes what has had its time: sessions that have ended, attempts that no limit counts any more, old security events. */
import { lt } from "drizzle-orm";
import type { Ledger } from "../payments/ledger.ts";
import type { Database } from "../store/database.ts";
import { attempts, securityEvents, sessions } from "../store/schema.ts";
import { factsOf } from "./log.ts";
import { repeat } from "./repeat.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** How long security events are kept: long enough to look into an account that was taken over. */
const EVENTS_KEPT = 90 * DAY;

/** @param now milliseconds since 1970, UTC */
export async function deleteExpired(db: Database, now: number): Promise<void> {
  await db.delete(sessions).where(lt(sessions.expiresAt, new Date(now)));
  await db.delete(attempts).where(lt(attempts.expiresAt, new Date(now)));
  await db.delete(securityEvents).where(lt(securityEvents.at, new Date(now - EVENTS_KEPT)));
}

/** @returns what stops it */
export function startRetention({ db, now, log }: Ledger): () => Promise<void> {
  const act = () =>
    deleteExpired(db, now()).catch((error: unknown) => log("retention failed", factsOf(error), "error"));
  return repeat(HOUR, act, true);
}
