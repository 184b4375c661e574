/** The outside parties for practice, all of them: what stands in for the USDT networks, the card provider and Stripe. Decisions, "What is built", 3. */
import type { Ledger } from "../payments/ledger.ts";
import {
  openCardSandbox,
  sandboxCardAccount,
  type CardSandbox,
  type ProcessCardWebhook,
} from "./card-provider.ts";
import { openChains, type SandboxChains } from "./chain.ts";
import { openWebhookSender } from "./webhook-sender.ts";
import {
  openStripeSandbox,
  sandboxStripeAccount,
  type ProcessStripeWebhook,
  type StripeSandbox,
} from "./stripe.ts";

export interface Parties {
  usdt: SandboxChains;
  card: CardSandbox;
  stripe: StripeSandbox;
  /** Sends the providers' webhook events there from now on, also those that the last process did not deliver. */
  connect(handlers: { card: ProcessCardWebhook; stripe: ProcessStripeWebhook }): Promise<void>;
  /** Delivers the webhook events that are due. */
  settle(): Promise<void>;
  stop(): void;
}

/**
 * Opens the sandbox and goes on where the last process stopped: what falls due when stands in the database.
 * @param confirmSeconds how long a transfer of USDT takes
 */
export async function openParties({ db, now, log }: Ledger, confirmSeconds: number): Promise<Parties> {
  const sender = openWebhookSender(db, now, log);
  const card = openCardSandbox(db, now, await sandboxCardAccount(db), sender);
  const stripe = openStripeSandbox(db, now, await sandboxStripeAccount(db), sender);
  return {
    usdt: openChains(db, now, confirmSeconds),
    card,
    stripe,
    connect: (handlers) =>
      sender.connect({ card: card.sendTo(handlers.card), stripe: stripe.sendTo(handlers.stripe) }),
    settle: sender.settle,
    stop: sender.stop,
  };
}
