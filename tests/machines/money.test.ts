/** Amounts: exact to the smallest unit, and never a float. */
import { expect, test } from "vitest";
import {
  fromUnits,
  hasArrived,
  missingOf,
  sameAmount,
  surplusOf,
  toUnits,
  USD_DECIMALS,
  USDT_DECIMALS,
} from "../../src/contract/money.ts";

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
  [-5n, 2, 2, "-0.05"],
  [-50n, 2, 2, "-0.50"],
  [-1_500_000n, 6, 2, "-1.50"],
  [-9_000_000n, 6, 0, "-9"],
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

// Of nothing that has come there is no rest, but the whole; and of nothing that is asked, all is more.
test.each([
  ["9.90", "0", { arrived: false, missing: null, surplus: null }],
  ["9.90", null, { arrived: false, missing: null, surplus: null }],
  ["9.90", "9.899999", { arrived: false, missing: "0.000001", surplus: null }],
  ["9.90", "1.00", { arrived: false, missing: "8.90", surplus: null }],
  ["9.90", "9.9", { arrived: true, missing: null, surplus: null }],
  ["9.90", "9.900001", { arrived: true, missing: null, surplus: "0.000001" }],
  ["9.90", "19.8", { arrived: true, missing: null, surplus: "9.90" }],
  ["9.90", "unread", { arrived: false, missing: null, surplus: null }],
  ["unread", "9.90", { arrived: false, missing: null, surplus: null }],
  ["0", "1", { arrived: true, missing: null, surplus: "1.00" }],
])("of %s, when %s has been received", (amount, received, { arrived, missing, surplus }) => {
  expect({
    arrived: hasArrived(amount, received),
    missing: missingOf(amount, received),
    surplus: surplusOf(amount, received),
  }).toEqual({ arrived, missing, surplus });
});
