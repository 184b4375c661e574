/** Opens every way to pay, for real money or for practice. The code is the same: only what it reaches differs. */
import { randomUUID } from "node:crypto";
import { and, eq, gt } from "drizzle-orm";
import { networks as allNetworks, type Network } from "../../contract/calls.ts";
import { DAY, SECOND } from "../../contract/durations.ts";
import { lazy } from "../platform/lazy.ts";
import type { Log } from "../platform/log.ts";
import { orders } from "../store/schema.ts";
import { storedSetting } from "../store/stored-settings.ts";
import { addressesOf, completeAddresses, openSeries, receivingAddresses } from "./addresses.ts";
import { openNode } from "./chain/node.ts";
import { PACES } from "./chain/nodes.ts";
import { openWatcher, type Watcher } from "./chain/watcher.ts";
import { startJobs } from "./jobs.ts";
import type { Receiver } from "../events/outbox.ts";
import type { Ledger } from "./ledger.ts";
import { lookAhead } from "./look-ahead.ts";
import { railKeys, type Rail, type RailKey } from "./rails.ts";
import { openRazorpay, type CardRail, type RazorpayAccount, type RazorpayOptions } from "./razorpay.ts";
import type { Shop } from "./shop.ts";
import { openStripe, type StripeAccount, type StripeOptions, type StripeRail } from "./stripe.ts";
import { openUsdtRail, type ChainSettings, type NetworkFacts } from "./usdt.ts";

/** Outside parties for practice, reached as the real ones are. */
export interface Practice {
  chains: Readonly<Record<Network, ChainSettings>>;
  providers: {
    razorpay: Pick<RazorpayOptions, "account" | "apiUrl" | "fetch">;
    stripe: Pick<StripeOptions, "account" | "apiUrl" | "fetch">;
  };
  usdt: {
    /** Whether the network has changed since it was last asked this, or may have. */
    isChanged: (network: Network) => boolean;
  };
  /** Has the webhook events of its providers processed. */
  connect(handlers: {
    card: CardRail["processWebhook"];
    stripe: StripeRail["processWebhook"];
  }): Promise<void>;
  stop(): void;
}

/** What the operator has set of payments. */
export interface PaymentSettings {
  payments: "sandbox" | "live";
  /** The networks of USDT that are open when payments are live. */
  chains: Readonly<Record<Network, ChainSettings | undefined>>;
  /** Addresses after the last one given out at which money is looked for. */
  addressLookAhead: number;
  /** The card provider when payments are live; null: closed. */
  razorpay: { account: RazorpayAccount; apiUrl: string } | null;
  stripe: { account: StripeAccount; apiUrl: string } | null;
  /** Ways to pay that take no new orders. What is paid there is read all the same. */
  closed: readonly RailKey[];
  /** Where people reach the app, without a slash at its end. */
  siteUrl: string | null;
  port: number;
  /** Where events for other systems go; null: nowhere. */
  events: Receiver | null;
}

export interface Payments extends Pick<Shop, "rails" | "networks"> {
  card: CardRail | null;
  stripe: StripeRail | null;
  /** The series of this process, which is opened when it is first asked for. See `openSeries`. */
  addressSeries: () => Promise<{ series: number; ahead: number }>;
  watchers: Partial<Record<Network, Watcher>>;
  /** Ways to pay that are not set up, though money may still come or go back there. */
  missing: () => Promise<RailKey[]>;
  /** Reads the networks and does the jobs. @returns what stops it */
  start(): () => Promise<void>;
  /** For the start's greeting. */
  firstAddresses: Partial<Record<Network, string>>;
}

/** Two looks at a network's head, in milliseconds. */
const INTERVAL = 3 * SECOND;
const SANDBOX_INTERVAL = SECOND;
/** Confirmations that are shown where a node says itself what is final: about so many blocks it takes. */
const SOLIDIFIED = 20;

/** There, money comes from its own wallet alone. */
const SANDBOX_LOOK_AHEAD = 20;

/** Ms that a request to the card provider or Stripe may take. */
const PROVIDER_TIMEOUT = 10 * SECOND;

/** This process, among those that share a database. */
const PROCESS = randomUUID();

/** @throws Error when the database is of the other kind of payments */
export async function checkPaymentMode({ db }: Ledger, mode: PaymentSettings["payments"]): Promise<void> {
  // Releases that did not write it down knew the sandbox alone.
  const [earlier] = await db.select({ id: orders.id }).from(orders).limit(1);
  const stored = await storedSetting(db, "payments", earlier ? "sandbox" : mode);
  if (stored === mode) return;
  throw new Error(
    `This database is of ${stored} payments, and PAYMENTS is ${mode}: set PAYMENTS=${stored}, or use another database.`,
  );
}

/** With keys of a provider's test mode, test cards buy memberships. */
function warnOfTestKeys(log: Log, { razorpay, stripe }: PaymentSettings): void {
  const keys = { card: razorpay?.account.keyId, stripe: stripe?.account.secretKey };
  for (const [rail, key] of Object.entries(keys)) {
    if (key !== undefined && /^(rzp|sk|rk)_test_/.test(key)) log("test keys", { rail }, "warn");
  }
}

/** Days in which a customer may contest a card payment, or be given it back. */
const CARD_DAYS = 120;

