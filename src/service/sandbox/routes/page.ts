/** What the pages of the sandbox share: their looks, their language, and how a payment ends. */
import type { Context } from "hono";
import { html, raw } from "hono/html";
import { languageIn, type Language } from "../../../contract/languages.ts";
import { languageFor } from "../../http/answers.ts";
import type { Decision } from "../card-provider.ts";
import { say, type Word } from "../../platform/messages.ts";
import { sandboxPagePolicy } from "../../http/security-headers.ts";

/** A page's own ?language= goes before the browser's. */
export function languageOfPage(c: Context): Language {
  const chosen = c.req.query("language");
  return languageIn(chosen) ?? languageFor(c);
}

/** What was typed into a form, by field; nothing where it cannot be read. */
export async function formOf(c: Context): Promise<ReadonlyMap<string, string>> {
  const fields: Record<string, unknown> = await c.req.parseBody().catch(() => ({}));
  return new Map(
    Object.entries(fields).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
}

const css = `
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
  button.second {
    background: transparent;
    color: var(--ink);
    border: 1px solid var(--line);
  }
  .seal {
    width: 72px;
    height: 72px;
    border-radius: 50%;
    display: grid;
    place-items: center;
    justify-self: center;
    font-size: 34px;
    color: var(--card);
    background: var(--quiet);
  }
  .seal.captured {
    background: var(--done);
  }
  .seal.declined {
    background: var(--fault);
  }
  .result {
    text-align: center;
    padding: 32px 20px;
  }
  .amount {
    font-size: 34px;
    font-weight: 700;
    line-height: 1.2;
    font-variant-numeric: tabular-nums;
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
`;

/** What such a page may do. */
export const policy = sandboxPagePolicy(css);
/** Whole, so that its text is the one that the policy names. */
const style = raw(`<style>${css}</style>`);

/** The document around `body`. `refresh`: loads itself anew every two seconds. `script`: the address of one that the page needs. */
export function page(
  language: Language,
  title: string,
  body: unknown,
  { refresh = false, script }: { refresh?: boolean; script?: string } = {},
) {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        ${refresh ? html`<meta http-equiv="refresh" content="2" />` : ""}
        <link rel="icon" href="data:," />
        <title>${title}</title>
        ${style} ${script === undefined ? "" : html`<script src="${script}" defer></script>`}
      </head>
      <body>
        <main>${body}</main>
      </body>
    </html>`;
}

const SEALS = { captured: "✓", declined: "✕", cancelled: "–" } as const;
const RESULTS = {
  captured: "providerPaid",
  declined: "providerDeclined",
  cancelled: "providerCancelled",
} as const satisfies Record<Decision, Word>;

/** Shows the outcome of a payment and tells the user to go back to the app. */
export function result(language: Language, status: Decision) {
  return html`<section class="card result" role="status">
    <span class="seal ${status}" aria-hidden="true">${SEALS[status]}</span>
    <h1>${say(RESULTS[status], language)}</h1>
    <p>${say(status === "captured" ? "providerPaidHint" : "providerUnpaidHint", language)}</p>
    <p class="quiet">${say("providerClose", language)}</p>
  </section>`;
}

/** The page for a payment that does not exist. */
export const unknownPayment = (language: Language) =>
  page(
    language,
    say("providerUnknown", language),
    html`<section class="card result"><h1>${say("providerUnknown", language)}</h1></section>`,
  );
