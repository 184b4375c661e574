/** The card provider, Razorpay, as a rail: orders there, payments by card on our own screen, and the webhook that reports them. */
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { orders } from "../store/schema.ts";
import { UNITS_PER_CENT, type Ledger, type Order } from "./ledger.ts";
import { isSigned, orderOfPayment, type Reversal } from "./provider.ts";
import { startProviderJob, providerStatus } from "./provider-job.ts";
import { isRefusalOfOne, RailFailed, type Payable, type Rail } from "./rails.ts";
import { razorpayLists } from "./razorpay-lists.ts";
import type { ProviderList } from "./reconciliation.ts";
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
  /** What is read for the refunds and disputes whose webhook event was lost. */
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

/** The states of a payment in which the money was taken; of one that went back, the refund is counted as well. */
const TAKEN: ReadonlySet<unknown> = new Set(["captured", "refunded"]);

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
  BigInt(found.amount) * UNITS_PER_CENT === order.amount && found.currency === "USD";

/** What the provider signs for the browser when a payment was authorised. */
export const proofOf = (reference: string, paymentId: string) => `${reference}|${paymentId}`;

export function openRazorpay(ledger: Ledger, { account, apiUrl, fetch, timeout }: RazorpayOptions): CardRail {
  const credentials = Buffer.from(`${account.keyId}:${account.keySecret}`).toString("base64");
  const status = providerStatus(ledger.now);

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
      status.answered();
      return content;
    } catch (error) {
      const failed =
        error instanceof RailFailed
          ? error
          : new RailFailed(`Razorpay did not answer ${named}: ${causeOf(error)}`);
      status.failed(failed);
      throw failed;
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
      amount: Number(order.amount / UNITS_PER_CENT),
      currency: "USD",
      receipt: order.id,
      notes: { order_id: order.id },
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

  /** Credits a payment of the provider's answer, when the money was taken. */
  async function creditAnswer(payment: Record<string, unknown>, orderId: string, asked: number) {
    const { id, order_id: reference, status: state, amount, currency, amount_refunded: refunded } = payment;
    if (!TAKEN.has(state)) return;
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
        asOf: answeredAt(asked),
      });
    }
    await creditMoney(ledger, report, { paymentId: id, reference, orderId, amount, currency });
  }

  async function refresh(order: Order): Promise<void> {
    const reference = order.thirdReferenceId;
    if (reference === null) return;
    const asked = ledger.now();
    const answer = await request("GET", `/v1/orders/${encodeURIComponent(reference)}/payments`);
    if (!v.is(collection, answer)) throw new RailFailed("Razorpay answered with no list of payments");
    if (order.providerAccount === null) {
      await ledger.db.update(orders).set({ providerAccount: account.keyId }).where(eq(orders.id, order.id));
    }
    for (const item of answer.items) await creditAnswer(fieldsOf(item), order.id, asked);
  }

  /** Asks how much is refunded of a payment, after a refund that failed: the sum may have been read with it. */
  async function refreshPayment(paymentId: unknown): Promise<void> {
    if (!v.is(identifier, paymentId)) return;
    const order = await orderOfPayment(ledger.db, "card", paymentId);
    if (!order) return;
    const asked = ledger.now();
    try {
      const payment = fieldsOf(await request("GET", `/v1/payments/${paymentId}`));
      if (payment["id"] === paymentId) await creditAnswer(payment, order.id, asked);
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
      });
      return;
    }
    for (const { kind, states } of REVERSALS) {
      const state = Object.hasOwn(states, body.event) ? states[body.event] : undefined;
      if (!state) continue;
      const { id, payment_id, amount, currency } = entityOf(kind);
      const paymentId = payment_id ?? payment["id"];
      // First, so that it is asked for again where there is no answer.
      if (state === "void" && kind === "refund") await refreshPayment(paymentId);
      await reverseMoney(ledger, report, { reversalId: id, paymentId, kind, state, amount, currency, asOf });
    }
    // Anything else changes nothing: a payment that failed may be followed by one that does not.
  }

  const lists = razorpayLists(ledger, (path, query) => request("GET", path, query), refreshPayment);
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
    status: status.read,
    async verify(order, { paymentId, signature }) {
      const reference = order.thirdReferenceId;
      if (reference === null || !v.is(identifier, paymentId)) return false;
      if (!isSigned(proofOf(reference, paymentId), signature, account.keySecret)) return false;
      const asked = ledger.now();
      try {
        const payment = fieldsOf(await request("GET", `/v1/payments/${paymentId}`));
        if (payment["id"] === paymentId && payment["order_id"] === reference) {
          await creditAnswer(payment, order.id, asked);
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
