/** USDT networks for practice: transfers that cost nothing and are final after a while. No real money moves. */
import { randomBytes } from "node:crypto";
import { and, desc, isNotNull, isNull, lte, min } from "drizzle-orm";
import type { Network } from "../../contract/calls.ts";
import type { Log } from "../log.ts";
import type { Database } from "../store/open.ts";
import { transfers } from "../store/schema.ts";
import { alarm } from "./alarm.ts";
import { confirmTransfer, recordTransfer } from "./usdt.ts";

export interface SandboxNetworks {
  /** Sends smallest units to an address. @returns the transaction's hash, or null when no order has the address */
  send(network: Network, address: string, amount: bigint): Promise<string | null>;
  /** Confirms what is due. */
  settle(): Promise<void>;
  /** The latest transfers, newest first. */
  recent(): Promise<(typeof transfers.$inferSelect)[]>;
  stop(): void;
}

const SHOWN = 20;

/**
 * Opens the networks and goes on where the last process stopped: when a transfer becomes final stands in the database.
 * @param confirmSeconds how long a transfer takes
 */
export async function openNetworks(
  db: Database,
  now: () => number,
  confirmSeconds: number,
  log: Log,
): Promise<SandboxNetworks> {
  const { wakeAt, stop } = alarm(now, settle, log);

  async function settle(): Promise<void> {
    const due = await db
      .select()
      .from(transfers)
      .where(and(isNull(transfers.confirmedAt), lte(transfers.dueAt, new Date(now()))))
      .orderBy(transfers.dueAt);
    for (const transfer of due) await confirmTransfer(db, transfer, now());
    const [next] = await db
      .select({ dueAt: min(transfers.dueAt) })
      .from(transfers)
      .where(isNull(transfers.confirmedAt));
    if (next?.dueAt) wakeAt(next.dueAt.getTime());
  }

  await settle();
  return {
    async send(network, address, amount) {
      const txHash = (network === "ERC20" ? "0x" : "") + randomBytes(32).toString("hex");
      const dueAt = new Date(now() + confirmSeconds * 1000);
      if (!(await recordTransfer(db, { network, txHash, logIndex: 0, address, amount, dueAt }, now())))
        return null;
      wakeAt(dueAt.getTime());
      return txHash;
    },
    settle,
    recent: () =>
      db
        .select()
        .from(transfers)
        .where(isNotNull(transfers.dueAt))
        .orderBy(desc(transfers.seenAt))
        .limit(SHOWN),
    stop,
  };
}
