/** Carries the notices of the sandbox's providers to the service a moment after they were written, again until they are heard, as the real ones do. */
import { randomBytes } from "node:crypto";
import { and, asc, eq, gt, isNull, lte, min } from "drizzle-orm";
import { factsOf, type Log } from "../log.ts";
import type { Database } from "../store/open.ts";
import { sandboxNotices } from "../store/schema.ts";
import { alarm } from "./alarm.ts";
import type { ProviderRail } from "./provider.ts";

/** How long a notice is under way, in milliseconds. */
export const MOMENT = 1_000;

const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const LETTERS_OF_ID = 18;

/** A number as the providers give: nobody guesses one. */
export const newId = (prefix: string) =>
  prefix + Array.from(randomBytes(LETTERS_OF_ID), (byte) => LETTERS[byte % LETTERS.length]).join("");

/** Hears a notice with the service's own ears. @returns false when it was refused */
export type Hear = (eventId: string, raw: string) => Promise<boolean>;

export interface Messenger {
  /** Writes notices down within the transaction that they are about; `settle` after it sends them off, in this order. */
  write(tx: Database, rail: ProviderRail, notices: ((id: string) => unknown)[]): Promise<void>;
  /** Delivers what is due. */
  settle(): Promise<void>;
  stop(): void;
}

export function openMessenger(
  db: Database,
  now: () => number,
  ears: Record<ProviderRail, Hear>,
  log: Log,
): Messenger {
  const { wakeAt, wakeLater, stop } = alarm(now, settle, log);

  async function deliver({ id, rail, body }: typeof sandboxNotices.$inferSelect): Promise<void> {
    if (!(await ears[rail as ProviderRail](id, body)))
      throw new Error("A notice of the sandbox was refused.");
    await db
      .update(sandboxNotices)
      .set({ deliveredAt: new Date(now()) })
      .where(eq(sandboxNotices.id, id));
  }

  async function settle(): Promise<void> {
    const at = new Date(now());
    const due = await db
      .select()
      .from(sandboxNotices)
      .where(and(isNull(sandboxNotices.deliveredAt), lte(sandboxNotices.dueAt, at)))
      .orderBy(asc(sandboxNotices.dueAt));
    for (const notice of due) {
      try {
        await deliver(notice);
      } catch (error) {
        // One that cannot be heard does not hold up the others.
        log("sandbox.failed", factsOf(error));
        wakeLater();
      }
    }
    const [next] = await db
      .select({ dueAt: min(sandboxNotices.dueAt) })
      .from(sandboxNotices)
      .where(and(isNull(sandboxNotices.deliveredAt), gt(sandboxNotices.dueAt, at)));
    if (next?.dueAt) wakeAt(next.dueAt.getTime());
  }

  return {
    async write(tx, rail, notices) {
      await tx.insert(sandboxNotices).values(
        notices.map((body, place) => {
          const id = newId("evt_");
          return { id, rail, body: JSON.stringify(body(id)), dueAt: new Date(now() + MOMENT + place) };
        }),
      );
    },
    settle,
    stop,
  };
}
