/** The deployment's configuration, `/config.json`. Every entry has a default, and the first paint does not wait for it. Decisions, "The build has no deployment in it". */
import * as v from "valibot";
import { CONFIG_ID } from "../../contract/pages.ts";
import { givingUpAfter } from "./page.ts";
import { isSafeAddress } from "./windows.ts";

/** The default until an operator names a site. */
const nowhere = "https://everlit.example";
const cardProvider = "https://checkout.razorpay.com/v1/razorpay.js";
const text = v.pipe(v.string(), v.nonEmpty());
const bare = (address: string) => address.replace(/\/+$/, "");

const config = v.object({
  /** The API's origin; "" is this origin. */
  apiBaseUrl: v.fallback(v.string(), ""),
  /** The provider's site, for the footer's links and the downloads. */
  providerSite: v.fallback(text, nowhere),
  /** The script that wakes or installs the app: its URL, its global and its key. */
  downloadSdk: v.fallback(v.nullable(v.object({ scriptUrl: text, global: text, appKey: text })), null),
  /** The card provider's script, by default the provider's own URL: it updates itself and must not be copied or pinned. */
  cardScriptUrl: v.fallback(text, ""),
  sandbox: v.fallback(v.boolean(), false),
});
export type Config = v.InferOutput<typeof config>;

/** Every API call waits for the file, at most this long. */
const PATIENCE = 10_000;

const readAs = (value: unknown): Config => {
  const { apiBaseUrl, providerSite, cardScriptUrl, sandbox, ...read } = v.parse(config, value);
  const api = bare(apiBaseUrl);
  return {
    ...read,
    apiBaseUrl: api,
    providerSite: isSafeAddress(providerSite, sandbox) ? bare(providerSite) : nowhere,
    // In the sandbox, cards never go to the real provider.
    cardScriptUrl: cardScriptUrl || (sandbox ? `${api}/sandbox/card.js` : cardProvider),
    sandbox,
  };
};

/** The configuration in the page itself, as our service inlines it; else null. */
export function knownConfig(): Config | null {
  try {
    const value = document.getElementById(CONFIG_ID)?.textContent;
    return value ? readAs(JSON.parse(value)) : null;
  } catch {
    return null;
  }
}

/**
 * Starts reading the file at once. A missing or broken file counts as empty. After a network error the next caller
 * reads it again.
 */
export function configReader(): () => Promise<Config> {
  let reading: Promise<Config> | undefined;
  const read = async () => {
    try {
      const answer = await fetch("/config.json", { signal: givingUpAfter(PATIENCE) });
      if (answer.status < 500) return readAs(answer.ok ? await answer.json().catch(() => ({})) : {});
    } catch {
      // The request failed.
    }
    reading = undefined;
    return readAs({});
  };
  reading = read();
  return () => (reading ??= read());
}
