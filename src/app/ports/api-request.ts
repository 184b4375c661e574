/** One request to the API: its headers, its envelope, what is stored from it, and dropping answers that belong to another account. Specification, section 7. */
import { ofetch, type FetchResponse } from "ofetch";
import * as v from "valibot";
import { CallFailed } from "../../../machines/call-error.ts";
import { Code, envelope, IDEMPOTENCY_HEADER, UNAUTHENTICATED } from "../../contract/envelope.ts";
import { LANGUAGE_HEADER, type Language } from "../../contract/languages.ts";
import type { Clock } from "./clock.ts";
import type { Config } from "./config.ts";
import { takeEarlyAnswer, type Answered } from "./early-calls.ts";
import type { AppStorage } from "./storage.ts";
import { tokenIn } from "./stored-values.ts";

export type ApiDependencies = {
  config: () => Promise<Config>;
  storage: AppStorage;
  clock: Clock;
  language: () => Language;
  /** The API answered that the user is not signed in; called once for all requests pending then. */
  refused: () => void;
  /** Tells the session when another tab changed the stored account. Returns whether it is still the same. */
  syncAccount: () => boolean;
};

type Body = Record<string, unknown> | undefined;

type Call<S extends v.GenericSchema> = {
  method: "GET" | "POST";
  path: string;
  schema: S;
  body?: Body;
  /** Idempotency key: requests with the same key are carried out once. */
  key?: string;
  signal?: AbortSignal | undefined;
  /** The request continues when the page is closed. */
  keepalive?: boolean;
  /** Of another session than the present one. */
  token?: string | null;
  /** The response belongs to no account. Any other response is dropped when another account is signed in by then. */
  public?: boolean;
  /** Sent in the background: an answer "not signed in" does not end the session. */
  quiet?: boolean;
};

type Options = Pick<Call<v.GenericSchema>, "key" | "keepalive" | "token" | "public" | "quiet">;

/** What the calls are made of. Each sends one request (a second only if the language changed meanwhile). */
export type Requests = ReturnType<typeof createRequests>;

