/** The API client: one method per call of section 7. Sends one request (a second only if the language changed meanwhile); resolves with validated data or rejects with `CallFailed`. */
import { ofetch, type FetchResponse } from "ofetch";
import * as v from "valibot";
import type { CardOrder, CardProof } from "../../../machines/card-result.ts";
import type { Offer } from "../../../machines/catalogue.ts";
import { missingCode } from "./missing-code.ts";
import { knownMethods, type Method } from "../../../machines/payment-methods.ts";
import { CallFailed } from "../../../machines/call-error.ts";
import type { Credentials } from "../../../machines/login.ts";
import type { ArrivedTransfer, ListedOrder, Member } from "../../contract/calls.ts";
import { hasArrived, toUnits, USDT_DECIMALS } from "../../contract/money.ts";
import { COUNTDOWN_SECONDS } from "../../../machines/issued-order.ts";
import type { OrderPage, PastOrder } from "../../../machines/order-history.ts";
import type { EarlierPayment } from "../../../machines/earlier-orders.ts";
import {
  earlierOf,
  maybePaidOf,
  type EarlierWanted,
  type OrderRead,
} from "../../../machines/find-earlier.ts";
import type { KeptOrder } from "../../../machines/kept-orders.ts";
import type { IssuedReading } from "../../../machines/order.ts";
import {
  isConfirmed,
  isOver,
  type ChainTransfer,
  type OrderReading,
  type PaymentWay,
} from "../../../machines/order-status.ts";
import type { Sex } from "../../../machines/profile.ts";
import type { IssuedOrder, Network } from "../../../machines/issued-order.ts";
import type { OrderRequest } from "../../../machines/purchase.ts";
import type { Answer } from "../../../machines/recovery.ts";
import type { Ended, Session } from "../../../machines/sessions.ts";
import type { ConfirmedAnswer } from "../../../machines/security-question.ts";
import type { NewPassword, PasswordChange } from "../../contract/password-rules.ts";
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
  orderList,
  packages,
  paths,
  paymentMethods,
  securityProblems,
  sessionList,
} from "../../contract/calls.ts";
import { Code, envelope, IDEMPOTENCY_HEADER, UNAUTHENTICATED } from "../../contract/envelope.ts";
import { LANGUAGE_HEADER, type Language } from "../../contract/languages.ts";
import { DAY } from "../../contract/durations.ts";
import type { Clock } from "./clock.ts";
import type { Config } from "./config.ts";
import { distanceTo, type Distance } from "../../contract/moments.ts";
import { takeEarlyAnswer, type Answered } from "./early-calls.ts";
import type { AppStorage } from "./storage.ts";
import { isWithin, TEN_YEARS, tokenIn } from "./stored-values.ts";
import { isSafeAddress } from "./windows.ts";

export type ApiDependencies = {
  config: () => Promise<Config>;
  storage: AppStorage;
  clock: Clock;
  language: () => Language;
  /** The API answered that the user is not signed in; called once for all requests pending then. */
  refused: () => void;
  /**
   * Whether the account on the screen is still the stored one. If another tab changed it unnoticed, this tab learns
   * of it now.
   */
  isCurrent: () => boolean;
};

type Purchase = { offer: Offer; key: string };

type Call<S extends v.GenericSchema> = {
  method: "GET" | "POST";
  path: string;
  schema: S;
  body?: Record<string, unknown>;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** The request continues when the page is closed. */
  keepalive?: boolean;
  /** The response belongs to the account that sent the request, and to no other. */
  personal?: boolean;
  /** Unasked for: an answer "not signed in" ends no session. */
  quiet?: boolean;
};

/** The payment page to open in its own window, and its order (null when the API does not name it). */
export type Checkout = { payUrl: string; orderId: string | null; amount: string; createdAt: string };

type MemberRead = Member & { end: Distance | null };

export type Api = ReturnType<typeof createApi>;

