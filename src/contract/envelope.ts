/** The envelope of every API response, and the headers that both sides use. Specification, sections 4 and 7. */
import * as v from "valibot";

/** The values of `code`. Specification, section 4 ("Api response code") and section 8. */
export const Code = {
  success: 200,
  error: 1,
  /** The user is not signed in. */
  signedOut: 4001,
  /** With the message `Unauthenticated.`, on order creation. */
  unauthenticated: -1,
} as const;

export const UNAUTHENTICATED = "Unauthenticated.";

/** Each value creates at most one order. Decisions, "Double taps and retries". */
export const IDEMPOTENCY_HEADER = "Idempotency-Key";

const wholeIn = (value: string | number) => {
  const number = typeof value === "number" || /^\s*-?\d+\s*$/.test(value) ? Number(value) : NaN;
  return Number.isSafeInteger(number) ? number : NaN;
};
/** A whole number, or its decimal digits. */
export const wholeNumber = v.pipe(v.union([v.number(), v.string()]), v.transform(wholeIn), v.number());

/**
 * `{code, message, data}`, HTTP 200 whenever the service itself answers, but 404 for an address that there is not, 413 for a body that is too large,
 * 429 for a request that is one too many and 500 for a fault. Additive: `server_time` (milliseconds since
 * 1970, UTC; without it clients use the `Date` header) and `field`, the request's field that a refusal is about.
 */
export const envelope = v.looseObject({
  code: wholeNumber,
  message: v.fallback(v.optional(v.nullable(v.string())), undefined),
  data: v.optional(v.unknown()),
  server_time: v.fallback(v.optional(v.number()), undefined),
  field: v.fallback(v.optional(v.string()), undefined),
});
