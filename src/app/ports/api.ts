/** The calls of section 7, one method each: asks once, and again only where another language was chosen meanwhile; answers with checked data or rejects with `CallFailed`. */
import { ofetch, type FetchResponse } from "ofetch";
import * as v from "valibot";
import type { CardOrder, CardProof } from "../../../machines/card-setup.ts";
import type { Offer } from "../../../machines/catalogue.ts";
import { whyMissed } from "./late-api.ts";
import { knownMethods, type Method } from "../../../machines/methods.ts";
import { CallFailed } from "../../../machines/failure.ts";
import type { Credentials } from "../../../machines/login.ts";
import type { Member } from "../../contract/calls.ts";
import { COUNTDOWN_SECONDS } from "../../../machines/issued.ts";
import type { IssuedReading } from "../../../machines/order.ts";
import type { OrderReading } from "../../../machines/reading.ts";
import type { Sex } from "../../../machines/profile.ts";
import type { IssuedOrder, OrderRequest } from "../../../machines/purchase.ts";
import type { Answer } from "../../../machines/recovery.ts";
import type { NewPassword, PasswordChange } from "../../../machines/password-rules.ts";
import {
  cardKey,
  centre,
  coinTypes,
  contact,
  createdCardOrder,
  createdCheckout,
  createdOrder,
  loggedIn,
  networks,
  orderDetail,
  type OrderDetail,
  packages,
  paths,
  paymentMethods,
  securityProblems,
} from "../../contract/calls.ts";
import {
  Code,
  envelope,
  IDEMPOTENCY_HEADER,
  LANGUAGE_HEADER,
  UNAUTHENTICATED,
} from "../../contract/envelope.ts";
import type { Language } from "../../contract/languages.ts";
import type { Clock } from "./clock.ts";
import type { Config } from "./config.ts";
import type { AppStorage } from "./storage.ts";
import { isSafeAddress } from "./windows.ts";

export type ApiOutside = {
  config: () => Promise<Config>;
  storage: AppStorage;
  clock: Clock;
  language: () => Language;
  /** The API said that nobody is signed in: once for all the calls that were under way then. */
  refused: () => void;
};

type Purchase = { offer: Offer; key: string };

type Call<S extends v.GenericSchema> = {
  method: "GET" | "POST";
  path: string;
  schema: S;
  body?: Record<string, unknown>;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** Goes on where the page is closed meanwhile. */
  keepalive?: boolean;
  /** Its answer belongs to the account that asked, and to no other. */
  personal?: boolean;
};

/** Where a payment in a window of its own goes on, and for which order (null where the API does not say). */
export type Checkout = { payUrl: string; orderId: string | null; amount: string; createdAt: string };

export type Api = ReturnType<typeof createApi>;

