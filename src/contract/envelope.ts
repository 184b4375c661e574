/** The shape around every answer of the API, and the header words both sides use. Specification, sections 4 and 7. */
import * as v from "valibot";

/** What `code` says. Specification, section 4 ("Api response code") and section 8. */
export const Code = {
  success: 200,
  error: 1,
  /** Nobody is signed in. */
  signedOut: 4001,
  /** With the message `Unauthenticated.`, on order creation. */
  unauthenticated: -1,
} as const;

export const UNAUTHENTICATED = "Unauthenticated.";

/** The header that names the language of the messages in the answer. */
export const LANGUAGE_HEADER = "language";
/** One order for one value of this header. Decisions, "Double taps and retries". */
export const IDEMPOTENCY_HEADER = "Idempotency-Key";

/**
 * `{code, message, data}`, HTTP 200 whenever the service itself answered.
 * `server_time` (milliseconds since 1970, UTC) is additive: clients that do not know it read the `Date` header. So is
 * `field`, the entry of the request that a refusal is about.
 */
export const envelope = v.looseObject({
  code: v.pipe(v.union([v.number(), v.string()]), v.transform(Number), v.number()),
  message: v.optional(v.nullable(v.string())),
  data: v.optional(v.unknown()),
  server_time: v.fallback(v.optional(v.number()), undefined),
  field: v.fallback(v.optional(v.string()), undefined),
});
