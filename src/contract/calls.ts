/** Section 7 of the specification, shared by the app and the service: paths, and answers as schemas. Fields marked additive are ours; the app has a fallback for each. */
import * as v from "valibot";
import { wholeNumber } from "./envelope.ts";
import { amount, id, offer, text } from "./offer.ts";

/** A field beyond the specification: absent when another API lacks it or uses its name for something else. */
const additive = <S extends v.GenericSchema>(schema: S) =>
  v.fallback(v.optional(v.nullable(schema)), undefined);

/** Text or null; an empty or blank column counts as null. */
const perhaps = v.fallback(v.nullable(v.pipe(v.string(), v.regex(/\S/))), null);

/** The entries of a list. PHP encodes a list with gaps as an object with numeric keys. */
const entriesOf = (value: unknown): unknown[] | null =>
  Object(value) === value && Object.keys(value as object).every((key) => /^\d+$/.test(key))
    ? Object.values(value as object)
    : null;

/** The valid entries of a list; rejected when it has entries but none is valid. */
const list = <S extends v.GenericSchema>(entry: S) =>
  v.pipe(
    v.unknown(),
    v.transform((value) => {
      const entries = entriesOf(value);
      const read = entries?.map((each) => v.safeParse(entry, each)).filter(({ success }) => success);
      return entries?.length === 0 || read?.length ? read : null;
    }),
    v.array(v.unknown()),
    v.transform((read) => (read as { output: v.InferOutput<S> }[]).map(({ output }) => output)),
  );

/** An object or nothing, which PHP encodes as an empty list. */
const maybe = <S extends v.GenericSchema>(schema: S) =>
  v.optional(
    v.pipe(
      v.unknown(),
      v.transform((value) => (Array.isArray(value) && value.length === 0 ? null : value)),
      v.nullable(schema),
    ),
  );

/** An account's name as shown. */
const shownName = v.pipe(text, v.regex(/\S/));

/** data of /api/login. The app stores any `data.token`, by section 3. */
export const loggedIn = v.looseObject({ user: v.looseObject({ account_name: shownName }) });

/**
 * data of GET /api/user/center. `pack_name` null: no membership. Dates begin with YYYY-MM-DD. Additive:
 * `membership_ended_at` (ISO 8601, UTC), when the last membership ended, if none runs; null where there was none.
 */
export const centre = v.looseObject({
  user: v.looseObject({
    account_name: shownName,
    name: perhaps,
    sex: v.fallback(v.nullable(v.picklist(["man", "woman"])), null),
    birth_date: perhaps,
    pack_name: perhaps,
    pack_exp_date: perhaps,
    security_problem: perhaps,
    membership_ended_at: additive(v.string()),
  }),
});
export type Member = v.InferOutput<typeof centre>["user"];

/** data of GET /api/packegs/list (spelled so): the list is the third entry. */
export const packages = v.pipe(
  v.looseObject({ 2: list(offer) }),
  v.transform((entries) => entries[2]),
);

/** data of GET /api/payment_method_list. `open` '1' or 1 is enabled. */
export const paymentMethods = list(v.looseObject({ payment_method: v.string(), open: text }));

/** Coin types of order creation. Specification, section 9. */
export const coinTypes = { TRC20: 4, ERC20: 2 } as const;
export type Network = keyof typeof coinTypes;
export const networks = ["TRC20", "ERC20"] as const satisfies readonly Network[];

const madeOrder = { order_id: id, payment_amount: amount, created_at: additive(v.string()) };

/** data of /api/order/create for USDT. Additive: `created_at` (ISO 8601, UTC), and `network_behind` as in order detail. */
export const createdOrder = v.looseObject({
  order: v.looseObject({ ...madeOrder, network_behind: additive(v.boolean()) }),
  payData: v.looseObject({ address: v.pipe(v.string(), v.trim(), v.nonEmpty()) }),
});
export type CreatedOrder = v.InferOutput<typeof createdOrder>;

/** data of /api/order/create for Stripe: the payment page, opened in its own window. */
export const createdCheckout = v.looseObject({
  order: maybe(v.looseObject({ ...madeOrder, payment_amount: additive(amount) })),
  payUrl: additive(v.string()),
});
export type CreatedCheckout = v.InferOutput<typeof createdCheckout>;

/** data of /api/razorpay/order/create. `third_reference_id` is the provider's own order number. */
export const createdCardOrder = v.looseObject({
  order: v.looseObject({ ...madeOrder, third_reference_id: id }),
});
export type CreatedCardOrder = v.InferOutput<typeof createdCardOrder>;

/** The whole response of GET /api/razorpay/key: no envelope, success is HTTP status 200. */
export const cardKey = v.looseObject({ key: v.pipe(v.string(), v.trim(), v.nonEmpty()) });
export type CardKey = v.InferOutput<typeof cardKey>;

/** `status` of an order: any other value is pending. Specification, section 4. */
export const OrderStatus = { pending: 0, confirmed: 1, failed: 9 } as const;

/** What an order's list and its detail say of how it was paid. Additive. */
const payments = {
  paid_at: additive(v.string()),
  references: additive(list(v.pipe(v.string(), v.nonEmpty()))),
  payment_method: additive(v.string()),
};

