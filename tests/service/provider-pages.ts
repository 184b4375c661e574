/** What browsers get from the providers' stand-in: Razorpay's script, the bank's page in its window, and Stripe's page. A decision there is reported by a signed webhook. */
import Stripe from "stripe";
import { sign } from "../../src/service/payments/provider.ts";

/** What the providers' API answers. */
export type Entity = Record<string, unknown> & { id: string };

interface Provider {
  payments: Entity[];
  sessions: ReadonlyMap<string, Entity>;
  webhooks: { to: string | null };
  keys: Record<"razorpay" | "stripe", { webhookSecret: string }>;
  signedProof: (reference: string, paymentId: string) => string;
}

interface Page {
  type: string;
  content: string;
}

const html = (content: string): Page => ({ type: "text/html", content: `<!doctype html>${content}` });
const json = (content: unknown): Page => ({ type: "application/json", content: JSON.stringify(content) });
const script = (content: string): Page => ({ type: "text/javascript", content });
const picture: Page = { type: "image/svg+xml", content: '<svg xmlns="http://www.w3.org/2000/svg"/>' };

/**
 * Razorpay's custom checkout, with what decision 25 found in the provider's script: it checks for fraud, reports, draws and
 * frames as it loads. A payment opens a window, and a form sends that to the bank's page.
 */
const SCRIPT = `
const API = "https://api.razorpay.com";
const add = (tag, made) => document.body.appendChild(Object.assign(document.createElement(tag), made));
add("script", { src: "https://cdn.razorpay.com/static/cx/razorpay-risk-detection/bundle.js" });
add("img", { src: "https://cdn.razorpay.com/logos/bank.svg", hidden: true });
for (const src of [API + "/frame", "https://checkout.razorpay.com/frame"]) add("iframe", { src, hidden: true });
for (const name of ["lumberjack", "lumberjack-cx", "lumberjack-metrics"])
  fetch("https://" + name + ".razorpay.com/v1/track", { method: "POST", mode: "no-cors", body: "{}" });
document.body.insertAdjacentHTML("beforeend", '<p id="theirs" style="position:fixed" hidden></p><style>#theirs{opacity:.5}</style>');

window.Razorpay = class {
  #listeners = {};
  constructor({ key }) { this.key = key; }
  on(event, listener) { this.#listeners[event] = listener; }
  async createPayment(data) {
    const bank = window.open("", "bank", "popup,width=430,height=680");
    const body = new URLSearchParams({ ...data, key_id: this.key });
    const { payment_id, request } = await (await fetch(API + "/v1/payments/create/ajax", { method: "POST", body })).json();
    let isOver = false;
    const end = ({ event, answer }) => {
      if (isOver) return;
      isOver = true;
      clearInterval(watch);
      removeEventListener("message", hear);
      this.#listeners[event](answer);
    };
    const hear = ({ origin, data }) => { if (origin === API) end(data); };
    addEventListener("message", hear);
    const watch = setInterval(async () => {
      if (!bank.closed) return;
      clearInterval(watch);
      end(await (await fetch(API + "/v1/payments/" + payment_id + "/cancel")).json());
    }, 200);
    const form = add("form", { method: request.method, action: request.url, target: "bank" });
    form.submit();
    form.remove();
  }
};`;

