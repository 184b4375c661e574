/** Stripe as a rail: a checkout session for each order, and the webhook that reports its outcome. */
import Stripe from "stripe";
import * as v from "valibot";
import { shownUnits } from "../../contract/money.ts";
import { CENT } from "./book.ts";
import type { Ledger, Order } from "./ledger.ts";
import { failOrder, orderOfPayment, sign } from "./provider.ts";
import { startProviderJob } from "./provider-job.ts";
import { isRefusalOfOne, RailFailed, type Rail } from "./rails.ts";
import type { ProviderList } from "./provider-lists.ts";
import { stripeEvents } from "./stripe-events.ts";
import {
  answeredAt,
  answerOf,
  contentOf,
  creditMoney,
  eventIdOf,
  failOnce,
  fieldsOf,
  identifier,
  identifierOf,
  keepUnmatched,
  millisecondsOf,
  reverseMoney,
  type Report,
  type ReportedReversal,
} from "./webhook-events.ts";

export interface StripeAccount {
  secretKey: string;
  webhookSecret: string;
}

export interface StripeOptions {
  account: StripeAccount;
  /** An origin. */
  apiUrl: string;
  fetch: typeof fetch;
  /** Milliseconds that one request may take. */
  timeout: number;
  /** Where the app stands, without a slash at its end: people come back there. */
  siteUrl: string;
}

export interface StripeRail extends Rail {
  account: StripeAccount;
  /** What is read for the payments, refunds and disputes whose webhook event was lost. */
  lists: readonly ProviderList[];
  /**
   * Processes a webhook event. A session that was completed is not yet paid: some ways of paying take days.
   * @param sent `raw`: the body as it came, byte for byte
   * @returns false when it is not Stripe's
   */
  processWebhook: (sent: { raw: Uint8Array; signature: string }) => Promise<boolean>;
}

/** Seconds that an event may be old, or ahead: an old one that was overheard is no event. */
const TOLERANCE = 300;

const event = v.looseObject({ type: v.string() });
const openedSession = v.looseObject({
  id: identifier,
  url: v.pipe(v.string(), v.nonEmpty()),
  client_reference_id: v.string(),
});

/** Has the signature computed over the bytes as they came. The library decodes them first, and other bytes give the same text. */
const bytesAsTheyCame = (raw: Uint8Array) =>
  Object.assign(Stripe.createNodeCryptoProvider(), {
    computeHMACSignature: (payload: string, secret: string) =>
      sign(Buffer.concat([Buffer.from(payload.slice(0, payload.indexOf(".") + 1)), raw]), secret),
  });

/** @param now milliseconds */
function isSignedEvent(raw: Uint8Array, header: string, secret: string, now: number): boolean {
  const times = [...header.matchAll(/(?:^|,)t=([^,]*)/g)].map(([, time = ""]) => time);
  // The library refuses old events, and takes those from the future.
  if (times.length !== 1 || !/^\d{1,12}$/.test(times[0] ?? "")) return false;
  if (Number(times[0]) > now / 1000 + TOLERANCE) return false;
  try {
    // What `constructEvent` verifies with, without its parsing: what is rightly signed and no JSON is kept for the operator.
    const { signature } = Stripe.webhooks;
    return signature?.verifyHeader(raw, header, secret, TOLERANCE, bytesAsTheyCame(raw), now) ?? false;
  } catch {
    return false;
  }
}

/** The states of a dispute; any other counts as open. Before it is one, a bank only asks, and takes no money. */
const DISPUTES: Readonly<Record<string, ReportedReversal["state"]>> = {
  warning_needs_response: "inquiry",
  warning_under_review: "inquiry",
  warning_closed: "closed",
  won: "void",
  prevented: "void",
  lost: "lost",
};

/** An object by its number, or whole. */
const numberOf = (value: unknown): unknown => fieldsOf(value)["id"] ?? value;

/** Our order's id in a session. Not the `client_reference_id`: in the address of a payment link anyone can write one. */
const orderIdOf = (session: Record<string, unknown>) => fieldsOf(session["metadata"])["order_id"];

