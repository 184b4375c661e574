/** The card provider, Razorpay, as a rail: orders there, payments by card on our own screen, and the webhook that reports them. */
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { OrderStatus } from "../../contract/calls.ts";
import { orders } from "../store/schema.ts";
import { CENT } from "./book.ts";
import type { Ledger, Order } from "./ledger.ts";
import { orderNamed, isSigned, orderOfPayment, type Reversal } from "./provider.ts";
import { startProviderJob } from "./provider-job.ts";
import { isRefusalOfOne, RailFailed, type Payable, type Rail } from "./rails.ts";
import { razorpayLists } from "./razorpay-lists.ts";
import { disputeState, isReleased, isTaken } from "./razorpay-states.ts";
import type { ProviderList } from "./provider-lists.ts";
import {
  answeredAt,
  answerOf,
  contentOf,
  creditMoney,
  eventIdOf,
  fieldsOf,
  identifier,
  identifierOf,
  keepUnmatched,
  millisecondsOf,
  noteReleased,
  noteUncaptured,
  reverseMoney,
  type Report,
} from "./webhook-events.ts";

/** The shop's account with the provider. */
export interface RazorpayAccount {
  /** Public: the browser's script is opened with it. */
  keyId: string;
  keySecret: string;
  webhookSecret: string;
}

export interface RazorpayOptions {
  account: RazorpayAccount;
  /** Without a slash at its end. */
  apiUrl: string;
  fetch: typeof fetch;
  /** Milliseconds that one request may take. */
  timeout: number;
}

export interface CardRail extends Rail {
  account: RazorpayAccount;
  /** What is read for the payments, refunds and disputes whose webhook event was lost. */
  lists: readonly ProviderList[];
  /**
   * Checks what the browser brings back, which is an authorisation only: the provider is asked whether it has the money,
   * and that alone is credited.
   * @returns false when the provider did not sign it
   */
  verify(order: Order, proof: { paymentId: string; signature: string }): Promise<boolean>;
  /**
   * Processes a webhook event. They come more than once and in any order.
   * @param sent `raw`: the body as it came, byte for byte
   * @returns false when it is not the provider's
   */
  processWebhook: (sent: { raw: Uint8Array; signature: string; eventId: string }) => Promise<boolean>;
}

const providerOrder = v.looseObject({
  id: identifier,
  amount: v.pipe(v.number(), v.safeInteger()),
  currency: v.string(),
  receipt: v.nullish(v.string()),
});
const collection = v.looseObject({ items: v.array(v.unknown()) });
const event = v.looseObject({ event: v.string() });

/** The provider's fee of a payment, where the customer bears it: the payment's amount holds it. */
const customerFeeOf = ({ fee, fee_bearer: bearer }: Record<string, unknown>) =>
  bearer === "customer" ? fee : undefined;

/** Minutes for which an authorised payment is captured: three days, the most that the provider keeps one. */
const CAPTURE_MINUTES = 3 * 24 * 60;
/** It goes before what the account's dashboard says. https://razorpay.com/docs/payments/payments/capture-settings/api */
const CAPTURE = {
  capture: "automatic",
  capture_options: {
    automatic_expiry_period: CAPTURE_MINUTES,
    manual_expiry_period: CAPTURE_MINUTES,
    refund_speed: "normal",
  },
};

/** The events of refunds and disputes, whose entity in the payload has the name of the kind. */
const REVERSALS: readonly {
  kind: "refund" | "dispute";
  states: Readonly<Record<string, Reversal["state"]>>;
}[] = [
  {
    kind: "refund",
    states: { "refund.created": "open", "refund.processed": "done", "refund.failed": "void" },
  },
  {
    kind: "dispute",
    states: {
      "payment.dispute.created": "open",
      "payment.dispute.under_review": "open",
      "payment.dispute.action_required": "open",
      "payment.dispute.lost": "lost",
      "payment.dispute.won": "void",
      "payment.dispute.closed": "closed",
    },
  },
];

const LONGEST_WORDS = 200;

/** Whether the provider's order is over the same money. */
const isOf = (order: Order, found: v.InferOutput<typeof providerOrder>) =>
  BigInt(found.amount) * CENT === order.amount && found.currency === "USD";

