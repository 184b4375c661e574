/** The sandbox's Stripe, as people meet it: the page where an order is paid, and the one where they land. Landing there fulfils nothing. */
import { Hono } from "hono";
import { html } from "hono/html";
import { fromUnits, USD_DECIMALS } from "../../../contract/money.ts";
import type { Env } from "../../http/service.ts";
import type { Decision } from "../card-provider.ts";
import type { StripeSandbox } from "../stripe.ts";
import { say, type Word } from "../../platform/messages.ts";
import { formOf, languageOfPage, page, result, unknownPayment } from "./page.ts";

const decisions: ReadonlyMap<string, Decision> = new Map([
  ["pay", "captured"],
  ["fail", "declined"],
  ["cancel", "cancelled"],
]);

const shown = (cents: number) => fromUnits(BigInt(cents), USD_DECIMALS, USD_DECIMALS);

export function sandboxCheckoutRoutes(stripe: StripeSandbox) {
  const routes = new Hono<Env>();

  routes.get("/sandbox/stripe/checkout/:reference{\\w+}", async (c) => {
    const language = languageOfPage(c);
    const t = (word: Word) => say(word, language);
    const session = await stripe.find(c.req.param("reference"));
    if (!session) return c.html(unknownPayment(language), 404);
    const { reference, status, amount, title } = session;
    if (status !== "open")
      return c.redirect(`/sandbox/stripe/landing/${reference}?language=${language}`, 303);
    const other = language === "en" ? "zh-CN" : "en";
    const body = html`<header>
        <h1>${t("checkoutTitle")}</h1>
        <a href="?language=${other}" lang="${other}">${other === "en" ? "English" : "简体中文"}</a>
      </header>
      <p class="notice">${t("providerNotice")}</p>
      <form class="card" method="post" action="/sandbox/stripe/checkout/${reference}?language=${language}">
        <p class="row"><span>${t("checkoutPackage")}</span><span>${title}</span></p>
        <p>
          <span class="quiet">${t("providerAmount")}</span><br /><span class="amount"
            >USD ${shown(amount)}</span
          >
        </p>
        <button name="decision" value="pay">${t("checkoutPay")} USD ${shown(amount)}</button>
        <button class="second" name="decision" value="fail">${t("checkoutFail")}</button>
        <button class="second" name="decision" value="cancel">${t("checkoutCancel")}</button>
      </form>`;
    return c.html(page(language, t("checkoutTitle"), body));
  });

  routes.post("/sandbox/stripe/checkout/:reference{\\w+}", async (c) => {
    const language = languageOfPage(c);
    const reference = c.req.param("reference");
    const made = decisions.get((await formOf(c)).get("decision") ?? "");
    const session = await stripe.find(reference);
    if (!made || !session) return c.html(unknownPayment(language), 404);
    await stripe.decide(session.reference, made);
    return c.redirect(`/sandbox/stripe/landing/${session.reference}?language=${language}`, 303);
  });

  routes.get("/sandbox/stripe/landing/:reference{\\w+}", async (c) => {
    const language = languageOfPage(c);
    const session = await stripe.find(c.req.param("reference"));
    if (!session || session.status === "open") return c.html(unknownPayment(language), 404);
    return c.html(page(language, say("checkoutTitle", language), result(language, session.status)));
  });

  return routes;
}
