/** What the operator may set, read from the environment once and refused in plain words. */
import { resolve } from "node:path";
import { HDKey } from "@scure/bip32";
import { distance } from "fastest-levenshtein";
import * as v from "valibot";
import { paymentAddress, rawAddress } from "../contract/address.ts";
import type { Network } from "../contract/calls.ts";
import type { PaymentSettings } from "./payments/open.ts";
import { railKeys, type RailKey } from "./payments/rails.ts";
import type { ChainSettings } from "./payments/usdt.ts";
import { catalogueFile } from "./platform/project.ts";
import type { DatabaseLimits } from "./store/server.ts";

const whole = (least: number, most: number, otherwise: string) =>
  v.pipe(
    v.optional(v.string(), otherwise),
    v.check(
      (text) => /^\d{1,16}$/.test(text) && Number(text) >= least && Number(text) <= most,
      `must be a whole number from ${least} to ${most}`,
    ),
    v.transform(Number),
  );

const isWeb = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
const web = v.pipe(v.string(), v.check(isWeb, "must be an address that begins with https:// or http://"));
/** Whether a host, as a setting or a URL has it, is this machine. */
export const isLoopback = (host: string) => ["localhost", "127.0.0.1", "::1", "[::1]"].includes(host);
const isOpened = (text: string) => {
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || isLoopback(hostname);
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

/** A provider's API: keys go there. */
const providerApi = (otherwise: string) =>
  v.pipe(
    v.optional(v.string(), otherwise),
    v.check(
      (text) => isWeb(text) && isOpened(text) && new URL(text).origin === text.replace(/\/$/, ""),
      "must be an address such as https://api.example.com, without a path, or with http:// on this machine alone (localhost)",
    ),
    v.transform((text) => text.replace(/\/$/, "")),
  );
const secret = v.nullish(v.pipe(v.string(), v.trim()), null);

/** How far below the wallet's root an account is: m/44'/195'/0'. */
const ACCOUNT_DEPTH = 3;

/** The depth of an extended public key; null for anything else. Its private twin must never come near the service. */
function depthOf(text: string): number | null {
  try {
    const { privateKey, depth } = HDKey.fromExtendedKey(text);
    return privateKey === null ? depth : null;
  } catch {
    return null;
  }
}

const accountKey = v.pipe(
  v.string(),
  v.check(
    (text) => !text.startsWith("xprv"),
    "is a private key: it could spend the money. Take it off this machine and give the public one, which begins with xpub",
  ),
  v.check(
    (text) => text.startsWith("xprv") || depthOf(text) !== null,
    "must be an extended public key, which begins with xpub",
  ),
  v.check(
    (text) => (depthOf(text) ?? ACCOUNT_DEPTH) === ACCOUNT_DEPTH,
    "must be the key of an account, which is at depth 3 (m/44'/195'/0'), not the wallet's own or one below the account",
  ),
);

const listed = v.transform((text: string) =>
  text
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== ""),
);

const addresses = v.pipe(
  v.optional(v.string(), ""),
  listed,
  v.check(
    (list) => list.every(isWeb),
    "must be addresses that begin with https:// or http://, separated by commas",
  ),
);

const contracts = (network: Network, otherwise: string) =>
  v.pipe(
    v.optional(v.string(), otherwise),
    listed,
    v.check(
      (list) => list.length > 0 && list.every((text) => paymentAddress(network, text) !== null),
      `must be an address of ${network}, or several that are separated by commas`,
    ),
  );

const isMailAddress = (text: string) => /^[^\s@<>,]+@[^\s@<>,]+$/.test(text);
const mailAddress = v.check(isMailAddress, "must be a mail address");

