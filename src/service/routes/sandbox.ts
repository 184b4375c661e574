/** The sandbox's wallet, for people and for tests: it pays orders with money that is not real. Decisions, "What is built", 3. */
import { Hono } from "hono";
import { html } from "hono/html";
import { fromUnits, toUnits, USD_DECIMALS, USDT_DECIMALS } from "../../../machines/money.ts";
import { isWellFormed } from "../../contract/address.ts";
import { networks, sandboxTransfer, type Network } from "../../contract/calls.ts";
import { Code, languageOf, type Language } from "../../contract/envelope.ts";
import { languageFor, readBody, Refusal, succeed, type Env } from "../answer.ts";
import type { Sandbox } from "../rails/sandbox.ts";
import { say, type Word } from "../words.ts";

const MOST_UNITS = 1_000_000n * 10n ** BigInt(USDT_DECIMALS);

const shown = (units: bigint) => fromUnits(units, USDT_DECIMALS, USD_DECIMALS);

/** A page's own ?language= goes before the browser's. */
const languageOfPage = (asked: string | undefined, otherwise: Language) =>
  asked ? languageOf(asked) : otherwise;

const style = html`<style>
  :root {
    color-scheme: light dark;
    --ground: #fbf8f2;
    --card: #fff;
    --ink: #0f1626;
    --quiet: #5c6270;
    --line: #e4ddd0;
    --accent: #b4560e;
    --button: #0f1626;
    --on-button: #fbf8f2;
    --done: #2f6b4a;
    --fault: #a3341f;
    --notice: #fdf0dc;
  }
  @media (prefers-color-scheme: dark) {
    :root {
      --ground: #0a0f1c;
      --card: #121a2b;
      --ink: #f3eee4;
      --quiet: #a5abb8;
      --line: #253048;
      --accent: #f2a33a;
      --button: #f2a33a;
      --on-button: #0a0f1c;
      --done: #7fc29b;
      --fault: #f0907b;
      --notice: #1f1d1e;
    }
  }
  * {
    box-sizing: border-box;
    margin: 0;
  }
  body {
    background: var(--ground);
    color: var(--ink);
    font:
      16px/1.55 ui-sans-serif,
      system-ui,
      sans-serif;
  }
  :lang(zh-CN) body {
    font-family:
      "PingFang SC", "HarmonyOS Sans SC", MiSans, "Noto Sans SC", ui-sans-serif, system-ui, sans-serif;
    line-height: 1.7;
  }
  main {
    max-width: 480px;
    margin: 0 auto;
    padding: 24px 16px 48px;
    display: grid;
    gap: 16px;
  }
  h1 {
    font-size: 26px;
    line-height: 1.25;
  }
  h2 {
    font-size: 16px;
  }
  header {
    display: flex;
    justify-content: space-between;
    align-items: center;
  }
  a {
    color: var(--accent);
    display: inline-block;
    padding: 10px 0;
  }
  .card {
    background: var(--card);
    border: 1px solid var(--line);
    border-radius: 20px;
    padding: 20px;
    display: grid;
    gap: 16px;
  }
  .notice {
    background: var(--notice);
    border: 1px solid var(--line);
    border-left: 4px solid #f2a33a;
    border-radius: 12px;
    padding: 12px 16px;
  }
  label,
  legend {
    font-size: 14px;
    font-weight: 600;
    padding: 0;
  }
  label.field {
    display: grid;
    gap: 6px;
  }
  small,
  .quiet {
    color: var(--quiet);
    font-size: 14px;
    font-weight: 400;
  }
  input:not([type="radio"]),
  textarea {
    font:
      16px/1.5 ui-monospace,
      SFMono-Regular,
      Menlo,
      monospace;
    font-variant-numeric: tabular-nums;
    color: inherit;
    background: var(--ground);
    width: 100%;
    min-height: 52px;
    padding: 12px 14px;
    border: 1px solid var(--line);
    border-radius: 12px;
    resize: none;
    overflow-wrap: anywhere;
  }
  .exact {
    font-family: ui-monospace, SFMono-Regular, Menlo, monospace;
    overflow-wrap: anywhere;
  }
  fieldset {
    border: 0;
    padding: 0;
    display: grid;
    grid-template-columns: 1fr 1fr;
    gap: 8px;
  }
  legend {
    margin-bottom: 6px;
  }
  label.choice {
    display: flex;
    align-items: center;
    gap: 10px;
    min-height: 52px;
    padding: 0 14px;
    border: 1px solid var(--line);
    border-radius: 12px;
  }
  label.choice:has(:checked) {
    border-color: var(--accent);
  }
  input[type="radio"] {
    accent-color: var(--accent);
    width: 20px;
    height: 20px;
  }
  :focus-visible {
    outline: 3px solid var(--accent);
    outline-offset: 2px;
  }
  button {
    font: inherit;
    font-weight: 600;
    min-height: 52px;
    border: 0;
    border-radius: 12px;
    background: var(--button);
    color: var(--on-button);
    cursor: pointer;
  }
  .fault {
    color: var(--fault);
    font-weight: 600;
  }
  ol {
    list-style: none;
    padding: 0;
    display: grid;
    gap: 12px;
  }
  li {
    border-top: 1px solid var(--line);
    padding-top: 12px;
    display: grid;
    gap: 2px;
  }
  li:first-child {
    border: 0;
    padding: 0;
  }
  .row {
    display: flex;
    justify-content: space-between;
    gap: 12px;
    font-weight: 600;
  }
  .confirmed {
    color: var(--done);
  }
  .confirming {
    color: var(--accent);
  }
</style>`;

