/** The headers as a whole: what an evaluator finds in each policy, and that a static host's configuration says what the service says. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CspEvaluator } from "csp_evaluator/dist/evaluator.js";
import { Severity } from "csp_evaluator/dist/finding.js";
import { CspParser } from "csp_evaluator/dist/parser.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { caddyOf, nginxOf, policiesOf } from "../../src/service/host-config.ts";
import {
  dataPolicy,
  everywhere,
  inlineIn,
  pageFeatures,
  pagePolicy,
  picturePolicy,
  sandboxPagePolicy,
} from "../../src/service/http/security-headers.ts";
import { readSettings, type Settings } from "../../src/service/settings.ts";
import type { Store } from "../../src/service/store/database.ts";
import { KEYS } from "./provider-stand-in.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { emptyStore, serve } from "./support.ts";

const sandbox = readSettings({});
const live: Settings = {
  ...sandbox,
  payments: "live",
  apiBaseUrl: "https://api.example",
  razorpay: { account: KEYS.razorpay, apiUrl: "https://api.razorpay.com" },
};
const withSdk: Settings = {
  ...live,
  downloadSdk: { scriptUrl: "https://sdk.example/v2/sdk.js", global: "OpenInstall", appKey: "k1" },
};
const inline = inlineIn("<style>a{}</style><script>1</script>");

test.each([
  ["a page of the sandbox's app", pagePolicy(sandbox, inline, "/home"), ["'self'"]],
  ["a page of the live app", pagePolicy(live, inline, "/home"), ["'self'"]],
  [
    "the live card screen",
    pagePolicy(live, inline, "/razorpayDetail"),
    ["'self'", "https://checkout.razorpay.com", "https://cdn.razorpay.com"],
  ],
  [
    "a page with the operator's download script",
    pagePolicy(withSdk, inline, "/home"),
    ["'self'", "https://sdk.example"],
  ],
  ["a page of the sandbox's providers", sandboxPagePolicy("a{}"), ["'self'"]],
  ["an answer of the API, or a file", dataPolicy, []],
  ["a picture", picturePolicy, []],
])("in the policy of %s an evaluator finds nothing but whose scripts it trusts", (_, policy, trusted) => {
  const findings = new CspEvaluator(new CspParser(policy).csp).evaluate();
  const told = findings.map(({ severity, directive, value }) => [severity, directive, value]);
  // "Make sure that this host serves no JSONP": ours serves none.
  expect(told).toEqual(trusted.map((source) => [Severity.MEDIUM_MAYBE, "script-src", source]));
});

/** What the live card screen lets in besides, and what for. Decision 25 has the sources. */
const ofCards = [
  ["script-src", "https://checkout.razorpay.com", "its script, which updates itself"],
  ["script-src", "https://cdn.razorpay.com", "the check for fraud that its script loads"],
  ["img-src", "https://cdn.razorpay.com", "logos"],
  ["connect-src", "https://api.razorpay.com", "payments"],
  ["connect-src", "https://lumberjack.razorpay.com", "reports, that of the check for fraud among them"],
  ["connect-src", "https://lumberjack-cx.razorpay.com", "reports"],
  ["connect-src", "https://lumberjack-metrics.razorpay.com", "reports"],
  ["frame-src", "https://api.razorpay.com", "its frames, and a bank's page in one"],
  ["frame-src", "https://checkout.razorpay.com", "its frames"],
  ["form-action", "https://api.razorpay.com", "the form that opens the bank's page in its window"],
] as const;

test("the live card screen lets in the card provider's origins, each for a reason, and no other page any", () => {
  const { directives } = new CspParser(pagePolicy(live, inline, "/home")).csp;
  const besides = (path: string, deployment = live) =>
    Object.entries(new CspParser(pagePolicy(deployment, inline, path)).csp.directives).flatMap(
      ([directive, sources = []]) =>
        sources
          .filter((source) => source.startsWith("https://") && !directives[directive]?.includes(source))
          .map((source) => [directive, source]),
    );
  expect(besides("/razorpayDetail")).toEqual(ofCards.map(([directive, origin]) => [directive, origin]));
  expect(JSON.stringify(directives)).not.toContain("razorpay");
  for (const path of ["/billDetail/1", "/personal_info", "/razorpayDetail/1"])
    expect(besides(path)).toEqual([]);
  expect(besides("/razorpayDetail", { ...live, razorpay: null })).toEqual([]);
  expect(besides("/razorpayDetail", sandbox)).toEqual([]);
});