/** Specification, section 7: the headers, what counts as success, and what is kept of an answer. */
export function createApi({ config, storage, clock, language, refused }: ApiOutside) {
  /** How often that was. */
  let refusals = 0;

  /** Sends one request; settles with an answer of HTTP status 200, and the token that was sent with it. */
  async function send(
    call: Omit<Call<v.GenericSchema>, "schema">,
  ): Promise<{ answer: FetchResponse<unknown>; token: string | null }> {
    // Whoever asked is who was signed in then, however late the configuration comes.
    const token = storage.readText("user_token");
    const { apiBaseUrl } = await config();
    const answer: FetchResponse<unknown> = await ofetch
      .raw(apiBaseUrl + call.path, {
        method: call.method,
        headers: {
          ...call.headers,
          [LANGUAGE_HEADER]: language(),
          ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
        },
        ...(call.body ? { body: call.body } : {}),
        ...(call.signal ? { signal: call.signal } : {}),
        keepalive: call.keepalive ?? false,
        retry: false,
        ignoreResponseError: true,
      })
      .catch(() => {
        // Given up on: whoever asked is gone, or hidden and will ask anew.
        if (call.signal?.aborted) return new Promise<never>(() => {});
        throw new CallFailed({ kind: "network" });
      });
    // A reply that belongs to a past session changes nothing: it never arrives.
    if (call.personal && token !== storage.readText("user_token")) return new Promise(() => {});
    if (answer.status !== 200) throw new CallFailed({ kind: "http", status: answer.status, path: call.path });
    return { answer, token };
  }

  /** An answer that the API calls a success, with its message. */
  async function askFor<S extends v.GenericSchema>(
    call: Call<S>,
  ): Promise<{ data: v.InferOutput<S>; message: string }> {
    const known = refusals;
    const asked = clock.now();
    const { answer, token } = await send(call);
    const { code, message, data, server_time, field } = readAs(envelope, answer._data);
    const time = server_time ?? Date.parse(answer.headers.get("Date") ?? "");
    if (Number.isFinite(time)) clock.anchor(time, clock.now() - asked);

    if (code === Code.signedOut || (code === Code.unauthenticated && message === UNAUTHENTICATED)) {
      // Of a session before this one, it says nothing about this one.
      if (refusals === known && token === storage.readText("user_token")) {
        refusals += 1;
        refused();
      }
      throw new CallFailed({ kind: "signedOut" });
    }
    if (code !== Code.success) throw new CallFailed({ kind: "refused", code, message: message ?? "", field });
    if (typeof data === "object" && data !== null && "token" in data && typeof data.token === "string") {
      storage.writeText("user_token", data.token);
    }
    return { data: readAs(call.schema, data), message: message ?? "" };
  }

  const ask = async <S extends v.GenericSchema>(call: Call<S>): Promise<v.InferOutput<S>> => {
    const spoken = language();
    const { data } = await askFor(call);
    // Its words are of a language that was left meanwhile.
    return call.method === "GET" && spoken !== language() ? ask(call) : data;
  };

  const askForDetail = ({ orderId }: { orderId: string }, signal?: AbortSignal) =>
    ask({
      method: "POST",
      path: paths.orderDetail,
      schema: orderDetail,
      body: { order_id: orderId },
      signal,
      personal: true,
    });

  return {
    logIn: async (credentials: Credentials, signal?: AbortSignal) => {
      const { user } = await ask({
        method: "POST",
        path: paths.login,
        schema: loggedIn,
        body: credentials,
        signal,
      });
      return { accountName: user.account_name };
    },
    register: async (credentials: Credentials, signal?: AbortSignal) => {
      await ask({ method: "POST", path: paths.register, schema: v.unknown(), body: credentials, signal });
    },
    logOut: async () => {
      await ask({ method: "POST", path: paths.logout, schema: v.unknown(), keepalive: true });
    },
    readMember: async (signal?: AbortSignal): Promise<Member> => {
      const { user } = await ask({
        method: "GET",
        path: paths.centre,
        schema: centre,
        signal,
        personal: true,
      });
      return user;
    },
    readPackages: (signal?: AbortSignal) =>
      ask({ method: "GET", path: paths.packages, schema: packages, signal }),
    /** Only the enabled ones that this app knows. */
    readMethods: async (signal?: AbortSignal): Promise<readonly Method[]> => {
      const entries = await ask({
        method: "GET",
        path: paths.paymentMethods,
        schema: paymentMethods,
        signal,
      });
      return knownMethods.filter((method) =>
        entries.some((entry) => entry.payment_method === method && entry.open === "1"),
      );
    },
    createOrder: async (
      { offer, network, key }: OrderRequest,
      signal?: AbortSignal,
    ): Promise<IssuedOrder> => {
      const asking = ask({
        method: "POST",
        path: paths.createOrder,
        schema: createdOrder,
        body: { pack_id: offer.id, product_id: offer.product_id, coin_type: coinTypes[network] },
        headers: { [IDEMPOTENCY_HEADER]: key },
        signal,
        personal: true,
      });
      const [{ order, payData }, isWellFormed] = await Promise.all([asking, learnAddresses()]);
      // Nobody is asked to send money where it cannot arrive.
      if (!isWellFormed(network, payData.address)) throw new CallFailed({ kind: "unreadable" });
      return {
        orderId: order.order_id,
        network,
        amount: order.payment_amount,
        address: payData.address,
        deadline: deadlineOf(order.created_at) ?? clock.now() + COUNTDOWN_SECONDS * 1000,
      };
    },
    readOrder: async (about: { orderId: string }, signal?: AbortSignal): Promise<OrderReading> =>
      readingOf(await askForDetail(about, signal)),
    readIssued: async (about: { orderId: string }, signal?: AbortSignal): Promise<IssuedReading> => {
      const [detail, isWellFormed] = await Promise.all([askForDetail(about, signal), learnAddresses()]);
      const issued = issuedOf(detail);
      return {
        ...readingOf(detail),
        issued: issued && isWellFormed(issued.network, issued.address) ? issued : null,
      };
    },
    readQuestions: (signal?: AbortSignal) =>
      ask({ method: "GET", path: paths.securityProblems, schema: securityProblems, signal }),
    saveQuestion: async (answer: Answer, signal?: AbortSignal) => {
      const path = paths.saveSecurityProblem;
      await ask({ method: "POST", path, schema: v.unknown(), body: answer, signal, personal: true });
    },
    saveParticulars: async (
      body: { name: string; sex: Sex | ""; birth_date: string },
      signal?: AbortSignal,
    ) => {
      await ask({
        method: "POST",
        path: paths.updateProfile,
        schema: v.unknown(),
        body,
        signal,
        personal: true,
      });
    },
    changePassword: async (body: PasswordChange, signal?: AbortSignal) => {
      await ask({
        method: "POST",
        path: paths.changePassword,
        schema: v.unknown(),
        body,
        signal,
        personal: true,
      });
    },
    resetPassword: async (body: NewPassword & Answer & { account_name: string }, signal?: AbortSignal) => {
      await ask({ method: "POST", path: paths.recover, schema: v.unknown(), body, signal });
    },
    createCardOrder: async ({ offer, key }: Purchase, signal?: AbortSignal): Promise<CardOrder> => {
      const { order } = await ask({
        method: "POST",
        path: paths.createCardOrder,
        schema: createdCardOrder,
        body: { pack_id: offer.id, product_id: offer.product_id, payment_method: "razorpay" },
        headers: { [IDEMPOTENCY_HEADER]: key },
        signal,
        personal: true,
      });
      return { orderId: order.order_id, amount: order.payment_amount, reference: order.third_reference_id };
    },
    /** Its answer has no envelope. */
    readCardKey: async (signal?: AbortSignal) => {
      const { answer } = await send({ method: "GET", path: paths.cardKey, signal });
      return readAs(cardKey, answer._data).key;
    },
    verifyCard: async ({ orderId, proof }: { orderId: string; proof: CardProof }, signal?: AbortSignal) =>
      readingOf(
        await ask({
          method: "POST",
          path: paths.verifyCard,
          schema: orderDetail,
          body: {
            order_id: orderId,
            razorpay_order_id: proof.reference,
            razorpay_payment_id: proof.paymentId,
            razorpay_signature: proof.signature,
          },
          signal,
          personal: true,
        }),
      ),
    /** An order that is paid in a window of the provider's. Rejects where the API names no address to pay at, or an unsafe one. */
    createCheckout: async ({ offer, key }: Purchase, signal?: AbortSignal): Promise<Checkout> => {
      const { data, message } = await askFor({
        method: "POST",
        path: paths.createOrder,
        schema: v.optional(v.nullable(createdCheckout)),
        body: { pack_id: offer.id, product_id: offer.product_id, payment_method: "Stripe" },
        headers: { [IDEMPOTENCY_HEADER]: key },
        signal,
        personal: true,
      });
      const { sandbox } = await config();
      const { order, payUrl } = data ?? {};
      if (!payUrl) throw new CallFailed({ kind: "refused", code: Code.success, message });
      if (!isSafeAddress(payUrl, sandbox)) throw new CallFailed({ kind: "unreadable" });
      return {
        payUrl,
        orderId: order?.order_id ?? null,
        amount: order?.payment_amount ?? offer.buy_price,
        createdAt: order?.created_at ?? "",
      };
    },
    /** Where customer support is. Never an address that a window may not be sent to. */
    readContact: async (signal?: AbortSignal) => {
      const address = await ask({ method: "GET", path: paths.contact, schema: contact, signal });
      const { sandbox } = await config();
      if (!isSafeAddress(address, sandbox)) throw new CallFailed({ kind: "unreadable" });
      return address;
    },
  };
}

