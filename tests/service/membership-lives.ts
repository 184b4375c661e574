/** Random lives of one membership: what may happen to it, and a model that counts the days of each grant by itself. */
import * as fc from "fast-check";

export const DAY = 86_400_000;
const HOUR = 3_600_000;
export const ORDERS = 4;

/** Something that happens to the membership. Orders of even number are paid by card, the others in USDT. */
export type Fact =
  /** Money pays an order, comes back, or pays it anew; and is refunded or contested. Each in turn. */
  | { kind: "money"; order: number }
  /** A bank asks about an order before money has moved. */
  | { kind: "inquiry"; order: number }
  | { kind: "credit" }
  /** The operator takes days: the last ones, or those of one order, where it is paid. */
  | { kind: "revoke"; days: number; of: number | null }
  /** The operator undoes the n-th change that was made by hand, or undoes that again. */
  | { kind: "undo"; change: number };

/** What happens at one moment, and how long after the one before. */
export interface Moment {
  after: number;
  facts: readonly Fact[];
}

const fact = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("money" as const), order: fc.nat(ORDERS - 1) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("inquiry" as const), order: fc.nat(ORDERS - 1) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("credit" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("revoke" as const),
      days: fc.constantFrom(1, 7, 20, 300),
      of: fc.option(fc.nat(ORDERS - 1)),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("undo" as const), change: fc.nat(3) }) },
);

export const moments: fc.Arbitrary<Moment[]> = fc.array(
  fc.record({
    after: fc.oneof(
      fc.constant(0),
      fc.integer({ min: 0, max: 40 * 24 }).map((hours) => hours * HOUR),
    ),
    facts: fc.array(fact, { minLength: 1, maxLength: 4 }),
  }),
  { minLength: 1, maxLength: 12 },
);

/** What a membership is done to by. */
export interface Membership {
  /** Ms since 1970. */
  now: number;
  /** Money pays an order. */
  pay(order: number): Promise<void> | void;
  /** Money of an order has gone again. */
  takeBack(order: number): Promise<void> | void;
  credit(days: number, change: number): Promise<void> | void;
  revoke(days: number, change: number, of: number | null): Promise<void> | void;
  /** Undoes what the change did last: itself, its undoing, the undoing of that … */
  undo(change: number): Promise<void> | void;
  endsAt(): Promise<number | null> | number | null;
}

/** An order's number as the database has it. The package lasts ten days more for each. */
export const daysOf = (order: number) => 20 + 10 * order;
export const isUsdt = (order: number) => order % 2 === 1;

interface Counted {
  /** Age first, then the order's number, then the length. */
  age: [number, number, number];
  length: number;
  left: number;
  used: number;
  /** Taken because its money has gone, or the credit was undone; and by hand. */
  aside: number;
  revoked: number;
  stands: boolean;
}

interface Change {
  grant?: Counted;
  parts: { grant: Counted; length: number }[];
  isUndone: boolean;
}

const older = ({ age: one }: Counted, { age: other }: Counted) =>
  one[0] - other[0] || one[1] - other[1] || one[2] - other[2];

/** Counts what is left of each grant, the oldest being used first. It knows no ends and no entries. */
export class Model implements Membership {
  now = 0;
  readonly grants: Counted[] = [];
  #lastEnd: number | null = null;
  readonly #ofOrder = new Map<number, Counted>();
  readonly #changes = new Map<number, Change>();

  get left(): number {
    return this.grants.reduce((total, { left }) => total + left, 0);
  }

  pass(until: number): void {
    let passing = until - this.now;
    if (this.left > 0) this.#lastEnd = this.now + this.left;
    for (const grant of this.grants.toSorted(older)) {
      const used = Math.min(passing, grant.left);
      grant.left -= used;
      grant.used += used;
      passing -= used;
    }
    this.now = until;
  }

  endsAt(): number | null {
    if (this.left > 0) this.#lastEnd = this.now + this.left;
    return this.#lastEnd;
  }

