/** Questions to a node by JSON-RPC over HTTP, and what a failure means: wait, ask for less, or ask another node. */
import { HOUR, SECOND } from "../../../contract/durations.ts";
import { factsOf } from "../../platform/log.ts";

/**
 * Why a node did not answer. `refused`: too many questions, or the key; it is waited for. `large`: the range or the answer;
 * less is asked for. `slow`: it took too long. `wrong`: the answer cannot be right. `failed`: anything else.
 */
export type Fault = "refused" | "large" | "slow" | "wrong" | "failed";

/** A node did not answer, or not as it should. The message is for the log: it holds no key and no address. */
export class NodeFailed extends Error {
  readonly fault: Fault;
  /** Ms for which the node asks to be left alone; null: it does not say. */
  readonly wait: number | null;
  constructor(message: string, fault: Fault = "failed", wait: number | null = null) {
    super(message);
    this.fault = fault;
    this.wait = wait;
  }
}

/** Carries the questions: by HTTP, or within this process. */
export interface Transport {
  /** For the log and the operator: the host alone, because the path may hold a key. */
  name: string;
  /** @returns the `result`. @throws NodeFailed, or an Error whose message are the node's words */
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>;
}

/** Where a node is, and what it wants to be told with each question. */
export interface NodeAddress {
  /** Begins with https:// or http://. */
  url: string;
  headers: Readonly<Record<string, string>>;
}

/** Ms in which a node answers. */
const ANSWER_TIMEOUT = 10 * SECOND;
/** Bytes of an answer. */
const MOST_BYTES = 32 * 1024 * 1024;
/** Ms for which a node is left alone at most, whatever it says. */
const LONGEST_WAIT = HOUR;
/** Characters of a node's own words in the log. */
const WORDS = 200;
/** A part of an address that is longer may be a key. */
const KEY_LENGTH = 8;

const IS_REFUSAL =
  /\brate\b|rate.?limit|too many requests|\bquota\b|per (second|minute|day)|\bdaily\b|throttl|\bcapacity\b|compute units|\bcredits?\b|frequency|suspended|unauthori[sz]ed|forbidden|api.?key|allowed_rps/i;
const IS_SLOW = /time.?out|timed out|too long|deadline exceeded/i;
const IS_LARGE =
  /range|too (large|big|many|wide)|more than \d|results|response size|size (should|exceed|limit)|exceed(s|ed)? (max|limit)/i;
const REFUSED_STATUS: ReadonlySet<number> = new Set([401, 402, 403, 429]);
const SLOW_STATUS: ReadonlySet<number> = new Set([408, 504, 522, 524]);
/** "Limit exceeded" of JSON-RPC: of questions, or of results. */
const LIMIT_EXCEEDED = -32_005;

/** What an answer that is none means, by its HTTP status, its JSON-RPC code and its words. */
export function faultOf(words: string, status?: number, code?: number): Fault {
  if (status === 413) return "large";
  if (SLOW_STATUS.has(status ?? 0)) return "slow";
  if (REFUSED_STATUS.has(status ?? 0) || code === 429 || IS_REFUSAL.test(words)) return "refused";
  if (IS_SLOW.test(words)) return "slow";
  if (IS_LARGE.test(words)) return "large";
  return code === LIMIT_EXCEEDED ? "refused" : "failed";
}

/** Ms to wait, by the header `Retry-After` (seconds or a date) or by the words of TronGrid. */
function waitOf(words: string, header: string | null): number | null {
  const seconds = /suspended for (\d+) ?s/i.exec(words)?.[1] ?? (/^\d+$/.test(header ?? "") ? header : null);
  const wait = seconds === null ? Date.parse(header ?? "") - Date.now() : Number(seconds) * 1000;
  return Number.isNaN(wait) ? null : Math.min(Math.max(0, wait), LONGEST_WAIT);
}

