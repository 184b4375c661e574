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
  pagePolicy,
  picturePolicy,
  sandboxPagePolicy,
} from "../../src/service/security-headers.ts";
import { readSettings, type Settings } from "../../src/service/settings.ts";
import type { Store } from "../../src/service/store/database.ts";
import { KEYS } from "./provider-stand-in.ts";
import { emptyStore, serve, temporaryDirectory } from "./support.ts";

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
    ["'self'", "https://checkout.razorpay.com"],
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

let store: Store;
const siteDir = join(temporaryDirectory(), "dist");
beforeAll(async () => {
  store = await emptyStore("embedded");
  mkdirSync(siteDir);
  for (const name of ["index", "home", "home.zh-CN", "payDetail-TRC20"])
    writeFileSync(join(siteDir, `${name}.html`), `<style>${name}</style><script>${name}</script>`);
  for (const file of ["favicon.svg", "sw.js"]) writeFileSync(join(siteDir, file), "");
});
afterAll(() => store.close());

test("nginx and Caddy are told what the service sends", async () => {
  const { ask, service } = await serve(store, { siteDir, apiBaseUrl: "https://api.example" });
  const policies = await policiesOf(service.settings, siteDir);
  const sent = async (path: string) => (await ask(path)).headers.get("Content-Security-Policy");
  expect(policies).toEqual({
    card: await sent("/razorpayDetail"),
    pages: [
      ["/home.html", await sent("/home")],
      ["/home.zh-CN.html", await sent("/home.zh-CN.html")],
      ["/index.html", await sent("/buy")],
      ["/payDetail-TRC20.html", await sent("/payDetail/1/monthly/TRC20/3.99/T/1")],
    ],
    pictures: await sent("/favicon.svg"),
    others: await sent("/sw.js"),
  });

  const [nginx, caddy] = [nginxOf(policies, siteDir), caddyOf(policies, siteDir)];
  const { headers } = await ask("/home", { headers: { "Accept-Language": "en" } });
  for (const [name] of everywhere) {
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
  const policies = { card: "", pages: [], pictures: "", others: 'x"; return 200 "' };
  expect(() => nginxOf(policies, siteDir)).toThrow("cannot stand in a host's configuration");
  expect(() => caddyOf(policies, siteDir)).toThrow("cannot stand in a host's configuration");
});