export function createRequests({ config, storage, clock, language, refused, syncAccount }: ApiDependencies) {
  /** How many times the API has answered "not signed in". */
  let refusals = 0;

  /**
   * Sends one request; resolves with a response of HTTP status 200 and the token that was sent. "Unauthenticated." is the body
   * of a session that is over, whatever its code and status.
   */
  async function send(
    call: Omit<Call<v.GenericSchema>, "schema">,
  ): Promise<{ answer: Answered; body: unknown; token: string | null }> {
    // The account changed: the request is not sent and never settles, because the actor that sent it is about to
    // stop.
    if (!syncAccount() && !call.public) return new Promise(() => {});
    // Read before the configuration is awaited, so that the token is the caller's.
    const token = call.token ?? storage.readText("user_token");
    const account = storage.readText("user_name");
    const { apiBaseUrl } = await config();
    const address = apiBaseUrl + call.path;
    const early = call.method === "GET" ? await takeEarlyAnswer(address, token, language()) : null;
    const answer = early ?? (await request(address, call, token));
    // A reply that belongs to another account never settles. The token may have been replaced meanwhile: by another reply,
    // or by a login in another tab.
    if (!call.public && account !== storage.readText("user_name")) return new Promise(() => {});
    const body = jsonIn(answer);
    if (!call.public && isUnauthenticated(body)) return { answer, body: { code: Code.signedOut }, token };
    if (answer.status !== 200) throw new CallFailed({ kind: "http", status: answer.status, path: call.path });
    return { answer, body, token };
  }

  async function request(
    address: string,
    call: Omit<Call<v.GenericSchema>, "schema">,
    token: string | null,
  ): Promise<Answered> {
    const askedAt = clock.now();
    const {
      status,
      headers,
      _data: text = "",
    }: FetchResponse<string> = await ofetch
      .raw<string, "text">(address, {
        method: call.method,
        headers: {
          ...(call.key ? { [IDEMPOTENCY_HEADER]: call.key } : {}),
          [LANGUAGE_HEADER]: language(),
          ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
        },
        body: call.body ?? null,
        signal: call.signal ?? null,
        keepalive: call.keepalive ?? false,
        retry: false,
        ignoreResponseError: true,
        // Some servers label their JSON as HTML.
        responseType: "text",
      })
      .catch(() => {
        // Aborted: the actor is gone, or hidden and will retry.
        if (call.signal?.aborted) return new Promise<never>(() => {});
        throw new CallFailed({ kind: "network" });
      });
    return { status, headers, text, waited: clock.now() - askedAt };
  }

  /** A response with the success code, and its message. */
  async function askFor<S extends v.GenericSchema>(
    call: Call<S>,
  ): Promise<{ data: v.InferOutput<S>; message: string }> {
    const refusalsBefore = refusals;
    const { answer, body, token } = await send(call);
    const { code, message, data, server_time, field } = readAs(envelope, body);
    clock.anchor({ serverTime: server_time, date: answer.headers.get("Date") }, answer.waited);

    if (code === Code.signedOut) {
      // The answer to an earlier session's request says nothing about this session.
      if (!call.quiet && refusals === refusalsBefore && token === storage.readText("user_token")) {
        refusals += 1;
        refused();
      }
      throw new CallFailed({ kind: "signedOut" });
    }
    if (code !== Code.success) throw new CallFailed({ kind: "refused", code, message: message ?? "", field });
    const given = typeof data === "object" && data !== null && "token" in data ? tokenIn(data.token) : null;
    if (given !== null) storage.writeText("user_token", given);
    return { data: readAs(call.schema, data), message: message ?? "" };
  }

  const get = async <S extends v.GenericSchema>(
    path: string,
    schema: S,
    signal?: AbortSignal,
    options?: Options,
  ): Promise<v.InferOutput<S>> => {
    const spoken = language();
    const { data } = await askFor({ ...options, method: "GET", path, schema, signal });
    // The language changed meanwhile, so the texts are read again.
    return spoken === language() ? data : get(path, schema, signal, options);
  };
  const postFull = <S extends v.GenericSchema>(
    path: string,
    schema: S,
    body: Body,
    signal?: AbortSignal,
    options?: Options,
  ) => askFor({ ...options, method: "POST", path, schema, body, signal });
  const post = async <S extends v.GenericSchema>(...call: Parameters<typeof postFull<S>>) =>
    (await postFull(...call)).data;

  return {
    get,
    post,
    /** Resolves with the message of a success, too. */
    postFull,
    /** Ignores the data of the answer. */
    change: async (path: string, body: Body, signal?: AbortSignal, options?: Options): Promise<void> => {
      await post(path, v.unknown(), body, signal, options);
    },
    /** An answer without an envelope. */
    getBare: async <S extends v.GenericSchema>(path: string, schema: S, signal?: AbortSignal) =>
      readAs(schema, (await send({ method: "GET", path, signal, public: true })).body),
  };
}

/** Whether a body says, with whatever code, that the user is not signed in. Specification, section 6. */
const isUnauthenticated = (body: unknown) =>
  typeof body === "object" && body !== null && "message" in body && body.message === UNAUTHENTICATED;

/** The data validated by `schema`; throws the error to report. */
function readAs<S extends v.GenericSchema>(schema: S, data: unknown): v.InferOutput<S> {
  const read = v.safeParse(schema, data);
  if (!read.success) throw new CallFailed({ kind: "unreadable" });
  return read.output;
}

/**
 * An integer that a double would round keeps its digits where the browser exposes them; elsewhere it is refused as
 * an id.
 */
const exactly = (_key: string, value: unknown, { source = "" }: { source?: string } = {}) =>
  typeof value === "number" && !Number.isSafeInteger(value) && /^\d+$/.test(source) ? source : value;

/** The JSON of a response, or undefined. */
function jsonIn({ text }: { text: string }): unknown {
  try {
    return JSON.parse(text, exactly);
  } catch {
    return undefined;
  }
}
