/** What counts against a limit, and who waits for whom: by simulated time, without a service around it. */
import { expect, test } from "vitest";
import { Refusal } from "../../src/service/http.ts";
import { failureLimit, guess, limit, type Check } from "../../src/service/limits.ts";

const MINUTE = 60_000;

/** A limit of so many failures a minute at one key, and guesses that end when they are told to. */
function desk(most: number) {
  const clock = { now: 0 };
  const failures = failureLimit(most, MINUTE, () => clock.now);
  const begun: { name: string; end: (error?: Error) => void }[] = [];
  const here = new AbortController();
  function guesses(name: string, { key = "anna", signal = here.signal, patience = MINUTE } = {}) {
    const check: Check = { limit: failures, key, tooMany: "tooManyAttempts" };
    const make = () =>
      new Promise<string>((resolve, reject) => {
        begun.push({ name, end: (error) => (error ? reject(error) : resolve(name)) });
      });
    return guess([check], make, signal, patience).catch((error: unknown) =>
      error instanceof Refusal ? error.word : String(error),
    );
  }
  const wrong = () => Refusal.because("wrongCredentials");
  /** Whatever can begin has begun. */
  const settled = () => new Promise(setImmediate);
  const names = () => begun.map(({ name }) => name);
  return { clock, begun, names, guesses, wrong, settled };
}

test("a guess waits while those under way could use up the limit, and begins when one was right", async () => {
  const { begun, names, guesses, settled } = desk(2);
  const all = ["a", "b", "c", "d"].map((name) => guesses(name));
  await settled();
  expect(names()).toEqual(["a", "b"]);
  begun[1]?.end();
  await settled();
  expect(names()).toEqual(["a", "b", "c"]);
  begun[0]?.end();
  await settled();
  expect(names()).toEqual(["a", "b", "c", "d"]);
  for (const { end } of begun) end();
  expect(await Promise.all(all)).toEqual(["a", "b", "c", "d"]);
});

test("those that wait are refused as soon as the limit is reached, and none is after a minute", async () => {
  const { clock, begun, names, guesses, wrong, settled } = desk(2);
  const all = ["a", "b", "c", "d"].map((name) => guesses(name));
  await settled();
  for (const { end } of begun) end(wrong());
  expect(await Promise.all(all)).toEqual([
    "wrongCredentials",
    "wrongCredentials",
    "tooManyAttempts",
    "tooManyAttempts",
  ]);
  expect(await guesses("e")).toBe("tooManyAttempts");
  const other = guesses("f", { key: "bert" });
  await settled();
  begun.at(-1)?.end();
  expect(await other).toBe("f");
  clock.now = MINUTE;
  const late = guesses("g");
  await settled();
  begun.at(-1)?.end();
  expect(await late).toBe("g");
  expect(names()).toEqual(["a", "b", "f", "g"]);
});

test("what the service cannot tell is no failure", async () => {
  const { begun, guesses, settled } = desk(1);
  for (const error of [Refusal.because("busy"), new Error("The database is gone.")]) {
    const one = guesses("a");
    await settled();
    begun.at(-1)?.end(error);
    await one;
  }
  const next = guesses("b");
  await settled();
  begun.at(-1)?.end();
  expect(await next).toBe("b");
});

test("a client that has gone or waited too long leaves the line, and its guess is not made", async () => {
  const { begun, names, guesses, settled } = desk(1);
  const gone = new AbortController();
  const first = guesses("a");
  const left = guesses("b", { signal: gone.signal });
  const impatient = guesses("c", { patience: 1 });
  const last = guesses("d");
  gone.abort();
  expect(await left).toBe("busy");
  expect(await impatient).toBe("busy");
  expect(await guesses("e", { signal: gone.signal })).toBe("busy");
  begun[0]?.end();
  await settled();
  begun[1]?.end();
  expect(await Promise.all([first, last])).toEqual(["a", "d"]);
  expect(names()).toEqual(["a", "d"]);
});

test("only so many wait", async () => {
  const { begun, guesses, settled } = desk(1);
  const all = Array.from({ length: 202 }, (_, at) => guesses(String(at)));
  expect(await all[201]).toBe("busy");
  for (let at = 0; at < 201; at += 1) {
    begun[at]?.end();
    await settled();
  }
  expect(await Promise.all(all.slice(0, 201))).toEqual(Array.from({ length: 201 }, (_, at) => String(at)));
});

test("a guess is held to all of its limits, and says which one was reached", async () => {
  const now = () => 0;
  const atAccount = failureLimit(1, MINUTE, now);
  const fromAddress = failureLimit(2, MINUTE, now);
  const fail = (account: string) =>
    guess(
      [
        { limit: atAccount, key: account, tooMany: "tooManyAttempts" },
        { limit: fromAddress, key: "192.0.2.1", tooMany: "networkFailsOften" },
      ],
      () => Promise.reject(Refusal.because("wrongCredentials")),
      new AbortController().signal,
    ).catch((error: unknown) => (error instanceof Refusal ? error.word : error));
  // What is refused at an account takes nothing from its address.
  expect([await fail("a"), await fail("a"), await fail("a"), await fail("b"), await fail("c")]).toEqual([
    "wrongCredentials",
    "tooManyAttempts",
    "tooManyAttempts",
    "wrongCredentials",
    "networkFailsOften",
  ]);
});

test("a limit of 0 is none", async () => {
  const { begun, guesses, wrong, settled } = desk(0);
  for (let at = 0; at < 10; at += 1) {
    const one = guesses("a");
    await settled();
    begun.at(-1)?.end(wrong());
    expect(await one).toBe("wrongCredentials");
  }
});

test("a limit forgets keys that have gone quiet", () => {
  let now = 0;
  const { take } = limit(1, 1000, () => now);
  for (let key = 0; key < 20_000; key += 1) {
    now = key;
    expect(take(String(key))).toBe(true);
  }
  expect(take("19999")).toBe(false);
  // Were it that moment once more, a key that is remembered would be refused.
  now = 0;
  expect(take("0")).toBe(true);
});

test("a limit does not go through all its keys at every try", () => {
  let looks = 0;
  const { take } = limit(1, 1000, () => {
    looks += 1;
    return 0;
  });
  for (let key = 0; key < 12_000; key += 1) take(String(key));
  expect(looks).toBeLessThan(3 * 12_000);
});
