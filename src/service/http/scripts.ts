/** Which scripts the app may load, and from where: `/config.json` says so to the app, the policy (`security-headers.ts`) to the browser. */
import type { DownloadSdk, Settings } from "../settings.ts";

export interface OutsideScripts {
  downloadSdk?: DownloadSdk;
  cardScriptUrl?: string;
}

/** The global of the sandbox's download script, and the key that it takes. */
export const SANDBOX_SDK = { global: "EverlitDownload", appKey: "sandbox" };

/** The scripts, by the names of `/config.json`. The sandbox's stand beside the API. */
export function outsideScripts(
  settings: Pick<Settings, "apiBaseUrl" | "downloadSdk" | "payments">,
): OutsideScripts {
  const base = settings.apiBaseUrl ?? "";
  const sandbox = settings.payments === "sandbox";
  const practice = sandbox ? { scriptUrl: `${base}/sandbox/download.js`, ...SANDBOX_SDK } : null;
  const downloadSdk = settings.downloadSdk ?? practice;
  return {
    ...(downloadSdk ? { downloadSdk } : {}),
    ...(sandbox ? { cardScriptUrl: `${base}/sandbox/card.js` } : {}),
  };
}

/** The origins, other than our own, that those scripts come from. */
export function originsOf({ downloadSdk, cardScriptUrl }: OutsideScripts): string[] {
  const addresses = [downloadSdk?.scriptUrl, cardScriptUrl].filter((address) => address !== undefined);
  return [
    ...new Set(
      addresses.filter((address) => URL.canParse(address)).map((address) => new URL(address).origin),
    ),
  ];
}
