/** What a deployment says of itself in `/config.json`; every entry has a default, and nothing waits for it to paint. Decisions, "The build has no deployment in it". */
import * as v from "valibot";
import { CONFIG_ID } from "../../contract/pages.ts";
import { givingUpAfter } from "./page.ts";
import { isSafeAddress } from "./windows.ts";

/** Until an operator names a site. */
const nowhere = "https://everlit.example";
const cardProvider = "https://checkout.razorpay.com/v1/razorpay.js";
const text = v.pipe(v.string(), v.nonEmpty());
const bare = (address: string) => address.replace(/\/+$/, "");

const config = v.object({
  /** Where the API is; "" is this origin. */
  apiBaseUrl: v.fallback(v.string(), ""),
  /** The provider's site, for the footer's links and the downloads. */
  providerSite: v.fallback(text, nowhere),
  /** The script that wakes or installs the app: where it is, what it is called, and the key to use it with. */
  downloadSdk: v.fallback(v.nullable(v.object({ scriptUrl: text, global: text, appKey: text })), null),
  /** The card provider's browser script, by default its own: it updates itself, and is neither copied nor pinned. */
  cardScriptUrl: v.fallback(text, ""),
  sandbox: v.fallback(v.boolean(), false),
});
export type Config = v.InferOutput<typeof config>;

/** Every call of the API waits for the file, but not for good. */
const PATIENCE = 10_000;

const readAs = (said: unknown): Config => {
  const { apiBaseUrl, providerSite, cardScriptUrl, sandbox, ...read } = v.parse(config, said);
  const api = bare(apiBaseUrl);
  return {
    ...read,
    apiBaseUrl: api,
    providerSite: isSafeAddress(providerSite, sandbox) ? bare(providerSite) : nowhere,
    // A card of the sandbox is nobody else's business.
    cardScriptUrl: cardScriptUrl || (sandbox ? `${api}/sandbox/card.js` : cardProvider),
    sandbox,
  };
};

/** The file's content where the page itself brings it, as our service writes it; else null. */
export function knownConfig(): Config | null {
  try {
    const said = document.getElementById(CONFIG_ID)?.textContent;
    return said ? readAs(JSON.parse(said)) : null;
  } catch {
    return null;
  }
}

/**
 * The file's content for whoever asks, read at once. A missing or broken file is an empty one. So is one that does not
 * come, but then it is read again with the next who asks: the network may be back.
 */
export function configReader(): () => Promise<Config> {
  let reading: Promise<Config> | undefined;
  const read = async () => {
    try {
      const answer = await fetch("/config.json", { signal: givingUpAfter(PATIENCE) });
      if (answer.status < 500) return readAs(answer.ok ? await answer.json().catch(() => ({})) : {});
    } catch {
      // It did not come.
    }
    reading = undefined;
    return readAs({});
  };
  reading = read();
  return () => (reading ??= read());
}
