/** A package on sale as a schema, apart from the calls: what this browser keeps of it is read before anything is asked. Specification, section 3 ("Package"). */
import * as v from "valibot";

/** Other implementations number their rows; ours names them. Both are read as text. */
export const id = v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.nonEmpty());
/** A decimal amount, "9.99". Kept as text; see machines/money. */
export const amount = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform(String),
  v.trim(),
  v.regex(/^\d{1,18}(\.\d{1,18})?$/),
);
/** An amount shown only, which some implementations leave out. */
const shownAmount = v.fallback(amount, "");

/** `discount` is the share of `price` that is asked, in percent: price 12.00, buy_price 9.00, discount 75. */
export const offer = v.object({
  id,
  name: v.string(),
  product_id: id,
  price: shownAmount,
  buy_price: amount,
  day_price: shownAmount,
  discount: v.fallback(v.pipe(v.union([v.string(), v.number()]), v.transform(String)), ""),
});
export type Package = v.InferOutput<typeof offer>;