const arrivedTransfer = v.looseObject({
  tx_hash: v.pipe(v.string(), v.nonEmpty()),
  amount,
  confirmations: wholeNumber,
  confirmations_needed: wholeNumber,
  explorer_url: v.fallback(v.nullable(v.pipe(v.string(), v.startsWith("https://"))), null),
});
export type ArrivedTransfer = v.InferOutput<typeof arrivedTransfer>;

/**
 * data of /api/order/detail. Additive: `address` and `coin_type` (how the order is paid), `paid_amount` (what came in and was
 * not given back, confirmed or not), `owed_amount` (what is still asked for) and `surplus_amount` (what may be claimed back), both
 * "0.00" where there is none, `pack_name`, `transfers` (what has arrived in USDT, the oldest first), `held` (whether some of it
 * waits for a person to check it), `returned` (whether money came for a failed order, and was given back, kept for something else, or is contested),
 * `network_behind` (there and true where an unconfirmed order's network is read late, so that a payment shows later than usual);
 * and for the receipt `payment_method` (one of payment_method_list), `paid_at` (ISO 8601, UTC: when the money of a confirmed order
 * was complete; null where nothing came) and `references` (the transactions or the provider's numbers of what came, the oldest first).
 */
export const orderDetail = v.looseObject({
  order_id: id,
  status: v.fallback(wholeNumber, OrderStatus.pending),
  payment_amount: amount,
  created_at: v.fallback(v.string(), ""),
  address: additive(v.pipe(v.string(), v.trim())),
  coin_type: additive(wholeNumber),
  paid_amount: additive(amount),
  owed_amount: additive(amount),
  surplus_amount: additive(amount),
  pack_name: additive(v.string()),
  transfers: additive(list(arrivedTransfer)),
  held: additive(v.boolean()),
  returned: additive(v.boolean()),
  network_behind: additive(v.boolean()),
  ...payments,
});
export type OrderDetail = v.InferOutput<typeof orderDetail>;

/** An order in a list: as order detail says it, and what it was ordered by. `payment_method` is one of payment_method_list. */
const listedOrder = v.looseObject({
  ...payments,
  order_id: id,
  status: v.fallback(wholeNumber, OrderStatus.pending),
  payment_amount: amount,
  created_at: v.fallback(v.string(), ""),
  pack_id: id,
  product_id: id,
  pack_name: v.fallback(v.string(), ""),
  payment_method: v.string(),
  coin_type: additive(wholeNumber),
  address: additive(v.pipe(v.string(), v.trim())),
  paid_amount: additive(amount),
  owed_amount: additive(amount),
  surplus_amount: additive(amount),
  held: additive(v.boolean()),
  returned: additive(v.boolean()),
});
export type ListedOrder = v.InferOutput<typeof listedOrder>;

/** Additive, data of POST /api/order/list: the latest first. `next` names the page after this one; null: there is none. */
export const orderList = v.looseObject({
  orders: list(listedOrder),
  next: v.fallback(v.nullable(v.string()), null),
});
export type OrderList = v.InferOutput<typeof orderList>;

/** data of GET /api/security_problem_list. */
export const securityProblems = v.pipe(
  list(v.pipe(v.string(), v.regex(/\S/))),
  v.transform((questions) => [...new Set(questions)]),
);

/**
 * Additive, data of GET /api/user/session_list: where the account is logged in. Times are ISO 8601, UTC, `used_at` to the
 * hour. `network` is the one that it was opened from, `browser` and `device` are names; each is null where it is unknown.
 */
export const sessionList = list(
  v.looseObject({
    session_id: id,
    created_at: v.string(),
    used_at: v.fallback(v.nullable(v.string()), null),
    network: perhaps,
    browser: perhaps,
    device: perhaps,
    current: v.fallback(v.boolean(), false),
  }),
);

export type SessionList = v.InferOutput<typeof sessionList>;

/** data of GET /api/contact/url. */
export const contact = v.pipe(
  list(v.looseObject({ contact_url: v.string() })),
  v.transform((entries) => entries.map(({ contact_url }) => contact_url.trim())),
);

/** The path of each call. */
export const paths = {
  login: "/api/login",
  register: "/api/register",
  logout: "/api/logout",
  centre: "/api/user/center",
  packages: "/api/packegs/list",
  paymentMethods: "/api/payment_method_list",
  createOrder: "/api/order/create",
  orderDetail: "/api/order/detail",
  orderList: "/api/order/list",
  contact: "/api/contact/url",
  securityProblems: "/api/security_problem_list",
  updateProfile: "/api/user/update_info",
  changePassword: "/api/user/change_password",
  recover: "/api/problem_change_password",
  saveSecurityProblem: "/api/user/save_security_problem",
  sessions: "/api/user/session_list",
  endSession: "/api/user/end_session",
  endOtherSessions: "/api/user/end_other_sessions",
  deleteAccount: "/api/user/delete",
  createCardOrder: "/api/razorpay/order/create",
  cardKey: "/api/razorpay/key",
  verifyCard: "/api/razorpay/verify",
} as const;
