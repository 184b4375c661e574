/** The bodies of section 7's requests as schemas, by which the service reads them. A file of its own: the app sends them, and needs no schema for that. */
import * as v from "valibot";
import { networks } from "./calls.ts";
import { amount, id } from "./offer.ts";

/** In UTF-16 units. */
export const MOST_NAME_LENGTH = 128;
/** Well-formed Unicode only: lone surrogates are hashed as the same replacement, so two texts would be equal. */
const whole = v.regex(/^\P{Cs}*$/u);
/** Limited so that hashing a secret stays cheap; ASVS asks for at least 64. */
const secret = v.pipe(v.string(), v.maxLength(1024), whole);
const accountName = v.pipe(v.string(), v.trim(), v.maxLength(MOST_NAME_LENGTH));

/** POST /api/login and /api/register. */
export const credentials = v.object({ account_name: accountName, password: secret });

const goods = { pack_id: id, product_id: id };

/** POST /api/order/create, with an Idempotency-Key header: in USDT, or by a method that answers with a `payUrl`. */
export const newOrder = v.union([
  v.object({
    ...goods,
    // Forms send it as text.
    coin_type: v.pipe(v.picklist([4, 2, "4", "2"]), v.transform(Number), v.picklist([4, 2])),
  }),
  v.object({ ...goods, payment_method: v.picklist(["Razorpay", "Stripe"]) }),
]);

/** POST /api/razorpay/order/create, with an Idempotency-Key header. */
export const newCardOrder = v.object({ ...goods, payment_method: v.literal("razorpay") });

/**
 * Additive, POST /api/razorpay/verify: the provider script's proof, for the service to check. data is that of order
 * detail.
 */
export const cardPayment = v.object({
  order_id: id,
  razorpay_order_id: v.string(),
  razorpay_payment_id: v.string(),
  razorpay_signature: v.string(),
});

/** POST /api/order/detail. */
export const orderQuery = v.object({ order_id: id });

/** How many orders `orderListQuery` may name. */
export const MOST_NAMED_ORDERS = 8;

/**
 * Additive, POST /api/order/list. `unsettled`: the account's orders that come before another payment. Of the last thirty days those that are
 * open or partly paid, and those that are paid although order detail has not said so to anyone yet. `order_ids` are orders that
 * are listed whatever their state; the one that was placed with `idempotency_key` is not listed, for a retry goes on with it.
 * `all`: every order of the account, by pages; `cursor` is the `next` of the page before.
 */
export const orderListQuery = v.variant("state", [
  v.object({
    state: v.literal("unsettled"),
    order_ids: v.optional(
      v.pipe(v.array(v.pipe(v.string(), v.maxLength(64))), v.maxLength(MOST_NAMED_ORDERS)),
      [],
    ),
    // As a header may be: no database keeps the sign of number 0.
    idempotency_key: v.optional(v.pipe(v.string(), v.maxLength(255), v.regex(/^\P{Cc}*$/u)), ""),
  }),
  v.object({
    state: v.literal("all"),
    // The moment of an order in ms, and its number: of the last order of the page before.
    cursor: v.optional(v.nullable(v.pipe(v.string(), v.regex(/^\d{1,14}\.[0-9A-Z]{1,64}$/))), null),
  }),
]);

/**
 * POST /api/user/update_info. `birth_date` is YYYY-MM-DD. An empty `name` deletes the nickname; an empty `sex` or
 * `birth_date`, which no screen offers, leaves the value unchanged.
 */
export const profile = v.object({
  name: v.pipe(v.string(), v.trim(), v.maxLength(64)),
  sex: v.union([v.picklist(["man", "woman"]), v.literal("")]),
  birth_date: v.union([v.pipe(v.string(), v.isoDate()), v.literal("")]),
});

/** POST /api/user/change_password. */
export const passwordChange = v.object({
  old_password: secret,
  new_password: secret,
  new_password_confirmation: secret,
});

const securityAnswer = v.object({
  security_problem: v.pipe(v.string(), v.trim(), v.maxLength(256)),
  security_problem_value: v.pipe(v.string(), v.trim(), v.maxLength(256), whole),
});

/** POST /api/user/save_security_problem. The password is this service's own; without it, its answer asks for it. */
export const confirmedAnswer = v.object({ ...securityAnswer.entries, password: v.optional(secret, "") });

/** POST /api/problem_change_password. */
export const recovery = v.object({
  account_name: accountName,
  new_password: secret,
  new_password_confirmation: secret,
  ...securityAnswer.entries,
});

/** Additive, POST /api/user/end_session: another session of the same account. It succeeds, too, for one that has ended. */
export const endedSession = v.object({
  session_id: v.pipe(v.string(), v.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)),
  password: secret,
});

/** Additive, POST /api/user/end_other_sessions: all others of the same account. */
export const endedSessions = v.object({ password: secret });

/** Additive, POST /api/user/delete: the account of the session, for good. Refused while money of it is open. */
export const deletedAccount = v.object({ password: secret });

/** POST /sandbox/transfers, in sandbox mode only: a test wallet sends `amount` USDT to `address`. */
export const sandboxTransfer = v.object({
  network: v.picklist(networks),
  address: v.pipe(v.string(), v.trim()),
  amount,
});