/** A question's failure, whatever carried it. */
export function nodeFailure(error: unknown): NodeFailed {
  if (error instanceof NodeFailed) return error;
  const code = error instanceof Error && "code" in error ? Number(error.code) : undefined;
  const words = (error instanceof Error && error.message) || (factsOf(error)["error"] ?? "");
  return new NodeFailed(words, faultOf(words, undefined, code));
}

async function bodyOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > MOST_BYTES) throw new NodeFailed(`an answer of more than ${MOST_BYTES} bytes`, "large");
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

interface Reply {
  result?: unknown;
  error?: unknown;
}

function replyOf(text: string): Reply | null {
  try {
    const reply: unknown = JSON.parse(text);
    return typeof reply === "object" && reply !== null ? reply : null;
  } catch {
    return null;
  }
}

/** Code and words of a JSON-RPC error, or of an error page. */
function complaintOf(reply: Reply | null, text: string): { code: number | undefined; words: string } {
  const details = reply?.error ?? reply ?? {};
  const { code, message, Error: ofTronGrid } = details as Record<string, unknown>;
  const words = [message, ofTronGrid, typeof details === "string" ? details : undefined].find(
    (each) => typeof each === "string",
  );
  return { code: typeof code === "number" ? code : undefined, words: words ?? text };
}

/** A node that is asked by HTTP. */
export function httpTransport({ url: address, headers }: NodeAddress): Transport {
  const url = new URL(address);
  const login = [url.username, url.password].map(decodeURIComponent).join(":");
  const [user, password] = [url.username, url.password];
  url.username = "";
  url.password = "";
  const sent = {
    ...(login === ":" ? {} : { Authorization: `Basic ${Buffer.from(login).toString("base64")}` }),
    ...headers,
    "Content-Type": "application/json",
  };
  const secrets = [
    url.href,
    user,
    password,
    ...Object.values(headers),
    ...url.searchParams.values(),
    ...url.pathname.split("/").filter((part) => part.length > KEY_LENGTH),
  ].filter((each) => each !== "");
  /** What may stand in the log. */
  const clean = (words: string) =>
    secrets
      .reduce((text, each) => text.replaceAll(each, "…"), words)
      .replaceAll(/https?:\/\/\S+/g, "…")
      .replaceAll(/\s+/g, " ")
      .trim()
      .slice(0, WORDS);
  let requestId = 0;

  async function request({ method, params = [] }: Parameters<Transport["request"]>[0]): Promise<unknown> {
    requestId += 1;
    // Not followed elsewhere: the headers may hold a key.
    const response = await fetch(url, {
      method: "POST",
      headers: sent,
      body: JSON.stringify({ jsonrpc: "2.0", id: requestId, method, params }),
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_TIMEOUT),
    });
    const text = await bodyOf(response);
    const reply = replyOf(text);
    if (response.ok && reply && "result" in reply && !reply.error) return reply.result;
    const { code, words } = complaintOf(reply, text);
    const { status } = response;
    const fault = faultOf(words, status, code);
    const isBusy = status === 503 && response.headers.has("Retry-After");
    const facts = [
      ...(response.ok ? [] : [`HTTP ${status}`]),
      ...(code === undefined ? [] : [`code ${code}`]),
    ];
    throw new NodeFailed(
      [facts.join(", "), clean(words)].filter((part) => part !== "").join(": ") || "an empty answer",
      isBusy ? "refused" : fault,
      waitOf(words, response.headers.get("Retry-After")),
    );
  }

  return {
    name: url.host,
    request: (question) =>
      request(question).catch((error: unknown) => {
        if (error instanceof NodeFailed) throw error;
        if (error instanceof Error && error.name === "TimeoutError") {
          throw new NodeFailed(`no answer within ${ANSWER_TIMEOUT / 1000} seconds`, "slow");
        }
        // The innermost cause says what happened to the connection.
        throw new NodeFailed(clean(factsOf(error)["error"] ?? ""));
      }),
  };
}