test("where scripts of others run, a document goes without every sensor and device, also when it has not changed", async () => {
  const { ask } = await serve(store, { sandbox: false, siteDir, downloadSdk: withSdk.downloadSdk });
  const features = async (etag = "") =>
    (await ask("/home", { headers: { "If-None-Match": etag } })).headers.get("Permissions-Policy");
  const all =
    "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), usb=()";
  expect(await features()).toBe(all);
  expect(await features((await ask("/home")).headers.get("ETag") ?? "")).toBe(all);
  expect(pageFeatures(live, "/razorpayDetail")).toBe(all);
  expect(pageFeatures(live, "/home")).toBe("camera=(), geolocation=(), microphone=()");
});

let store: Store;
const siteDir = join(temporaryDirectory(), "dist");
beforeAll(async () => {
  store = await emptyStore();
  mkdirSync(siteDir);
  for (const name of ["index", "home", "home.zh-CN", "payDetail-TRC20", "razorpayDetail", "home+packages"])
    writeFileSync(join(siteDir, `${name}.html`), `<style>${name}</style><script>${name}</script>`);
  for (const file of ["favicon.svg", "sw.js"]) writeFileSync(join(siteDir, file), "");
});
afterAll(() => store.close());

test("nginx and Caddy are told what the service sends, to the card screen as well", async () => {
  const { ask, service } = await serve(store, {
    sandbox: false,
    razorpay: live.razorpay,
    siteDir,
    apiBaseUrl: "https://api.example",
  });
  const policies = await policiesOf(service.settings, siteDir);
  const sent = async (path: string, name = "Content-Security-Policy") => (await ask(path)).headers.get(name);
  expect(policies.card).toContain("razorpay");
  expect(policies).toEqual({
    card: await sent("/razorpayDetail"),
    pages: [
      ["/home.html", await sent("/home")],
      ["/home.zh-CN.html", await sent("/home.zh-CN.html")],
      ["/index.html", await sent("/buy")],
      ["/payDetail-TRC20.html", await sent("/payDetail/1/monthly/TRC20/3.99/T/1")],
      ["/razorpayDetail.html", await sent("/razorpayDetail.html")],
    ],
    pictures: await sent("/favicon.svg"),
    others: await sent("/sw.js"),
    features: await sent("/home", "Permissions-Policy"),
    cardFeatures: await sent("/razorpayDetail", "Permissions-Policy"),
  });
  expect(policies.cardFeatures).not.toBe(policies.features);

  const [nginx, caddy] = [nginxOf(policies, siteDir), caddyOf(policies, siteDir)];
  const { headers } = await ask("/home", { headers: { "Accept-Language": "en" } });
  const both = [policies.features, policies.cardFeatures];
  for (const features of both)
    expect([nginx, caddy].map((text) => text.split(`"${features}"`).length)).toEqual([2, 2]);
  for (const [name] of everywhere) {
    if (name === "Permissions-Policy") continue;
    expect(nginx).toContain(`  add_header ${name} "${headers.get(name)}" always;`);
    expect(caddy).toContain(`      ${name} "${headers.get(name)}"`);
  }
  for (const [at, [file, policy]] of policies.pages.entries()) {
    expect(nginx).toContain(`  ${file} "${policy}";`);
    expect(caddy).toContain(`  @page${at} path ${file}\n`);
    expect(caddy).toContain(`header @page${at} Content-Security-Policy "${policy}"`);
  }
  for (const policy of [policies.card, policies.pictures, policies.others]) {
    expect(nginx).toContain(` "${policy}";`);
    expect(caddy).toContain(`Content-Security-Policy "${policy}"`);
  }
});

test("a value that would change a host's configuration is not written into one", () => {
  const none = { card: "", pages: [], pictures: "", features: "", cardFeatures: "" };
  const policies = { ...none, others: 'x"; return 200 "' };
  expect(() => nginxOf(policies, siteDir)).toThrow("cannot stand in a host's configuration");
  expect(() => caddyOf(policies, siteDir)).toThrow("cannot stand in a host's configuration");
});
