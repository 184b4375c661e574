/** How every call is read and answered: bodies of three kinds in, one envelope out. Specification, section 7; decisions, "Envelope". */
import type { HttpBindings } from "@hono/node-server";
import type { Context, Hono } from "hono";
import { accepts } from "hono/accepts";
import * as v from "valibot";
import type { Network } from "../contract/calls.ts";
import { Code, LANGUAGE_HEADER, UNAUTHENTICATED } from "../contract/envelope.ts";
import { firstLanguageIn, languageIn, languages, type Language } from "../contract/languages.ts";
import type { Catalogue } from "./catalogue.ts";
import { addressIn, networkOf } from "./limits/network.ts";
import type { Log } from "./operations/log.ts";
import type { Ledger } from "./payments/ledger.ts";
import type { Rail, RailKey } from "./payments/rails.ts";
import type { CardRail } from "./payments/razorpay.ts";
import type { StripeRail } from "./payments/stripe.ts";
import type { NetworkFacts } from "./payments/usdt.ts";
import type { RequestLimits } from "./limits/request-limits.ts";
import {
  principalQuery,
  readSession,
  type Principal,
  type OpenedQuery,
  type OpenedRow,
} from "./accounts/sessions.ts";
import type { Settings } from "./settings.ts";
import type { Database } from "./store/database.ts";
import { say, type Word } from "./messages.ts";

/** Called when a call of the API has been answered: `path` is one that the API has, or `other`. */
export type OnCall = (call: { path: string; status: number; seconds: number }) => void;

/** What the routes work with. */
export interface Service {
  db: Database;
  settings: Settings;
  catalogue: Catalogue;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  /** What orders are paid by, and `networks`, what people see of the networks of USDT. A rail that is absent is closed. */
  rails: Partial<Record<RailKey, Rail>>;
  networks: Readonly<Record<Network, NetworkFacts>>;
  ledger: Ledger;
  /** Null: payment by card is not open. */
  card: CardRail | null;
  /** Null: payment by Stripe is not open. */
  stripe: StripeRail | null;
  /** The routes of the payment sandbox; null where payments are live. */
  sandbox: Hono<Env> | null;
  log: Log;
  /** What a network or an account may ask of this process. */
  requests: RequestLimits;
  onCall?: OnCall;
}

export type Env = {
  Bindings: Partial<HttpBindings>;
  Variables: {
    now: () => number;
    requestId: string;
    errorCode?: Word | number;
    /** The id of the account that the request turned out to be of. */
    account?: number;
  };
};

/** An answer of the service that is not a success: shown to people in their language, HTTP 200. */
export class ApiError extends Error {
  readonly word: Word | null;
  readonly code: number;
  /** The entry of the body that it is about. */
  readonly field: string | undefined;
  /** Seconds after which it may be asked again, for a request that was one too many: HTTP 429. */
  readonly retryAfter: number | undefined;

  private constructor(word: Word | null, code: number, field?: string, retryAfter?: number) {
    super(word ?? UNAUTHENTICATED);
    this.word = word;
    this.code = code;
    this.field = field;
    this.retryAfter = retryAfter;
  }

  static of(word: Word, field?: string) {
    return new ApiError(word, Code.error, field);
  }
  static signedOut() {
    return new ApiError("logInFirst", Code.signedOut);
  }
  /** @param retryAfter seconds */
  static tooManyRequests(retryAfter: number) {
    return new ApiError("tooManyAttempts", Code.error, undefined, retryAfter);
  }
  /** Order creation says it in its own way. Specification, section 8. */
  static unauthenticated() {
    return new ApiError(null, Code.unauthenticated);
  }
}

/** @param wait what `RequestLimits` answered @throws ApiError where it is not null */
export function allow(wait: number | null): void {
  if (wait !== null) throw ApiError.tooManyRequests(wait);
}

/** The first language that the browser asks for and we have, else English. */
export const languageOfBrowser = (c: Context): Language =>
  firstLanguageIn([
    accepts(c, {
      header: "Accept-Language",
      supports: [...languages],
      default: "",
      match: (wanted) => wanted.find(({ type, q }) => q > 0 && languageIn(type) !== null)?.type ?? "",
    }),
  ]);

/** The language of the answer: the app's header, or else the browser's. */
export const languageFor = (c: Context): Language =>
  languageIn(c.req.header(LANGUAGE_HEADER)) ?? languageOfBrowser(c);

type Status = 200 | 404 | 413 | 429 | 500;

function envelope(
  c: Context<Env>,
  // Of no field, JSON says nothing.
  said: { code: number; message: string; data: unknown; field?: string | undefined },
  status: Status = 200,
) {
  return c.json({ ...said, server_time: c.var.now() }, status);
}

export function succeed(c: Context<Env>, data: unknown, word: Word = "done") {
  return envelope(c, { code: Code.success, message: say(word, languageFor(c)), data });
}

export function refuse(
  c: Context<Env>,
  refusal: ApiError,
  status: Status = refusal.retryAfter === undefined ? 200 : 429,
) {
  const { word, code, field, retryAfter } = refusal;
  if (retryAfter !== undefined) c.header("Retry-After", String(retryAfter));
  const message = word === null ? UNAUTHENTICATED : say(word, languageFor(c));
  c.set("errorCode", word ?? code);
  return envelope(c, { code, message, data: null, field }, status);
}