export function providerPages({ payments, sessions, webhooks, keys, signedProof }: Provider) {
  /** Webhook events have numbers that no other process uses. */
  const prefix = Date.now().toString(36);
  let made = 0;
  const fresh = (kind: string) => `${kind}_${prefix}${(made += 1)}`;
  const seconds = () => Math.floor(Date.now() / 1_000);

  async function report(path: string, raw: string, headers: Record<string, string>): Promise<void> {
    if (webhooks.to !== null) await fetch(webhooks.to + path, { method: "POST", headers, body: raw });
  }
  async function reportCard(event: string, entity: Entity): Promise<void> {
    const raw = JSON.stringify({ event, payload: { payment: { entity } }, created_at: seconds() });
    await report("/api/razorpay/webhook", raw, {
      "X-Razorpay-Signature": sign(raw, keys.razorpay.webhookSecret),
      "X-Razorpay-Event-Id": fresh("evt"),
    });
  }
  async function reportSession(object: object): Promise<void> {
    const type = "checkout.session.completed";
    const raw = JSON.stringify({ id: fresh("evt"), type, created: seconds(), data: { object } });
    const secret = keys.stripe.webhookSecret;
    const signature = Stripe.webhooks.generateTestHeaderString({ payload: raw, secret });
    await report("/api/stripe/webhook", raw, { "Stripe-Signature": signature });
  }

  const paymentOf = (id: string): Entity => {
    const payment = payments.find((each) => each.id === id);
    if (!payment) throw new Error(`There is no payment ${id}.`);
    return payment;
  };

  const decisions = new Map<string, string>();
  /** A payment that was decided, as the script tells the page of it. The first decision stands: a window that closes after it cancels nothing. */
  async function decide(id: string, wanted: string): Promise<{ event: string; answer: object }> {
    const payment = paymentOf(id);
    const reference = String(payment["order_id"]);
    const decision = decisions.get(id) ?? wanted;
    if (!decisions.has(id)) {
      decisions.set(id, decision);
      payment["status"] = decision === "confirm" ? "captured" : "failed";
      await reportCard(`payment.${String(payment["status"])}`, payment);
    }
    if (decision === "confirm") {
      const answer = {
        razorpay_payment_id: id,
        razorpay_order_id: reference,
        razorpay_signature: signedProof(reference, id),
      };
      return { event: "payment.success", answer };
    }
    const [description, reason] =
      decision === "cancel"
        ? ["Your payment has been cancelled. Try again or complete the payment later.", "payment_cancelled"]
        : ["Your payment was declined by your bank. Try another card.", "payment_failed"];
    const metadata = { payment_id: id, order_id: reference };
    const error = { code: "BAD_REQUEST_ERROR", description, reason, field: null, metadata };
    return { event: "payment.error", answer: { error } };
  }

  const button = (action: string, word: string) =>
    `<form method="post" action="${action}"><button>${word}</button></form>`;
  const sessionOf = (id: string): Entity => {
    const session = [...sessions.values()].find((each) => each.id === id);
    if (!session) throw new Error(`There is no session ${id}.`);
    return session;
  };

  type Answer = (id: string, form: URLSearchParams) => Page | Promise<Page>;
  const routes: readonly (readonly [RegExp, Answer])[] = [
    [/^GET \/v1\/razorpay\.js$/, () => script(SCRIPT)],
    [/^GET \/static\/.+\.js$/, () => script("window.checkedForFraud = true;")],
    [/^GET \/logos\/bank\.svg$/, () => picture],
    [/^GET \/frame$/, () => html("")],
    [/^POST \/v1\/track$/, () => json({})],
    [
      /^POST \/v1\/payments\/create\/ajax$/,
      (_, form) => {
        const id = fresh("pay");
        const [reference, currency] = [form.get("order_id"), form.get("currency")];
        const amount = Number(form.get("amount"));
        payments.push({ id, order_id: reference, amount, currency, status: "created" });
        const url = `https://api.razorpay.com/v1/payments/${id}/authenticate`;
        return json({ payment_id: id, request: { method: "post", url } });
      },
    ],
    [
      /^POST \/v1\/payments\/(\w+)\/authenticate$/,
      () => html(button("confirm", "Confirm") + button("decline", "Decline")),
    ],
    ...["confirm", "decline"].map(
      (decision) =>
        [
          new RegExp(`^POST /v1/payments/(\\w+)/${decision}$`),
          async (id: string) => {
            const told = JSON.stringify(await decide(id, decision));
            return html(`<script>opener.postMessage(${told}, "*"); window.close();</script>`);
          },
        ] as const,
    ),
    [/^GET \/v1\/payments\/(\w+)\/cancel$/, async (id) => json(await decide(id, "cancel"))],
    [/^GET \/c\/(\w+)$/, () => html(button("", "Pay"))],
    [
      /^POST \/c\/(\w+)$/,
      async (id) => {
        const session = sessionOf(id);
        const intent = fresh("pi");
        Object.assign(session, {
          payment_status: "paid",
          status: "complete",
          payment_intent: { id: intent, status: "succeeded" },
        });
        await reportSession({ ...session, payment_intent: intent });
        return html(`<script>location.replace(${JSON.stringify(session["success_url"])});</script>`);
      },
    ],
  ];

  /** @returns undefined where the providers' API answers */
  return ({ method, path, body }: Record<"method" | "path" | "body", string>): Promise<Page> | undefined => {
    const asked = `${method} ${new URL(path, "http://provider").pathname}`;
    for (const [route, answer] of routes) {
      const [found, id = ""] = route.exec(asked) ?? [];
      if (found !== undefined) return Promise.resolve(answer(id, new URLSearchParams(body)));
    }
    return undefined;
  };
}
