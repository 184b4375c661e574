/** Messages to operators: written in the transaction of what they tell of, and sent afterwards by each channel until it takes them. */
import { and, asc, eq, inArray, isNotNull, isNull, lt, notInArray } from "drizzle-orm";
import { DAY, HOUR, MINUTE, SECOND } from "../../../contract/durations.ts";
import type { Log } from "../../platform/log.ts";
import type { Database } from "../../store/database.ts";
import { alarms, alertMessages } from "../../store/schema.ts";
import { isDue } from "../../store/due.ts";
import { inTransaction } from "../../store/transaction.ts";
import { channels, refusalOf, type Channel, type Send } from "./senders.ts";

/** Ms until the next attempt after the first, second, … failed one; after the last it is given up: nearly three days. */
const RETRIES = [
  10 * SECOND,
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  HOUR,
  3 * HOUR,
  8 * HOUR,
  24 * HOUR,
  24 * HOUR,
];
/** Ms for which a message that is being sent is not taken by another process. */
const UNDER_WAY = MINUTE;
/** Messages that are sent in one run. */
const BATCH = 20;
const LONGEST_ERROR = 500;
/** Ms, longer than all attempts take. */
const LONGEST_TRIED = 4 * DAY;
const NOT_SET = "The channel is not set.";
/** Ms for which a message is kept. */
const KEPT = 90 * DAY;

/** Writes a message for each channel, within the transaction of what it tells of. */
export async function addMessages(
  tx: Database,
  now: number,
  to: readonly Channel[],
  message: { title: string; text: string },
): Promise<void> {
  if (to.length === 0) return;
  const at = new Date(now);
  await tx
    .insert(alertMessages)
    .values(to.map((channel) => ({ channel, ...message, createdAt: at, nextAttemptAt: at })));
}

/** The message that has been due for longest, taken for a while. @param by the channels that this process has: another may have more of them */
async function takeNext(db: Database, by: readonly Channel[], now: number) {
  return inTransaction(db, async (tx) => {
    const [next] = await tx
      .select()
      .from(alertMessages)
      .where(
        and(
          inArray(alertMessages.channel, by),
          isDue(alertMessages, { retries: RETRIES, underWay: UNDER_WAY }, now),
        ),
      )
      .orderBy(asc(alertMessages.nextAttemptAt))
      .limit(1)
      .for("update", { skipLocked: true });
    if (!next) return undefined;
    const attempts = next.attempts + 1;
    await tx
      .update(alertMessages)
      .set({ attempts, nextAttemptAt: new Date(now + UNDER_WAY) })
      .where(eq(alertMessages.id, next.id));
    return { ...next, attempts };
  });
}

/**
 * Sends the messages that are due. One may arrive twice, where the process ends between.
 * @param signal ends it early
 */
export async function sendMessages(
  db: Database,
  now: () => number,
  senders: Partial<Record<Channel, Send>>,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const here = channels.filter((channel) => senders[channel] !== undefined);
  for (let count = 0; count < BATCH && !signal.aborted; count += 1) {
    const message = await takeNext(db, here, now());
    const send = message && senders[message.channel];
    if (!send) return;
    const { id, channel, title, text, attempts } = message;
    const refusal = await refusalOf(send, { id: `alert-${id}`, title, text }, signal);
    const at = new Date(now());
    if (refusal !== null && signal.aborted) {
      // The service ends, which is no failure of the channel's.
      await db
        .update(alertMessages)
        .set({ attempts: attempts - 1, nextAttemptAt: at })
        .where(eq(alertMessages.id, id));
      return;
    }
    const wait = RETRIES[attempts - 1];
    await db
      .update(alertMessages)
      .set(
        refusal === null
          ? { nextAttemptAt: null, deliveredAt: at, lastError: null }
          : {
              nextAttemptAt: wait === undefined ? null : new Date(at.getTime() + wait),
              lastError: refusal.slice(0, LONGEST_ERROR),
            },
      )
      .where(eq(alertMessages.id, id));
    if (refusal !== null) {
      const event = wait === undefined ? "alert given up" : "alert not sent";
      log(event, { channel, error: refusal }, wait === undefined ? "error" : "warn");
    }
  }
}

/** Gives up messages of channels that no process has had for longer than any message is tried. @param here the channels of this one */
export async function giveUpUnsent(
  db: Database,
  now: number,
  here: readonly Channel[],
  log: Log,
): Promise<void> {
  const given = await db
    .update(alertMessages)
    .set({ nextAttemptAt: null, lastError: NOT_SET })
    .where(
      and(
        isNotNull(alertMessages.nextAttemptAt),
        notInArray(alertMessages.channel, [...here]),
        lt(alertMessages.createdAt, new Date(now - LONGEST_TRIED)),
      ),
    )
    .returning({ channel: alertMessages.channel });
  for (const { channel } of given) log("alert given up", { channel, error: NOT_SET }, "error");
}

/** Deletes messages and alarms that have been over for long. */
export async function removeOld(db: Database, now: number): Promise<void> {
  const since = new Date(now - KEPT);
  await db
    .delete(alertMessages)
    .where(and(isNull(alertMessages.nextAttemptAt), lt(alertMessages.createdAt, since)));
  await db.delete(alarms).where(lt(alarms.endedAt, since));
}
