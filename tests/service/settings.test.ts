/** Settings: what holds when nothing is set, and what each mistake is told. */
import { resolve } from "node:path";
import { hexToBytes } from "@noble/hashes/utils.js";
import { HDKey } from "@scure/bip32";
import { expect, test } from "vitest";
import { catalogueFile } from "../../src/service/platform/project.ts";
import { likelyMistakes, readSettings } from "../../src/service/settings.ts";
import { XPUB } from "./support.ts";

const BOT = "123456:ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const defaults = {
  port: 3000,
  host: "127.0.0.1",
  database: resolve("data"),
  siteDir: resolve("dist"),
  metrics: null,
  console: null,
  databaseLimits: { connections: 10, statement: 15_000, pooling: "session" },
  catalogueFile: catalogueFile(),
  restoreLog: null,
  payments: "sandbox",
  chains: { TRC20: undefined, ERC20: undefined },
  usdtToleranceCents: 0,
  latePaymentDays: 30,
  unpaidOrdersDays: 365,
  addressLookAhead: 1_000,
  refreshSeconds: 0,
  events: null,
  alerts: { mail: null, telegram: null, ntfy: null, summaryHour: 7, backupHours: 0 },
  razorpay: null,
  stripe: null,
  closed: [],
  siteUrl: null,
  sandboxConfirmSeconds: 10,
  allowedOrigins: [],
  apiBaseUrl: null,
  providerSite: null,
  contactUrl: null,
  downloadSdk: null,
  trustedProxies: 0,
  loginFailuresPerMinute: 5,
  loginFailuresPerHour: 100,
  registrationsPerMinute: 10,
  openOrdersPerHour: 30,
  networkOrdersPerHour: 300,
  recoveryFailuresPerDay: 5,
  requestsPerMinute: 3_000,
  accountRequestsPerMinute: 600,
};

test("nothing set, or set to nothing, is the sandbox on one machine", () => {
  expect(readSettings({})).toEqual(defaults);
  expect(readSettings({ PORT: "", DATABASE_URL: " ", PATH: "/bin" })).toEqual(defaults);
});

