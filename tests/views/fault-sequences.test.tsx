/** Random lives of the app on a faulty network, in front of the real service: nothing hangs, no order is made twice, nothing is paid twice or called paid that is not, and in the end the user can buy. */
import * as fc from "fast-check";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { screens } from "../../src/app/navigation/screens.ts";
import type { Store } from "../../src/service/store/database.ts";
import { emptyStore, serve, START } from "../service/support.ts";
import { forbiddenRows } from "../support/database-invariants.ts";
import { actions } from "../support/fault-actions.ts";
import { faultNames, type FaultName } from "../support/faults.ts";
import { done, liveWithFaults, type Step } from "../support/fault-life.ts";
import { repeats } from "../support/lane.ts";

/** `npm run fault-sequences` runs ten thousand. */
const RUNS = Number(process.env["FAULT_RUNS"] ?? (repeats ? 40 : 28));
/** In ms; a busy machine may need it. */
const LONGEST = Math.max(600_000, RUNS * 15_000);
/** Lives after which the database is emptied, so that the next are as fast. */
const FULL = 25;

// The service's own: jsdom brings another.
vi.hoisted(() => {
  globalThis.Uint8Array = Object.getPrototypeOf(Buffer) as Uint8ArrayConstructor;
});

// Hashing would take most of the time.
vi.mock("../../src/service/accounts/passwords.ts", async (original) => ({
  ...(await original<object>()),
  hashPassword: async (password: string) => `$argon2id$${password}`,
  verifyPassword: async (stored: string | null, password: string) => stored === `$argon2id$${password}`,
  isUpToDate: () => true,
}));

const fault: fc.Arbitrary<FaultName> = fc.oneof(
  { weight: 2, arbitrary: fc.constant("none" as const) },
  { weight: 3, arbitrary: fc.constantFrom(...faultNames) },
);
/** What users come for, step by step. */
const purposes = [
  ["opens the packages", "picks the month", "takes the package", "pays in USDT", "sends the USDT"],
  ["opens the packages", "picks the year", "takes the package", "pays in USDT", "completes the payment"],
  ["completes the payment", "waits for seventy seconds"],
  ["opens the account", "asks how to pay", "chooses the card", "types a good card", "pays by card"],
  [
    "opens the account",
    "asks how to pay",
    "chooses the card",
    "types a card that is declined",
    "pays by card",
    "asks again",
    "types a good card",
    "pays by card",
  ],
  [
    "opens the account",
    "asks how to pay",
    "chooses the card",
    "types a card whose bank asks",
    "pays by card",
    "says yes to the bank",
    "asks again",
    "types a good card",
    "pays by card",
  ],
  ["opens the account", "asks how to pay", "chooses Stripe", "pays at Stripe", "comes back to the page"],
  ["opens the account", "opens the latest kept order", "waits for twelve seconds", "pays at Stripe"],
  ["logs out", "opens the registration", "registers", "opens the login page", "logs in"],
];
/** Whatever is possible. */
const anything = Array.from({ length: 4 }, () => null);

const MOST_STEPS = Math.max(...purposes.map(({ length }) => length));
const entries = <T,>(one: fc.Arbitrary<T>) => fc.array(one, { maxLength: MOST_STEPS, size: "max" });
/** A purpose, the faults of each of its steps, and what is done before it instead. */
const purpose = fc.record({
  steps: fc.constantFrom<(readonly (string | null)[])[]>(anything, ...purposes),
  faults: entries(fc.array(fault, { minLength: 1, maxLength: 3 })),
  detours: entries(fc.record({ taken: fc.constantFrom(false, false, true), pick: fc.nat(999) })),
});
const life = fc.array(purpose, { minLength: 1, maxLength: 4, size: "max" }).map((chosen) =>
  chosen.flatMap(({ steps, faults, detours }) =>
    steps.flatMap((does, at): Step[] => {
      const { taken = false, pick = 0 } = detours[at] ?? {};
      const step = { does, pick, faults: faults[at] ?? [] };
      return taken ? [{ does: null, pick, faults: [] }, step] : [step];
    }),
  ),
);

const purchase = ["opens the packages", "picks the month", "takes the package", "pays in USDT"];
/** The lives that go wrong most: a payment meets a fault, and the user waits, or pays again. */
const examples = [purchase, [...purchase, "pays in USDT"]].flatMap((steps) =>
  faultNames.map((name): [Step[]] => [
    steps.map((does, at) => ({ does, pick: 0, faults: at === purchase.length - 1 ? [name] : [] })),
  ]),
);

let store: Store;
beforeAll(async () => {
  store = await emptyStore("embedded");
  // The app asks for them before it shows a screen.
  await Promise.all(Object.values(screens).map(async (screen) => screen.preload?.()));
  await import("../../src/contract/address.ts");
});
afterAll(() => store.close());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** What a life leaves on the window, which outlives it. */
function keepWindowClean(): () => void {
  const left: (() => void)[] = [];
  const spies = [window, document].map((target: EventTarget) => {
    const add = target.addEventListener.bind(target);
    return vi.spyOn(target, "addEventListener").mockImplementation((type, heard) => {
      add(type, heard);
      left.push(() => target.removeEventListener(type, heard));
    });
  });
  return () => {
    for (const remove of left) remove();
    for (const spy of spies) spy.mockRestore();
  };
}

test(
  `the app comes through ${RUNS} random lives on a faulty network`,
  async () => {
    vi.useFakeTimers({
      now: START,
      toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"],
    });
    const complaints = vi.spyOn(console, "error");
    const fixture = await serve(store);
    let lived = 0;
    const property = fc.asyncProperty(life, async (steps) => {
      if (lived % FULL === 0) await store.db.execute(sql`TRUNCATE accounts, sandbox_orders CASCADE`);
      lived += 1;
      const clean = keepWindowClean();
      try {
        await liveWithFaults(fixture, steps);
      } finally {
        clean();
        const now = Date.now();
        vi.clearAllTimers();
        vi.setSystemTime(now);
      }
      expect(await forbiddenRows(store)).toEqual({});
      expect(complaints.mock.calls).toEqual([]);
    });
    await fc.assert(property, {
      numRuns: RUNS,
      examples,
      // Shrinking ends with it, too.
      interruptAfterTimeLimit: LONGEST,
      markInterruptAsFailure: true,
    });
    // So many lives do everything at least once.
    const undone = RUNS < 1_000 ? [] : Object.keys(actions).filter((name) => !done.has(name));
    expect(undone).toEqual([]);
  },
  LONGEST + 60_000,
);
