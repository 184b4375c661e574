/** The calls of section 7, one method each: asks once, answers with checked data or rejects with `CallFailed`. */
import { ofetch, type FetchResponse } from "ofetch";
import * as v from "valibot";
import { knownMethods, type Method } from "../../../machines/catalogue.ts";
import { CallFailed } from "../../../machines/failure.ts";
import type { Credentials } from "../../../machines/login.ts";
import { COUNTDOWN_SECONDS, type OrderReading } from "../../../machines/order.ts";
import type { IssuedOrder, OrderRequest } from "../../../machines/purchase.ts";
import {
  centre,
  coinTypes,
  contact,
  createdOrder,
  loggedIn,
  networks,
  orderDetail,
  packages,
  paths,
  paymentMethods,
} from "../../contract/calls.ts";
import {
  Code,
  envelope,
  IDEMPOTENCY_HEADER,
  LANGUAGE_HEADER,
  UNAUTHENTICATED,
  type Language,
} from "../../contract/envelope.ts";
import type { Clock } from "./clock.ts";
import type { Config } from "./config.ts";
import type { AppStorage } from "./storage.ts";
import { isSafeAddress } from "./windows.ts";

export type ApiOutside = {
  config: Promise<Config>;
  storage: AppStorage;
  clock: Clock;
  language: () => Language;
  /** The API said that nobody is signed in. */
  refused: () => void;
};

type Call<S extends v.GenericSchema> = {
  method: "GET" | "POST";
  path: string;
  schema: S;
  body?: Record<string, unknown>;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** Its answer belongs to the account that asked, and to no other. */
  personal?: boolean;
};

export type Api = ReturnType<typeof createApi>;

/** Specification, section 7: the headers, what counts as success, and what is kept of an answer. */
export function createApi({ config, storage, clock, language, refused }: ApiOutside) {
  async function ask<S extends v.GenericSchema>(call: Call<S>): Promise<v.InferOutput<S>> {
    const { apiBaseUrl } = await config;
    const token = storage.readText("user_token");
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

    const parsed = v.safeParse(envelope, answer._data);
    if (!parsed.success) throw new CallFailed({ kind: "unreadable" });
    const { code, message, data, server_time } = parsed.output;
    const time = server_time ?? Date.parse(answer.headers.get("Date") ?? "");
    if (Number.isFinite(time)) clock.anchor(time);

    if (code === Code.signedOut || (code === Code.unauthenticated && message === UNAUTHENTICATED)) {
      refused();
      throw new CallFailed({ kind: "signedOut" });
    }
    if (code !== Code.success) throw new CallFailed({ kind: "refused", code, message: message ?? "" });
    if (typeof data === "object" && data !== null && "token" in data && typeof data.token === "string") {
      storage.writeText("user_token", data.token);
    }
    const read = v.safeParse(call.schema, data);
    if (!read.success) throw new CallFailed({ kind: "unreadable" });
    return read.output;
  }

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
    logOut: async (signal?: AbortSignal) => {
      await ask({ method: "POST", path: paths.logout, schema: v.unknown(), signal });
    },
    readMember: async (signal?: AbortSignal) => {
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
      const { order, payData } = await ask({
        method: "POST",
        path: paths.createOrder,
        schema: createdOrder,
        body: { pack_id: offer.id, product_id: offer.product_id, coin_type: coinTypes[network] },
        headers: { [IDEMPOTENCY_HEADER]: key },
        signal,
        personal: true,
      });
      return {
        orderId: order.order_id,
        network,
        amount: order.payment_amount,
        address: payData.address,
        deadline: deadlineOf(order.created_at) ?? clock.now() + COUNTDOWN_SECONDS * 1000,
      };
    },
    readOrder: async ({ orderId }: { orderId: string }, signal?: AbortSignal): Promise<OrderReading> => {
      const detail = await ask({
        method: "POST",
        path: paths.orderDetail,
        schema: orderDetail,
        body: { order_id: orderId },
        signal,
        personal: true,
      });
      const network = networks.find((name) => coinTypes[name] === detail.coin_type);
      const deadline = deadlineOf(detail.created_at);
      return {
        status: detail.status,
        amount: detail.payment_amount,
        createdAt: detail.created_at,
        issued:
          network && detail.address && deadline !== null
            ? {
                orderId: detail.order_id,
                network,
                amount: detail.payment_amount,
                address: detail.address,
                deadline,
              }
            : null,
        received: detail.paid_amount ?? null,
      };
    },
    /** Where customer support is. Never an address that a window may not be sent to. */
    readContact: async (signal?: AbortSignal) => {
      const address = await ask({ method: "GET", path: paths.contact, schema: contact, signal });
      const { sandbox } = await config;
      if (!isSafeAddress(address, sandbox)) throw new CallFailed({ kind: "unreadable" });
      return address;
    },
  };
}

/** Thirty minutes after a moment that names its zone; null where it names none, for then it could be any. */
function deadlineOf(createdAt: string | undefined): number | null {
  if (!createdAt || !/(Z|[+-]\d\d:?\d\d)$/.test(createdAt)) return null;
  const moment = Date.parse(createdAt);
  return Number.isNaN(moment) ? null : moment + COUNTDOWN_SECONDS * 1000;
}
