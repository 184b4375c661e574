/** Builds the service without listening: every route, and what holds for all of them. */
import { sql } from "drizzle-orm";
import { Hono, type Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { cors } from "hono/cors";
import { IDEMPOTENCY_HEADER, LANGUAGE_HEADER } from "../contract/envelope.ts";
import { CUT } from "../contract/pages.ts";
import { refuse, Refusal, succeed, type Env, type Service } from "./answer.ts";
import { factsOf } from "./log.ts";
import { memberRoutes } from "./routes/member.ts";
import { orderRoutes } from "./routes/orders.ts";
import { providerRoutes } from "./routes/providers.ts";
import { recoveryRoutes } from "./routes/recovery.ts";
import { sandboxCardRoutes } from "./routes/sandbox-card.ts";
import { sandboxCheckoutRoutes } from "./routes/sandbox-checkout.ts";
import { sandboxDownloadRoutes } from "./routes/sandbox-download.ts";
import { sandboxRoutes } from "./routes/sandbox.ts";
import { sessionRoutes } from "./routes/session.ts";
import { shopRoutes } from "./routes/shop.ts";
import { siteRoutes } from "./routes/site.ts";
import { contentPolicy } from "./scripts.ts";

const MOST_BYTES = 16 * 1024;
/** Cuts a page off from whoever opened it. */
const OPENER_POLICY = "Cross-Origin-Opener-Policy";
const DAY_IN_SECONDS = 86_400;

/** The whole service as one Hono application. */
export function buildApp(service: Service) {
  const { db, settings, sandbox, now, log } = service;
  const app = new Hono<Env>();
  const headers = securityHeaders(service);

  app.use(async (c, next) => {
    c.set("now", now);
    await next();
    // A page may have said otherwise.
    for (const [name, value] of headers) if (!c.res.headers.has(name)) c.res.headers.set(name, value);
    if (!mayBeHeld(c)) c.res.headers.delete(OPENER_POLICY);
    // Not by its destination, which the worker does not pass on.
    else if (c.req.header("Sec-Fetch-Mode") === "navigate") c.res.headers.append("Server-Timing", CUT);
  });

  // For whoever sends people here, or elsewhere. Asked every few seconds, so it is not a line of the log.
  app.get("/api/health", async (c) => {
    c.header("Cache-Control", "no-store");
    await db.execute(sql`SELECT 1`);
    return succeed(c, null);
  });

  const tooLarge = bodyLimit({
    maxSize: MOST_BYTES,
    onError: (c) => refuse(c, Refusal.because("tooLarge"), 413),
  });
  let proxySeen = settings.trustedProxies > 0;
  app.use("/api/*", async (c, next) => {
    if (!proxySeen && c.req.header("X-Forwarded-For") !== undefined) {
      proxySeen = true;
      log("proxy not trusted", {
        hint: "Requests come through a proxy: until TRUSTED_PROXIES says how many, all people share one limit.",
      });
    }
    const start = performance.now();
    await next();
    c.header("Cache-Control", "no-store");
    log("call", {
      method: c.req.method,
      path: c.req.path,
      status: c.res.status,
      // Refusals have the status of a success. Specification, section 7.
      ...(c.var.said === undefined ? {} : { refused: c.var.said }),
      ms: Math.round(performance.now() - start),
    });
  });
  const shared = cors({
    origin: settings.allowedOrigins.includes("*") ? "*" : settings.allowedOrigins,
    allowHeaders: ["Authorization", "Content-Type", LANGUAGE_HEADER, IDEMPOTENCY_HEADER],
    allowMethods: ["GET", "POST"],
    exposeHeaders: ["Date"],
    maxAge: DAY_IN_SECONDS,
  });
  app.use("/api/*", shared, tooLarge);
  app.use("/sandbox/*", shared, tooLarge);

  app.route("/", sessionRoutes(service));
  app.route("/", memberRoutes(service));
  app.route("/", shopRoutes(service));
  app.route("/", recoveryRoutes(service));
  app.route("/", orderRoutes(service));
  app.route("/", providerRoutes(service));
  if (sandbox) {
    app.route("/", sandboxRoutes(sandbox));
    app.route("/", sandboxCardRoutes(sandbox.card));
    app.route("/", sandboxCheckoutRoutes(sandbox.stripe));
    app.route("/", sandboxDownloadRoutes());
  }
  for (const path of ["/api/*", "/sandbox/*", "/api", "/sandbox"]) {
    app.all(path, (c) => refuse(c, Refusal.because("notFound"), 404));
  }
  app.route("/", siteRoutes(service));

  app.notFound((c) => refuse(c, Refusal.because("notFound"), 404));
  app.onError((error, c) => {
    if (error instanceof Refusal) return refuse(c, error);
    log("failed", { method: c.req.method, path: c.req.path, ...factsOf(error) });
    return refuse(c, Refusal.because("broken"), 500);
  });
  return app;
}

/**
 * Whether another site may hold the window that shows this: not where no page led to it (typed, a bookmark, a message in
 * another app), nor where only one of ours did. There the browser need not find it another process. Decision 19.
 */
function mayBeHeld({ req }: Context<Env>): boolean {
  const site = req.header("Sec-Fetch-Site");
  return site === "same-origin" ? req.query(CUT) !== undefined : site !== "none";
}

/** What browsers may do with anything that is served here. */
function securityHeaders(service: Service): [string, string][] {
  return [
    ["Content-Security-Policy", contentPolicy(service)],
    [OPENER_POLICY, "same-origin-allow-popups"],
    ["X-Content-Type-Options", "nosniff"],
    ["Referrer-Policy", "no-referrer"],
    ["Permissions-Policy", "camera=(), geolocation=(), microphone=()"],
  ];
}
