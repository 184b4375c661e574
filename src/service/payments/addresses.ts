/** Receiving addresses, derived from a public key alone: the service can show where to pay and can spend nothing. */
import { ECDH, randomInt } from "node:crypto";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { HDKey } from "@scure/bip32";
import { and, eq, isNotNull, isNull, max } from "drizzle-orm";
import { rawAddress, toEthereumAddress, toTronAddress } from "../../contract/address.ts";
import type { Network } from "../../contract/calls.ts";
import type { Database } from "../store/database.ts";
import {
  addressSeries,
  orders,
  receivingAddresses as knownAddresses,
  storedSettings,
} from "../store/schema.ts";
import { storedSetting } from "../store/stored-settings.ts";
import { inTransaction, advisoryLock } from "../store/transaction.ts";

/** An address, and where it is below the account's key: `series/index`, both not hardened (BIP32). */
export interface ReceivingAddress {
  address: string;
  /** Its 20 bytes in hexadecimal digits. */
  raw: string;
  series: number;
  index: number;
  /** The BIP32 fingerprint of the account's key, in hexadecimal digits. */
  fingerprint: string;
}

/** The next address, which this process gives out once. */
export type Receiving = (network: Network) => ReceivingAddress;

/**
 * The addresses below an account-level key.
 * @param xpub BIP32 extended public key
 */
export function addressesOf(xpub: string) {
  const account = HDKey.fromExtendedKey(xpub);
  const fingerprint = account.fingerprint.toString(16).padStart(8, "0");
  /** The one that was asked for last: a process gives out the addresses of one. */
  let current = { series: -1, key: account };
  return (network: Network, series: number, index: number): ReceivingAddress => {
    if (current.series !== series) current = { series, key: account.deriveChild(series) };
    const compressed = current.key.deriveChild(index).publicKey;
    if (!compressed) throw new Error("The extended public key holds no public key.");
    const point = ECDH.convertKey(compressed, "secp256k1", undefined, undefined, "uncompressed");
    // Both networks name an account by the last 20 bytes of keccak-256 of the point, without its leading 0x04.
    const bytes = keccak_256(Uint8Array.from(Buffer.from(point).subarray(1))).slice(-20);
    const address = network === "TRC20" ? toTronAddress(bytes) : toEthereumAddress(bytes);
    return { address, raw: Buffer.from(bytes).toString("hex"), series, index, fingerprint };
  };
}

const derive = (xpub: string | undefined) => (xpub === undefined ? null : addressesOf(xpub));

/**
 * The addresses `series/0`, `series/1`, … in turn. The count is in memory, so that no database that is put back can set it
 * back. Both networks share it: where they share a key, each address is of one order alone.
 * @param xpubs the account's key for each network that is open
 */
export function receivingAddresses(
  xpubs: Readonly<Record<Network, string | undefined>>,
  series: number,
): Receiving {
  const accounts = { TRC20: derive(xpubs.TRC20), ERC20: derive(xpubs.ERC20) };
  let next = 0;
  return (network) => {
    const addressAt = accounts[network];
    if (!addressAt) throw new Error(`${network} has no account key.`);
    return addressAt(network, series, next++);
  };
}

/** Orders whose addresses are completed at a time. */
const BATCH = 1_000;

/** The name under which a database says that its orders' addresses are complete. */
const ADDRESSES = "addresses";

/**
 * Completes the orders of earlier releases, which kept an address only as people see it: transfers name its 20 bytes. Once for
 * a database, because no index knows those without.
 */
export async function completeAddresses(db: Database): Promise<void> {
  const [done] = await db.select().from(storedSettings).where(eq(storedSettings.key, ADDRESSES));
  if (done) return;
  for (;;) {
    const incomplete = await db
      .select({ id: orders.id, network: orders.network, address: orders.address })
      .from(orders)
      .where(and(isNull(orders.rawAddress), isNotNull(orders.address)))
      .limit(BATCH);
    if (incomplete.length === 0) break;
    for (const { id, network, address } of incomplete) {
      const raw = rawAddress(network ?? "TRC20", address ?? "");
      await db.update(orders).set({ rawAddress: raw }).where(eq(orders.id, id));
    }
  }
  await storedSetting(db, ADDRESSES, "complete");
}

/** Series count the seconds from here. They fit BIP32's 31 bits until 2094. */
export const FIRST_SECOND = Date.UTC(2026, 0);
/** Earlier releases gave out `0/0`, `0/1`, … */
const EARLIER_RELEASES = 0;
/** Seconds that the clock may be behind the latest series, because processes that open theirs at once take consecutive ones. */
const STARTED_TOGETHER = 60;
/** Seconds to skip at most where the clock was set back: the series next to the latest may have been used after a backup. */
const SKIPPED = 65_536;

/** The second that it is, as series count them. @param now milliseconds */
export const seriesAt = (now: number): number => Math.floor((now - FIRST_SECOND) / 1000);

/** @param clock the second that it is @param latest the last known series */
function seriesAfter(latest: number, clock: number): number {
  if (clock > latest) return clock;
  return latest + 1 + (latest - clock > STARTED_TOGETHER ? randomInt(SKIPPED) : 0);
}

/**
 * Opens the series of a process. It is the second that it is, so that it is new whichever earlier state of the database is
 * found; and above all that the database knows, so that no two processes on it have the same.
 * @param xpubs the accounts' keys whose addresses the process gives out: the first of each is noted with the series
 * @returns the series, and the seconds by which it is ahead of the clock
 */
export async function openSeries(
  db: Database,
  now: number,
  xpubs: readonly string[],
): Promise<{ series: number; ahead: number }> {
  const clock = seriesAt(now);
  return inTransaction(db, async (tx) => {
    await advisoryLock(tx, "address series");
    const [newest] = await tx.select({ latest: max(addressSeries.series) }).from(addressSeries);
    const series = seriesAfter(newest?.latest ?? EARLIER_RELEASES, clock);
    await tx.insert(addressSeries).values({ series, openedAt: new Date(now) });
    const first = [...new Set(xpubs)].map((xpub) => {
      const { fingerprint, index, raw } = addressesOf(xpub)("ERC20", series, 0);
      return { fingerprint, series, index, raw };
    });
    // In the same transaction: by these rows `lookAhead` tells which keys the series is of.
    if (first.length > 0) await tx.insert(knownAddresses).values(first).onConflictDoNothing();
    return { series, ahead: Math.max(0, series - clock) };
  });
}
