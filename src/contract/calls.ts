/** Section 7 of the specification as schemas: the one place where the app and the service agree. Fields marked additive are ours; the app has a fallback for each. */
import * as v from "valibot";
import { amount, id, offer } from "./offer.ts";

/** What is beside the specification: not there where another API has none, or means something else by its name. */
const additive = <S extends v.GenericSchema>(schema: S) =>
  v.fallback(v.optional(v.nullable(schema)), undefined);

/** Text, or nothing. */
const perhaps = v.fallback(v.nullable(v.string()), null);

/** Secrets are bounded so that nobody can make the service hash a novel; ASVS asks for at least 64. */
const secret = v.pipe(v.string(), v.maxLength(1024));
const accountName = v.pipe(v.string(), v.trim(), v.maxLength(128));

/** POST /api/login and /api/register. */
export const credentials = v.object({ account_name: accountName, password: secret });

/** data of /api/login. The token reaches the app's storage by the rule of section 3: any `data.token` is kept. */
export const loggedIn = v.looseObject({
  token: v.optional(v.string()),
  user: v.looseObject({ account_name: v.string() }),
});

/** data of GET /api/user/center. `pack_name` null: no membership. Dates begin with YYYY-MM-DD. */
export const centre = v.looseObject({
  user: v.looseObject({
    account_name: v.string(),
    name: perhaps,
    sex: v.fallback(v.nullable(v.picklist(["man", "woman"])), null),
    birth_date: perhaps,
    pack_name: perhaps,
    pack_exp_date: perhaps,
    security_problem: perhaps,
  }),
});
export type Member = v.InferOutput<typeof centre>["user"];

/** data of GET /api/packegs/list (spelled so): the list is the third entry. */
export const packages = v.pipe(
  v.looseTuple([v.unknown(), v.unknown(), v.array(offer)]),
  v.transform((entries) => entries[2]),
);

/** data of GET /api/payment_method_list. `open` '1' or 1 is enabled. */
export const paymentMethods = v.array(
  v.looseObject({
    payment_method: v.string(),
    open: v.pipe(v.union([v.string(), v.number()]), v.transform(String)),
  }),
);

/** Coin types of order creation. Specification, section 9. */
export const coinTypes = { TRC20: 4, ERC20: 2 } as const;
export type Network = keyof typeof coinTypes;
export const networks = ["TRC20", "ERC20"] as const satisfies readonly Network[];

const goods = { pack_id: id, product_id: id };

/** POST /api/order/create, with an Idempotency-Key header: in USDT, or by a method that answers with a `payUrl`. */
export const newOrder = v.union([
  v.object({
    ...goods,
    coin_type: v.pipe(v.union([v.string(), v.number()]), v.transform(Number), v.picklist([4, 2])),
  }),
  v.object({ ...goods, payment_method: v.picklist(["Razorpay", "Stripe"]) }),
]);

const madeOrder = { order_id: id, payment_amount: amount, created_at: additive(v.string()) };

/** data of /api/order/create for USDT. `created_at` (ISO 8601, UTC) is additive. */
export const createdOrder = v.looseObject({
  order: v.looseObject(madeOrder),
  payData: v.looseObject({ address: v.pipe(v.string(), v.nonEmpty()) }),
});
export type CreatedOrder = v.InferOutput<typeof createdOrder>;

/** data of /api/order/create for Stripe: where the person pays, in a window of its own. */
export const createdCheckout = v.looseObject({
  order: v.optional(v.nullable(v.looseObject(madeOrder))),
  payUrl: v.optional(v.nullable(v.string())),
});
export type CreatedCheckout = v.InferOutput<typeof createdCheckout>;

/** POST /api/razorpay/order/create, with an Idempotency-Key header. */
export const newCardOrder = v.object({ ...goods, payment_method: v.literal("razorpay") });

/** data of /api/razorpay/order/create. `third_reference_id` is the provider's own order number. */
export const createdCardOrder = v.looseObject({
  order: v.looseObject({ ...madeOrder, third_reference_id: v.pipe(v.string(), v.nonEmpty()) }),
});
export type CreatedCardOrder = v.InferOutput<typeof createdCardOrder>;

/** The whole answer of GET /api/razorpay/key: no code, HTTP status 200 alone. */
export const cardKey = v.looseObject({ key: v.pipe(v.string(), v.nonEmpty()) });
export type CardKey = v.InferOutput<typeof cardKey>;

/** Additive, POST /api/razorpay/verify: what the provider's script told the browser, for the service to check. data is that of order detail. */
export const cardPayment = v.object({
  order_id: id,
  razorpay_order_id: v.string(),
  razorpay_payment_id: v.string(),
  razorpay_signature: v.string(),
});

/** POST /api/order/detail. */
export const orderQuery = v.object({ order_id: id });

/** `status` of an order: anything that is neither is pending. Specification, section 4. */
export const OrderStatus = { pending: 0, confirmed: 1, failed: 9 } as const;

/**
 * data of /api/order/detail. Additive: `address` and `coin_type` (what the order is to be paid to),
 * `paid_amount` (USDT seen so far, confirmed or not), `pack_name`.
 */
export const orderDetail = v.looseObject({
  order_id: id,
  status: v.pipe(v.union([v.number(), v.string()]), v.transform(Number), v.number()),
  payment_amount: amount,
  created_at: v.fallback(v.string(), ""),
  address: additive(v.string()),
  coin_type: additive(v.pipe(v.union([v.string(), v.number()]), v.transform(Number), v.number())),
  paid_amount: additive(amount),
  pack_name: additive(v.string()),
});
export type OrderDetail = v.InferOutput<typeof orderDetail>;

/** data of GET /api/security_problem_list. */
export const securityProblems = v.array(v.string());

/** POST /api/user/update_info. `birth_date` is YYYY-MM-DD. An empty `name` is taken away; an empty `sex` or `birth_date`, which nobody can choose, is left as it is. */
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

/** POST /api/user/save_security_problem. */
export const securityAnswer = v.object({
  security_problem: v.pipe(v.string(), v.trim(), v.maxLength(256)),
  security_problem_value: v.pipe(v.string(), v.trim(), v.maxLength(256)),
});

/** POST /api/problem_change_password. */
export const recovery = v.object({
  account_name: accountName,
  new_password: secret,
  new_password_confirmation: secret,
  ...securityAnswer.entries,
});

/** data of GET /api/contact/url. */
export const contact = v.pipe(
  v.looseTuple([v.looseObject({ contact_url: v.string() })]),
  v.transform((entries) => entries[0].contact_url),
);

/** POST /sandbox/transfers, in sandbox mode only: a newcomer's or a test's wallet sends `amount` USDT to `address`. */
export const sandboxTransfer = v.object({
  network: v.picklist(networks),
  address: v.pipe(v.string(), v.trim()),
  amount,
});

/** Where each call lives. */
export const paths = {
  login: "/api/login",
  register: "/api/register",
  logout: "/api/logout",
  centre: "/api/user/center",
  packages: "/api/packegs/list",
  paymentMethods: "/api/payment_method_list",
  createOrder: "/api/order/create",
  orderDetail: "/api/order/detail",
  contact: "/api/contact/url",
  securityProblems: "/api/security_problem_list",
  updateProfile: "/api/user/update_info",
  changePassword: "/api/user/change_password",
  recover: "/api/problem_change_password",
  saveSecurityProblem: "/api/user/save_security_problem",
  createCardOrder: "/api/razorpay/order/create",
  cardKey: "/api/razorpay/key",
  verifyCard: "/api/razorpay/verify",
} as const;
