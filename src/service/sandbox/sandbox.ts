/** The sandbox as the service uses it: practice stand-ins for the USDT networks, the card provider and Stripe. The one door from production code. Decisions, "What is built", 3. */
import { randomBytes } from "node:crypto";
import { HDKey } from "@scure/bip32";
import { Hono } from "hono";
import type { Env } from "../http/service.ts";
import type { Network } from "../../contract/calls.ts";
import type { Ledger } from "../payments/ledger.ts";
import type { ChainSettings } from "../payments/usdt.ts";
import type { Practice } from "../payments/open.ts";
import { POLICY } from "../http/security-headers.ts";
import type { Database } from "../store/database.ts";
import { storedSetting } from "../store/stored-settings.ts";
import { SANDBOX_CHAIN_ID, SANDBOX_CONTRACT, SANDBOX_DEPTH } from "./chain.ts";
import { openParties, type Parties } from "./parties.ts";
import { sandboxCardRoutes } from "./routes/card.ts";
import { sandboxCheckoutRoutes } from "./routes/checkout.ts";
import { sandboxDownloadRoutes } from "./routes/download.ts";
import { policy } from "./routes/page.ts";
import { sandboxRoutes } from "./routes/wallet.ts";

export interface Sandbox extends Parties, Pick<Practice, "chains" | "providers"> {
  routes: Hono<Env>;
}

/** Requests to an application of this process. */
const reach =
  (api: Hono): typeof fetch =>
  async (input, init) =>
    api.request(input instanceof URL ? input.href : input, init);

/** @param confirmSeconds how long a transfer of USDT takes */
export async function openSandbox(ledger: Ledger, confirmSeconds: number): Promise<Sandbox> {
  const parties = await openParties(ledger, confirmSeconds);
  const routes = new Hono<Env>()
    .use("/sandbox/*", async (c, next) => {
      await next();
      if (c.res.headers.get("Content-Type")?.startsWith("text/html")) c.header(POLICY, policy);
    })
    .route("/", sandboxRoutes(parties))
    .route("/", sandboxCardRoutes(parties.card))
    .route("/", sandboxCheckoutRoutes(parties.stripe))
    .route("/", sandboxDownloadRoutes());
  const xpub = await sandboxXpub(ledger.db);
  const chainOf = (network: Network): ChainSettings => ({
    xpub,
    nodes: [parties.usdt.transport(network)],
    chainId: SANDBOX_CHAIN_ID[network],
    contracts: [SANDBOX_CONTRACT],
    confirmations: network === "ERC20" ? SANDBOX_DEPTH.ERC20 : null,
    explorer: null,
  });
  const { card, stripe } = parties;
  return {
    ...parties,
    routes,
    chains: { TRC20: chainOf("TRC20"), ERC20: chainOf("ERC20") },
    providers: {
      razorpay: { account: card.account, apiUrl: "http://razorpay.sandbox", fetch: reach(card.api) },
      stripe: { account: stripe.account, apiUrl: "http://stripe.sandbox", fetch: reach(stripe.api) },
    },
  };
}

/** Made once for a database. The private half is thrown away at once. */
export async function sandboxXpub(db: Database): Promise<string> {
  return storedSetting(
    db,
    "sandbox_xpub",
    HDKey.fromMasterSeed(randomBytes(32)).derive("m/44'/195'/0'").publicExtendedKey,
  );
}