  #grant(order: number, length: number): Counted {
    const age: Counted["age"] = [this.now, order, length];
    const grant = { age, length, left: length, used: 0, aside: 0, revoked: 0, stands: true };
    this.grants.push(grant);
    this.#lastEnd = this.now;
    return grant;
  }

  #setAside(grant: Counted): void {
    this.endsAt();
    if (grant.left > 0 && this.left === grant.left) this.#lastEnd = this.now;
    grant.aside += grant.left;
    grant.left = 0;
    grant.stands = false;
  }

  #standAgain(grant: Counted): void {
    grant.left += grant.aside;
    grant.aside = 0;
    grant.stands = true;
  }

  pay(order: number): void {
    const before = this.#ofOrder.get(order);
    if (before && !isUsdt(order)) return this.#standAgain(before);
    this.#ofOrder.set(order, this.#grant(order, daysOf(order) * DAY));
  }

  takeBack(order: number): void {
    const grant = this.#ofOrder.get(order);
    if (grant) this.#setAside(grant);
  }

  credit(days: number, change: number): void {
    this.#changes.set(change, { grant: this.#grant(-1, days * DAY), parts: [], isUndone: false });
  }

  revoke(days: number, change: number, of: number | null): void {
    let wanted = days * DAY;
    const parts: Change["parts"] = [];
    this.endsAt();
    const named = of === null ? undefined : this.#ofOrder.get(of);
    for (const grant of named ? [named] : this.grants.toSorted(older).toReversed()) {
      const length = Math.min(wanted, grant.left);
      if (length > 0) parts.push({ grant, length });
      grant.left -= length;
      grant.revoked += length;
      wanted -= length;
    }
    if (parts.length > 0 && this.left === 0) this.#lastEnd = this.now;
    this.#changes.set(change, { parts, isUndone: false });
  }

  undo(id: number): void {
    const change = this.#changes.get(id);
    if (!change) return;
    if (change.grant && change.isUndone) this.#standAgain(change.grant);
    else if (change.grant) this.#setAside(change.grant);
    else {
      this.endsAt();
      const hadSome = this.left > 0;
      for (const part of change.parts) {
        const { grant } = part;
        const from = grant.stands ? "left" : "aside";
        // Taken a second time, it is what is still there of it.
        if (change.isUndone) part.length = Math.min(part.length, grant[from]);
        const given = change.isUndone ? -part.length : part.length;
        grant[from] += given;
        grant.revoked -= given;
      }
      if (hadSome && this.left === 0) this.#lastEnd = this.now;
    }
    change.isUndone = !change.isUndone;
  }
}

type Done =
  | { kind: "money" | "inquiry"; order: number }
  | { kind: "credit"; change: number; days: number }
  | { kind: "revoke"; change: number; days: number; of: number | null }
  /** `takes`: it undoes the undoing of a `revoke`. */
  | { kind: "undo"; change: number; takes: boolean };

/** What a fact is about: facts about one thing keep their order, whatever else arrives in between. */
const subjectOf = (each: Done) => ("order" in each ? `order ${each.order}` : `change ${each.change}`);

/** Numbers the changes by hand, and leaves out what cannot be: an undoing of nothing. Each credit is of its own length. */
export function numbered(life: readonly Moment[]): { after: number; facts: Done[] }[] {
  const changes: { kind: "credit" | "revoke"; isUndone: boolean }[] = [];
  return life.map(({ after, facts }) => ({
    after,
    facts: facts.flatMap((each): Done[] => {
      if (each.kind === "money" || each.kind === "inquiry") return [each];
      if (each.kind === "undo") {
        const undone = changes[each.change];
        if (!undone) return [];
        const takes = undone.kind === "revoke" && undone.isUndone;
        undone.isUndone = !undone.isUndone;
        return [{ ...each, takes }];
      }
      const change = changes.push({ kind: each.kind, isUndone: false }) - 1;
      return [each.kind === "credit" ? { kind: "credit", change, days: 4 + change } : { ...each, change }];
    }),
  }));
}

/**
 * The same facts in another order of arrival. What an operator takes by hand depends on what is there: it keeps its place
 * among the others, and so do the facts about one order or change.
 */
export function shuffled(facts: readonly Done[], random: () => number): Done[] {
  const barrier = facts.findIndex((each) => each.kind === "revoke" || (each.kind === "undo" && each.takes));
  if (barrier >= 0) {
    const [before, taking, after] = [facts.slice(0, barrier), facts[barrier], facts.slice(barrier + 1)];
    return [...shuffled(before, random), ...(taking ? [taking] : []), ...shuffled(after, random)];
  }
  const queues = Map.groupBy(facts, subjectOf);
  const order: Done[] = [];
  while (order.length < facts.length) {
    const waiting = [...queues.values()].filter((queue) => queue.length > 0);
    const next = waiting[Math.floor(random() * waiting.length)]?.shift();
    if (next) order.push(next);
  }
  return order;
}

/** Does a fact to a membership. @param paid the orders that stand */
export async function happen(membership: Membership, each: Done, paid: Set<number>): Promise<void> {
  switch (each.kind) {
    case "money":
      if (paid.has(each.order)) await membership.takeBack(each.order);
      else await membership.pay(each.order);
      if (!paid.delete(each.order)) paid.add(each.order);
      break;
    case "inquiry":
      break;
    case "credit":
      await membership.credit(each.days, each.change);
      break;
    case "revoke":
      await membership.revoke(each.days, each.change, each.of !== null && paid.has(each.of) ? each.of : null);
      break;
    case "undo":
      await membership.undo(each.change);
  }
}