function page(language: Language, title: string, body: unknown, refresh = false) {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        ${refresh ? html`<meta http-equiv="refresh" content="2" />` : ""}
        <link rel="icon" href="data:," />
        <title>${title}</title>
        ${style}
      </head>
      <body>
        <main>${body}</main>
      </body>
    </html>`;
}

interface Filled {
  network: string;
  address: string;
  amount: string;
}

export function sandboxRoutes(sandbox: Sandbox) {
  const routes = new Hono<Env>();

  /** @throws Refusal */
  async function send(network: Network, address: string, amount: string): Promise<string> {
    const units = toUnits(amount, USDT_DECIMALS);
    if (units === null || units === 0n || units > MOST_UNITS) throw Refusal.because("amountRefused");
    if (!isWellFormed(network, address)) throw Refusal.because("addressMalformed");
    const hash = await sandbox.send(network, address, units);
    if (hash === null) throw Refusal.because("addressUnknown");
    return hash;
  }

  async function wallet(language: Language, filled: Filled, sent: string | null, fault: string | null) {
    const t = (word: Word) => say(word, language);
    await sandbox.settle();
    const list = await sandbox.recent();
    const one = list.find((transfer) => transfer.txHash === sent);
    const other: Language = language === "en" ? "zh-CN" : "en";
    const elsewhere = new URLSearchParams({ ...filled, ...(sent === null ? {} : { sent }), language: other });

    const form = html`<form class="card" method="post" action="/sandbox/transfers?language=${language}">
      ${fault === null ? "" : html`<p class="fault" role="alert">${fault}</p>`}
      <fieldset>
        <legend>${t("walletNetwork")}</legend>
        ${networks.map(
          (network) =>
            html`<label class="choice"
              ><input
                type="radio"
                name="network"
                value="${network}"
                required
                ${filled.network === network ? "checked" : ""}
              />${network}</label
            >`,
        )}
      </fieldset>
      <label class="field"
        >${t("walletAddress")}
        <textarea
          name="address"
          rows="2"
          required
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          translate="no"
        >
${filled.address}</textarea>
        <small>${t("walletAddressHint")}</small></label
      >
      <label class="field"
        >${t("walletAmount")}
        <input name="amount" value="${filled.amount}" required inputmode="decimal" autocomplete="off"
      /></label>
      <button>${t("walletSend")}</button>
    </form>`;

    const receipt =
      one &&
      html`<section class="card" role="status">
        <p class="row">
          <span>${t("walletSent")} ${shown(one.amount)} USDT</span>
          <span>${one.network}</span>
        </p>
        <p>${t(one.confirmedAt ? "walletSentConfirmed" : "walletSentWaiting")}</p>
        <p class="quiet exact" translate="no">${one.txHash}</p>
        <a href="/sandbox/wallet?language=${language}">${t("walletAgain")}</a>
      </section>`;

    const body = html`<header>
        <h1>${t("walletTitle")}</h1>
        <a href="/sandbox/wallet?${elsewhere}" lang="${other}">${other === "en" ? "English" : "简体中文"}</a>
      </header>
      <p class="notice">${t("walletNotice")}</p>
      ${receipt ?? form}
      <section class="card">
        <h2>${t("walletRecent")}</h2>
        ${list.length === 0 ? html`<p class="quiet">${t("walletNone")}</p>` : ""}
        <ol>
          ${list.map(
            (transfer) =>
              html`<li>
                <span class="row">
                  <span>${shown(transfer.amount)} USDT</span>
                  <span class="${transfer.confirmedAt ? "confirmed" : "confirming"}"
                    >${t(transfer.confirmedAt ? "walletConfirmed" : "walletConfirming")}</span
                  >
                </span>
                <span class="quiet exact" translate="no">${transfer.network} ${transfer.address}</span>
              </li>`,
          )}
        </ol>
      </section>`;
    return page(language, t("walletTitle"), body, one !== undefined && one.confirmedAt === null);
  }

  routes.get("/sandbox/wallet", async (c) => {
    const { network = networks[0], address = "", amount = "", sent = null } = c.req.query();
    return c.html(
      await wallet(
        languageOfPage(c.req.query("language"), languageFor(c)),
        { network, address, amount },
        sent,
        null,
      ),
    );
  });

  routes.post("/sandbox/transfers", async (c) => {
    const forPeople = (c.req.header("Accept") ?? "").includes("text/html");
    if (!forPeople) {
      const { network, address, amount } = await readBody(c, sandboxTransfer);
      return succeed(c, { tx_hash: await send(network, address, amount) });
    }
    const language = languageOfPage(c.req.query("language"), languageFor(c));
    const typed = await c.req.parseBody();
    const text = (name: string) => (typeof typed[name] === "string" ? typed[name].trim() : "");
    const filled = { network: text("network"), address: text("address"), amount: text("amount") };
    try {
      const network = networks.find((known) => known === filled.network);
      if (!network) throw Refusal.because("unreadable");
      const sent = await send(network, filled.address, filled.amount);
      // Elsewhere by GET, so that a reload does not pay twice.
      return c.redirect(`/sandbox/wallet?${new URLSearchParams({ sent, language })}`, 303);
    } catch (error) {
      if (!(error instanceof Refusal) || error.word === null || error.code !== Code.error) throw error;
      return c.html(await wallet(language, filled, null, say(error.word, language)));
    }
  });

  routes.get("/sandbox/support", (c) => {
    const language = languageOfPage(c.req.query("language"), languageFor(c));
    const body = html`<h1>${say("supportTitle", language)}</h1>
      <p class="notice">${say("supportNotice", language)}</p>`;
    return c.html(page(language, say("supportTitle", language), body));
  });

  return routes;
}
