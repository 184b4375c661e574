/** The sandbox's wallet, for people and for tests: it pays orders with money that is not real. Decisions, "What is built", 3. */
import { Hono } from "hono";
import { html } from "hono/html";
import { USDT_DECIMALS, shownUnits, toUnits } from "../../../contract/money.ts";
import { paymentAddress, rawAddress } from "../../../contract/address.ts";
import { networks, type Network } from "../../../contract/calls.ts";
import { sandboxTransfer } from "../../../contract/requests.ts";
import { Code } from "../../../contract/envelope.ts";
import type { Language } from "../../../contract/languages.ts";
import { succeed } from "../../http/answers.ts";
import { readBody } from "../../http/body.ts";
import type { Env } from "../../http/service.ts";
import { ApiError } from "../../platform/errors.ts";
import { shownAddress } from "../../payments/chain/blocks.ts";
import { shownHash } from "../../payments/usdt.ts";
import type { Parties } from "../parties.ts";
import { say, type Word } from "../../platform/messages.ts";
import { formOf, languageOfPage, page } from "./page.ts";

const MOST_UNITS = 1_000_000n * 10n ** BigInt(USDT_DECIMALS);

interface Filled {
  network: string;
  address: string;
  amount: string;
}

export function sandboxRoutes(sandbox: Parties) {
  const routes = new Hono<Env>();

  /** @throws ApiError */
  async function send(network: Network, address: string, amount: string): Promise<string> {
    const units = toUnits(amount, USDT_DECIMALS);
    if (units === null || units === 0n || units > MOST_UNITS) throw ApiError.of("amountRefused");
    const to = paymentAddress(network, address);
    if (to === null) throw ApiError.of("addressMalformed");
    const hash = await sandbox.usdt.send(network, rawAddress(network, to), units);
    if (hash === null) throw ApiError.of("addressUnknown");
    return shownHash(network, hash);
  }

  async function wallet(language: Language, filled: Filled, sent: string | null, fault: string | null) {
    const t = (word: Word) => say(word, language);
    const list = await sandbox.usdt.recent();
    const one = list.find((transfer) => shownHash(transfer.network, transfer.txHash) === sent);
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
          <span>${t("walletSent")} ${shownUnits(one.amount)} USDT</span>
          <span>${one.network}</span>
        </p>
        <p>${t(one.final ? "walletSentConfirmed" : "walletSentWaiting")}</p>
        <p class="quiet exact" translate="no">${shownHash(one.network, one.txHash)}</p>
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
                  <span>${shownUnits(transfer.amount)} USDT</span>
                  <span class="${transfer.final ? "confirmed" : "confirming"}"
                    >${t(transfer.final ? "walletConfirmed" : "walletConfirming")}</span
                  >
                </span>
                <span class="quiet exact" translate="no"
                  >${transfer.network} ${shownAddress(transfer.network, transfer.recipient)}</span
                >
              </li>`,
          )}
        </ol>
      </section>`;
    return page(language, t("walletTitle"), body, { refresh: one !== undefined && !one.final });
  }

  routes.get("/sandbox/wallet", async (c) => {
    const { network = networks[0], address = "", amount = "", sent = null } = c.req.query();
    return c.html(await wallet(languageOfPage(c), { network, address, amount }, sent, null));
  });

  routes.post("/sandbox/transfers", async (c) => {
    const forPeople = (c.req.header("Accept") ?? "").includes("text/html");
    if (!forPeople) {
      const { network, address, amount } = await readBody(c, sandboxTransfer);
      return succeed(c, { tx_hash: await send(network, address, amount) });
    }
    const language = languageOfPage(c);
    const typed = await formOf(c);
    const text = (name: string) => typed.get(name)?.trim() ?? "";
    const filled = { network: text("network"), address: text("address"), amount: text("amount") };
    try {
      const network = networks.find((each) => each === filled.network);
      if (!network) throw ApiError.of("unreadable");
      const sent = await send(network, filled.address, filled.amount);
      // Elsewhere by GET, so that a reload does not pay twice.
      return c.redirect(`/sandbox/wallet?${new URLSearchParams({ sent, language })}`, 303);
    } catch (error) {
      if (!(error instanceof ApiError) || error.word === null || error.code !== Code.error) throw error;
      return c.html(await wallet(language, filled, null, say(error.word, language)));
    }
  });

  routes.get("/sandbox/support", (c) => {
    const language = languageOfPage(c);
    const body = html`<h1>${say("supportTitle", language)}</h1>
      <p class="notice">${say("supportNotice", language)}</p>`;
    return c.html(page(language, say("supportTitle", language), body));
  });

  return routes;
}
