/** How every call is read and answered: bodies of three kinds in, one envelope out. Specification, section 7; decisions, "Envelope". */
import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import * as v from "valibot";
import { Code, LANGUAGE_HEADER, UNAUTHENTICATED } from "../contract/envelope.ts";
import { languageOf, type Language } from "../contract/languages.ts";
import type { Catalogue } from "./catalogue.ts";
import { addressIn, networkOf } from "./network.ts";
import type { Log } from "./log.ts";
import type { Receiving } from "./rails/addresses.ts";
import type { CardAccount } from "./rails/card.ts";
import type { Sandbox } from "./rails/sandbox.ts";
import type { StripeAccount } from "./rails/stripe.ts";
import { holderOf, type Holder } from "./sessions.ts";
import type { Settings } from "./settings.ts";
import type { Database } from "./store/open.ts";
import { say, type Word } from "./words.ts";

/** What the routes work with. */
export interface Service {
  db: Database;
  settings: Settings;
  catalogue: Catalogue;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  receiving: Receiving;
  /** Null: payment by card is not open. */
  card: CardAccount | null;
  /** Null: payment by Stripe is not open. */
  stripe: StripeAccount | null;
  /** Null when payments are not in the sandbox. */
  sandbox: Sandbox | null;
  log: Log;
}

export type Env = { Bindings: Partial<HttpBindings>; Variables: { now: () => number; said?: Word | number } };

/** An answer of the service that is not a success: shown to people in their language, HTTP 200. */
export class Refusal extends Error {
  readonly word: Word | null;
  readonly code: number;
  /** The entry of the body that it is about. */
  readonly field: string | undefined;

  private constructor(word: Word | null, code: number, field?: string) {
    super(word ?? UNAUTHENTICATED);
    this.word = word;
    this.code = code;
    this.field = field;
  }

  static because(word: Word, field?: string) {
    return new Refusal(word, Code.error, field);
  }
  static signedOut() {
    return new Refusal("logInFirst", Code.signedOut);
  }
  /** Order creation says it in its own way. Specification, section 8. */
  static unauthenticated() {
    return new Refusal(null, Code.unauthenticated);
  }
}

/** The language of the answer: the app's header, or else the browser's. */
export function languageFor(c: Context): Language {
  return languageOf(c.req.header(LANGUAGE_HEADER) ?? c.req.header("Accept-Language"));
}

type Status = 200 | 404 | 413 | 500;

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

export function refuse(c: Context<Env>, refusal: Refusal, status: Status = 200) {
  const { word, code, field } = refusal;
  const message = word === null ? UNAUTHENTICATED : say(word, languageFor(c));
  c.set("said", word ?? code);
  return envelope(c, { code, message, data: null, field }, status);
}

/**
 * The body, whether JSON, form-urlencoded or form-data, as `schema` wants it.
 * @throws Refusal
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
    throw Refusal.because("unreadable");
  }
  const result = v.safeParse(schema, body);
  if (!result.success) throw Refusal.because("unreadable");
  return result.output;
}

/** The token of the Authorization header, or null. */
export function tokenOf(c: Context): string | null {
  return /^Bearer +(\S+) *$/i.exec(c.req.header("Authorization") ?? "")?.[1] ?? null;
}

/** Whoever the request speaks for, or null. */
export async function holderFor(c: Context, { db, now }: Service): Promise<Holder | null> {
  const token = tokenOf(c);
  return token === null ? null : holderOf(db, token, now());
}

/** The network address of the one who asks, or their network where that is what counts; past as many proxies as are known to be ours. */
export function addressOf(c: Context<Env>, { settings }: Service): string {
  const hops = (c.req.header("X-Forwarded-For") ?? "").split(",").map((hop) => hop.trim());
  const forwarded = settings.trustedProxies > 0 ? hops.at(-settings.trustedProxies) : undefined;
  return networkOf(addressIn(forwarded ?? "") ?? c.env?.incoming?.socket.remoteAddress ?? "unknown");
}

/** The whole address of a path of this service, as the people who use it reach it. */
export function ownAddress(c: Context<Env>, { settings }: Service, path: string): string {
  if (settings.apiBaseUrl !== null) return settings.apiBaseUrl + path;
  return siteAddress(c, settings, path);
}

/** The whole address of a path of the site, as whoever asks reaches it. */
export function siteAddress(
  c: Context<Env>,
  settings: Pick<Settings, "trustedProxies">,
  path: string,
): string {
  const address = new URL(path, c.req.url);
  // Before the nearest proxy the connection may be another one than people's.
  const proto = settings.trustedProxies > 0 ? c.req.header("X-Forwarded-Proto") : undefined;
  if (proto === "https" || proto === "http") address.protocol = proto;
  return address.href;
}
