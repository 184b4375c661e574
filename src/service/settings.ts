/** What the operator may set, read from the environment once and refused in plain words. */
import { resolve } from "node:path";
import { HDKey } from "@scure/bip32";
import * as v from "valibot";
import { catalogueFile } from "./project.ts";

const whole = (least: number, most: number, otherwise: string) =>
  v.pipe(
    v.optional(v.string(), otherwise),
    v.check(
      (text) => /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most,
      `must be a whole number from ${least} to ${most}`,
    ),
    v.transform(Number),
  );

const isWeb = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
const web = v.pipe(v.string(), v.check(isWeb, "must be an address that begins with https:// or http://"));
const isOpened = (text: string) => {
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
};
/** Where the app sends people: it opens no other (`src/app/ports/windows.ts`). */
const door = v.pipe(
  web,
  v.check(
    (text) => !isWeb(text) || isOpened(text),
    "must begin with https://, or with http:// and the name of this machine alone (localhost)",
  ),
);
/** A path follows it, and begins with a slash. */
const bare = v.transform((text: string) => text.replace(/\/+$/, ""));

/** The account-level key alone: its private twin must never come near the service. */
function isAccountKey(text: string): boolean {
  try {
    return HDKey.fromExtendedKey(text).privateKey === null;
  } catch {
    return false;
  }
}

const variables = v.object({
  PORT: whole(0, 65_535, "3000"),
  HOST: v.optional(v.string(), "127.0.0.1"),
  DATABASE_URL: v.nullish(
    v.pipe(
      v.string(),
      v.check((text) => /^postgres(ql)?:/.test(text) && URL.canParse(text), "must begin with postgres://"),
    ),
    null,
  ),
  DATA_DIR: v.optional(v.string(), "./data"),
  SITE_DIR: v.optional(v.string(), "./dist"),
  CATALOGUE: v.nullish(v.string(), null),
  PAYMENTS: v.pipe(
    v.optional(v.string(), "sandbox"),
    v.picklist(["sandbox", "live"], "must be sandbox or live"),
    v.literal(
      "sandbox",
      "cannot be live yet: this version only has the sandbox, in which no real money moves",
    ),
  ),
  USDT_XPUB: v.nullish(
    v.pipe(
      v.string(),
      v.check(
        (text) => !text.startsWith("xprv"),
        "is a private key: it could spend the money. Take it off this machine and give the public one, which begins with xpub",
      ),
      v.check(
        (text) => text.startsWith("xprv") || isAccountKey(text),
        "must be an extended public key, which begins with xpub",
      ),
    ),
    null,
  ),
  SANDBOX_CONFIRM_SECONDS: whole(0, 86_400, "10"),
  ALLOWED_ORIGINS: v.pipe(
    v.optional(v.string(), ""),
    v.transform((text) =>
      text
        .split(",")
        .map((origin) => origin.trim())
        .filter((origin) => origin !== ""),
    ),
    v.check(
      (origins) =>
        origins.every((origin) => origin === "*" || (isWeb(origin) && new URL(origin).origin === origin)),
      "must be * or origins such as https://example.com, separated by commas, without a path",
    ),
  ),
  API_BASE_URL: v.nullish(v.pipe(web, bare), null),
  PROVIDER_SITE: v.nullish(v.pipe(door, bare), null),
  CONTACT_URL: v.nullish(door, null),
  DOWNLOAD_SDK_URL: v.nullish(web, null),
  DOWNLOAD_SDK_GLOBAL: v.nullish(
    v.pipe(v.string(), v.regex(/^[A-Za-z_$][\w$]*$/, "must be the name of a global of that script")),
    null,
  ),
  DOWNLOAD_SDK_APP_KEY: v.nullish(v.string(), null),
  TRUSTED_PROXIES: whole(0, 9, "0"),
  LOGIN_FAILURES_PER_MINUTE: whole(0, 100_000, "5"),
  REGISTRATIONS_PER_MINUTE: whole(0, 100_000, "10"),
  OPEN_ORDERS_PER_HOUR: whole(0, 100_000, "30"),
  RECOVERY_FAILURES_PER_DAY: whole(0, 100_000, "5"),
});