test("everything set", () => {
  expect(
    readSettings({
      PORT: "8080",
      HOST: "0.0.0.0",
      DATABASE_URL: "postgresql://someone@db/everlit",
      METRICS_PORT: "9464",
      METRICS_HOST: "0.0.0.0",
      CONSOLE_PORT: "3001",
      CONSOLE_HOST: "0.0.0.0",
      CONSOLE_URL: "https://console.example/",
      CONSOLE_DIR: "/srv/console",
      DATABASE_POOLING: "transaction",
      DATABASE_CONNECTIONS: "3",
      DATABASE_STATEMENT_SECONDS: "60",
      SITE_DIR: "/site",
      CATALOGUE: "/catalogue.json",
      RESTORE_LOG: "/srv/restore.log",
      PAYMENTS: "sandbox",
      USDT_XPUB: XPUB,
      ERC20_NODES: "https://node.example/key, https://other.example",
      USDT_TOLERANCE_CENTS: "5",
      LATE_PAYMENT_DAYS: "7",
      UNPAID_ORDERS_DAYS: "0",
      PAYMENTS_CLOSED: "ERC20, card",
      ADDRESS_LOOK_AHEAD: "0",
      SMTP_URL: "smtps://shop:secret@mail.example",
      ALERT_MAIL_FROM: "shop@example.com",
      ALERT_MAIL_TO: "owner@example.com, night@example.com",
      TELEGRAM_BOT_TOKEN: BOT,
      TELEGRAM_CHAT_ID: "-42",
      TELEGRAM_API_URL: "https://telegram.example",
      NTFY_URL: "https://ntfy.example/my-shop",
      NTFY_TOKEN: "tk_1",
      ALERT_SUMMARY_HOUR: "23",
      BACKUP_ALARM_HOURS: "26",
      EVENTS_URL: "https://panel.example/events",
      EVENTS_SECRET: `whsec_${"A".repeat(32)}`,
      SANDBOX_CONFIRM_SECONDS: "0",
      ALLOWED_ORIGINS: "https://a.example, http://localhost:5173",
      // As many write them.
      API_BASE_URL: "https://api.example/",
      PROVIDER_SITE: "https://provider.example//",
      CONTACT_URL: "https://support.example/chat",
      TRUSTED_PROXIES: "1",
      LOGIN_FAILURES_PER_MINUTE: "0",
      LOGIN_FAILURES_PER_HOUR: "0",
      REGISTRATIONS_PER_MINUTE: "0",
      OPEN_ORDERS_PER_HOUR: "0",
      NETWORK_ORDERS_PER_HOUR: "20",
      RECOVERY_FAILURES_PER_DAY: "0",
      REQUESTS_PER_MINUTE: "1000",
      ACCOUNT_REQUESTS_PER_MINUTE: "0",
      DOWNLOAD_SDK_URL: "https://sdk.example/v2/sdk.js",
      DOWNLOAD_SDK_GLOBAL: "OpenInstall",
      DOWNLOAD_SDK_APP_KEY: "k1",
    }),
  ).toEqual({
    port: 8080,
    host: "0.0.0.0",
    database: "postgresql://someone@db/everlit",
    metrics: { host: "0.0.0.0", port: 9464 },
    console: { host: "0.0.0.0", port: 3001, url: "https://console.example", directory: "/srv/console" },
    databaseLimits: { connections: 3, statement: 60_000, pooling: "transaction" },
    siteDir: "/site",
    catalogueFile: "/catalogue.json",
    restoreLog: "/srv/restore.log",
    payments: "sandbox",
    chains: {
      TRC20: undefined,
      ERC20: {
        xpub: XPUB,
        nodes: [
          { url: "https://node.example/key", headers: {} },
          { url: "https://other.example", headers: {} },
        ],
        chainId: 1,
        contracts: ["dac17f958d2ee523a2206206994597c13d831ec7"],
        confirmations: 12,
        explorer: "https://etherscan.io/tx/{tx}",
      },
    },
    usdtToleranceCents: 5,
    latePaymentDays: 7,
    unpaidOrdersDays: 0,
    addressLookAhead: 0,
    refreshSeconds: 0,
    razorpay: null,
    stripe: null,
    closed: ["ERC20", "card"],
    siteUrl: null,
    events: { url: "https://panel.example/events", secrets: [`whsec_${"A".repeat(32)}`] },
    alerts: {
      mail: {
        url: "smtps://shop:secret@mail.example",
        from: "shop@example.com",
        to: ["owner@example.com", "night@example.com"],
      },
      telegram: { api: "https://telegram.example", token: BOT, chat: "-42" },
      ntfy: { url: "https://ntfy.example/my-shop", token: "tk_1" },
      summaryHour: 23,
      backupHours: 26,
    },
    sandboxConfirmSeconds: 0,
    allowedOrigins: ["https://a.example", "http://localhost:5173"],
    apiBaseUrl: "https://api.example",
    providerSite: "https://provider.example",
    contactUrl: "https://support.example/chat",
    trustedProxies: 1,
    loginFailuresPerMinute: 0,
    loginFailuresPerHour: 0,
    registrationsPerMinute: 0,
    openOrdersPerHour: 0,
    networkOrdersPerHour: 20,
    recoveryFailuresPerDay: 0,
    requestsPerMinute: 1_000,
    accountRequestsPerMinute: 0,
    downloadSdk: { scriptUrl: "https://sdk.example/v2/sdk.js", global: "OpenInstall", appKey: "k1" },
  });
});

test("networks for practice, several contracts, and keys that go to their own node alone", () => {
  const { chains } = readSettings({
    USDT_XPUB: XPUB,
    TRC20_NODES: "https://nile.trongrid.io/jsonrpc, https://other.example:8545/jsonrpc",
    TRC20_NODE_HEADERS:
      "nile.trongrid.io TRON-PRO-API-KEY: k3y, other.example:8545 X-API-KEY:a b, nile.trongrid.io X-Team: 7",
    TRC20_CHAIN_ID: "3448148188",
    TRC20_CONTRACT: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t, TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
    ERC20_NODES: "https://sepolia.example",
    ERC20_CHAIN_ID: "11155111",
    ERC20_CONTRACT: "0xdac17f958d2ee523a2206206994597c13d831ec7",
  });
  const tether = "a614f803b6fd780986a42c78ec9c7f77e6ded13c";
  expect(chains).toMatchObject({
    TRC20: {
      chainId: 3_448_148_188,
      contracts: [tether, tether],
      nodes: [
        { url: "https://nile.trongrid.io/jsonrpc", headers: { "TRON-PRO-API-KEY": "k3y", "X-Team": "7" } },
        { url: "https://other.example:8545/jsonrpc", headers: { "X-API-KEY": "a b" } },
      ],
    },
    ERC20: { chainId: 11_155_111, nodes: [{ url: "https://sepolia.example", headers: {} }] },
  });
});