/** One header of one node, by the node's host: `api.example.com X-API-KEY: abc`. */
const NODE_HEADER = /^(\S+) ([!#$%&'*+.^_`|~\w-]+): ?([\x20-\x7e]+)$/;

const nodeHeaders = v.pipe(
  v.optional(v.string(), ""),
  listed,
  v.check(
    (list) => list.every((text) => NODE_HEADER.test(text)),
    "must be a node's host and a header for it, such as api.example.com X-API-KEY: abc, separated by commas",
  ),
  v.transform((list) =>
    list.map((text) => {
      const [, host = "", name = "", value = ""] = NODE_HEADER.exec(text) ?? [];
      return { host, name, value };
    }),
  ),
);

const explorer = v.check(
  (text: string) => text.startsWith("https://") && text.includes("{tx}"),
  "must begin with https:// and hold {tx} where the transaction goes",
);

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
  DATABASE_POOLING: v.optional(
    v.picklist(["session", "transaction"], "must be session or transaction"),
    "session",
  ),
  METRICS_PORT: whole(0, 65_535, "0"),
  METRICS_HOST: v.optional(v.string(), "127.0.0.1"),
  CONSOLE_PORT: whole(0, 65_535, "0"),
  CONSOLE_HOST: v.optional(v.string(), "127.0.0.1"),
  CONSOLE_URL: v.nullish(
    v.pipe(
      door,
      bare,
      v.check(
        (text) => !URL.canParse(text) || new URL(text).origin === text,
        "must be an address without a path, such as https://console.example.com",
      ),
    ),
    null,
  ),
  CONSOLE_DIR: v.optional(v.string(), "./build/console"),
  DATABASE_CONNECTIONS: whole(1, 1_000, "10"),
  DATABASE_STATEMENT_SECONDS: whole(1, 3_600, "15"),
  DATA_DIR: v.optional(v.string(), "./data"),
  SITE_DIR: v.optional(v.string(), "./dist"),
  CATALOGUE: v.nullish(v.string(), null),
  RESTORE_LOG: v.nullish(v.string(), null),
  PAYMENTS: v.pipe(
    v.optional(v.string(), "sandbox"),
    v.picklist(["sandbox", "live"], "must be sandbox or live"),
  ),
  USDT_XPUB: v.nullish(accountKey, null),
  TRC20_XPUB: v.nullish(accountKey, null),
  ERC20_XPUB: v.nullish(accountKey, null),
  TRC20_NODES: addresses,
  ERC20_NODES: addresses,
  TRC20_CHAIN_ID: whole(1, Number.MAX_SAFE_INTEGER, "728126428"),
  ERC20_CHAIN_ID: whole(1, Number.MAX_SAFE_INTEGER, "1"),
  TRC20_NODE_HEADERS: nodeHeaders,
  ERC20_NODE_HEADERS: nodeHeaders,
  TRC20_CONTRACT: contracts("TRC20", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"),
  ERC20_CONTRACT: contracts("ERC20", "0xdAC17F958D2ee523a2206206994597C13D831ec7"),
  ERC20_CONFIRMATIONS: whole(1, 1_000, "12"),
  TRC20_EXPLORER: v.pipe(v.optional(v.string(), "https://tronscan.org/#/transaction/{tx}"), explorer),
  ERC20_EXPLORER: v.pipe(v.optional(v.string(), "https://etherscan.io/tx/{tx}"), explorer),
  USDT_TOLERANCE_CENTS: whole(0, 1_000, "0"),
  LATE_PAYMENT_DAYS: whole(1, 3_650, "30"),
  UNPAID_ORDERS_DAYS: whole(0, 36_500, "365"),
  ADDRESS_LOOK_AHEAD: whole(0, 100_000, "1000"),
  RAZORPAY_KEY_ID: secret,
  RAZORPAY_KEY_SECRET: secret,
  RAZORPAY_WEBHOOK_SECRET: secret,
  RAZORPAY_API_URL: providerApi("https://api.razorpay.com"),
  STRIPE_SECRET_KEY: secret,
  STRIPE_WEBHOOK_SECRET: secret,
  STRIPE_API_URL: providerApi("https://api.stripe.com"),
  SITE_URL: v.nullish(v.pipe(door, bare), null),
  EVENTS_URL: v.nullish(
    v.pipe(
      web,
      v.check(
        (text) => !isWeb(text) || new URL(text).username === "",
        "must have no user name and no password in it",
      ),
    ),
    null,
  ),
  EVENTS_SECRET: v.nullish(
    v.pipe(
      v.string(),
      v.regex(
        /^whsec_[A-Za-z0-9+/]{32,}={0,2}(?:[\s,]+whsec_[A-Za-z0-9+/]{32,}={0,2})?$/,
        "must be whsec_ and at least 24 bytes in Base64, or two of these",
      ),
    ),
    null,
  ),
  SMTP_URL: v.nullish(
    v.pipe(
      v.string(),
      v.check(
        (text) => /^smtps?:\/\/[^/]/.test(text) && URL.canParse(text),
        "must begin with smtp:// or smtps://, such as smtps://name:password@mail.example.com",
      ),
    ),
    null,
  ),
  ALERT_MAIL_FROM: v.nullish(v.pipe(v.string(), mailAddress), null),
  ALERT_MAIL_TO: v.pipe(
    v.optional(v.string(), ""),
    listed,
    v.check((list) => list.every(isMailAddress), "must be mail addresses, separated by commas"),
  ),
  TELEGRAM_BOT_TOKEN: v.nullish(
    v.pipe(v.string(), v.regex(/^\d+:[\w-]{20,}$/, "must be the bot's token, such as 123456:ABC…")),
    null,
  ),
  TELEGRAM_CHAT_ID: v.nullish(
    v.pipe(v.string(), v.regex(/^(?:-?\d+|@\w+)$/, "must be a chat's number, or @ and a channel's name")),
    null,
  ),
  TELEGRAM_API_URL: providerApi("https://api.telegram.org"),
  NTFY_URL: v.nullish(
    v.pipe(
      door,
      v.check(
        (text) => !isWeb(text) || /^\/[\w-]{1,64}$/.test(new URL(text).pathname),
        "must be an address with a topic, such as https://ntfy.sh/my-shop-8d2f",
      ),
    ),
    null,
  ),
  NTFY_TOKEN: v.nullish(v.pipe(v.string(), v.regex(/^[\x21-\x7e]+$/, "must be an access token")), null),
  PAYMENTS_CLOSED: v.pipe(
    v.optional(v.string(), ""),
    v.transform((text) => text.split(/[\s,]+/).filter((key) => key !== "")),
    v.custom<RailKey[]>(
      (keys) => v.is(v.array(v.picklist(railKeys)), keys),
      `must be some of ${railKeys.join(", ")}, separated by commas`,
    ),
  ),
  ALERT_SUMMARY_HOUR: whole(0, 23, "7"),
  BACKUP_ALARM_HOURS: whole(0, 8_760, "0"),
  SANDBOX_CONFIRM_SECONDS: whole(0, 86_400, "10"),
  ALLOWED_ORIGINS: v.pipe(
    v.optional(v.string(), ""),
    listed,
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
  LOGIN_FAILURES_PER_HOUR: whole(0, 100_000, "100"),
  REGISTRATIONS_PER_MINUTE: whole(0, 100_000, "10"),
  OPEN_ORDERS_PER_HOUR: whole(0, 100_000, "30"),
  NETWORK_ORDERS_PER_HOUR: whole(0, 1_000_000, "300"),
  RECOVERY_FAILURES_PER_DAY: whole(0, 100_000, "5"),
  REQUESTS_PER_MINUTE: whole(0, 1_000_000, "3000"),
  ACCOUNT_REQUESTS_PER_MINUTE: whole(0, 1_000_000, "600"),
});

type Variables = v.InferOutput<typeof variables>;

const xpubOf = (set: Pick<Variables, `${Network | "USDT"}_XPUB`>, network: Network) =>
  set[`${network}_XPUB`] ?? set.USDT_XPUB;

/** How a network is reached; undefined where it is closed. */
function chainOf(set: Variables, network: Network): ChainSettings | undefined {
  const xpub = xpubOf(set, network);
  const nodes = set[`${network}_NODES`];
  if (xpub === null || nodes.length === 0) return undefined;
  return {
    xpub,
    nodes: nodes.map((url) => ({
      url,
      headers: Object.fromEntries(
        set[`${network}_NODE_HEADERS`]
          .filter(({ host }) => host === new URL(url).host)
          .map(({ name, value }) => [name, value]),
      ),
    })),
    chainId: set[`${network}_CHAIN_ID`],
    contracts: set[`${network}_CONTRACT`].map((address) => rawAddress(network, address)),
    confirmations: network === "ERC20" ? set.ERC20_CONFIRMATIONS : null,
    explorer: set[`${network}_EXPLORER`],
  };
}

function razorpayOf(set: Variables): Settings["razorpay"] {
  const { RAZORPAY_KEY_ID: keyId, RAZORPAY_KEY_SECRET: keySecret, RAZORPAY_WEBHOOK_SECRET } = set;
  if (keyId === null || keySecret === null || RAZORPAY_WEBHOOK_SECRET === null) return null;
  const account = { keyId, keySecret, webhookSecret: RAZORPAY_WEBHOOK_SECRET };
  return { account, apiUrl: set.RAZORPAY_API_URL };
}

function stripeOf(set: Variables): Settings["stripe"] {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = set;
  if (secretKey === null || webhookSecret === null) return null;
  return { account: { secretKey, webhookSecret }, apiUrl: set.STRIPE_API_URL };
}

/** What a way to pay needs: where any of it is set, what else it needs is said by a rule of its own. */
const RAILS = [
  "USDT_XPUB",
  "TRC20_XPUB",
  "ERC20_XPUB",
  "TRC20_NODES",
  "ERC20_NODES",
  "RAZORPAY_KEY_ID",
  "RAZORPAY_KEY_SECRET",
  "RAZORPAY_WEBHOOK_SECRET",
  "STRIPE_SECRET_KEY",
  "STRIPE_WEBHOOK_SECRET",
] as const;

const isSet = (value: Variables[keyof Variables]) =>
  Array.isArray(value) ? value.length > 0 : value !== null;

/** A header with a key goes to the node that it is for, and to no other. */
const namesKnownHosts = (set: Variables, network: Network) =>
  set[`${network}_NODE_HEADERS`].every(({ host }) =>
    set[`${network}_NODES`].some((url) => new URL(url).host === host),
  );

/** Days for which an order at a provider may still be paid: a bank's transfer takes weeks. */
const PAYABLE_DAYS = 30;

/**
 * A rule about several variables. It holds or not wherever each of them can be read, whatever is wrong with others: one
 * start tells of every mistake.
 * @param names of the variables that it looks at; the message is about the first
 */
const rule = <const Name extends keyof Variables>(
  names: readonly [Name, ...Name[]],
  holds: (set: Pick<Variables, Name>) => boolean,
  message: string,
) => {
  const paths = names.map((name) => [name] as const);
  // Its own types want the names one by one.
  const check = v.partialCheck<Variables, never, never, string>(paths as never, holds, message);
  return v.forward(check, [names[0]]);
};

/** Of these variables all are set, or none. */
const together = (named: keyof Variables, ...others: (keyof Variables)[]) =>
  rule(
    [named, ...others],
    (set) => others.every((other) => isSet(set[other]) === isSet(set[named])),
    `goes with ${others.join(" and ")}: set ${others.length === 1 ? "both" : "all three"}, or none`,
  );

/** A network has nodes and the key of its addresses, or neither. */
const nodesNeedKey = (network: Network) =>
  rule(
    [`${network}_NODES`, `${network}_XPUB`, "USDT_XPUB", "PAYMENTS"],
    (set) => set.PAYMENTS !== "live" || !isSet(set[`${network}_NODES`]) || xpubOf(set, network) !== null,
    `goes with ${network}_XPUB, the key that its addresses are derived from: set both, or none`,
  );
const keyNeedsNodes = (network: Network) =>
  rule(
    [`${network}_XPUB`, `${network}_NODES`, "PAYMENTS"],
    (set) => set.PAYMENTS !== "live" || !isSet(set[`${network}_XPUB`]) || isSet(set[`${network}_NODES`]),
    `goes with ${network}_NODES, where payments are looked for: set both, or none`,
  );

const environment = v.pipe(
  variables,
  v.forward(
    v.check((set) => namesKnownHosts(set, "ERC20"), "names a host that no address in ERC20_NODES has"),
    ["ERC20_NODE_HEADERS"],
  ),
  v.forward(
    v.check((set) => namesKnownHosts(set, "TRC20"), "names a host that no address in TRC20_NODES has"),
    ["TRC20_NODE_HEADERS"],
  ),
  rule(
    ["UNPAID_ORDERS_DAYS", "LATE_PAYMENT_DAYS"],
    (set) =>
      set.UNPAID_ORDERS_DAYS === 0 || set.UNPAID_ORDERS_DAYS > Math.max(set.LATE_PAYMENT_DAYS, PAYABLE_DAYS),
    `must be 0, or more than LATE_PAYMENT_DAYS and more than ${PAYABLE_DAYS}`,
  ),
  together("RAZORPAY_KEY_ID", "RAZORPAY_KEY_SECRET", "RAZORPAY_WEBHOOK_SECRET"),
  together("STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"),
  rule(
    ["SITE_URL", "STRIPE_SECRET_KEY"],
    (set) => set.STRIPE_SECRET_KEY === null || set.SITE_URL !== null,
    "must be set where STRIPE_SECRET_KEY is: people come back there from Stripe",
  ),
  rule(
    ["PAYMENTS", ...RAILS],
    (set) => set.PAYMENTS !== "live" || RAILS.some((name) => isSet(set[name])),
    "is live, and no way to pay is set up: set TRC20_NODES, ERC20_NODES, RAZORPAY_KEY_ID or STRIPE_SECRET_KEY with what goes with it",
  ),
  rule(
    ["CONSOLE_PORT", "PORT", "METRICS_PORT"],
    ({ CONSOLE_PORT: port, ...set }) => port === 0 || (port !== set.PORT && port !== set.METRICS_PORT),
    "must be another one than PORT and METRICS_PORT: the operator's page shares no origin with the shop",
  ),
  rule(
    ["CONSOLE_HOST", "CONSOLE_PORT", "CONSOLE_URL"],
    (set) => set.CONSOLE_PORT === 0 || isLoopback(set.CONSOLE_HOST) || set.CONSOLE_URL !== null,
    "is not this machine alone: set CONSOLE_URL to the address by which operators reach the page, behind a proxy with a certificate",
  ),
  together("DOWNLOAD_SDK_URL", "DOWNLOAD_SDK_GLOBAL", "DOWNLOAD_SDK_APP_KEY"),
  together("EVENTS_URL", "EVENTS_SECRET"),
  together("TELEGRAM_BOT_TOKEN", "TELEGRAM_CHAT_ID"),
  together("SMTP_URL", "ALERT_MAIL_FROM", "ALERT_MAIL_TO"),
  rule(
    ["USDT_XPUB", "TRC20_NODES", "ERC20_NODES", "PAYMENTS"],
    (set) =>
      set.PAYMENTS !== "live" || set.USDT_XPUB === null || isSet(set.TRC20_NODES) || isSet(set.ERC20_NODES),
    "goes with TRC20_NODES or ERC20_NODES, where payments are looked for: set one of them, or no key",
  ),
  nodesNeedKey("TRC20"),
  keyNeedsNodes("TRC20"),
  nodesNeedKey("ERC20"),
  keyNeedsNodes("ERC20"),
);

/** The download script: where it is, what it is called in the browser, and the key to use it with. */
export interface DownloadSdk {
  scriptUrl: string;
  global: string;
  appKey: string;
}

/** Practice costs nothing: there, providers are asked at every look. */
const LIVE_REFRESH_SECONDS = 5;

/** How operators are told. Each is null where it is not set. */
export interface AlertSettings {
  mail: { url: string; from: string; to: readonly string[] } | null;
  telegram: { api: string; token: string; chat: string } | null;
  ntfy: { url: string; token: string | null } | null;
}

/** Where the operator's page listens. */
export interface ConsoleSettings {
  host: string;
  port: number;
  /** The origin by which operators reach it, where that is another one. */
  url: string | null;
  /** The page as it was built. */
  directory: string;
}

export interface Settings extends PaymentSettings {
  host: string;
  /** Where Prometheus asks; null: nowhere. */
  metrics: { host: string; port: number } | null;
  /** Null: there is no operator's page. */
  console: ConsoleSettings | null;
  /** How operators are told; `summaryHour` is an hour of the day in UTC; after `backupHours` a backup is old, 0: never. */
  alerts: AlertSettings & { summaryHour: number; backupHours: number };
  /** For `open` of store/open.ts. */
  database: string;
  /** On a server: connections at most, and milliseconds that a statement may take. */
  databaseLimits: DatabaseLimits;
  siteDir: string;
  catalogueFile: string;
  /** Where the lines of the log that a restore needs are added as well; null: nowhere. */
  restoreLog: string | null;
  /** Cents of USDT by which an order may be short. */
  usdtToleranceCents: number;
  latePaymentDays: number;
  /** Days after which an order that was never paid is removed; 0: never. */
  unpaidOrdersDays: number;
  /** Seconds between two questions to a provider about one order. */
  refreshSeconds: number;
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
  /** At one account, from all networks together but those it has sessions from. */
  loginFailuresPerHour: number;
  registrationsPerMinute: number;
  openOrdersPerHour: number;
  /** Of one network, over all accounts. */
  networkOrdersPerHour: number;
  recoveryFailuresPerDay: number;
  /** Of one network, of this process. */
  requestsPerMinute: number;
  /** Of one account, of this process. */
  accountRequestsPerMinute: number;
}

export class SettingsRefused extends Error {}

export const settingNames: readonly string[] = Object.keys(variables.entries);

/** Letters that may be wrong in a name that is meant to be a setting. */
const MOST_WRONG = 2;

type Environment = Readonly<Record<string, string | undefined>>;

/** A sentence for each variable that is no setting and looks like one misspelt. */
export function likelyMistakes(env: Environment): string[] {
  return Object.keys(given(env)).flatMap((name) => {
    if (settingNames.includes(name)) return [];
    const near = settingNames.find(
      (candidate) => candidate.length > 2 * MOST_WRONG && distance(name, candidate) <= MOST_WRONG,
    );
    return near === undefined ? [] : [`${name} is no setting. Did you mean ${near}?`];
  });
}

/**
 * The variables that are set. Files of them come with a byte order mark before the first name, or with lines that end in
 * CR LF: no name and no value begins or ends with either, or with a blank.
 */
function given(env: Environment): Record<string, string> {
  const all = Object.entries(env).map(([name, text = ""]) => [name.trim(), text.trim()] as const);
  return Object.fromEntries(all.filter(([, text]) => text !== ""));
}

/** What stands for bytes that are no UTF-8. */
export const NO_LETTER = "\uFFFD";

/**
 * Reads the settings; an empty variable counts as unset.
 * @throws SettingsRefused that names every mistake
 */
export function readSettings(env: Environment): Settings {
  const texts = given(env);
  const unreadable = settingNames.filter((name) => texts[name]?.includes(NO_LETTER));
  const result = v.safeParse(environment, texts);
  if (!result.success || unreadable.length > 0) {
    // The value itself stays out of the words: it may be a password or a key.
    const faults = (result.issues ?? [])
      .map((issue) => ({ name: v.getDotPath(issue), message: issue.message }))
      .filter(({ name }) => name === null || !unreadable.includes(name));
    const words = [
      ...unreadable.map((name) => `${name} is not UTF-8.`),
      ...faults.map(({ name, message }) => `${name} ${message}.`),
      // The cause, where what is said to be missing was given under another name.
      ...likelyMistakes(env),
    ];
    throw new SettingsRefused(
      `The service cannot start with these settings:\n${words.map((each) => `  ${each}`).join("\n")}`,
    );
  }
  const set = result.output;
  return {
    port: set.PORT,
    host: set.HOST,
    metrics: set.METRICS_PORT === 0 ? null : { host: set.METRICS_HOST, port: set.METRICS_PORT },
    console:
      set.CONSOLE_PORT === 0
        ? null
        : {
            host: set.CONSOLE_HOST,
            port: set.CONSOLE_PORT,
            url: set.CONSOLE_URL,
            directory: resolve(set.CONSOLE_DIR),
          },
    database: set.DATABASE_URL ?? resolve(set.DATA_DIR),
    databaseLimits: {
      connections: set.DATABASE_CONNECTIONS,
      statement: set.DATABASE_STATEMENT_SECONDS * 1_000,
      pooling: set.DATABASE_POOLING,
    },
    siteDir: resolve(set.SITE_DIR),
    catalogueFile: resolve(set.CATALOGUE ?? catalogueFile()),
    restoreLog: set.RESTORE_LOG === null ? null : resolve(set.RESTORE_LOG),
    payments: set.PAYMENTS,
    chains: { TRC20: chainOf(set, "TRC20"), ERC20: chainOf(set, "ERC20") },
    usdtToleranceCents: set.USDT_TOLERANCE_CENTS,
    latePaymentDays: set.LATE_PAYMENT_DAYS,
    unpaidOrdersDays: set.UNPAID_ORDERS_DAYS,
    addressLookAhead: set.ADDRESS_LOOK_AHEAD,
    refreshSeconds: set.PAYMENTS === "live" ? LIVE_REFRESH_SECONDS : 0,
    razorpay: razorpayOf(set),
    stripe: stripeOf(set),
    closed: set.PAYMENTS_CLOSED,
    siteUrl: set.SITE_URL,
    events:
      set.EVENTS_URL === null
        ? null
        : { url: set.EVENTS_URL, secrets: set.EVENTS_SECRET?.split(/[\s,]+/) ?? [] },
    alerts: {
      mail:
        set.SMTP_URL === null || set.ALERT_MAIL_FROM === null
          ? null
          : { url: set.SMTP_URL, from: set.ALERT_MAIL_FROM, to: set.ALERT_MAIL_TO },
      telegram:
        set.TELEGRAM_BOT_TOKEN === null || set.TELEGRAM_CHAT_ID === null
          ? null
          : { api: set.TELEGRAM_API_URL, token: set.TELEGRAM_BOT_TOKEN, chat: set.TELEGRAM_CHAT_ID },
      ntfy: set.NTFY_URL === null ? null : { url: set.NTFY_URL, token: set.NTFY_TOKEN },
      summaryHour: set.ALERT_SUMMARY_HOUR,
      backupHours: set.BACKUP_ALARM_HOURS,
    },
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
    loginFailuresPerHour: set.LOGIN_FAILURES_PER_HOUR,
    registrationsPerMinute: set.REGISTRATIONS_PER_MINUTE,
    openOrdersPerHour: set.OPEN_ORDERS_PER_HOUR,
    networkOrdersPerHour: set.NETWORK_ORDERS_PER_HOUR,
    recoveryFailuresPerDay: set.RECOVERY_FAILURES_PER_DAY,
    requestsPerMinute: set.REQUESTS_PER_MINUTE,
    accountRequestsPerMinute: set.ACCOUNT_REQUESTS_PER_MINUTE,
  };
}
