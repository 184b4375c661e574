/** The chain of a member's grants, derived from the entries of the membership: which grant each day that is left belongs to. */
import type { membershipEntries } from "../store/schema.ts";

type Row = typeof membershipEntries.$inferSelect;

export type EntryReason = Row["reason"];

/** What of an entry the chain is made of. */
export type ChainEntry = Pick<
  Row,
  "id" | "orderId" | "reason" | "beginsAt" | "endsAt" | "createdAt" | "length" | "undoes" | "packName"
>;

/** What follows the entries that there are: what it does to the chain tells its length and its end. */
export interface NextEntry {
  orderId: string | null;
  reason: EntryReason;
  /** Ms that are given, or at most taken from the chain's end; null where `undoes` says how much. */
  length: number | null;
  /** The entry that is taken back or given back. Of an order's grant, without `orderId`: only `length` is taken. */
  undoes: number | null;
  packName: Row["packName"];
}

interface Grant {
  id: number;
  at: number;
  length: number;
  orderId: string | null;
  packName: Row["packName"];
}

/** Time of one grant. */
interface Part {
  grant: Grant;
  /** Ms. */
  length: number;
}

interface Place {
  grant: Grant;
  from: number;
  to: number;
}

/** What an entry did. `whole`: the grants that do not stand because of it, or stand again. */
type Effect =
  | { kind: "granted"; grant: Grant }
  | { kind: "taken"; whole: readonly Grant[]; parts: Part[] }
  | { kind: "given back"; whole: readonly Grant[]; parts: readonly Part[] };

const isGiving = (reason: EntryReason) => reason === "order" || reason === "credit";

const isOfOrder = ({ orderId, packName }: Grant) => orderId !== null && packName !== null;

const sum = (parts: readonly Part[]) => parts.reduce((total, { length }) => total + length, 0);

/** The oldest grant first; grants of the same moment may come in any order. */
function byAge({ grant: one }: Part, { grant: other }: Part): number {
  const [left, right] = [one.orderId ?? "", other.orderId ?? ""];
  const byOrder = left < right ? -1 : Number(left > right);
  return one.at - other.at || byOrder || one.length - other.length || one.id - other.id;
}

/**
 * From each entry to the next. All times are milliseconds since 1970, all lengths milliseconds.
 *
 * At any moment the time that is left is that of grants which stand, one after the other without a gap. A grant that is
 * taken back loses what is left of it, and the later ones move forward; given back, it has as much again.
 */
export class MembershipChain {
  #endsAt: number | null = null;
  /** In order of time, without the gaps in which there was no membership. */
  #places: Place[] = [];
  readonly #grants: Grant[] = [];
  readonly #effects = new Map<number, Effect>();
  /** Grants that do not stand, and what was taken of them. */
  readonly #held = new Map<Grant, Part[]>();

  constructor(entries: readonly ChainEntry[] = []) {
    for (const entry of entries) this.follow(entry, entry.createdAt.getTime(), entry);
  }

  /** When the membership ends or ended; null when there never was one. */
  get endsAt(): number | null {
    return this.#endsAt;
  }

