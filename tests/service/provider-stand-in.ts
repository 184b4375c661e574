/** The card provider and Stripe as one HTTP server that keeps what it is told and misbehaves when told to. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { sign } from "../../src/service/payments/provider.ts";
import { providerPages, type Entity } from "./provider-pages.ts";

export const KEYS = {
  razorpay: { keyId: "rzp_live_key1", keySecret: "secret-of-key1", webhookSecret: "secret-of-hook1" },
  stripe: { secretKey: "sk_live_secret1", webhookSecret: "whsec_secret-of-hook2" },
};
const BASIC = `Basic ${Buffer.from("rzp_live_key1:secret-of-key1").toString("base64")}`;

/** `lost`: the request is carried out, and the connection ends before the answer. `redirect`: to where it came. */
export type Misbehaviour = "fail" | "lost" | "hang" | "refuse" | "garbage" | "other" | "stall" | "redirect";
/** A way to answer a request; `well`: as it should. */
type Answering = Misbehaviour | "well";

export interface Asked {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
}

/** One that is listed. `created_at`, `created`: seconds. */
type Dated = Entity & { created_at?: number; created?: number };

/** Numbers are those of one account, whichever server answers. */
let made = 0;

/** Opens the server. */
export async function startProviders() {
  const asked: Asked[] = [];
  const misbehaviours: Answering[] = [];
  const orders: Entity[] = [];
  const payments: Entity[] = [];
  const sessions = new Map<string, Entity>();
  const refunds: Dated[] = [];
  const disputes: Dated[] = [];
  const events: (Dated & { type: string })[] = [];

  const latestFirst = (items: Dated[]) =>
    items.toSorted((one, other) => (other.created_at ?? 0) - (one.created_at ?? 0));

  /** Razorpay's list: the latest first, so many after so many. Disputes cannot be asked for by time. */
  function listed(items: Dated[], asked: URLSearchParams): [status: number, content: unknown] {
    const number = (name: string, otherwise: number) => Number(asked.get(name) ?? otherwise);
    if (items === disputes && (asked.has("from") || asked.has("to"))) {
      return [400, { error: { code: "BAD_REQUEST_ERROR", description: "from is not required" } }];
    }
    const [from, to] = [number("from", 0), number("to", Infinity)];
    const [skip, count] = [number("skip", 0), Math.min(100, number("count", 10))];
    const found = latestFirst(items)
      .filter(({ created_at: at = 0 }) => at >= from && at <= to)
      .slice(skip, skip + count);
    return [200, { entity: "collection", count: found.length, items: found }];
  }

  /** Takes the money of an authorised payment, once for an order. The fee that the customer bears is captured with it. */
  function capture(payment: Entity, { amount, currency }: Entity): [status: number, content: unknown] {
    const refused = (description: string): [number, unknown] => [
      400,
      { error: { code: "BAD_REQUEST_ERROR", description } },
    ];
    if (payment["status"] !== "authorized") return refused("This payment has already been captured");
    const order = orders.find(({ id }) => id === payment["order_id"]);
    if (amount !== order?.["amount"] || currency !== payment["currency"]) {
      return refused("Capture amount must be equal to the amount authorized");
    }
    const isPaid = payments.some((each) => each["order_id"] === order?.id && each["status"] === "captured");
    if (isPaid) return refused("Your payment has been declined as the order is already paid.");
    const fee = payment["fee"] ?? Number(payment["amount"]) - Number(amount);
    Object.assign(payment, { status: "captured", captured: true, fee });
    return [200, payment];
  }

  /** Stripe's list of events: the latest first, after the one that is named. */
  function listedEvents(asked: URLSearchParams): [status: number, content: unknown] {
    const types = new Set([...asked].flatMap(([name, type]) => (name.startsWith("types[") ? [type] : [])));
    const [from, to] = [Number(asked.get("created[gte]")), Number(asked.get("created[lte]"))];
    const found = events
      .filter(({ type, created = 0 }) => types.has(type) && created >= from && created <= to)
      .toSorted((one, other) => (other.created ?? 0) - (one.created ?? 0));
    const after = asked.get("starting_after");
    const begin = after === null ? 0 : found.findIndex(({ id }) => id === after) + 1;
    if (after !== null && begin === 0) return [404, { error: { type: "invalid_request_error" } }];
    const end = begin + Number(asked.get("limit") ?? 10);
    return [
      200,
      {
        object: "list",
        url: "/v1/events",
        data: found.slice(begin, end),
        has_more: end < found.length,
      },
    ];
  }

  function carryOut({ method, path, headers, body }: Asked): [status: number, content: unknown] {
    const { pathname, searchParams } = new URL(path, "http://provider");
    const route = `${method} ${pathname}`;
    if (pathname.startsWith("/v1/checkout/") || pathname === "/v1/events") {
      if (headers.authorization !== `Bearer ${KEYS.stripe.secretKey}`) return [401, { error: {} }];
      if (pathname === "/v1/events") return listedEvents(searchParams);
      if (method === "GET") {
        const id = pathname.split("/").at(-1);
        const session = [...sessions.values()].find((each) => each.id === id);
        return session ? [200, session] : [404, { error: { type: "invalid_request_error" } }];
      }
      const key = String(headers["idempotency-key"]);
      const form = new URLSearchParams(body);
      const id = `cs_live_${(made += 1)}`;
      const session = sessions.get(key) ?? {
        id,
        object: "checkout.session",
        amount_total: Number(form.get("line_items[0][price_data][unit_amount]")),
        currency: form.get("line_items[0][price_data][currency]"),
        client_reference_id: form.get("client_reference_id"),
        metadata: { order_id: form.get("metadata[order_id]") },
        payment_intent: null,
        payment_status: "unpaid",
        status: "open",
        success_url: form.get("success_url"),
        url: `https://checkout.example/c/${id}#fragment`,
      };
      sessions.set(key, session);
      return [200, session];
    }
    if (headers.authorization !== BASIC) {
      return [401, { error: { code: "BAD_REQUEST_ERROR", description: "Authentication failed" } }];
    }
    if (route === "POST /v1/orders") {
      const order = { ...(JSON.parse(body) as object), entity: "order", id: `order_${(made += 1)}` };
      orders.push(order);
      return [200, order];
    }
    if (route === "GET /v1/refunds") return listed(refunds, searchParams);
    if (route === "GET /v1/disputes") return listed(disputes, searchParams);
    if (route === "GET /v1/payments") return listed(payments, searchParams);
    const found = (items: Entity[]): [number, unknown] => [
      200,
      { entity: "collection", count: items.length, items },
    ];
    if (route === "GET /v1/orders") {
      return found(orders.filter(({ receipt }) => receipt === searchParams.get("receipt")));
    }
    const unknown = { error: { code: "BAD_REQUEST_ERROR", description: "The id provided does not exist" } };
    const [, orderId] = /^\/v1\/orders\/(\w+)$/.exec(pathname) ?? [];
    if (orderId !== undefined) {
      const order = orders.find(({ id }) => id === orderId);
      return order ? [200, order] : [400, unknown];
    }
    const [, reference] = /^\/v1\/orders\/(\w+)\/payments$/.exec(pathname) ?? [];
    if (reference !== undefined) {
      if (!orders.some(({ id }) => id === reference)) return [400, unknown];
      return found(payments.filter(({ order_id }) => order_id === reference));
    }
    const [, paymentId, isCapture] = /^\/v1\/payments\/(\w+)(\/capture)?$/.exec(pathname) ?? [];
    const payment = payments.find(({ id }) => id === paymentId);
    if (!payment) return [400, unknown];
    return method === "POST" && isCapture ? capture(payment, JSON.parse(body) as Entity) : [200, payment];
  }

  function answer(request: Asked, response: ServerResponse): void {
    asked.push(request);
    const misbehaviour = misbehaviours.shift();
    const send = (status: number, text: string) =>
      response.writeHead(status, { "Content-Type": "application/json" }).end(text);
    switch (misbehaviour) {
      case "hang":
        return;
      case "stall":
        response.writeHead(200, { "Content-Type": "application/json" }).write('{"id":');
        return;
      case "fail":
        send(500, JSON.stringify({ error: { description: "It broke." } }));
        return;
      case "refuse":
        response.destroy();
        return;
      case "redirect":
        response.writeHead(307, { Location: request.path }).end();
        return;
      case "garbage":
        send(200, "<html>");
        return;
      case "other":
        send(200, JSON.stringify({ id: "order_other", amount: 1, currency: "INR", items: 7 }));
        return;
      case "lost":
        carryOut(request);
        response.destroy();
        return;
      case "well":
      case undefined: {
        const [status, content] = carryOut(request);
        send(status, JSON.stringify(content));
      }
    }
  }

  const webhooks: { to: string | null } = { to: null };
  const pages = providerPages({ payments, sessions, webhooks, keys: KEYS, signedProof });
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const sent = { method, path: url, headers, body: Buffer.concat(parts).toString() };
      const page = pages(sent);
      if (page) void page.then(({ type, content }) => respond(response, type, content));
      else answer(sent, response);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    asked,
    orders,
    payments,
    sessions,
    refunds,
    disputes,
    events,
    /** Where the decisions on the pages are reported; null: those webhooks are lost. */
    webhooks,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
    /** How the next requests are answered, in order. */
    misbehave: (...next: Answering[]) => misbehaviours.push(...next),
    /** Requests are answered rightly again. */
    recover: () => void misbehaviours.splice(0),
    settings: {
      razorpay: { account: KEYS.razorpay, apiUrl: url },
      stripe: { account: KEYS.stripe, apiUrl: url },
      siteUrl: "https://shop.example",
    },
  };
}

/** The server, until the test ends. */
export async function providerStandIn() {
  const provider = await startProviders();
  onTestFinished(provider.stop);
  return provider;
}

/** To a page of any origin. */
const respond = (response: ServerResponse, type: string, content: string) =>
  response.writeHead(200, { "Content-Type": type, "Access-Control-Allow-Origin": "*" }).end(content);

/** What the provider's script brings back to the browser. */
export const signedProof = (reference: string, paymentId: string) =>
  sign(`${reference}|${paymentId}`, KEYS.razorpay.keySecret);
