/** Watches what an operator has to know of, and tells them: the jobs of the alarms, the daily summary and their messages. */
import { HOUR, SECOND } from "../../../contract/durations.ts";
import type { Ledger } from "../../payments/ledger.ts";
import { factsOf, type Log } from "../../platform/log.ts";
import { repeat } from "../../platform/repeat.ts";
import { AlarmBoard, Moments, troublesOf, type Looked, type Telling } from "./alarms.ts";
import { giveUpUnsent, removeOld, sendMessages } from "./messages.ts";
import type { AlertSettings } from "../../settings.ts";
import { channels, sendersOf } from "./senders.ts";
import { tellSummary } from "./summary.ts";

/** Ms between two looks at what is wrong, and between two at what is to be sent. What happens in between is told together. */
const LOOK = 15 * SECOND;
const SEND = 5 * SECOND;

export interface Watched extends Omit<Looked, "backupHours" | "missing"> {
  /** Asked anew every hour: orders grow old. */
  missing: () => Promise<Looked["missing"]>;
  alerts: AlertSettings & { summaryHour: number; backupHours: number };
  /** The origin of the operator's page; null: there is none. */
  page: string | null;
}

export const tellingOf = (alerts: AlertSettings, page: string | null): Telling => {
  const senders = sendersOf(alerts);
  return { channels: channels.filter((channel) => senders[channel] !== undefined), page };
};

/**
 * Where no way to tell is set, alarms begin and end all the same: the operator's page shows them.
 * @returns what stops it, and resolves when nothing is under way; and the same log, whose alarms are told of
 */
export function startAlerts(
  { db, now, log }: Ledger,
  { alerts, page, ...looked }: Watched,
): { stop: () => Promise<void>; heard: (...line: Parameters<Log>) => void } {
  const telling = tellingOf(alerts, page);
  const isTelling = telling.channels.length > 0;
  const senders = sendersOf(alerts);
  const board = new AlarmBoard(db, telling);
  const failed = (error: unknown) => log("alerts failed", factsOf(error), "error");
  let missing: { at: number; rails: Looked["missing"] } = { at: -Infinity, rails: [] };
  const look = async () => {
    const at = now();
    const { backupHours } = alerts;
    if (Math.abs(at - missing.at) >= HOUR) missing = { at, rails: await looked.missing() };
    await board.compare(await troublesOf(db, at, { ...looked, missing: missing.rails, backupHours }), at);
    if (isTelling)
      await tellSummary(db, at, { hour: alerts.summaryHour, hasReceiver: looked.hasReceiver }, telling);
    await giveUpUnsent(db, at, telling.channels, log);
    await removeOld(db, at);
  };
  const stopLooking = repeat(LOOK, () => look().catch(failed), true);
  const heard = new Moments(db, telling);
  const tellHeard = () => heard.tell(now()).catch(failed);
  // Each way by itself: one that hangs holds up no other.
  const stopSending = channels.flatMap((channel) => {
    const send = senders[channel];
    if (!send) return [];
    return [repeat(SEND, (signal) => sendMessages(db, now, channel, send, log, signal).catch(failed), true)];
  });
  const stops = [stopLooking, ...(isTelling ? [repeat(SEND, tellHeard, true)] : []), ...stopSending];
  return {
    async stop() {
      await Promise.all(stops.map((stop) => stop()));
      await tellHeard();
    },
    heard: (event, facts = {}) => {
      if (isTelling) heard.add(event, facts);
    },
  };
}