/** Whether a payment is over what the order costs, or over that and the provider's fee where the customer bears it. */
function isPayingFor(
  order: Order,
  { amount, currency, fee_bearer: bearer }: Record<string, unknown>,
): boolean {
  if (currency !== "USD" || typeof amount !== "number" || !Number.isSafeInteger(amount)) return false;
  const paid = BigInt(amount) * CENT;
  return bearer === "customer" ? paid >= order.amount : paid === order.amount;
}

/** What the provider signs for the browser when a payment was authorised. */
export const proofOf = (reference: string, paymentId: string) => `${reference}|${paymentId}`;

export function openRazorpay(ledger: Ledger, { account, apiUrl, fetch, timeout }: RazorpayOptions): CardRail {
  const credentials = Buffer.from(`${account.keyId}:${account.keySecret}`).toString("base64");

  /** One request, never repeated. @param path without what it is asked with @throws RailFailed */
  async function request(method: "GET" | "POST", path: string, query = "", body?: object): Promise<unknown> {
    const named = `${method} ${path}`;
    try {
      const response = await fetch(`${apiUrl}${path}${query}`, {
        method,
        headers: {
          Authorization: `Basic ${credentials}`,
          Accept: "application/json",
          ...(body ? { "Content-Type": "application/json" } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        redirect: "error",
        signal: AbortSignal.timeout(timeout),
      });
      const content: unknown = await response.json().catch((error: unknown) => {
        // A body that was cut off by the time limit is no answer either.
        if (error instanceof SyntaxError) return undefined;
        throw error;
      });
      if (!response.ok) {
        const { description } = fieldsOf(fieldsOf(content)["error"]);
        const words = typeof description === "string" ? `: ${description.slice(0, LONGEST_WORDS)}` : "";
        throw new RailFailed(
          `Razorpay answered ${response.status} to ${named}${words}`,
          isRefusalOfOne(response.status),
        );
      }
      return content;
    } catch (error) {
      throw error instanceof RailFailed
        ? error
        : new RailFailed(`Razorpay did not answer ${named}: ${causeOf(error)}`);
    }
  }

  /** The provider's order of ours, when an earlier attempt made one. */
  async function findOrder(order: Order): Promise<string | undefined> {
    const answer = await request("GET", "/v1/orders", `?${new URLSearchParams({ receipt: order.id })}`);
    if (!v.is(collection, answer)) throw new RailFailed("Razorpay answered GET /v1/orders with no list");
    return answer.items
      .filter((item) => v.is(providerOrder, item))
      .find((item) => item.receipt === order.id && isOf(order, item))?.id;
  }

  async function createOrder(order: Order): Promise<string> {
    const made = await request("POST", "/v1/orders", "", {
      amount: Number(order.amount / CENT),
      currency: "USD",
      receipt: order.id,
      notes: { order_id: order.id },
      payment: CAPTURE,
    });
    if (!v.is(providerOrder, made) || !isOf(order, made)) {
      throw new RailFailed("Razorpay answered POST /v1/orders with another order");
    }
    return made.id;
  }

  /** Orders that are being opened: requests that come at once share one. */
  const opening = new Map<string, Promise<Payable>>();

  async function openOnce(order: Order, isRepeated: boolean): Promise<Payable> {
    const found = isRepeated ? await findOrder(order) : undefined;
    return { thirdReferenceId: found ?? (await createOrder(order)), providerAccount: account.keyId };
  }

  /** Credits a payment of the provider's answer, when the money was taken. @returns whether it was not known before */
  async function creditAnswer(payment: Record<string, unknown>, orderId: string, askedAt: number) {
    const { id, order_id: reference, amount, currency, amount_refunded: refunded } = payment;
    if (!isTaken(payment)) return false;
    const report = answerOf("card", identifierOf(id) ?? "payment", payment);
    // What went back is written first, so that nothing is granted for it in between; also that nothing did, after a refund
    // that failed.
    if (typeof refunded === "number") {
      await reverseMoney(ledger, report, {
        reversalId: id,
        paymentId: id,
        kind: "total",
        state: "done",
        amount: refunded,
        currency,
        asOf: answeredAt(askedAt),
      });
    }
    const customerFee = customerFeeOf(payment);
    return creditMoney(ledger, report, { paymentId: id, reference, orderId, amount, currency, customerFee });
  }

  /** Captures an authorised payment. Safe to repeat. @returns the payment as it is then */
  async function capture(order: Order, paymentId: string): Promise<Record<string, unknown>> {
    const sum = { amount: Number(order.amount / CENT), currency: "USD" };
    const path = `/v1/payments/${paymentId}`;
    try {
      const captured = fieldsOf(await request("POST", `${path}/capture`, "", sum));
      if (captured["id"] === paymentId) return captured;
    } catch (error) {
      if (!(error instanceof RailFailed && error.isOfOne)) throw error;
      // The provider itself or another process may have been faster: the payment says so.
      ledger.log("capture refused", { order: order.id, payment: paymentId, error: error.message }, "warn");
    }
    const payment = fieldsOf(await request("GET", path));
    if (payment["id"] !== paymentId)
      throw new RailFailed(`Razorpay answered GET ${path} with another payment`);
    return payment;
  }

  /**
   * Captures one authorised payment for an order that is open and of which nothing was taken, the oldest: whichever
   * process does so takes the same. The others are the operator's to know of; the provider gives them back by itself.
   * @param found all payments for the order
   */
  async function captureOne(
    order: Order,
    found: readonly Record<string, unknown>[],
    askedAt: number,
  ): Promise<boolean> {
    const uncaptured: { paymentId: string; payment: Record<string, unknown> }[] = [];
    for (const payment of found) {
      const paymentId = identifierOf(payment["id"]);
      if (paymentId === null || payment["order_id"] !== order.thirdReferenceId) continue;
      if (payment["status"] === "authorized") uncaptured.push({ paymentId, payment });
      else if (isReleased(payment)) await noteReleased(ledger, "card", paymentId);
    }
    if (uncaptured.length === 0) return false;
    const [now] = await ledger.db
      .select({ status: orders.status })
      .from(orders)
      .where(eq(orders.id, order.id));
    const isOpen = now?.status === OrderStatus.pending && !found.some(isTaken);
    const age = ({ payment }: (typeof uncaptured)[number]) => millisecondsOf(payment["created_at"], askedAt);
    const [first] = uncaptured
      .filter(({ payment }) => isOpen && isPayingFor(order, payment))
      .toSorted((one, other) => age(one) - age(other) || (one.paymentId < other.paymentId ? -1 : 1));
    let isCredited = false;
    for (const one of uncaptured) {
      const { paymentId } = one;
      const payment = one === first ? await capture(order, paymentId) : one.payment;
      if (isTaken(payment)) isCredited = await creditAnswer(payment, order.id, askedAt);
      else {
        const { amount, currency } = payment;
        await noteUncaptured(ledger, "card", order, { paymentId, amount, currency });
      }
    }
    return isCredited;
  }

  /** Asks for the payments of an order, credits what was taken, and captures what is authorised. @returns whether there was news */
  async function settle(order: Order): Promise<boolean> {
    const reference = order.thirdReferenceId;
    if (reference === null) return false;
    const askedAt = ledger.now();
    const answer = await request("GET", `/v1/orders/${encodeURIComponent(reference)}/payments`);
    if (!v.is(collection, answer)) throw new RailFailed("Razorpay answered with no list of payments");
    if (order.providerAccount === null) {
      await ledger.db.update(orders).set({ providerAccount: account.keyId }).where(eq(orders.id, order.id));
    }
    const found = answer.items.map(fieldsOf);
    let isNews = false;
    for (const payment of found) isNews = (await creditAnswer(payment, order.id, askedAt)) || isNews;
    return (await captureOne(order, found, askedAt)) || isNews;
  }

  const refresh = async (order: Order) => void (await settle(order));

  /** Asks about an order of ours because of what was told of its payment. One that cannot be asked about holds up nothing. */
  async function settleIfKnown(order: Order | undefined): Promise<boolean> {
    if (!order) return false;
    try {
      return await settle(order);
    } catch (error) {
      // Of another account: nothing can be asked.
      if (!(error instanceof RailFailed && error.isOfOne)) throw error;
      ledger.log("refresh failed", { order: order.id, rail: "card", error: error.message }, "warn");
      return false;
    }
  }

  /** Asks how much is refunded of a payment, after a refund that failed: the sum may have been read with it. */
  async function refreshPayment(paymentId: unknown): Promise<void> {
    if (!v.is(identifier, paymentId)) return;
    const order = await orderOfPayment(ledger.db, "card", paymentId);
    if (!order) return;
    const askedAt = ledger.now();
    try {
      const payment = fieldsOf(await request("GET", `/v1/payments/${paymentId}`));
      if (payment["id"] === paymentId) await creditAnswer(payment, order.id, askedAt);
    } catch (error) {
      // Of another account: nothing can be asked.
      if (!(error instanceof RailFailed && error.isOfOne)) throw error;
      ledger.log("refresh failed", { order: order.id, rail: "card", error: error.message }, "warn");
    }
  }

  async function processEvent(report: Report, body: v.InferOutput<typeof event>): Promise<void> {
    const payload = fieldsOf(body["payload"]);
    const entityOf = (name: string) => fieldsOf(fieldsOf(payload[name])["entity"]);
    const payment = entityOf("payment");
    const asOf = millisecondsOf(body["created_at"], ledger.now());
    if (body.event === "payment.captured" || body.event === "order.paid") {
      const order = entityOf("order");
      await creditMoney(ledger, report, {
        paymentId: payment["id"],
        reference: payment["order_id"] ?? order["id"],
        // Not the payment's own notes: the browser can write those, into a payment for something else too.
        orderId: fieldsOf(order["notes"])["order_id"],
        amount: payment["amount"],
        currency: payment["currency"],
        customerFee: customerFeeOf(payment),
      });
      return;
    }
    if (body.event === "payment.authorized") {
      const reference = identifierOf(payment["order_id"]);
      await settleIfKnown(await orderNamed(ledger.db, "card", { reference, orderId: null }));
      return;
    }
    for (const { kind, states } of REVERSALS) {
      const state = Object.hasOwn(states, body.event) ? states[body.event] : undefined;
      if (!state) continue;
      const entity = entityOf(kind);
      const { id, payment_id, amount, currency } = entity;
      const paymentId = payment_id ?? payment["id"];
      // First, so that it is asked for again where there is no answer.
      if (state === "void" && kind === "refund") await refreshPayment(paymentId);
      await reverseMoney(ledger, report, {
        reversalId: id,
        paymentId,
        kind,
        state: kind === "dispute" ? disputeState(state, entity) : state,
        amount,
        currency,
        asOf,
      });
    }
    // Anything else changes nothing: a payment that failed may be followed by one that does not.
  }

  const lists = razorpayLists(ledger, {
    ask: (path, query) => request("GET", path, query),
    credit: creditAnswer,
    settle: settleIfKnown,
    refresh: refreshPayment,
  });
  return {
    account,
    providerAccount: account.keyId,
    lists,
    async open(order, isRepeated) {
      const underWay = opening.get(order.id);
      if (underWay) return underWay;
      const opened = openOnce(order, isRepeated).finally(() => opening.delete(order.id));
      opening.set(order.id, opened);
      return opened;
    },
    refresh,
    start: () => startProviderJob(ledger, "card", refresh, lists),
    status: () => ({ open: true }),
    async verify(order, { paymentId, signature }) {
      const reference = order.thirdReferenceId;
      if (reference === null || !v.is(identifier, paymentId)) return false;
      if (!isSigned(proofOf(reference, paymentId), signature, account.keySecret)) return false;
      const askedAt = ledger.now();
      try {
        const payment = fieldsOf(await request("GET", `/v1/payments/${paymentId}`));
        if (payment["id"] === paymentId && payment["order_id"] === reference) {
          if (payment["status"] === "authorized") await settle(order);
          else await creditAnswer(payment, order.id, askedAt);
        }
      } catch (error) {
        if (!(error instanceof RailFailed)) throw error;
        // The order stays pending: the webhook or the next look at it brings the money.
        ledger.log("verify failed", { order: order.id, error: error.message }, "warn");
      }
      return true;
    },
    async processWebhook({ raw, signature, eventId }) {
      if (!isSigned(raw, signature, account.webhookSecret)) return false;
      const report: Report = { rail: "card", eventId: eventIdOf(eventId, raw), raw };
      const body = contentOf(raw);
      if (v.is(event, body)) await processEvent(report, body);
      else await keepUnmatched(ledger, report, {}, "unreadable");
      return true;
    },
  };
}

/** Of a failed request, the kind of failure: messages may repeat what was sent. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return "not an Error";
  const { cause } = error;
  return cause instanceof Error && "code" in cause ? String(cause.code) : error.name;
}
