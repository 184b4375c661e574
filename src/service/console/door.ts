/** The door of the operator's page: where a call may come from, whose session its cookie opens, and how one comes in and goes out. docs/security.md, "The operator's page". */
import type { Context, MiddlewareHandler } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { MINUTE } from "../../contract/durations.ts";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import {
  enter,
  leave,
  operatorOf,
  SESSION_LIFE,
  type OpenedSession,
  type Operator,
} from "../accounts/operators.ts";
import { enterByPasskey, isPossible, keepPasskey, passkeyWanted, proofWanted } from "../accounts/passkeys.ts";
import { addressOf } from "../http/client-address.ts";
import type { Env } from "../http/service.ts";
import { createLimits, failuresAtNetwork, networkBounds } from "../limits/attempt-limits.ts";
import type { Log } from "../platform/log.ts";
import { ApiError } from "../platform/errors.ts";
import type { ConsoleSettings, Settings } from "../settings.ts";
import type { Database } from "../store/database.ts";

/** Wrong links and passkeys of a network in a minute: of a token of 256 bits none is ever guessed. */
const WRONG_TRIES = { name: "console link", most: 5, span: MINUTE };

/** Challenges that strangers of a network may have in a minute: each is a row until its time is over. */
const PROOFS = { name: "console proof", most: 60, span: MINUTE };

export type OperatorEnv = Env & { Variables: { operator: Operator & { id: number } } };

export interface Door {
  db: Database;
  now: () => number;
  log: Log;
  settings: Pick<Settings, "trustedProxies">;
  page: ConsoleSettings;
}

/** The origins by which the page may be reached: of what it is set to, or of this machine alone. */
export function originsOf({ url, port }: ConsoleSettings): ReadonlySet<string> {
  return new Set(
    url === null ? ["127.0.0.1", "localhost", "[::1]"].map((host) => `http://${host}:${port}`) : [url],
  );
}

/** Behind https, the `__Host-` prefix keeps other hosts and plain http from setting the cookie. */
const cookieOf = ({ url }: ConsoleSettings) => {
  const secure = url?.startsWith("https:") ?? false;
  return {
    name: secure ? "__Host-console" : "console",
    attributes: { httpOnly: true, sameSite: "Strict", path: "/", secure } as const,
  };
};

export function createDoor({ db, now, log, settings, page }: Door) {
  const origins = originsOf(page);
  const cookie = cookieOf(page);
  const limits = createLimits(db, now);

  const refuse = (c: Context<OperatorEnv>, why: string, status: 401 | 403) => {
    log("console refused", { request: c.var.requestId, why, network: addressOf(c, { settings }) }, "warn");
    return c.json({ refused: why }, status);
  };

  /** Calls come from the page itself, whatever the browser would send along. */
  const ownOrigin: MiddlewareHandler<OperatorEnv> = async (c, next) => {
    const isJson = /^application\/json\b/i.test(c.req.header("Content-Type") ?? "");
    if (!origins.has(c.req.header("Origin") ?? "") || !isJson) return refuse(c, "origin", 403);
    return next();
  };

  /** Reads whose session it is; without one, the call goes no further. */
  const signedIn: MiddlewareHandler<OperatorEnv> = async (c, next) => {
    const token = getCookie(c, cookie.name);
    const operator = token === undefined ? null : await operatorOf(db, token, now());
    // A page that is opened without a session asks, too: that is no attack.
    if (!operator)
      return token === undefined ? c.json({ refused: "session" }, 401) : refuse(c, "session", 401);
    c.set("operator", operator);
    return next();
  };

  /** Sets the cookie of the session that `open` opens, or says why there is none: too many wrong tries from a network count, too. */
  async function letIn(
    c: Context<OperatorEnv>,
    by: "link" | "passkey",
    open: () => Promise<OpenedSession | null>,
  ): Promise<Response | null> {
    const bounds = failuresAtNetwork(WRONG_TRIES, addressOf(c, { settings }), "tooManyAttempts");
    const act = async () => {
      const opened = await open();
      if (!opened) throw ApiError.of("notFound");
      return opened;
    };
    try {
      const { token, operator } = await limits.limitFailures(bounds, act, c.req.raw.signal);
      setCookie(c, cookie.name, token, { ...cookie.attributes, maxAge: SESSION_LIFE / 1_000 });
      log("console entered", {
        request: c.var.requestId,
        by,
        operator: operator.name,
        network: addressOf(c, { settings }),
      });
      return null;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.word !== "notFound") return c.json({ refused: "tries" }, 429);
      return refuse(c, by, 401);
    }
  }

  /** Uses a link up. */
  const comeIn = (c: Context<OperatorEnv>, link: string) => letIn(c, "link", () => enter(db, link, now()));

  /* Passkeys, where the page has a name: a browser knows them of no address. */

  const placeOf = (c: Context<OperatorEnv>) => ({ origin: c.req.header("Origin") ?? "" });
  const withName: MiddlewareHandler<OperatorEnv> = async (c, next) =>
    isPossible(placeOf(c)) ? next() : refuse(c, "address", 403);
  async function wantProof(c: Context<OperatorEnv>) {
    try {
      await limits.limitTries(networkBounds(PROOFS, addressOf(c, { settings }), "tooManyAttempts"));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return c.json({ refused: "tries" }, 429);
    }
    return proofWanted(db, placeOf(c), now());
  }
  const comeInByPasskey = (c: Context<OperatorEnv>, response: AuthenticationResponseJSON) =>
    letIn(c, "passkey", () => enterByPasskey(db, response, placeOf(c), now()));
  const wantPasskey = async (c: Context<OperatorEnv>) =>
    (await passkeyWanted(db, c.var.operator, placeOf(c), now())) ?? refuse(c, "passkeys", 403);
  async function addPasskey(c: Context<OperatorEnv>, response: RegistrationResponseJSON) {
    const { operator } = c.var;
    if (!(await keepPasskey(db, operator, response, placeOf(c), now()))) return refuse(c, "passkey", 403);
    log("console passkey added", {
      request: c.var.requestId,
      operator: operator.name,
      network: addressOf(c, { settings }),
    });
    return null;
  }

  /** Ends the session of the cookie: a thief of it is out, too. */
  async function goOut(c: Context<OperatorEnv>): Promise<void> {
    const token = getCookie(c, cookie.name);
    if (token !== undefined) await leave(db, token);
    deleteCookie(c, cookie.name, cookie.attributes);
  }

  return {
    ownOrigin,
    signedIn,
    comeIn,
    goOut,
    withName,
    wantProof,
    comeInByPasskey,
    wantPasskey,
    addPasskey,
  };
}
