/** Amounts: exact to the smallest unit, and never a float. */
import { expect, test } from "vitest";
import {
  fromUnits,
  missingOf,
  surplusOf,
  sameAmount,
  toUnits,
  USD_DECIMALS,
  USDT_DECIMALS,
} from "../../machines/money.ts";

test.each([
  ["19.99", 2, 1999n],
  ["0.1", 6, 100_000n],
  ["9", 2, 900n],
  [" 9. ", 2, 900n],
  ["9.9000000", 6, 9_900_000n],
  // More than a float can hold.
  ["9007199254740993.01", 2, 900_719_925_474_099_301n],
  ["9.999", 2, null],
  ["0.0000001", 6, null],
  ["", 2, null],
  [".5", 2, null],
  ["-1", 2, null],
  ["1e3", 2, null],
  ["1,000", 2, null],
  ["NaN", 2, null],
  ["１９", 2, null],
])("reads %j with %i decimals as %s", (text, decimals, units) => {
  expect(toUnits(text, decimals)).toBe(units);
});

test.each([
  [9_900_000n, 6, 2, "9.90"],
  [9_900_000n, 6, 0, "9.9"],
  [9_000_000n, 6, 0, "9"],
  [1n, 6, 0, "0.000001"],
  [0n, 2, 2, "0.00"],
  [1999n, 2, 0, "19.99"],
])("writes %s with %i decimals, %i at least, as %s", (units, decimals, least, text) => {
  expect(fromUnits(units, decimals, least)).toBe(text);
});

test("reads what it wrote", () => {
  for (let units = 0n; units < 2_000_000n; units += 7_919n) {
    expect(toUnits(fromUnits(units, USDT_DECIMALS), USDT_DECIMALS)).toBe(units);
    expect(toUnits(fromUnits(units, USD_DECIMALS, 2), USD_DECIMALS)).toBe(units);
  }
});

test.each([
  ["9.9", "9.90", true],
  ["9.9", "9.900001", false],
  ["10", "10.000000", true],
  // What cannot be read is no amount, not even its own.
  ["ten", "ten", false],
  ["", "", false],
])("tells whether %j and %j are one amount: %s", (one, other, same) => {
  expect(sameAmount(one, other)).toBe(same);
});

test.each([
  // Nothing has come: there is no rest, but the whole.
  ["9.90", "0", null],
  ["9.90", null, null],
  ["9.90", "9.899999", "0.000001"],
  ["9.90", "1.00", "8.90"],
  ["9.90", "9.9", null],
  ["9.90", "10", null],
  ["9.90", "unread", null],
])("of %s, with %s received, misses %s", (amount, received, missing) => {
  expect(missingOf(amount, received)).toBe(missing);
});

test.each([
  ["9.90", "19.8", "9.90"],
  ["9.90", "9.900001", "0.000001"],
  ["9.90", "9.9", null],
  ["9.90", "1.00", null],
  ["9.90", null, null],
  ["9.90", "unread", null],
  ["unread", "9.90", null],
  // Of nothing, all is more.
  ["0", "1", "1.00"],
])("of %s, with %s received, is over by %s", (amount, received, surplus) => {
  expect(surplusOf(amount, received)).toBe(surplus);
});
