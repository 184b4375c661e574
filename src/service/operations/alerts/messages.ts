/** Messages to operators: written in the transaction of what they tell of, and sent afterwards by each channel until it takes them. */
import { and, eq, isNotNull, isNull, lt, notInArray } from "drizzle-orm";
import { DAY, HOUR, MINUTE, SECOND } from "../../../contract/durations.ts";
import type { Log } from "../../platform/log.ts";
import type { Database } from "../../store/database.ts";
import { deliver } from "../../store/delivery.ts";
import { alarms, alertMessages } from "../../store/schema.ts";
import { refusalOf, type Channel, type Send } from "./senders.ts";

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
/** Messages that are sent in one run. */
const BATCH = 20;
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

/**
 * Sends the messages of a channel that are due. One may arrive twice, where the process ends between.
 * @param signal ends it early
 */
export async function sendMessages(
  db: Database,
  now: () => number,
  channel: Channel,
  send: Send,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  await deliver(
    db,
    now,
    {
      table: alertMessages,
      retries: RETRIES,
      batch: BATCH,
      where: eq(alertMessages.channel, channel),
      send: ({ id, title, text }, _, ending) => refusalOf(send, { id: `alert-${id}`, title, text }, ending),
      onFailure(_, error, givenUp) {
        log(givenUp ? "alert given up" : "alert not sent", { channel, error }, givenUp ? "error" : "warn");
      },
    },
    signal,
  );
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
