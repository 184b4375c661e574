/** Sends the webhook events of the sandbox's providers to the service a moment after they were written, again until they are taken, as the real ones do. */
import { and, asc, eq, gt, isNull, min, notBetween } from "drizzle-orm";
import { factsOf, type Log } from "../platform/log.ts";
import { LETTERS_AND_DIGITS, randomId } from "../platform/random-id.ts";
import type { Database } from "../store/database.ts";
import { sandboxWebhooks } from "../store/schema.ts";
import { alarm } from "./scheduler.ts";
import type { ProviderRail } from "../payments/provider.ts";

/** How long an event is under way, in milliseconds. */
export const MOMENT = 1_000;

const ID_LENGTH = 18;

/** An identifier in the providers' format, such as `pay_4Xd…`. */
export const newId = (prefix: string) => prefix + randomId(LETTERS_AND_DIGITS, ID_LENGTH);

/** Signs an event and gives it to the service. @returns false when it was refused */
export type Send = (eventId: string, raw: Uint8Array) => Promise<boolean>;

export interface WebhookSender {
  /** Begins to deliver, also what the last process did not. */
  connect(sends: Record<ProviderRail, Send>): Promise<void>;
  /** Writes events down within the transaction that they are about; `settle` after it sends them off, in this order. */
  write(tx: Database, rail: ProviderRail, events: ((id: string) => unknown)[]): Promise<void>;
  /** Delivers what is due. */
  settle: () => Promise<void>;
  stop: () => void;
}

export function openWebhookSender(db: Database, now: () => number, log: Log): WebhookSender {
  const { wakeAt, wakeLater, stop } = alarm(now, settle, log);
  let sends: Record<ProviderRail, Send> | null = null;

  async function deliver(send: Send, { id, body }: typeof sandboxWebhooks.$inferSelect): Promise<void> {
    if (!(await send(id, Buffer.from(body)))) throw new Error("A webhook event of the sandbox was refused.");
    await db
      .update(sandboxWebhooks)
      .set({ deliveredAt: new Date(now()) })
      .where(eq(sandboxWebhooks.id, id));
  }

  async function settle(): Promise<void> {
    if (sends === null) return;
    const at = new Date(now());
    const due = await db
      .select()
      .from(sandboxWebhooks)
      // What is due later than it can be was written before the clock was set back.
      .where(
        and(
          isNull(sandboxWebhooks.deliveredAt),
          notBetween(sandboxWebhooks.dueAt, new Date(at.getTime() + 1), new Date(at.getTime() + 60 * MOMENT)),
        ),
      )
      .orderBy(asc(sandboxWebhooks.dueAt));
    for (const event of due) {
      try {
        await deliver(sends[event.rail as ProviderRail], event);
      } catch (error) {
        // One that cannot be taken does not hold up the others.
        log("sandbox.failed", factsOf(error), "error");
        wakeLater();
      }
    }
    const [next] = await db
      .select({ dueAt: min(sandboxWebhooks.dueAt) })
      .from(sandboxWebhooks)
      .where(and(isNull(sandboxWebhooks.deliveredAt), gt(sandboxWebhooks.dueAt, at)));
    if (next?.dueAt) wakeAt(next.dueAt.getTime());
  }

  return {
    async connect(connected) {
      sends = connected;
      await settle();
    },
    async write(tx, rail, events) {
      await tx.insert(sandboxWebhooks).values(
        events.map((body, place) => {
          const id = newId("evt_");
          return { id, rail, body: JSON.stringify(body(id)), dueAt: new Date(now() + MOMENT + place) };
        }),
      );
      wakeAt(now() + MOMENT + events.length);
    },
    settle,
    stop,
  };
}
