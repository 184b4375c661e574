/** Settings: what holds when nothing is set, and what each mistake is told. */
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { catalogueFile } from "../../src/service/project.ts";
import { readSettings } from "../../src/service/settings.ts";
import { XPUB } from "./support.ts";

const defaults = {
  port: 3000,
  host: "127.0.0.1",
  database: resolve("data"),
  siteDir: resolve("dist"),
  catalogueFile: catalogueFile(),
  payments: "sandbox",
  usdtXpub: null,
  sandboxConfirmSeconds: 10,
  allowedOrigins: [],
  apiBaseUrl: null,
  providerSite: null,
  contactUrl: null,
  downloadSdk: null,
  trustedProxies: 0,
  loginFailuresPerMinute: 5,
  registrationsPerMinute: 10,
  openOrdersPerHour: 30,
  recoveryFailuresPerDay: 5,
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
      SITE_DIR: "/site",
      CATALOGUE: "/catalogue.json",
      PAYMENTS: "sandbox",
      USDT_XPUB: XPUB,
      SANDBOX_CONFIRM_SECONDS: "0",
      ALLOWED_ORIGINS: "https://a.example, http://localhost:5173",
      // As many write them.
      API_BASE_URL: "https://api.example/",
      PROVIDER_SITE: "https://provider.example//",
      CONTACT_URL: "https://support.example/chat",
      TRUSTED_PROXIES: "1",
      LOGIN_FAILURES_PER_MINUTE: "0",
      REGISTRATIONS_PER_MINUTE: "0",
      OPEN_ORDERS_PER_HOUR: "0",
      RECOVERY_FAILURES_PER_DAY: "0",
      DOWNLOAD_SDK_URL: "https://sdk.example/v2/sdk.js",
      DOWNLOAD_SDK_GLOBAL: "OpenInstall",
      DOWNLOAD_SDK_APP_KEY: "k1",
    }),
  ).toEqual({
    port: 8080,
    host: "0.0.0.0",
    database: "postgresql://someone@db/everlit",
    siteDir: "/site",
    catalogueFile: "/catalogue.json",
    payments: "sandbox",
    usdtXpub: XPUB,
    sandboxConfirmSeconds: 0,
    allowedOrigins: ["https://a.example", "http://localhost:5173"],
    apiBaseUrl: "https://api.example",
    providerSite: "https://provider.example",
    contactUrl: "https://support.example/chat",
    trustedProxies: 1,
    loginFailuresPerMinute: 0,
    registrationsPerMinute: 0,
    openOrdersPerHour: 0,
    recoveryFailuresPerDay: 0,
    downloadSdk: { scriptUrl: "https://sdk.example/v2/sdk.js", global: "OpenInstall", appKey: "k1" },
  });
});

test.each([
  [{ PORT: "99999" }, "PORT must be a whole number from 0 to 65535."],
  [{ DATABASE_URL: "mysql://a:secret@b/c" }, "DATABASE_URL must begin with postgres://."],
  [{ PAYMENTS: "real" }, "PAYMENTS must be sandbox or live."],
  [
    { PAYMENTS: "live" },
    "PAYMENTS cannot be live yet: this version only has the sandbox, in which no real money moves.",
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
  [{ SANDBOX_CONFIRM_SECONDS: "soon" }, "SANDBOX_CONFIRM_SECONDS must be a whole number from 0 to 86400."],
])("%j is refused in words, the value itself unsaid", (env, words) => {
  expect(() => readSettings(env)).toThrow(
    new Error(`The service cannot start with these settings:\n  ${words}`),
  );
});