const environment = v.pipe(
  variables,
  v.forward(
    v.check(
      (set) =>
        (set.DOWNLOAD_SDK_URL === null) === (set.DOWNLOAD_SDK_GLOBAL === null) &&
        (set.DOWNLOAD_SDK_URL === null) === (set.DOWNLOAD_SDK_APP_KEY === null),
      "goes with DOWNLOAD_SDK_GLOBAL and DOWNLOAD_SDK_APP_KEY: set all three, or none",
    ),
    ["DOWNLOAD_SDK_URL"],
  ),
);

/** The download script: where it is, what it is called in the browser, and the key to use it with. */
export interface DownloadSdk {
  scriptUrl: string;
  global: string;
  appKey: string;
}

export interface Settings {
  port: number;
  host: string;
  /** For `open` of store/open.ts. */
  database: string;
  siteDir: string;
  catalogueFile: string;
  payments: "sandbox";
  /** BIP32, account level. In the sandbox null or not used. */
  usdtXpub: string | null;
  sandboxConfirmSeconds: number;
  /** Origins besides its own whose pages may call the API. */
  allowedOrigins: string[];
  /** Where the app finds the API, without a slash at its end; null: at its own origin. */
  apiBaseUrl: string | null;
  providerSite: string | null;
  contactUrl: string | null;
  /** Null: the sandbox's stand-in, if there is one. */
  downloadSdk: DownloadSdk | null;
  /** How many proxies stand before the service, each adding to X-Forwarded-For. */
  trustedProxies: number;
  /** 0 is no limit. */
  loginFailuresPerMinute: number;
  registrationsPerMinute: number;
  openOrdersPerHour: number;
  recoveryFailuresPerDay: number;
}

export class SettingsRefused extends Error {}

/**
 * Reads the settings; an empty variable counts as unset.
 * @throws SettingsRefused that names every mistake
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, text]) => text !== undefined && text.trim() !== ""),
  );
  const result = v.safeParse(environment, given);
  if (!result.success) {
    // The value itself stays out of the words: it may be a password or a key.
    const faults = result.issues.map((issue) => `  ${v.getDotPath(issue)} ${issue.message}.`);
    throw new SettingsRefused(`The service cannot start with these settings:\n${faults.join("\n")}`);
  }
  const set = result.output;
  return {
    port: set.PORT,
    host: set.HOST,
    database: set.DATABASE_URL ?? resolve(set.DATA_DIR),
    siteDir: resolve(set.SITE_DIR),
    catalogueFile: resolve(set.CATALOGUE ?? catalogueFile()),
    payments: set.PAYMENTS,
    usdtXpub: set.USDT_XPUB,
    sandboxConfirmSeconds: set.SANDBOX_CONFIRM_SECONDS,
    allowedOrigins: set.ALLOWED_ORIGINS,
    apiBaseUrl: set.API_BASE_URL,
    providerSite: set.PROVIDER_SITE,
    contactUrl: set.CONTACT_URL,
    downloadSdk:
      set.DOWNLOAD_SDK_URL === null
        ? null
        : {
            scriptUrl: set.DOWNLOAD_SDK_URL,
            global: set.DOWNLOAD_SDK_GLOBAL ?? "",
            appKey: set.DOWNLOAD_SDK_APP_KEY ?? "",
          },
    trustedProxies: set.TRUSTED_PROXIES,
    loginFailuresPerMinute: set.LOGIN_FAILURES_PER_MINUTE,
    registrationsPerMinute: set.REGISTRATIONS_PER_MINUTE,
    openOrdersPerHour: set.OPEN_ORDERS_PER_HOUR,
    recoveryFailuresPerDay: set.RECOVERY_FAILURES_PER_DAY,
  };
}
