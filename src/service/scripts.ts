/** Which scripts the app may load, and from where: `/config.json` says so to the app, the policy to the browser. */
import type { Service } from "./http.ts";
import type { DownloadSdk } from "./settings.ts";

export interface OutsideScripts {
  downloadSdk?: DownloadSdk;
  cardScriptUrl?: string;
}

/** The global of the sandbox's download script, and the key that it takes. */
export const SANDBOX_SDK = { global: "EverlitDownload", appKey: "sandbox" };

/** Where the card provider's own script comes from, and what it calls, frames and sends forms to. The app knows the script's address. */
const CARD_SCRIPT = ["https://checkout.razorpay.com"];
const CARD_CALLS = ["https://api.razorpay.com", "https://lumberjack.razorpay.com"];
const CARD_FRAMES = ["https://api.razorpay.com", "https://checkout.razorpay.com"];
const CARD_FORMS = ["https://api.razorpay.com"];

/** The scripts, by the names of `/config.json`. The sandbox's stand beside the API. */
export function outsideScripts({ settings, sandbox }: Pick<Service, "settings" | "sandbox">): OutsideScripts {
  const base = settings.apiBaseUrl ?? "";
  const practice = sandbox ? { scriptUrl: `${base}/sandbox/download.js`, ...SANDBOX_SDK } : null;
  const downloadSdk = settings.downloadSdk ?? practice;
  return {
    ...(downloadSdk ? { downloadSdk } : {}),
    ...(sandbox ? { cardScriptUrl: `${base}/sandbox/card.js` } : {}),
  };
}

/** The origins, other than our own, that those scripts come from. */
function originsOf({ downloadSdk, cardScriptUrl }: OutsideScripts): string[] {
  const addresses = [downloadSdk?.scriptUrl, cardScriptUrl].filter((address) => address !== undefined);
  return [
    ...new Set(
      addresses.filter((address) => URL.canParse(address)).map((address) => new URL(address).origin),
    ),
  ];
}

/**
 * What a document may do. Inline styles are styled-components' and the sandbox's pages'; the scripts of others may call
 * home.
 * @param own the hashes of the scripts that stand in the document itself
 */
export function contentPolicy(
  service: Pick<Service, "settings" | "sandbox" | "card">,
  own: readonly string[] = [],
): string {
  const { apiBaseUrl } = service.settings;
  const origins = originsOf(outsideScripts(service));
  // In the sandbox a card goes to the sandbox alone.
  const takesCards = service.card !== null && service.sandbox === null;
  const ofCards = (list: readonly string[]) => (takesCards ? list : []);
  const api = apiBaseUrl === null ? [] : [new URL(apiBaseUrl).origin];
  return [
    "default-src 'self'",
    ["script-src 'self'", ...own.map((hash) => `'${hash}'`), ...origins, ...ofCards(CARD_SCRIPT)].join(" "),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    ["connect-src 'self'", ...new Set([...api, ...origins, ...ofCards(CARD_CALLS)])].join(" "),
    ...(takesCards ? [["frame-src 'self'", ...CARD_FRAMES].join(" ")] : []),
    "object-src 'none'",
    "base-uri 'none'",
    ["form-action 'self'", ...ofCards(CARD_FORMS)].join(" "),
    "frame-ancestors 'none'",
  ].join("; ");
}