  timeLeft(at: number): number {
    return Math.max(0, (this.#endsAt ?? at) - at);
  }

  /** What is left of the grants of an order. */
  timeLeftOf(orderId: string, at: number): number {
    return sum(this.#queue(at).filter(({ grant }) => grant.orderId === orderId));
  }

  /** The entry of the latest grant of an order. */
  grantOf(orderId: string): number | null {
    return this.#grants.findLast((grant) => grant.orderId === orderId)?.id ?? null;
  }

  /** The package of the latest order that stands, with time left if there is one; null where none stands. */
  packNameAt(at: number): Row["packName"] {
    const standing = this.#grants.filter((grant) => isOfOrder(grant) && !this.#held.has(grant));
    const left = this.#queue(at).map(({ grant }) => grant);
    return (left.findLast(isOfOrder) ?? standing.at(-1))?.packName ?? null;
  }

  /**
   * Has an entry take effect.
   * @param at when it was written
   * @param written what stands in the database, which holds; without it, the end follows from the chain
   * @returns ms by which the time that is left has changed
   */
  follow(next: NextEntry, at: number, written?: ChainEntry): number {
    const queue = this.#queue(at);
    const before = sum(queue);
    const id = written?.id ?? 0;
    const length = written && next.length === null ? earlierLength(written) : next.length;
    const effect = this.#effectOf({ ...next, length }, { id, at }, queue);
    this.#effects.set(id, effect);
    if (written) fit(queue, Math.max(0, written.endsAt.getTime() - at), effect);
    const after = sum(queue);
    this.#lay(queue, at);
    if (written) this.#endsAt = written.endsAt.getTime();
    else if (after !== before) this.#endsAt = at + after;
    return after - before;
  }

  /** What is left at a moment, from then to the end without a gap: a clock that was set back leaves none. */
  #queue(at: number): Part[] {
    let from = at;
    const parts: Part[] = [];
    for (const { grant, to } of this.#places) {
      if (to <= from) continue;
      parts.push({ grant, length: to - from });
      from = to;
    }
    return parts;
  }

  #lay(queue: readonly Part[], at: number): void {
    this.#places = this.#places
      .filter(({ from }) => from < at)
      .map((place) => ({ ...place, to: Math.min(place.to, at) }));
    let from = at;
    for (const { grant, length } of queue) {
      this.#places.push({ grant, from, to: from + length });
      from += length;
    }
  }

  #effectOf(next: NextEntry, { id, at }: { id: number; at: number }, queue: Part[]): Effect {
    const undone = next.undoes === null ? undefined : this.#effects.get(next.undoes);
    switch (undone?.kind) {
      case "granted":
        // An operator took days of an order, which stands.
        if (undone.grant.orderId !== null && next.orderId === null)
          return {
            kind: "taken",
            whole: [],
            parts: takeOf(queue, { grant: undone.grant, length: -(next.length ?? 0) }),
          };
        return this.#takeWhole(next.orderId === null ? [undone.grant] : this.#grantsOf(next.orderId), queue);
      case "taken":
        return this.#giveBack(undone, queue);
      case "given back":
        return undone.whole.length > 0
          ? this.#takeWhole(undone.whole, queue)
          : { kind: "taken", whole: [], parts: undone.parts.flatMap((part) => this.#withdraw(part, queue)) };
      case undefined:
    }
    const { orderId, packName, length } = next;
    if (isGiving(next.reason)) {
      const grant = { id, at, orderId, packName, length: length ?? 0 };
      this.#grants.push(grant);
      add(queue, { grant, length: grant.length });
      return { kind: "granted", grant };
    }
    if (next.reason !== "revoked") return this.#takeWhole(this.#grantsOf(orderId), queue);
    return { kind: "taken", whole: [], parts: takeLast(queue, -(length ?? 0)) };
  }

  #grantsOf = (orderId: string | null) => this.#grants.filter((grant) => grant.orderId === orderId);

  #takeWhole(grants: readonly Grant[], queue: Part[]): Effect {
    const whole = grants.filter((grant) => !this.#held.has(grant));
    const parts = whole.flatMap((grant) => takeOf(queue, { grant, length: Infinity }));
    for (const grant of whole) this.#held.set(grant, parts);
    return { kind: "taken", whole, parts };
  }

  /** Gives back what was taken and not given back yet. What is of a grant that does not stand waits until it does. */
  #giveBack({ whole, parts }: Effect & { kind: "taken" }, queue: Part[]): Effect {
    for (const grant of whole) this.#held.delete(grant);
    const given = parts.splice(0);
    for (const part of given) {
      const held = this.#held.get(part.grant);
      if (held) held.push({ ...part });
      else add(queue, part);
    }
    return { kind: "given back", whole, parts: given };
  }

  /** Takes time of a grant, wherever it is: left, or taken with the whole of the grant. */
  #withdraw(part: Part, queue: Part[]): Part[] {
    return takeOf(this.#held.get(part.grant) ?? queue, part);
  }
}

/** The length of an entry of an earlier release; what it took is told by its end. */
const earlierLength = ({ reason, beginsAt, endsAt }: ChainEntry) =>
  isGiving(reason) ? endsAt.getTime() - beginsAt.getTime() : null;

function add(queue: Part[], { grant, length }: Part): void {
  const there = queue.find((part) => part.grant === grant);
  if (there) there.length += length;
  else if (length > 0) queue.push({ grant, length });
  queue.sort(byAge);
}

/** Takes at most `length` of a grant's time. @returns what was taken */
function takeOf(parts: Part[], { grant, length }: Part): Part[] {
  let wanted = length;
  const taken: Part[] = [];
  for (const part of parts.filter((each) => each.grant === grant)) {
    const amount = Math.min(wanted, part.length);
    if (amount <= 0) continue;
    part.length -= amount;
    wanted -= amount;
    taken.push({ grant, length: amount });
  }
  removeEmpty(parts);
  return taken;
}

/** Takes at most `length` from the end. @returns what was taken */
function takeLast(queue: Part[], length: number): Part[] {
  let wanted = length;
  const taken: Part[] = [];
  for (const part of queue.toReversed()) {
    const amount = Math.min(wanted, part.length);
    if (amount <= 0) break;
    part.length -= amount;
    wanted -= amount;
    taken.push({ grant: part.grant, length: amount });
  }
  removeEmpty(queue);
  return taken;
}

function removeEmpty(parts: Part[]): void {
  const kept = parts.filter(({ length }) => length > 0);
  parts.splice(0, parts.length, ...kept);
}

/** Brings the time that is left to what was written: earlier releases took whole grants, also of the time of others. */
function fit(queue: Part[], left: number, effect: Effect): void {
  const excess = sum(queue) - left;
  if (excess > 0) {
    const taken = takeLast(queue, excess);
    if (effect.kind === "taken") effect.parts.push(...taken);
  }
  const last = queue.at(-1);
  if (excess < 0 && last) last.length -= excess;
}