/** @throws RailFailed */
async function ask<Answer>(what: string, question: () => Promise<Answer>): Promise<Answer> {
  try {
    return await question();
  } catch (error) {
    // Its message may repeat what was sent.
    const facts =
      error instanceof Stripe.errors.StripeError
        ? [error.type, error.statusCode, error.code, error.requestId]
        : [error instanceof Error ? error.name : "not an Error"];
    const words = facts.filter((fact) => fact !== undefined && fact !== null).join(" ");
    const isOfOne = error instanceof Stripe.errors.StripeError && isRefusalOfOne(error.statusCode);
    throw new RailFailed(`Stripe did not ${what}: ${words}`, isOfOne);
  }
}

export function openStripe(
  ledger: Ledger,
  { account, apiUrl, fetch, timeout, siteUrl }: StripeOptions,
): StripeRail {
  const { hostname, port, protocol } = new URL(apiUrl);
  const stripe = new Stripe(account.secretKey, {
    host: hostname,
    protocol: protocol === "http:" ? "http" : "https",
    ...(port === "" ? {} : { port: Number(port) }),
    // The key is sent nowhere else.
    httpClient: Stripe.createFetchHttpClient((...[url, init]: Parameters<typeof fetch>) =>
      fetch(url, { ...init, redirect: "error" }),
    ),
    timeout,
    maxNetworkRetries: 0,
    telemetry: false,
  });

  /** The order's bill in the app. Its status is read there; the address says nothing about it. */
  function returnUrl({ id, amount, createdAt }: Order): string {
    const hints = [id, "0", shownUnits(amount), createdAt.toISOString()];
    return `${siteUrl}/billDetail/${hints.map(encodeURIComponent).join("/")}`;
  }

  /** The money of a session that a person has gone through. @returns whether it was not known before */
  async function creditSession(report: Report, session: Record<string, unknown>): Promise<boolean> {
    const { id: reference, payment_status, payment_intent, amount_total: amount, currency } = session;
    // The money is still to come.
    if (payment_status === "unpaid") return false;
    const reported = {
      paymentId: numberOf(payment_intent),
      reference,
      orderId: orderIdOf(session),
      amount,
      currency,
    };
    if (payment_status === "paid") return creditMoney(ledger, report, reported);
    await keepUnmatched(ledger, report, reported, "incomplete");
    return false;
  }

  async function refundCharge(report: Report, charge: Record<string, unknown>, asOf: number) {
    const { id, payment_intent, amount_refunded, currency } = charge;
    // Our sessions always have a payment intent: other charges are of the account's other business.
    if (numberOf(payment_intent) === null || payment_intent === undefined) return false;
    return reverseMoney(ledger, report, {
      reversalId: id,
      paymentId: numberOf(payment_intent),
      kind: "total",
      state: "done",
      amount: amount_refunded,
      currency,
      asOf,
    });
  }

  async function disputeCharge(report: Report, dispute: Record<string, unknown>, asOf: number) {
    const { id, payment_intent, status: state, amount, currency } = dispute;
    if (numberOf(payment_intent) === null || payment_intent === undefined) return false;
    const disputeState =
      typeof state === "string" && Object.hasOwn(DISPUTES, state) ? DISPUTES[state] : undefined;
    return reverseMoney(ledger, report, {
      reversalId: id,
      paymentId: numberOf(payment_intent),
      kind: "dispute",
      state: disputeState ?? "open",
      amount,
      currency,
      asOf,
    });
  }

  async function refresh(order: Order): Promise<void> {
    const reference = order.thirdReferenceId;
    if (reference === null) return;
    const askedAt = ledger.now();
    const answer = await ask("answer for a session", () =>
      stripe.checkout.sessions.retrieve(reference, { expand: ["payment_intent.latest_charge"] }),
    );
    const session: Record<string, unknown> = { ...answer };
    const intent = fieldsOf(session["payment_intent"]);
    const charge = fieldsOf(intent["latest_charge"]);
    if (session["id"] !== reference) throw new RailFailed("Stripe answered with another session");
    const names = { reference, orderId: order.id };
    const hasFailed =
      session["status"] === "expired" ||
      (session["status"] === "complete" &&
        session["payment_status"] === "unpaid" &&
        (intent["status"] === "requires_payment_method" || intent["status"] === "canceled"));
    if (hasFailed) {
      await failOrder(ledger.db, "stripe", names);
      return;
    }
    if (session["status"] !== "complete") return;
    const report = answerOf("stripe", reference, session);
    // What went back is written first, so that nothing is granted for it in between.
    if (typeof charge["amount_refunded"] === "number") {
      const refunded = { ...charge, payment_intent: intent["id"] };
      await refundCharge(report, refunded, answeredAt(askedAt));
    }
    await creditSession(report, session);
  }

  /** @returns whether an order changed by money that came or went */
  async function processEvent(report: Report, body: v.InferOutput<typeof event>): Promise<boolean> {
    const object = fieldsOf(fieldsOf(body["data"])["object"]);
    const asOf = millisecondsOf(body["created"], ledger.now());
    switch (body.type) {
      case "checkout.session.completed":
      case "checkout.session.async_payment_succeeded":
        return creditSession(report, object);
      case "checkout.session.async_payment_failed":
      case "checkout.session.expired": {
        const names = { reference: identifierOf(object["id"]), orderId: identifierOf(orderIdOf(object)) };
        await failOnce(ledger, report, names);
        break;
      }
      case "charge.refunded":
        return refundCharge(report, object, asOf);
      case "refund.failed": {
        // The event names one refund alone; the sum that is left is asked for.
        const paymentId = numberOf(object["payment_intent"]);
        const order = v.is(identifier, paymentId)
          ? await orderOfPayment(ledger.db, "stripe", paymentId)
          : undefined;
        if (order) await refresh(order);
        break;
      }
      case "charge.dispute.created":
      case "charge.dispute.updated":
      case "charge.dispute.closed":
        return disputeCharge(report, object, asOf);
    }
    return false;
  }

  const lists = [
    stripeEvents(
      ledger,
      (query) => ask("list its events", () => stripe.events.list(query)),
      (report, body) => (v.is(event, body) ? processEvent(report, body) : Promise.resolve(false)),
    ),
  ];

  return {
    account,
    lists,
    async open(order) {
      const { id, amount, packName, language } = order;
      // What is sent follows from the order alone: the same key with another content is refused.
      const session = await ask("open a session", () =>
        stripe.checkout.sessions.create(
          {
            mode: "payment",
            client_reference_id: id,
            metadata: { order_id: id },
            payment_intent_data: { metadata: { order_id: id } },
            line_items: [
              {
                quantity: 1,
                price_data: {
                  currency: "usd",
                  unit_amount: Number(amount / CENT),
                  product_data: { name: packName[language ?? "en"] },
                },
              },
            ],
            locale: language === null ? "auto" : language === "zh-CN" ? "zh" : "en",
            success_url: returnUrl(order),
            cancel_url: returnUrl(order),
          },
          { idempotencyKey: id },
        ),
      );
      const answer = v.safeParse(openedSession, session);
      if (!answer.success || answer.output.client_reference_id !== id) {
        throw new RailFailed("Stripe opened another session, or one without an address");
      }
      return { thirdReferenceId: answer.output.id, payUrl: answer.output.url };
    },
    refresh,
    start: () => startProviderJob(ledger, "stripe", refresh, lists),
    status: () => ({ open: true }),
    async processWebhook({ raw, signature }) {
      if (!isSignedEvent(raw, signature, account.webhookSecret, ledger.now())) return false;
      const body = contentOf(raw);
      const report: Report = { rail: "stripe", eventId: eventIdOf(fieldsOf(body)["id"], raw), raw };
      if (v.is(event, body)) await processEvent(report, body);
      else await keepUnmatched(ledger, report, {}, "unreadable");
      return true;
    },
  };
}
