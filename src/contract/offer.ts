/** The schema of a package on sale. A file of its own, because the stored selection is read before any request. Specification, section 3 ("Package"). */
import * as v from "valibot";

/** Text, which some implementations send as a number. */
export const text = v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.nonEmpty());

/** A number as text; "" when JSON does not carry it exactly, or when it is not a number. */
const exactly = (value: string | number) =>
  typeof value === "string" ? value.trim() : Number.isSafeInteger(value) ? String(value) : "";

/**
 * An id as text; other implementations send numbers. A number that JSON does not carry exactly is refused, because
 * it would be another order's id.
 */
export const id = v.pipe(v.union([v.string(), v.number()]), v.transform(exactly), v.nonEmpty());

/** No currency here has more decimals. */
const MOST_DECIMALS = 6;
/** Tolerated rounding error of floats: 0.1 + 0.2 is 0.30000000000000004. */
const FLOAT_NOISE = 1e-9;
function withoutNoise(value: string | number): string {
  if (typeof value === "string") return value.trim();
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return "";
  const rounded = Number(value.toFixed(MOST_DECIMALS));
  return String(Math.abs(value - rounded) < FLOAT_NOISE ? rounded : value);
}

/** A decimal amount such as "9.99", kept as text; see money.ts. */
export const amount = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform(withoutNoise),
  v.regex(/^\d{1,18}(\.\d{1,18})?$/),
);
/** An amount that is only displayed, and that some implementations leave out. */
const shownAmount = v.fallback(amount, "");

/** `discount` is the percentage of `price` charged: price 12.00, buy_price 9.00, discount 75. */
export const offer = v.object({
  id,
  name: text,
  product_id: id,
  price: shownAmount,
  buy_price: amount,
  day_price: shownAmount,
  discount: v.fallback(text, ""),
});
export type Package = v.InferOutput<typeof offer>;