/**
 * The body, whether JSON, form-urlencoded or form-data, as `schema` wants it.
 * @throws ApiError
 */
export async function readBody<Schema extends v.GenericSchema>(
  c: Context,
  schema: Schema,
): Promise<v.InferOutput<Schema>> {
  const type = c.req.header("Content-Type") ?? "";
  let body: unknown;
  try {
    body = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type)
      ? await c.req.parseBody()
      : await c.req.json();
  } catch {
    throw ApiError.of("unreadable");
  }
  const result = v.safeParse(schema, body);
  if (!result.success) throw refusalOf(result.issues[0]);
  return result.output;
}

/** The entries that people type, and what is said of those that are too long or hold half a character. */
const passwordWords = { max_length: "passwordTooLong", regex: "passwordUnseen" } as const;
const textWords = new Map<string, { max_length: Word; regex?: Word }>([
  ["account_name", { max_length: "nameTooLong" }],
  ["password", passwordWords],
  ["old_password", passwordWords],
  ["new_password", passwordWords],
  ["new_password_confirmation", passwordWords],
  ["security_problem", { max_length: "questionMissing" }],
  ["security_problem_value", { max_length: "answerTooLong", regex: "answerUnseen" }],
  ["name", { max_length: "nicknameTooLong" }],
]);

function refusalOf(issue: v.BaseIssue<unknown>): ApiError {
  const entry = v.getDotPath(issue) ?? "";
  const words = textWords.get(entry);
  if (!words) return ApiError.of("unreadable");
  const word = issue.type === "max_length" || issue.type === "regex" ? words[issue.type] : undefined;
  return ApiError.of(word ?? "unreadable", entry);
}

/** The token of the Authorization header, or null. */
export function tokenOf(c: Context): string | null {
  return /^Bearer +(\S+) *$/i.exec(c.req.header("Authorization") ?? "")?.[1] ?? null;
}

/**
 * Runs a prepared query of the session that the request's token opens. The request counts for its account, once.
 * @param values of further placeholders
 * @returns null when no user is signed in
 * @throws ApiError when the account has asked for too much
 */
export async function readAuthenticated<Row extends OpenedRow>(
  c: Context<Env>,
  { db, now, requests }: Service,
  query: OpenedQuery<Row>,
  values: Record<string, unknown> = {},
): Promise<Row | null> {
  const token = tokenOf(c);
  const found = token === null ? null : await readSession(db, query, token, now(), values);
  if (found && c.var.account === undefined) {
    const { accountId } = found.session;
    c.set("account", accountId);
    allow(requests.countAccount(accountId));
  }
  return found;
}

/**
 * The holder of the session that the request's token opens, or null.
 * @throws ApiError when the account has asked for too much
 */
export const principalFor = async (c: Context<Env>, service: Service): Promise<Principal | null> =>
  (await readAuthenticated(c, service, principalQuery(service.db)))?.account ?? null;

/** What each proxy wrote of the request, the nearest one last. */
const hopsOf = (c: Context, header: string) =>
  (c.req.header(header) ?? "").split(",").map((hop) => hop.trim());

/** The network address of the one who asks, or their network where that is what counts; past as many proxies as are known to be ours. */
export function addressOf(c: Context<Env>, { settings }: Service): string {
  const hops = hopsOf(c, "X-Forwarded-For");
  const forwarded = settings.trustedProxies > 0 ? hops.at(-settings.trustedProxies) : undefined;
  return networkOf(addressIn(forwarded ?? "") ?? c.env?.incoming?.socket.remoteAddress ?? "unknown");
}

/** The whole address of a path of this service, as the people who use it reach it. */
export function ownAddress(c: Context<Env>, { settings }: Service, path: string): string {
  if (settings.apiBaseUrl !== null) return settings.apiBaseUrl + path;
  return siteAddress(c, settings, path);
}

/** The protocol by which the client reached the nearest proxy; undefined where none is trusted, or it does not say. */
function forwardedProtocol(c: Context<Env>, { trustedProxies }: Pick<Settings, "trustedProxies">) {
  if (trustedProxies === 0) return undefined;
  const hops = hopsOf(c, "X-Forwarded-Proto");
  // Many a proxy writes this one anew instead of adding to it.
  const hop = (hops.at(-trustedProxies) ?? hops[0])?.toLowerCase();
  return hop === "https" || hop === "http" ? hop : undefined;
}

/** Whether the client came by https. */
export const isSecure = (c: Context<Env>, settings: Pick<Settings, "trustedProxies">): boolean =>
  (forwardedProtocol(c, settings) ?? c.req.url.slice(0, c.req.url.indexOf(":"))) === "https";

/** The whole address of a path of the site, as the client reaches it. */
export function siteAddress(
  c: Context<Env>,
  settings: Pick<Settings, "trustedProxies">,
  path: string,
): string {
  const address = new URL(path, c.req.url);
  // Before the nearest proxy the connection may be another one than people's.
  const protocol = forwardedProtocol(c, settings);
  if (protocol !== undefined) address.protocol = protocol;
  return address.href;
}