/** The API client: headers, success codes and stored values. Specification, section 7. */
export function createApi({ config, storage, clock, language, refused, isCurrent }: ApiDependencies) {
  /** How many times the API has answered "not signed in". */
  let refusals = 0;

  /** Sends one request; resolves with a response of HTTP status 200 and the token that was sent. */
  async function send(
    call: Omit<Call<v.GenericSchema>, "schema">,
  ): Promise<{ answer: Answered; token: string | null }> {
    // The account changed: the request is not sent and never settles, because the actor that sent it is about to
    // stop.
    if (!isCurrent() && call.personal) return new Promise(() => {});
    // Read before the configuration is awaited, so that the token is the caller's.
    const token = storage.readText("user_token");
    const account = storage.readText("user_name");
    const { apiBaseUrl } = await config();
    const address = apiBaseUrl + call.path;
    const early = call.method === "GET" ? await takeEarlyAnswer(address, token, language()) : null;
    const answer = early ?? (await request(address, call, token));
    // A reply that belongs to another account never settles. The token may have been replaced meanwhile: by another reply,
    // or by a login in another tab.
    if (call.personal && account !== storage.readText("user_name")) return new Promise(() => {});
    if (answer.status !== 200) throw new CallFailed({ kind: "http", status: answer.status, path: call.path });
    return { answer, token };
  }

  async function request(
    address: string,
    call: Omit<Call<v.GenericSchema>, "schema">,
    token: string | null,
  ): Promise<Answered> {
    const askedAt = clock.now();
    const {
      status,
      headers,
      _data: text = "",
    }: FetchResponse<string> = await ofetch
      .raw<string, "text">(address, {
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
        // Some servers label their JSON as HTML.
        responseType: "text",
      })
      .catch(() => {
        // Aborted: the actor is gone, or hidden and will retry.
        if (call.signal?.aborted) return new Promise<never>(() => {});
        throw new CallFailed({ kind: "network" });
      });
    return { status, headers, text, waited: clock.now() - askedAt };
  }

  /** A response with the success code, and its message. */
  async function askFor<S extends v.GenericSchema>(
    call: Call<S>,
  ): Promise<{ data: v.InferOutput<S>; message: string }> {
    const refusalsBefore = refusals;
    const { answer, token } = await send(call);
    const { code, message, data, server_time, field } = readAs(envelope, jsonIn(answer));
    clock.anchor({ serverTime: server_time, date: answer.headers.get("Date") }, answer.waited);

    if (code === Code.signedOut || (code === Code.unauthenticated && message === UNAUTHENTICATED)) {
      // The answer to an earlier session's request says nothing about this session.
      if (!call.quiet && refusals === refusalsBefore && token === storage.readText("user_token")) {
        refusals += 1;
        refused();
      }
      throw new CallFailed({ kind: "signedOut" });
    }
    if (code !== Code.success) throw new CallFailed({ kind: "refused", code, message: message ?? "", field });
    const given = typeof data === "object" && data !== null && "token" in data ? tokenIn(data.token) : null;
    if (given !== null) storage.writeText("user_token", given);
    return { data: readAs(call.schema, data), message: message ?? "" };
  }

  const ask = async <S extends v.GenericSchema>(call: Call<S>): Promise<v.InferOutput<S>> => {
    const spoken = language();
    const { data } = await askFor(call);
    // The language changed meanwhile, so the texts are read again.
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

  const readMember = async (signal?: AbortSignal, quiet = false): Promise<MemberRead> => {
    const { user } = await ask({
      method: "GET",
      path: paths.centre,
      schema: centre,
      signal,
      personal: true,
      quiet,
    });
    const ended = user.pack_name === null ? user.membership_ended_at : null;
    return { ...user, end: distanceTo(ended ?? user.pack_exp_date, clock.now()) };
  };

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
      await ask({
        method: "POST",
        path: paths.logout,
        schema: v.unknown(),
        keepalive: true,
        personal: true,
      });
    },
    readMember: (signal?: AbortSignal) => readMember(signal),
    /** The same, and an answer "not signed in" ends no session: for a screen that needs none. */
    peekMember: (signal?: AbortSignal) => readMember(signal, true),
    readPackages: (signal?: AbortSignal) =>
      ask({ method: "GET", path: paths.packages, schema: packages, signal }),
    /** Only enabled methods that this app knows. */
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
      const [{ order, payData }, paymentAddress] = await Promise.all([asking, learnAddresses()]);
      const address = paymentAddress(network, payData.address);
      // The user must never be told to send money to an invalid address, or an amount that no wallet can send.
      if (address === null || !isPayable(order.payment_amount)) throw new CallFailed({ kind: "unreadable" });
      const now = clock.now();
      return {
        orderId: order.order_id,
        network,
        amount: order.payment_amount,
        address,
        // `created_at` is the time of this request, or of the first one with the same key.
        deadline: deadlineOf(order.created_at, now, DAY) ?? now + COUNTDOWN,
        ...(order.network_behind ? { networkBehind: true } : {}),
      };
    },
    readOrder: async (about: { orderId: string }, signal?: AbortSignal): Promise<OrderReading> =>
      readingOf(await askForDetail(about, signal)),
    readIssued: async (about: { orderId: string }, signal?: AbortSignal): Promise<IssuedReading> => {
      const [detail, paymentAddress] = await Promise.all([askForDetail(about, signal), learnAddresses()]);
      return { ...readingOf(detail), issued: issuedOf(detail, paymentAddress, clock.now()) };
    },
    /**
     * The earlier payment to tell the person of before another: one of `orders`, which this browser keeps, or of the
     * account's other devices, without those `refusalsBefore`. One call, where the API has the list; else each of `orders` is read.
     * `key` is the idempotency key of the payment to come, whose own order is left out. Decisions, "Pay once".
     */
    findEarlier: async (
      { orders: keptOrders, accountName, ignoredIds, key }: EarlierWanted,
      signal?: AbortSignal,
    ): Promise<EarlierPayment | null> => {
      const orders = maybePaidOf(keptOrders, accountName, ignoredIds);
      const entries = await ask({
        method: "POST",
        path: paths.orderList,
        schema: orderList,
        body: { state: "unsettled", order_ids: orders.map(({ orderId }) => orderId), idempotency_key: key },
        signal,
        personal: true,
      }).then(({ orders: listed }) => listed, nothingListed);
      const kept = orders.map(async (order): Promise<OrderRead[]> => {
        const entry = entries.find(({ order_id }) => order_id === order.orderId);
        // The API lists a paid order until its detail was read, for the person is to be told of it.
        if (entry && !isConfirmed(entry)) return [{ order, reading: readingOfListed(entry) }];
        const detail = await askForDetail(order, signal).catch(nothingKnown);
        return detail ? [{ order, reading: readingOf(detail) }] : [];
      });
      const others = entries
        .filter(
          ({ order_id }) => ![...ignoredIds, ...orders.map(({ orderId }) => orderId)].includes(order_id),
        )
        .map((entry) => ({
          order: orderFrom(entry, accountName ?? "", clock.now()),
          reading: readingOfListed(entry),
          method: entry.payment_method,
        }))
        // A card order is made when the form opens: until money has come for it, it is no payment.
        .filter(({ method, reading }) => method !== "Razorpay" || isOver(reading));
      const earlier = earlierOf([...(await Promise.all(kept)).flat(), ...others]);
      const isOther = others.some(({ order }) => order === earlier?.order);
      // So is one of another device: it is told of once.
      if (earlier?.kind === "paid" && isOther) void askForDetail(earlier.order).catch(() => null);
      return earlier;
    },
    /** A page of all orders of the account. Additive. */
    readOrders: async ({ cursor }: { cursor: string | null }, signal?: AbortSignal): Promise<OrderPage> => {
      const { orders, next } = await ask({
        method: "POST",
        path: paths.orderList,
        schema: orderList,
        body: { state: "all", cursor },
        signal,
        personal: true,
      });
      return { orders: orders.map(pastOrderOf), next };
    },
    readQuestions: (signal?: AbortSignal) =>
      ask({ method: "GET", path: paths.securityProblems, schema: securityProblems, signal }),
    saveQuestion: async (answer: ConfirmedAnswer, signal?: AbortSignal) => {
      const path = paths.saveSecurityProblem;
      await ask({ method: "POST", path, schema: v.unknown(), body: answer, signal, personal: true });
    },
    readSessions: async (signal?: AbortSignal): Promise<readonly Session[]> => {
      const list = await ask({
        method: "GET",
        path: paths.sessions,
        schema: sessionList,
        signal,
        personal: true,
      });
      return list.map(({ session_id, created_at, used_at, network, browser, device, current }) => ({
        sessionId: session_id,
        createdAt: created_at,
        usedAt: used_at,
        network,
        browser,
        device,
        isCurrent: current,
      }));
    },
    endSessions: async ({ sessionId, password }: Ended & { password: string }, signal?: AbortSignal) => {
      await ask({
        method: "POST",
        path: sessionId === null ? paths.endOtherSessions : paths.endSession,
        schema: v.unknown(),
        body: { ...(sessionId !== null && { session_id: sessionId }), password },
        signal,
        personal: true,
      });
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
    deleteAccount: async (body: { password: string }, signal?: AbortSignal) => {
      await ask({
        method: "POST",
        path: paths.deleteAccount,
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
    /** Its response has no envelope. */
    readCardKey: async (signal?: AbortSignal) => {
      const { answer } = await send({ method: "GET", path: paths.cardKey, signal });
      return readAs(cardKey, jsonIn(answer)).key;
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
    /** Creates an order that is paid in a provider's window. Rejects when the API returns no URL, or an unsafe one. */
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
    /** The URL of customer support. Rejects an unsafe one. */
    readContact: async (signal?: AbortSignal) => {
      const addresses = await ask({ method: "GET", path: paths.contact, schema: contact, signal });
      const { sandbox } = await config();
      const address = addresses.find((each) => isSafeAddress(each, sandbox));
      if (address === undefined) throw new CallFailed({ kind: "unreadable" });
      return address;
    },
  };
}

/** The data validated by `schema`; throws the error to report. */
function readAs<S extends v.GenericSchema>(schema: S, data: unknown): v.InferOutput<S> {
  const read = v.safeParse(schema, data);
  if (!read.success) throw new CallFailed({ kind: "unreadable" });
  return read.output;
}

/**
 * An integer that a double would round keeps its digits where the browser exposes them; elsewhere it is refused as
 * an id.
 */
const exactly = (_key: string, value: unknown, { source = "" }: { source?: string } = {}) =>
  typeof value === "number" && !Number.isSafeInteger(value) && /^\d+$/.test(source) ? source : value;

/** The JSON of a response, or undefined. */
function jsonIn({ text }: { text: string }): unknown {
  try {
    return JSON.parse(text, exactly);
  } catch {
    return undefined;
  }
}

type PaymentAddress = (network: Network, address: string) => string | null;
/** Address checksums, loaded with the first address because no screen needs them before. */
async function learnAddresses(): Promise<PaymentAddress> {
  try {
    return (await import("../../contract/address.ts")).paymentAddress;
  } catch {
    throw await missingCode();
  }
}

/** Whether a wallet can send this amount of USDT. */
const isPayable = (amount: string) => Boolean(toUnits(amount, USDT_DECIMALS));

/** Another API knows no such list: its orders are read one by one. Without a network, or an account, there is nothing to read. */
function nothingListed(error: unknown): ListedOrder[] {
  const kind = error instanceof CallFailed ? error.error.kind : "network";
  if (kind === "network" || kind === "outdated" || kind === "signedOut") throw error;
  return [];
}

/** An order that the API refuses to know takes no money that it could tell of. */
function nothingKnown(error: unknown): null {
  if (error instanceof CallFailed && error.error.kind === "refused") return null;
  throw error;
}

/** A listed order as this browser would have kept it: it was made in another one. */
function orderFrom(entry: ListedOrder, accountName: string, now: number): KeptOrder {
  const network = networks.find((name) => coinTypes[name] === entry.coin_type);
  const order = {
    orderId: entry.order_id,
    amount: entry.payment_amount,
    accountName,
    packName: entry.pack_name,
    productId: entry.product_id,
  };
  return network && entry.address
    ? {
        ...order,
        network,
        address: entry.address,
        packId: entry.pack_id,
        deadline: deadlineOf(entry.created_at, now, TEN_YEARS) ?? now,
      }
    : order;
}

/** What was issued for an order in USDT; null when the API does not repeat all of it, or when it cannot be paid. */
function issuedOf(detail: OrderDetail, paymentAddress: PaymentAddress, now: number): IssuedOrder | null {
  const { order_id: orderId, payment_amount: amount } = detail;
  const network = networks.find((name) => coinTypes[name] === detail.coin_type);
  const address = network && paymentAddress(network, detail.address ?? "");
  const deadline = deadlineOf(detail.created_at, now, TEN_YEARS);
  if (!network || !address || deadline === null || !isPayable(amount)) return null;
  return { orderId, network, amount, address, deadline };
}

const transferOf = (sent: ArrivedTransfer): ChainTransfer => ({
  transaction: sent.tx_hash,
  confirmations: sent.confirmations,
  needed: sent.confirmations_needed,
  explorerUrl: sent.explorer_url,
});

/** An amount that is more than nothing. */
const someOf = (amount: string) => (hasArrived("0", amount) ? amount : null);

/** An order's detail as the charts use it. */
function readingOf(detail: OrderDetail): OrderReading {
  return {
    status: detail.status,
    amount: detail.payment_amount,
    createdAt: detail.created_at,
    received: detail.paid_amount ?? null,
    ...(detail.owed_amount ? { owed: someOf(detail.owed_amount) } : {}),
    ...(detail.surplus_amount ? { surplus: someOf(detail.surplus_amount) } : {}),
    // Only orders in USDT have a `coin_type`; if the API leaves the field out, the unit is unknown.
    ...(detail.coin_type === undefined ? {} : { unit: detail.coin_type === null ? "USD" : "USDT" }),
    ...(detail.held ? { held: true } : {}),
    ...(detail.network_behind ? { networkBehind: true } : {}),
    ...(detail.returned ? { returned: true } : {}),
    ...(detail.transfers?.length ? { transfers: detail.transfers.map(transferOf) } : {}),
    ...(detail.pack_name ? { packName: detail.pack_name } : {}),
    ...(detail.payment_method ? { way: wayOf(detail.payment_method, detail.coin_type) } : {}),
    ...(detail.paid_at ? { paidAt: detail.paid_at } : {}),
    ...(detail.references?.length ? { references: detail.references } : {}),
  };
}

const readingOfListed = (entry: ListedOrder) =>
  readingOf({ ...entry, transfers: undefined, network_behind: undefined });

/** As the API calls the ways of paying that are none of USDT. */
const otherWays: Readonly<Partial<Record<string, PaymentWay>>> = { Razorpay: "card", Stripe: "Stripe" };
const wayOf = (method: string, coinType: number | null | undefined): PaymentWay =>
  otherWays[method] ?? networks.find((name) => coinTypes[name] === coinType) ?? "USDT";

/** An order of a list as the charts use it. */
const pastOrderOf = (order: ListedOrder): PastOrder => ({
  orderId: order.order_id,
  packName: order.pack_name,
  way: wayOf(order.payment_method, order.coin_type),
  reading: readingOfListed(order),
});

const COUNTDOWN = COUNTDOWN_SECONDS * 1000;

/**
 * Thirty minutes after a time with a zone, and at most thirty minutes from `now`. Null without a zone, and when the
 * time is more than `most` milliseconds from `now`.
 */
function deadlineOf(createdAt: string | null | undefined, now: number, most: number): number | null {
  if (!createdAt || !/:\d\d(\.\d+)? ?(Z|[+-]\d\d:?\d\d)$/i.test(createdAt)) return null;
  const moment = Date.parse(createdAt);
  return isWithin(most, moment, now) ? Math.min(moment, now) + COUNTDOWN : null;
}
