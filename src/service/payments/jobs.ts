/** What the ledger does by itself: the sweep, the ends of memberships, outgoing events, the next addresses. Any number of processes may do it at once. */
import { HOUR, MINUTE, SECOND } from "../../contract/durations.ts";
import { factsOf } from "../platform/log.ts";
import { repeat } from "../platform/repeat.ts";
import { completeBook } from "./earlier-books.ts";
import { RECENT, sweep, type Ledger } from "./ledger.ts";
import { announceNext } from "../events/account-events.ts";
import { announceEnds, retractEnds } from "./membership.ts";
import { deliverEvents, type Receiver } from "../events/outbox.ts";
import { checkBook } from "./book-check.ts";

/** Sweeps the whole week until nothing is confirmed any more: a sweep settles no more than so many orders. */
async function sweepAll(ledger: Ledger, signal: AbortSignal): Promise<void> {
  while ((await sweep(ledger)) > 0 && !signal.aborted);
}

/**
 * @param receiver null: events are kept, and not delivered
 * @param deriveNext opens the process's series, and derives what `lookAhead` says. Not at once: a process that ends soon
 * after its start, again and again, leaves no series behind
 * @returns what stops the jobs
 */
export function startJobs(
  ledger: Ledger,
  receiver: Receiver | null,
  deriveNext: (signal: AbortSignal) => Promise<unknown>,
): () => Promise<void> {
  const { db, now, log } = ledger;
  const job = (wait: number, act: (signal: AbortSignal) => Promise<unknown>, isFirstAtOnce = false) =>
    repeat(
      wait,
      (signal) => act(signal).catch((error: unknown) => log("job failed", factsOf(error), "error")),
      isFirstAtOnce,
    );
  const stops = [
    job(MINUTE, () => sweep(ledger, RECENT)),
    job(HOUR, (signal) => sweepAll(ledger, signal), true),
    job(MINUTE, (signal) => completeBook(ledger, signal), true),
    job(6 * HOUR, () => checkBook(ledger)),
    job(MINUTE, (signal) => retractEnds(db, now(), signal), true),
    job(MINUTE, () => announceEnds(db, now())),
    job(MINUTE, deriveNext),
    ...(receiver
      ? [
          job(2 * SECOND, (signal) => deliverEvents(db, now, receiver, log, signal)),
          job(2 * SECOND, () => announceNext(db, now())),
        ]
      : []),
  ];
  return async () => void (await Promise.all(stops.map((stop) => stop())));
}
