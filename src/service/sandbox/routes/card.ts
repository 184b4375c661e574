/** The sandbox's card provider, as browsers meet it: its script, where the card goes, and the bank's page that asks for a confirmation. */
import { Hono, type Context } from "hono";
import { html } from "hono/html";
import type { Language } from "../../../contract/languages.ts";
import type { Env } from "../../http/service.ts";
import type { CardSandbox, Decision } from "../card-provider.ts";
import { say, type Word } from "../../platform/messages.ts";
import { OPENER_POLICY, RESOURCE_POLICY } from "../../http/security-headers.ts";
import { cardScript, doneScript, type CardScriptWords } from "./card-script.ts";
import { formOf, languageOfPage, page, result, unknownPayment } from "./page.ts";

const DONE = "/sandbox/card/done.js";
const LONGEST_MESSAGE = 200;

const decisions: ReadonlyMap<string, Decision> = new Map([
  ["confirm", "captured"],
  ["decline", "declined"],
  ["cancel", "cancelled"],
]);

const scriptWords = (language: Language): CardScriptWords => ({
  cancelled: say("cardFaultCancelled", language),
  blocked: say("cardFaultBlocked", language),
  unreachable: say("cardFaultUnreachable", language),
});
const WORDS = JSON.stringify({ en: scriptWords("en"), "zh-CN": scriptWords("zh-CN") });

/** A function of the browser's, as a script of its own. */
export function asScript(c: Context<Env>, script: string) {
  return c.body(script, 200, {
    "Content-Type": "text/javascript; charset=utf-8",
    "Cache-Control": "no-cache",
    // The app may be of another origin than its API.
    [RESOURCE_POLICY]: "cross-origin",
  });
}

export function sandboxCardRoutes(card: CardSandbox) {
  const routes = new Hono<Env>();

  routes.get("/sandbox/card.js", (c) => asScript(c, `(${cardScript.toString()})(${WORDS});\n`));
  routes.get(DONE, (c) => asScript(c, `(${doneScript.toString()})();\n`));

  routes.use("/sandbox/card/*", async (c, next) => {
    await next();
    c.header("Cache-Control", "no-store");
    // The bank's window talks to the page that opened it, which may be of another origin.
    c.header(OPENER_POLICY, "unsafe-none");
  });

  routes.post("/sandbox/card/payments", async (c) => {
    const sent: unknown = await c.req.json().catch(() => null);
    const outcome = await card.begin(sent, languageOfPage(c));
    return c.json(outcome);
  });

  routes.get("/sandbox/card/payments/:id{\\w+}", async (c) => {
    const outcome = await card.find(c.req.param("id"), languageOfPage(c));
    return outcome ? c.json(outcome) : c.json(null, 404);
  });

  routes.post("/sandbox/card/payments/:id{\\w+}/cancel", async (c) => {
    const outcome = await card.decide(c.req.param("id"), "cancelled", languageOfPage(c));
    return outcome ? c.json(outcome) : c.json(null, 404);
  });

  // What the window shows until the provider has the card.
  routes.get("/sandbox/card/confirm", (c) => {
    const language = languageOfPage(c);
    const message = c.req.query("message")?.slice(0, LONGEST_MESSAGE) ?? say("cardWaiting", language);
    const body = html`<section class="card result" role="status"><p>${message}</p></section>`;
    return c.html(page(language, say("cardTitle", language), body));
  });

  routes.get("/sandbox/card/confirm/:id{\\w+}", async (c) => {
    const language = languageOfPage(c);
    const t = (word: Word) => say(word, language);
    const payment = await card.find(c.req.param("id"), language);
    if (!payment) return c.html(unknownPayment(language), 404);
    if (payment.status !== "open") {
      return c.html(page(language, t("cardTitle"), result(language, payment.status), { script: DONE }));
    }
    const body = html`<h1>${t("cardTitle")}</h1>
      <p class="notice">${t("providerNotice")}</p>
      <form class="card" method="post" action="/sandbox/card/confirm/${payment.id}?language=${language}">
        <p>${t("cardQuestion")}</p>
        <p class="amount">USD ${payment.amount}</p>
        <p class="row">
          <span>${t("cardNumber")}</span><span class="exact" translate="no">•••• ${payment.lastFour}</span>
        </p>
        <button name="decision" value="confirm">${t("cardConfirm")}</button>
        <button class="second" name="decision" value="decline">${t("cardDecline")}</button>
        <button class="second" name="decision" value="cancel">${t("cardCancel")}</button>
      </form>`;
    return c.html(page(language, t("cardTitle"), body));
  });

  routes.post("/sandbox/card/confirm/:id{\\w+}", async (c) => {
    const language = languageOfPage(c);
    const made = decisions.get((await formOf(c)).get("decision") ?? "");
    const payment = made && (await card.decide(c.req.param("id"), made, language));
    if (!payment) return c.html(unknownPayment(language), 404);
    return c.redirect(`/sandbox/card/confirm/${payment.id}?language=${language}`, 303);
  });

  return routes;
}
