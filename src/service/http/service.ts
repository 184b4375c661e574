/** What the routes work with, and what a request carries on its way through them. */
import type { HttpBindings } from "@hono/node-server";
import type { Hono } from "hono";
import type { RequestLimits } from "../limits/request-limits.ts";
import type { CardRail } from "../payments/razorpay.ts";
import type { Shop } from "../payments/shop.ts";
import type { StripeRail } from "../payments/stripe.ts";
import type { Word } from "../platform/messages.ts";
import type { Settings } from "../settings.ts";
import type { Store } from "../store/database.ts";

/** Called when a call of the API has been answered: `path` is one that the API has, or `other`. */
export type OnCall = (call: { path: string; status: number; seconds: number }) => void;

/** What the routes work with. */
export interface Service extends Shop {
  /** One question to the database: `Store` has it. */
  ping: Store["ping"];
  settings: Settings;
  /** Null: payment by card is not open. */
  card: CardRail | null;
  /** Null: payment by Stripe is not open. */
  stripe: StripeRail | null;
  /** The routes of the payment sandbox; null where payments are live. */
  sandbox: Hono<Env> | null;
  /** What a network or an account may ask of this process. */
  requests: RequestLimits;
  onCall?: OnCall;
}

export type Env = {
  Bindings: Partial<HttpBindings>;
  Variables: {
    now: () => number;
    requestId: string;
    errorCode?: Word | number;
    /** The id of the account that the request turned out to be of. */
    account?: number;
  };
};
