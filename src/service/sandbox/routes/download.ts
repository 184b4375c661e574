/** The sandbox's downloads: the script that offers them, and the page that says there is no real app. */
import { Hono } from "hono";
import { html } from "hono/html";
import type { Env } from "../../http/service.ts";
import { SANDBOX_SDK } from "../../http/scripts.ts";
import { say } from "../../platform/messages.ts";
import { downloadScript } from "./download-script.ts";
import { asScript } from "./card.ts";
import { languageOfPage, page } from "./page.ts";

const PLATFORMS: ReadonlyMap<string, string> = new Map([
  ["android", "Android"],
  ["ios", "iOS"],
  ["mac", "macOS"],
  ["windows", "Windows"],
]);

export function sandboxDownloadRoutes() {
  const routes = new Hono<Env>();

  routes.get("/sandbox/download.js", (c) =>
    asScript(c, `(${downloadScript.toString()})(${JSON.stringify(SANDBOX_SDK)});\n`),
  );

  routes.get("/sandbox/download/:platform", (c) => {
    const language = languageOfPage(c);
    const platform = PLATFORMS.get(c.req.param("platform"));
    if (platform === undefined) return c.notFound();
    const title = `${say("downloadTitle", language)} · ${platform}`;
    const body = html`<h1>${title}</h1>
      <p class="notice">${say("downloadNotice", language)}</p>`;
    return c.html(page(language, title, body));
  });

  return routes;
}
