/** Watches what an operator has to know of, and tells them: the jobs of the alarms, the daily summary and their messages. */
import type { Network } from "../../../contract/calls.ts";
import { SECOND } from "../../../contract/durations.ts";
import type { Ledger } from "../../payments/ledger.ts";
import { factsOf, type Log } from "../../platform/log.ts";
import { repeat } from "../../platform/repeat.ts";
import { AlarmBoard, momentOf, tellMoment, troublesOf, type Telling } from "./alarms.ts";
import { removeOld, sendMessages } from "./messages.ts";
import type { AlertSettings } from "../../settings.ts";
import { channels, sendersOf } from "./senders.ts";
import { tellSummary } from "./summary.ts";

/** Ms between two looks at what is wrong, and between two at what is to be sent. */
const LOOK = 15 * SECOND;
const SEND = 5 * SECOND;

export interface Watched {
  alerts: AlertSettings & { summaryHour: number };
  /** The origin of the operator's page; null: there is none. */
  page: string | null;
  /** The networks that are read. */
  read: readonly Network[];
  /** Whether events are delivered. */
  hasReceiver: boolean;
}

export const tellingOf = (alerts: AlertSettings, page: string | null): Telling => {
  const senders = sendersOf(alerts);
  return { channels: channels.filter((channel) => senders[channel] !== undefined), page };
};

/** @returns what stops it, and resolves when nothing is under way; and the same log, whose alarms are told of */
export function startAlerts(
  { db, now, log }: Ledger,
  { alerts, page, read, hasReceiver }: Watched,
): { stop: () => Promise<void>; heard: (...line: Parameters<Log>) => void } {
  const telling = tellingOf(alerts, page);
  if (telling.channels.length === 0) return { stop: () => Promise.resolve(), heard: () => undefined };
  const senders = sendersOf(alerts);
  const board = new AlarmBoard(db, telling);
  const failed = (error: unknown) => log("alerts failed", factsOf(error), "error");
  const look = async () => {
    const at = now();
    await board.compare(await troublesOf(db, at, { read, hasReceiver }), at);
    await tellSummary(db, at, alerts.summaryHour, telling);
    await removeOld(db, at);
  };
  const stopLooking = repeat(LOOK, () => look().catch(failed), true);
  const stopSending = repeat(
    SEND,
    (signal) => sendMessages(db, now, senders, log, signal).catch(failed),
    true,
  );
  return {
    stop: async () => void (await Promise.all([stopLooking(), stopSending()])),
    heard: (event, facts = {}) => {
      const trouble = momentOf(event, facts);
      if (trouble) void tellMoment(db, now(), trouble, telling).catch(failed);
    },
  };
}
