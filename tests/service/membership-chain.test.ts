/** The chain of a membership's grants: in whatever order the same facts arrive, the same day comes out, and no paid day is lost. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  MembershipChain,
  type ChainEntry,
  type EntryReason,
  type NextEntry,
} from "../../src/service/payments/membership-chain.ts";
import {
  DAY,
  daysOf,
  happen,
  isUsdt,
  Model,
  moments,
  numbered,
  shuffled,
  type Membership,
} from "./membership-lives.ts";

/** Random lives, which are cheap here: there is no database. */
const RUNS = Number(process.env["MEMBERSHIP_RUNS"] ?? 300);

/** A membership whose entries are kept in an array. */
class Kept implements Membership {
  now = 0;
  readonly entries: ChainEntry[] = [];
  readonly #latest = new Map<number, number>();

  get chain() {
    return new MembershipChain(this.entries);
  }

  endsAt() {
    return this.entries.at(-1)?.endsAt.getTime() ?? null;
  }

  write(next: Partial<NextEntry> & { reason: EntryReason }): number {
    const { chain, now } = this;
    const whole = { orderId: null, length: null, undoes: null, packName: null, ...next };
    const before = chain.timeLeft(now);
    const length = chain.follow(whole, now);
    if (chain.endsAt === null) return 0;
    // No take exceeds what was left, and none pushes the end into the past.
    expect(length).toBeGreaterThanOrEqual(-before);
    expect(chain.timeLeft(now)).toBe(before + length);
    const id = this.entries.length + 1;
    const [createdAt, endsAt] = [new Date(now), new Date(chain.endsAt)];
    this.entries.push({ ...whole, id, createdAt, endsAt, length, beginsAt: createdAt });
    return id;
  }

  pay(order: number) {
    const orderId = `O${order}`;
    const latest = this.entries.findLast((entry) => entry.orderId === orderId);
    const isBack = latest !== undefined && !isUsdt(order);
    this.write({
      orderId,
      reason: "order",
      ...(isBack ? { undoes: latest.id } : { length: daysOf(order) * DAY }),
    });
  }

  takeBack(order: number) {
    const orderId = `O${order}`;
    this.write({ orderId, reason: "refund", undoes: this.chain.grantOf(orderId) });
  }

  credit(days: number, change: number) {
    this.#latest.set(change, this.write({ reason: "credit", length: days * DAY }));
  }

  revoke(days: number, change: number, of: number | null = null) {
    const undoes = of === null ? null : this.chain.grantOf(`O${of}`);
    this.#latest.set(change, this.write({ reason: "revoked", length: -days * DAY, undoes }));
  }

  undo(change: number) {
    const undoes = this.#latest.get(change);
    if (undoes === undefined || undoes === 0) return;
    const reason = this.entries[undoes - 1]?.reason === "credit" ? "revoked" : "credit";
    this.#latest.set(change, this.write({ reason, undoes }));
  }
}

test(`the end is now and what is left of each grant that stands, and each is used exactly, in ${RUNS} random lives`, async () => {
  await fc.assert(
    fc.asyncProperty(moments, async (life) => {
      const [kept, model] = [new Kept(), new Model()];
      const [paid, counted] = [new Set<number>(), new Set<number>()];
      let active = 0;
      const pass = (until: number) => {
        active += Math.min(kept.chain.timeLeft(kept.now), until - kept.now);
        model.pass(until);
        kept.now = until;
      };
      for (const { after, facts } of numbered(life)) {
        pass(kept.now + after);
        for (const each of facts) {
          await happen(kept, each, paid);
          await happen(model, each, counted);
          expect(kept.endsAt()).toBe(model.endsAt());
        }
      }
      pass(kept.now + 10_000 * DAY);
      // Its whole length, but for what was taken and not given back: nothing is lost, and nothing is had twice.
      for (const { length, used, aside, revoked } of model.grants)
        expect(used).toBe(length - aside - revoked);
      expect(active).toBe(model.grants.reduce((total, { used }) => total + used, 0));
      const untouched = model.grants.filter(({ stands, revoked }) => stands && revoked === 0);
      for (const { used, length } of untouched) expect(used).toBe(length);
    }),
    { numRuns: RUNS },
  );
});