test.each([
  [{ PORT: "99999" }, "PORT must be a whole number from 0 to 65535."],
  [{ DATABASE_URL: "mysql://a:secret@b/c" }, "DATABASE_URL must begin with postgres://."],
  [{ DATABASE_POOLING: "statement" }, "DATABASE_POOLING must be session or transaction."],
  [{ PAYMENTS: "real" }, "PAYMENTS must be sandbox or live."],
  [
    { PAYMENTS_CLOSED: "ERC20, Stripe" },
    "PAYMENTS_CLOSED must be some of TRC20, ERC20, card, stripe, separated by commas.",
  ],
  [
    { PAYMENTS: "live", ERC20_NODES: "https://node.example" },
    "ERC20_NODES goes with ERC20_XPUB, the key that its addresses are derived from: set both, or none.",
  ],
  [
    { PAYMENTS: "live", TRC20_XPUB: XPUB },
    "TRC20_XPUB goes with TRC20_NODES, where payments are looked for: set both, or none.",
  ],
  [
    { TRC20_NODES: "node.example" },
    "TRC20_NODES must be addresses that begin with https:// or http://, separated by commas.",
  ],
  [
    { ERC20_CONTRACT: "0x12" },
    "ERC20_CONTRACT must be an address of ERC20, or several that are separated by commas.",
  ],
  [
    { TRC20_CONTRACT: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t, 0xdAC17F958D2ee523a2206206994597C13D831ec7" },
    "TRC20_CONTRACT must be an address of TRC20, or several that are separated by commas.",
  ],
  [{ TRC20_CHAIN_ID: "0" }, "TRC20_CHAIN_ID must be a whole number from 1 to 9007199254740991."],
  [
    { TRC20_NODES: "https://api.trongrid.io/jsonrpc", TRC20_NODE_HEADERS: "TRON-PRO-API-KEY: secret" },
    "TRC20_NODE_HEADERS must be a node's host and a header for it, such as api.example.com X-API-KEY: abc, separated by commas.",
  ],
  [
    { ERC20_NODES: "https://node.example", ERC20_NODE_HEADERS: "other.example X-API-KEY: secret" },
    "ERC20_NODE_HEADERS names a host that no address in ERC20_NODES has.",
  ],
  [
    { ERC20_EXPLORER: "https://etherscan.io" },
    "ERC20_EXPLORER must begin with https:// and hold {tx} where the transaction goes.",
  ],
  [
    { EVENTS_URL: "https://panel.example", EVENTS_SECRET: `whsec_${"A".repeat(32)}, whsec_short` },
    "EVENTS_SECRET must be whsec_ and at least 24 bytes in Base64, or two of these.",
  ],
  [
    { SMTP_URL: "smtp://mail.example", ALERT_MAIL_FROM: "shop@example.com" },
    "SMTP_URL goes with ALERT_MAIL_FROM and ALERT_MAIL_TO: set all three, or none.",
  ],
  [
    { SMTP_URL: "smtp://mail.example", ALERT_MAIL_FROM: "shop@example.com", ALERT_MAIL_TO: "owner" },
    "ALERT_MAIL_TO must be mail addresses, separated by commas.",
  ],
  [{ TELEGRAM_BOT_TOKEN: BOT }, "TELEGRAM_BOT_TOKEN goes with TELEGRAM_CHAT_ID: set both, or none."],
  [
    { NTFY_URL: "https://ntfy.example" },
    "NTFY_URL must be an address with a topic, such as https://ntfy.sh/my-shop-8d2f.",
  ],
  [{ EVENTS_URL: "https://panel.example" }, "EVENTS_URL goes with EVENTS_SECRET: set both, or none."],
  [
    { EVENTS_URL: "https://user:secret@panel.example", EVENTS_SECRET: `whsec_${"A".repeat(32)}` },
    "EVENTS_URL must have no user name and no password in it.",
  ],
  [
    { EVENTS_URL: "https://panel.example", EVENTS_SECRET: "whsec_short" },
    "EVENTS_SECRET must be whsec_ and at least 24 bytes in Base64, or two of these.",
  ],
  [{ USDT_XPUB: "xpub-secret" }, "USDT_XPUB must be an extended public key, which begins with xpub."],
  [
    { USDT_XPUB: "xprv-secret" },
    "USDT_XPUB is a private key: it could spend the money. Take it off this machine and give the public one, which begins with xpub.",
  ],
  [
    { ALLOWED_ORIGINS: "https://a.example/path" },
    "ALLOWED_ORIGINS must be * or origins such as https://example.com, separated by commas, without a path.",
  ],
  [
    { CONTACT_URL: "javascript:alert(1)" },
    "CONTACT_URL must be an address that begins with https:// or http://.",
  ],
  [
    { PROVIDER_SITE: "http://localhost.help.example" },
    "PROVIDER_SITE must begin with https://, or with http:// and the name of this machine alone (localhost).",
  ],
  [
    { CONTACT_URL: "http://help.example" },
    "CONTACT_URL must begin with https://, or with http:// and the name of this machine alone (localhost).",
  ],
  [
    { DOWNLOAD_SDK_URL: "https://sdk.example/sdk.js", DOWNLOAD_SDK_GLOBAL: "Sdk" },
    "DOWNLOAD_SDK_URL goes with DOWNLOAD_SDK_GLOBAL and DOWNLOAD_SDK_APP_KEY: set all three, or none.",
  ],
  ...[{ CONSOLE_PORT: "3000" }, { CONSOLE_PORT: "9464", METRICS_PORT: "9464" }].map(
    (set): [Record<string, string>, string] => [
      set,
      "CONSOLE_PORT must be another one than PORT and METRICS_PORT: the operator's page shares no origin with the shop.",
    ],
  ),
  [
    { CONSOLE_PORT: "3001", CONSOLE_HOST: "0.0.0.0" },
    "CONSOLE_HOST is not this machine alone: set CONSOLE_URL to the address by which operators reach the page, behind a proxy with a certificate.",
  ],
  [
    { CONSOLE_URL: "http://console.example" },
    "CONSOLE_URL must begin with https://, or with http:// and the name of this machine alone (localhost).",
  ],
  [
    { CONSOLE_URL: "https://shop.example/console" },
    "CONSOLE_URL must be an address without a path, such as https://console.example.com.",
  ],
  ...[{ UNPAID_ORDERS_DAYS: "30" }, { UNPAID_ORDERS_DAYS: "90", LATE_PAYMENT_DAYS: "90" }].map(
    (set): [Record<string, string>, string] => [
      set,
      "UNPAID_ORDERS_DAYS must be 0, or more than LATE_PAYMENT_DAYS and more than 30.",
    ],
  ),
  [
    {
      PAYMENTS: "live",
      USDT_XPUB: XPUB,
      RAZORPAY_KEY_ID: "rzp_live_1",
      RAZORPAY_KEY_SECRET: "secret",
      RAZORPAY_WEBHOOK_SECRET: "secret",
    },
    "USDT_XPUB goes with TRC20_NODES or ERC20_NODES, where payments are looked for: set one of them, or no key.",
  ],
  [{ CATALOGUE: "/caf\uFFFD.json" }, "CATALOGUE is not UTF-8."],
  [{ USDT_XPUB: "xpub\uFFFD" }, "USDT_XPUB is not UTF-8."],
  [{ SANDBOX_CONFIRM_SECONDS: "soon" }, "SANDBOX_CONFIRM_SECONDS must be a whole number from 0 to 86400."],
])("%j is refused in words, the value itself unsaid", (env, words) => {
  expect(() => readSettings(env)).toThrow(
    new Error(`The service cannot start with these settings:\n  ${words}`),
  );
});

test("one start tells of every mistake, and names what is no setting", () => {
  const env = {
    PORT: "99999",
    PAYMENTS: "live",
    TRC20_XPUB: XPUB,
    TRC20_NODE: "https://node.example",
    EVENTS_URL: "https://panel.example",
    UNPAID_ORDERS_DAYS: "many",
    DATABASE_URLS: "postgres://someone:secret@db/everlit",
    HOME: "/root",
  };
  expect(() => readSettings(env)).toThrow(
    new Error(`The service cannot start with these settings:
  PORT must be a whole number from 0 to 65535.
  UNPAID_ORDERS_DAYS must be a whole number from 0 to 36500.
  EVENTS_URL goes with EVENTS_SECRET: set both, or none.
  TRC20_XPUB goes with TRC20_NODES, where payments are looked for: set both, or none.
  TRC20_NODE is no setting. Did you mean TRC20_NODES?
  DATABASE_URLS is no setting. Did you mean DATABASE_URL?`),
  );
});

test("a file of settings may begin with a byte order mark, and end its lines with CR LF", () => {
  const env = { "\uFEFFPORT": "8080\r", DATABASE_URL: "postgres://db/everlit\r", CATALOGUE: "\r" };
  expect(readSettings(env)).toEqual({ ...defaults, port: 8080, database: "postgres://db/everlit" });
  expect(likelyMistakes(env)).toEqual([]);
});

const root = HDKey.fromMasterSeed(hexToBytes("000102030405060708090a0b0c0d0e0f"));

test.each(["m", "m/44'", "m/44'/195'", "m/44'/195'/0'/0", "m/44'/195'/0'/0/0"])(
  "the extended public key of %s is refused: it is no account's",
  (path) => {
    expect(() => readSettings({ USDT_XPUB: root.derive(path).publicExtendedKey })).toThrow(
      new Error(
        "The service cannot start with these settings:\n  USDT_XPUB must be the key of an account, which is at depth 3 (m/44'/195'/0'), not the wallet's own or one below the account.",
      ),
    );
  },
);
