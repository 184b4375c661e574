/** How every call is answered: one envelope, in the language of the one who asks. Specification, section 7; decisions, "Envelope". */
import type { Context } from "hono";
import { accepts } from "hono/accepts";
import { Code, UNAUTHENTICATED } from "../../contract/envelope.ts";
import {
  firstLanguageIn,
  LANGUAGE_HEADER,
  languageIn,
  languages,
  type Language,
} from "../../contract/languages.ts";
import type { ApiError } from "../platform/errors.ts";
import { say, type Word } from "../platform/messages.ts";
import type { Env } from "./service.ts";

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
  // JSON leaves an undefined `field` out.
  content: { code: number; message: string; data: unknown; field?: string | undefined },
  status: Status = 200,
) {
  return c.json({ ...content, server_time: c.var.now() }, status);
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