test(`the same facts in another order of arrival end on the same day, in ${RUNS} random lives`, async () => {
  await fc.assert(
    fc.asyncProperty(
      moments,
      fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
      async (life, numbers) => {
        const random = () => numbers.next().value ?? 0;
        const [one, other] = [new Kept(), new Kept()];
        const [paid, same] = [new Set<number>(), new Set<number>()];
        for (const { after, facts } of numbered(life)) {
          one.now += after;
          other.now += after;
          for (const each of facts) await happen(one, each, paid);
          for (const each of shuffled(facts, random)) await happen(other, each, same);
          expect(other.chain.timeLeft(other.now)).toBe(one.chain.timeLeft(one.now));
          for (const order of [0, 1, 2, 3])
            expect(other.chain.timeLeftOf(`O${order}`, one.now)).toBe(
              one.chain.timeLeftOf(`O${order}`, one.now),
            );
        }
      },
    ),
    { numRuns: RUNS },
  );
});

test(`what is taken and given back at once leaves all as it was, in ${RUNS} random lives`, async () => {
  await fc.assert(
    fc.asyncProperty(moments, fc.nat(3), fc.constantFrom(5, 300), async (life, order, days) => {
      const kept = new Kept();
      const paid = new Set<number>();
      for (const { after, facts } of numbered(life)) {
        kept.now += after;
        for (const each of facts) await happen(kept, each, paid);
      }
      const all = () => [
        kept.chain.timeLeft(kept.now),
        ...[0, 1, 2, 3].map((each) => kept.chain.timeLeftOf(`O${each}`, kept.now)),
      ];
      const before = all();
      const isGivenBack = paid.has(order) && !isUsdt(order);
      if (isGivenBack) kept.takeBack(order);
      if (isGivenBack) kept.pay(order);
      expect(all()).toEqual(before);
      kept.revoke(days, 1_000);
      kept.undo(1_000);
      expect(all()).toEqual(before);
      kept.credit(days, 1_001);
      kept.undo(1_001);
      expect(all()).toEqual(before);
    }),
    { numRuns: RUNS },
  );
});

const entry = (
  id: number,
  reason: EntryReason,
  orderId: string | null,
  begins: number,
  ends: number,
  at = begins,
): ChainEntry => ({
  id,
  reason,
  orderId,
  beginsAt: new Date(begins * DAY),
  endsAt: new Date(ends * DAY),
  createdAt: new Date(at * DAY),
  length: null,
  undoes: null,
  packName: null,
});

test("what an earlier release took of other orders comes back with the order that it was taken for", () => {
  // A was used up, and B bought on day 60; a dispute about A took B's month.
  const chain = new MembershipChain([
    entry(1, "order", "A", 0, 30),
    entry(2, "order", "B", 60, 90),
    entry(3, "dispute", "A", 61, 60),
  ]);
  expect(chain.endsAt).toBe(60 * DAY);
  chain.follow({ orderId: "A", reason: "order", length: null, undoes: 3, packName: null }, 70 * DAY);
  expect(chain.endsAt).toBe(99 * DAY);
  expect(chain.timeLeftOf("B", 70 * DAY)).toBe(29 * DAY);
});

test("an earlier release's end in the past leaves nothing, and the next days begin now", () => {
  const chain = new MembershipChain([
    entry(1, "credit", null, 0, 100),
    entry(2, "revoked", null, 0, -200),
    entry(3, "order", "A", 1, 31),
  ]);
  expect(chain.timeLeft(2 * DAY)).toBe(29 * DAY);
  expect(chain.timeLeftOf("A", 2 * DAY)).toBe(29 * DAY);
});

test("a clock that is set back loses no day", () => {
  const kept = new Kept();
  kept.now = 100 * DAY;
  kept.pay(0);
  kept.now = 90 * DAY;
  kept.pay(2);
  expect(kept.endsAt()).toBe((100 + daysOf(0) + daysOf(2)) * DAY);
  kept.takeBack(2);
  expect(kept.endsAt()).toBe((100 + daysOf(0)) * DAY);
  kept.takeBack(0);
  expect(kept.endsAt()).toBe(90 * DAY);
  kept.pay(0);
  expect(kept.endsAt()).toBe((100 + daysOf(0)) * DAY);
});