/** What `schema` makes of it, or the failure to be told. */
function readAs<S extends v.GenericSchema>(schema: S, data: unknown): v.InferOutput<S> {
  const read = v.safeParse(schema, data);
  if (!read.success) throw new CallFailed({ kind: "unreadable" });
  return read.output;
}

/** The arithmetic of addresses. It comes with the first one, for no screen needs it before. */
async function learnAddresses() {
  try {
    return (await import("../../contract/address.ts")).isWellFormed;
  } catch {
    throw await whyMissed();
  }
}

/** What was issued for an order that is paid in a coin; null where the API does not repeat all of it. */
function issuedOf(detail: OrderDetail): IssuedOrder | null {
  const { order_id: orderId, payment_amount: amount, address } = detail;
  const network = networks.find((name) => coinTypes[name] === detail.coin_type);
  const deadline = deadlineOf(detail.created_at);
  return network && address && deadline !== null ? { orderId, network, amount, address, deadline } : null;
}

/** An order's detail as the charts read it. */
function readingOf(detail: OrderDetail): OrderReading {
  return {
    status: detail.status,
    amount: detail.payment_amount,
    createdAt: detail.created_at,
    received: detail.paid_amount ?? null,
    // Only an order to be paid in a coin has a coin's number; an API that leaves the field out leaves it open.
    ...(detail.coin_type === undefined ? {} : { unit: detail.coin_type === null ? "USD" : "USDT" }),
  };
}

/** Thirty minutes after a moment that names its zone; null where it names none, for then it could be any. */
function deadlineOf(createdAt: string | null | undefined): number | null {
  if (!createdAt || !/(Z|[+-]\d\d:?\d\d)$/.test(createdAt)) return null;
  const moment = Date.parse(createdAt);
  return Number.isNaN(moment) ? null : moment + COUNTDOWN_SECONDS * 1000;
}
