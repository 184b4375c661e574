/** The built site: its files, the configuration it reads, and index.html for every screen. Specification, section 2; decisions, "Names that outsiders rely on". */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono, type Context } from "hono";
import { compress } from "hono/compress";
import { etag } from "hono/etag";
import { siteAddress, type Env, type Service } from "../answer.ts";
import { outsideScripts } from "../scripts.ts";

/** Names of files under /assets carry a hash of their content: they never change. */
const FOREVER = "public, max-age=31536000, immutable";
const ASK_FIRST = "no-cache";

export function isBuilt(siteDir: string): boolean {
  return existsSync(join(siteDir, "index.html"));
}

export function siteRoutes(service: Service) {
  const { settings, sandbox } = service;
  const routes = new Hono<Env>();
  const root = settings.siteDir;

  routes.get("/config.json", (c) => {
    c.header("Cache-Control", ASK_FIRST);
    return c.json({
      apiBaseUrl: settings.apiBaseUrl ?? "",
      ...(settings.providerSite === null ? {} : { providerSite: settings.providerSite }),
      ...outsideScripts(service),
      sandbox: sandbox !== null,
    });
  });

  if (!isBuilt(root)) {
    routes.get("*", (c) =>
      c.text(`The site is not built: ${root} has no index.html. Run "npm run build" and start again.\n`, 503),
    );
    return routes;
  }

  /** Messengers want the whole address of the picture that they show of a link. */
  const pageFor = async (c: Context<Env>) =>
    (await readFile(join(root, "index.html"), "utf8")).replace(
      'content="/share.png"',
      () => `content="${siteAddress(c, settings, "/share.png")}"`,
    );

  routes.use(compress(), etag(), async (c, next) => {
    await next();
    c.header("Cache-Control", c.req.path.startsWith("/assets/") && c.res.ok ? FOREVER : ASK_FIRST);
  });
  routes.get("/", async (c) => c.html(await pageFor(c)));
  routes.use(serveStatic({ root }));
  // A screen's address may hold dots and slashes of any kind, so only /assets is known to be files: a file of an
  // earlier build must be missing there, not turn into a page.
  routes.get("/assets/*", (c) => c.text("Not found.\n", 404));
  routes.get("*", async (c) => c.html(await pageFor(c)));
  return routes;
}
