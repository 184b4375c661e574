/** The outside parties for practice, all of them: what stands in for the USDT networks, the card provider and Stripe. Decisions, "What is built", 3. */
import type { Log } from "../log.ts";
import type { Database } from "../store/open.ts";
import { cardEars, openCardSandbox, sandboxCardAccount, type CardSandbox } from "./card-sandbox.ts";
import { openMessenger } from "./messenger-sandbox.ts";
import { openStripeSandbox, sandboxStripeAccount, stripeEars, type StripeSandbox } from "./stripe-sandbox.ts";
import { openNetworks, type SandboxNetworks } from "./usdt-sandbox.ts";

export interface Sandbox extends SandboxNetworks {
  card: CardSandbox;
  stripe: StripeSandbox;
}

/**
 * Opens the sandbox and goes on where the last process stopped: what falls due when stands in the database.
 * @param confirmSeconds how long a transfer of USDT takes
 */
export async function openSandbox(
  db: Database,
  now: () => number,
  confirmSeconds: number,
  log: Log,
): Promise<Sandbox> {
  const cardAccount = await sandboxCardAccount(db);
  const stripeAccount = await sandboxStripeAccount(db);
  const networks = await openNetworks(db, now, confirmSeconds, log);
  const ears = { card: cardEars(db, cardAccount, now), stripe: stripeEars(db, stripeAccount, now) };
  const messenger = openMessenger(db, now, ears, log);
  await messenger.settle();
  return {
    ...networks,
    card: openCardSandbox(db, now, cardAccount, messenger),
    stripe: openStripeSandbox(db, now, stripeAccount, messenger),
    async settle() {
      await networks.settle();
      await messenger.settle();
    },
    stop() {
      networks.stop();
      messenger.stop();
    },
  };
}
