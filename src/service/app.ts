/** Builds the service without listening: every route, and what holds for all of them. */
import { Hono, type Context, type MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { requestId } from "hono/request-id";
import { paths } from "../contract/calls.ts";
import { IDEMPOTENCY_HEADER } from "../contract/envelope.ts";
import { LANGUAGE_HEADER } from "../contract/languages.ts";
import { ISOLATED } from "../contract/pages.ts";
import { refuse, succeed } from "./http/answers.ts";
import { addressOf, isSecure } from "./http/client-address.ts";
import type { Env, Service } from "./http/service.ts";
import { allow, ApiError } from "./platform/errors.ts";
import { bodyLimit } from "./http/body-limit.ts";
import { factsOf } from "./platform/log.ts";
import { memberRoutes } from "./routes/member.ts";
import { orderRoutes } from "./routes/orders.ts";
import { providerRoutes, webhooks } from "./routes/card-and-webhooks.ts";
import { recoveryRoutes } from "./routes/recovery.ts";
import { sessionRoutes } from "./routes/session.ts";
import { shopRoutes } from "./routes/shop.ts";
import { siteRoutes } from "./routes/site.ts";
import {
  dataPolicy,
  everywhere,
  HTTPS_ONLY,
  isPicture,
  OPENER_POLICY,
  picturePolicy,
  POLICY,
} from "./http/security-headers.ts";

const MOST_BYTES = 16 * 1024;
/** A provider's webhook tells all that it knows of a payment, and may carry what the shop has noted there. */
const MOST_BYTES_OF_WEBHOOK = 1024 * 1024;
const DAY_IN_SECONDS = 86_400;

/** Paths that are told apart in the metrics. */
const knownPaths: ReadonlySet<string> = new Set([...Object.values(paths), ...webhooks]);

/** On every answer to a call. */
const ofCalls = [[POLICY, dataPolicy], ...everywhere, ["Cache-Control", "no-store"]] as const;

const limitTo = (maxSize: number) => bodyLimit(maxSize, (c) => refuse(c, ApiError.of("tooLarge"), 413));

/** The whole service as one Hono application. */
export function buildApp(service: Service) {
  const { ping, settings, sandbox, now, log, requests, onCall } = service;
  const app = new Hono<Env>();

  // A client's own X-Request-Id is not taken over: it could put anything into the log.
  app.use(requestId({ headerName: "" }));
  app.use(async (c, next) => {
    c.set("now", now);
    const isHeld = mayBeHeld(c);
    const isSecured = isSecure(c, settings);
    // Not by its destination, which the worker does not pass on.
    const isIsolated = isHeld && c.req.header("Sec-Fetch-Mode") === "navigate";
    if (c.req.path.startsWith("/api/")) {
      // Before the answer, which is then made once with all of them.
      for (const [name, value] of ofCalls) if (isHeld || name !== OPENER_POLICY) c.header(name, value);
      if (isSecured) c.header(...HTTPS_ONLY);
      if (isIsolated) c.header("Server-Timing", ISOLATED);
      return next();
    }
    await next();
    const { headers } = c.res;
    const policy = isPicture(headers.get("Content-Type")) ? picturePolicy : dataPolicy;
    // A page may have said otherwise.
    for (const [name, value] of [[POLICY, policy] as const, ...everywhere])
      if (!headers.has(name)) headers.set(name, value);
    if (isSecured) headers.set(...HTTPS_ONLY);
    if (!isHeld) headers.delete(OPENER_POLICY);
    else if (isIsolated) headers.append("Server-Timing", ISOLATED);
  });

  // For what starts the process again when it hangs: the database may be away for a while.
  app.get("/api/health/live", (c) => succeed(c, null));

  // For the load balancer, which sends users here or elsewhere. Requested every few seconds, so it is not logged.
  // Requests that come within a second share one question to the database while it is not answered.
  let answering: Promise<unknown> | undefined;
  const ask = () => {
    const question = ping();
    const forget = () => {
      if (answering === question) answering = undefined;
    };
    question.then(forget, forget);
    setTimeout(forget, 1_000).unref();
    return question;
  };
  app.get("/api/health", async (c) => {
    answering ??= ask();
    await answering;
    return succeed(c, null);
  });

  const [limitBody, limitWebhook] = [limitTo(MOST_BYTES), limitTo(MOST_BYTES_OF_WEBHOOK)];
  const tooLarge: MiddlewareHandler<Env> = (c, next) =>
    (webhooks.has(c.req.path) ? limitWebhook : limitBody)(c, next);
  let proxySeen = settings.trustedProxies > 0;
  app.use("/api/*", async (c, next) => {
    if (!proxySeen && c.req.header("X-Forwarded-For") !== undefined) {
      proxySeen = true;
      log(
        "proxy not trusted",
        {
          hint: "Requests come through a proxy: until TRUSTED_PROXIES says how many, all people share one limit.",
        },
        "warn",
      );
    }
    const start = performance.now();
    const network = addressOf(c, service);
    await next();
    const seconds = (performance.now() - start) / 1_000;
    onCall?.({ path: knownPaths.has(c.req.path) ? c.req.path : "other", status: c.res.status, seconds });
    log("call", {
      request: c.var.requestId,
      method: c.req.method,
      path: c.req.path,
      status: c.res.status,
      network,
      ...(c.var.account === undefined ? {} : { account: c.var.account }),
      // Refusals have the status of a success. Specification, section 7.
      ...(c.var.errorCode === undefined ? {} : { refused: c.var.errorCode }),
      ms: Math.round(seconds * 1_000),
    });
  });
  const shared = cors({
    origin: settings.allowedOrigins.includes("*") ? "*" : settings.allowedOrigins,
    allowHeaders: ["Authorization", "Content-Type", LANGUAGE_HEADER, IDEMPOTENCY_HEADER],
    allowMethods: ["GET", "POST"],
    exposeHeaders: ["Date"],
    maxAge: DAY_IN_SECONDS,
  });
  // An answer to the same site needs nothing of it.
  const sharedWithOthers: MiddlewareHandler<Env> = (c, next) =>
    isOfAnotherSite(c) ? shared(c, next) : next();
  app.use("/api/*", sharedWithOthers);
  app.use("/sandbox/*", sharedWithOthers);
  // After the headers for other origins: the app there is to read why.
  app.use("/api/*", async (c, next) => {
    allow(requests.countNetwork(addressOf(c, service)));
    await next();
  });
  app.use(tooLarge);

  app.route("/", sessionRoutes(service));
  app.route("/", memberRoutes(service));
  app.route("/", shopRoutes(service));
  app.route("/", recoveryRoutes(service));
  app.route("/", orderRoutes(service));
  app.route("/", providerRoutes(service));
  if (sandbox) app.route("/", sandbox);
  for (const path of ["/api/*", "/sandbox/*", "/api", "/sandbox"]) {
    app.all(path, (c) => refuse(c, ApiError.of("notFound"), 404));
  }
  app.route("/", siteRoutes(service));

  app.notFound((c) => refuse(c, ApiError.of("notFound"), 404));
  app.onError((error, c) => {
    if (error instanceof ApiError) return refuse(c, error);
    const { method, path } = c.req;
    log("failed", { request: c.var.requestId, method, path, ...factsOf(error) }, "error");
    return refuse(c, ApiError.of("broken"), 500);
  });
  return app;
}

/**
 * Whether another site's page may have opened this window and keep a reference to it. Not where no page led here (typed,
 * a bookmark, a link in another app), nor where one of ours did: there the browser needs no other process. Decision 19.
 */
function mayBeHeld({ req }: Context<Env>): boolean {
  const site = req.header("Sec-Fetch-Site");
  return site === "same-origin" ? req.query(ISOLATED) !== undefined : site !== "none";
}

/** Whether a page of another origin asks, or one that does not say which it is of. */
function isOfAnotherSite({ req }: Context<Env>): boolean {
  const origin = req.header("Origin");
  return origin !== undefined && origin.replace(/^https?:\/\//, "") !== req.header("Host");
}