/** The ways to pay that are not set up, with orders that are young enough for money to move there still. */
async function missingRails(
  { db, now, lateDays }: Ledger,
  isMissing: (key: RailKey) => boolean,
): Promise<RailKey[]> {
  const found = await Promise.all(
    railKeys.filter(isMissing).map(async (key) => {
      const isCard = key === "card" || key === "stripe";
      const since = new Date(now() - (isCard ? CARD_DAYS : lateDays) * DAY);
      const [order] = await db
        .select({ id: orders.id })
        .from(orders)
        .where(and(isCard ? eq(orders.rail, key) : eq(orders.network, key), gt(orders.createdAt, since)))
        .limit(1);
      return order ? [key] : [];
    }),
  );
  return found.flat();
}

/** @param practice null: real money moves */
export async function openPayments(
  ledger: Ledger,
  settings: PaymentSettings,
  practice: Practice | null,
): Promise<Payments> {
  const { db, now, log } = ledger;
  const chains: PaymentSettings["chains"] = practice?.chains ?? settings.chains;
  await completeAddresses(db);
  const xpubs = Object.values(chains).flatMap((chain) => (chain ? [chain.xpub] : []));
  const ahead = practice ? SANDBOX_LOOK_AHEAD : settings.addressLookAhead;
  const ending = new AbortController();
  const derive = (signal: AbortSignal) => lookAhead(db, xpubs, ahead, () => signal.aborted);
  // Before a block is read: what has been lost may be in the next one. Listening does not wait for it, because after a
  // restore it may take minutes.
  const isDerived = lazy(async () => {
    await derive(ending.signal);
    return !ending.signal.aborted;
  });
  // Not at the start: a process that cannot listen, or crashes at once, would leave a series behind each time.
  const series = lazy(async () => {
    const opened = await openSeries(db, now(), xpubs);
    // Addresses are found by it when the database is lost: docs/operating.md.
    log("address series", opened);
    return opened;
  });
  const receiving = lazy(async () =>
    receivingAddresses({ TRC20: chains.TRC20?.xpub, ERC20: chains.ERC20?.xpub }, (await series()).series),
  );
  async function deriveNext(signal: AbortSignal): Promise<void> {
    // Also without an order, so that a backup knows the series before its first one.
    if (xpubs.length > 0) await series();
    if (await isDerived()) await derive(signal);
  }

  const providers = practice?.providers ?? {
    razorpay: settings.razorpay && { ...settings.razorpay, fetch },
    stripe: settings.stripe && { ...settings.stripe, fetch },
  };
  const card =
    providers.razorpay && openRazorpay(ledger, { ...providers.razorpay, timeout: PROVIDER_TIMEOUT });
  const stripe =
    providers.stripe &&
    openStripe(ledger, {
      ...providers.stripe,
      timeout: PROVIDER_TIMEOUT,
      // Live, the settings have it.
      siteUrl: settings.siteUrl ?? `http://localhost:${settings.port}`,
    });
  if (practice && card && stripe)
    await practice.connect({ card: card.processWebhook, stripe: stripe.processWebhook });
  if (settings.payments === "live") warnOfTestKeys(log, settings);
  const rails: Partial<Record<RailKey, Rail>> = { ...(card ? { card } : {}), ...(stripe ? { stripe } : {}) };
  const networks = {} as Record<Network, NetworkFacts>;
  const watchers: Partial<Record<Network, Watcher>> = {};
  const firstAddresses: Partial<Record<Network, string>> = {};
  for (const network of allNetworks) {
    const chain = chains[network];
    networks[network] = {
      confirmations: chain?.confirmations ?? SOLIDIFIED,
      explorer: chain?.explorer ?? null,
    };
    if (!chain) continue;
    firstAddresses[network] = addressesOf(chain.xpub)(network, 0, 0).address;
    const watcher = openWatcher(ledger, {
      network,
      nodes: chain.nodes.map((reach) => openNode(reach, chain.contracts)),
      chainId: chain.chainId,
      contracts: chain.contracts,
      pace: practice ? null : PACES[network],
      ...(practice && { finality: 1 }),
      confirmations: chain.confirmations,
      interval: practice ? SANDBOX_INTERVAL : INTERVAL,
      holder: PROCESS,
      isReady: isDerived,
    });
    watchers[network] = watcher;
    rails[network] = openUsdtRail(db, {
      network,
      receiving,
      watcher,
      isReadDue: () => practice?.usdt.isChanged(network) ?? false,
    });
  }

  for (const key of settings.closed) {
    const rail = rails[key];
    if (rail) rails[key] = { ...rail, status: () => ({ ...rail.status(), open: false }) };
  }
  const missing = () => missingRails(ledger, (key) => rails[key] === undefined);
  for (const rail of await missing()) log("way to pay missing", { rail }, "error");

  return {
    rails,
    missing,
    networks,
    card,
    stripe,
    addressSeries: series,
    watchers,
    firstAddresses,
    start() {
      const stops = [
        ...Object.values(rails).map((rail) => rail.start()),
        startJobs(ledger, settings.events, deriveNext),
      ];
      return async () => {
        ending.abort();
        practice?.stop();
        await Promise.all(stops.map((stop) => stop()));
      };
    },
  };
}
