/** Fuzzer of the API: requests derived from the contract's schemas, valid, nearly valid and hostile, over real connections. Checks every answer, and the database at the end. */
import crypto from "node:crypto";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { Agent, request as ask, type IncomingMessage } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { join } from "node:path";
import { serve as listen } from "@hono/node-server";
import * as fc from "fast-check";
import * as v from "valibot";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { paths } from "../../src/contract/calls.ts";
import * as requests from "../../src/contract/requests.ts";
import { nameKey } from "../../src/service/accounts/account-names.ts";
import { sweep } from "../../src/service/payments/ledger.ts";
import { sign } from "../../src/service/payments/provider.ts";
import { webhooks } from "../../src/service/routes/card-and-webhooks.ts";
import { readSettings } from "../../src/service/settings.ts";
import { charge } from "../../src/service/sandbox/card-provider.ts";
import type { Store } from "../../src/service/store/database.ts";
import { forbiddenRows } from "../support/database-invariants.ts";
import * as hostile from "../support/hostile.ts";
import { repeats } from "../support/lane.ts";
import { inputsOf, isRequestSchema } from "../support/schema-inputs.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { databases, emptyStore, serve } from "./support.ts";

/** In all, on every database; `npm run fuzz` sends a hundred thousand. */
const REQUESTS = Number(process.env["FUZZ_REQUESTS"] ?? (repeats ? 800 : 400));
/** What one property of fast-check sends, and shrinks when it fails. */
const AT_A_TIME = 20;
/** Repeats a run that failed. */
const SEED = process.env["FUZZ_SEED"];
const PEOPLE = 4;
/** Ms after which a request counts as hanging. */
const PATIENCE = 30_000;
const SECOND = 1000;
/** Ms in which a failure is made smaller. */
const SHRINKING = 60_000;
const UNREADABLE = "Something you entered is missing or not right. Please check it and try again.";

const site = temporaryDirectory();

beforeAll(() => {
  mkdirSync(join(site, "assets"));
  writeFileSync(
    join(site, "index.html"),
    '<!doctype html><html lang="en"><meta property="og:image" content="/share.png" /><title>Site</title>',
  );
  writeFileSync(join(site, "home.html"), '<!doctype html><html lang="en"><title>Home</title>');
  writeFileSync(join(site, "assets", "main-1a2b3c.js"), "console.log(1);");
  writeFileSync(join(site, "favicon.svg"), "<svg/>");
});

// ---- Which call reads which schema

/** A call, and what its body may be. */
interface Target {
  path: string;
  method: "GET" | "POST";
  schemas: readonly v.GenericSchema[];
}

const requestSchemas = Object.values<unknown>(requests).filter(isRequestSchema);

/** Values of the shop that no schema tells. */
const OFFER: Readonly<Record<string, string>> = { pack_id: "1", product_id: "monthly" };

let learnt: Promise<Target[]> | undefined;

/** Finds the method of every path of the contract, and the schemas that it reads, by asking. */
async function learnTargets(): Promise<Target[]> {
  const store = await emptyStore();
  const { ask: send, member } = await serve(store);
  const token = await member();
  const targets: Target[] = [];
  const samples = requestSchemas.map((schema) => ({
    schema,
    bodies: fc.sample(
      inputsOf(schema, (key) => (OFFER[key] === undefined ? undefined : fc.constant(OFFER[key]))),
      { numRuns: 3, seed: 1 },
    ),
  }));
  for (const path of [...Object.values(paths), "/sandbox/transfers"]) {
    const isRead = async (body: unknown) => {
      const answer = (await (await send(path, { body, token })).json()) as { message?: string };
      return answer.message !== UNREADABLE;
    };
    const method = (await send(path, { token })).status === 404 ? "POST" : "GET";
    const schemas: v.GenericSchema[] = [];
    // A call that reads an empty body reads none.
    if (method === "POST" && path !== paths.logout && !(await isRead({}))) {
      for (const { schema, bodies } of samples) {
        const read = await Promise.all(bodies.map(isRead));
        if (read.includes(true)) schemas.push(schema);
      }
    }
    targets.push({ path, method, schemas });
  }
  await store.close();
  return targets;
}

// ---- What is sent

interface Ask {
  kind: "ask";
  target: number;
  /** What of a body that the call's schemas derive; `schema` chooses among them. */
  schema: number;
  entries: readonly hostile.Entries[];
  encoding: hostile.Encoding;
  person: number | null;
  /** Null: the token of that person. */
  authorization: string | null;
  /** Null: the target's own. */
  method: string | null;
  twist: ((path: string) => string) | null;
  headers: Record<string, string>;
  /** Which of the remembered values are taken, and whether those of others too. */
  pick: number;
  foreign: boolean;
  chunked: boolean;
  signed: boolean;
  /** Sent at the same time as the next. */
  together: boolean;
}
type Step = Ask | { kind: "broken"; bytes: string } | { kind: "wait"; seconds: number };

/** Null but for one time in so many. */
const rarely = <T>(arbitrary: fc.Arbitrary<T>, times: number) =>
  fc.oneof({ weight: times - 1, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });

/** The keys whose values are learnt from answers, or belong to people. */
const LEARNT = new Set([
  "pack_id",
  "product_id",
  "order_id",
  "address",
  "amount",
  "network",
  "account_name",
  "password",
  "old_password",
  "security_problem",
  "security_problem_value",
  "new_password",
  "session_id",
  "razorpay_order_id",
  "razorpay_payment_id",
  "razorpay_signature",
  "key",
  "currency",
  "method",
  "card[name]",
  "card[number]",
  "card[cvv]",
  "card[expiry_month]",
  "card[expiry_year]",
]);
const known = (key: string) => {
  if (key === "new_password_confirmation") return fc.constant(new hostile.Remembered("new_password"));
  return LEARNT.has(key) ? fc.constant(new hostile.Remembered(key)) : undefined;
};

/** The paths that no contract lists: the site's, the providers' and those of the practice parties. `{…}` is a remembered value. */
const OTHER_PATHS: Target[] = [
  { path: "/sandbox/card/payments", method: "POST", schemas: [charge] },
  ...[
    "/sandbox/card/payments/{razorpay_payment_id}/cancel",
    "/sandbox/card/confirm/{razorpay_payment_id}",
    "/sandbox/stripe/checkout/{reference}",
  ].map((path): Target => ({
    path,
    method: "POST",
    schemas: [v.object({ decision: v.picklist(["pay", "fail", "cancel", "confirm", "decline"]) })],
  })),
  ...[...webhooks].map((path): Target => ({
    path,
    method: "POST",
    schemas: [
      v.object({
        id: v.string(),
        event: v.picklist(["payment.captured", "order.paid", "refund.processed", "payment.dispute.created"]),
        type: v.picklist([
          "checkout.session.completed",
          "charge.refunded",
          "charge.dispute.created",
          "checkout.session.async_payment_succeeded",
        ]),
        created_at: v.number(),
        payload: v.unknown(),
        data: v.unknown(),
      }),
    ],
  })),
  ...[
    "/",
    "/home",
    "/login",
    "/buy/{product_id}",
    "/payDetail/1/monthly/EbPay/3.99/{address}/{order_id}",
    "/billDetail/{order_id}/1",
    "/config.json",
    "/favicon.svg",
    "/assets/main-1a2b3c.js",
    "/api",
    "/api/health",
    "/api/nothing",
    "/sandbox",
    "/sandbox/wallet",
    "/sandbox/wallet?network=TRC20&address={address}&amount={amount}",
    "/sandbox/support",
    "/sandbox/card.js",
    "/sandbox/card/payments/{razorpay_payment_id}",
    "/sandbox/card/confirm",
    "/sandbox/card/confirm/{razorpay_payment_id}",
    "/sandbox/stripe/checkout/{reference}",
    "/sandbox/stripe/landing/{reference}",
  ].map((path): Target => ({ path, method: "GET", schemas: [] })),
];

function steps(targets: readonly Target[]): fc.Arbitrary<Step> {
  const bodies = targets.map(({ schemas }) => schemas.map((schema) => hostile.near(inputsOf(schema, known))));
  // Calls that change something more often than those that read, and the contract's more often than other paths.
  const weightOf = ({ path, schemas }: Target) =>
    OTHER_PATHS.some((other) => other.path === path)
      ? schemas.length > 0
        ? 3
        : 1
      : schemas.length > 0
        ? 12
        : 3;
  const target = fc.oneof(
    ...targets.map((each, index) => ({ weight: weightOf(each), arbitrary: fc.constant(index) })),
  );
  const asked = target.chain((index) =>
    fc.record<Ask>({
      kind: fc.constant("ask"),
      target: fc.constant(index),
      schema: fc.nat(),
      entries: fc.tuple(...(bodies[index]?.length ? bodies[index] : [hostile.anyEntries])),
      encoding: hostile.encoding,
      person: fc.oneof(
        { weight: 12, arbitrary: fc.nat(PEOPLE - 1) },
        { weight: 1, arbitrary: fc.constant(null) },
      ),
      authorization: rarely(hostile.badAuthorization, 15),
      method: rarely(hostile.method, 15),
      twist: rarely(hostile.twist, 12),
      headers: hostile.headers,
      pick: fc.nat(),
      foreign: fc.nat(3).map((roll) => roll === 3),
      chunked: fc.nat(9).map((roll) => roll === 9),
      signed: fc.boolean(),
      together: fc.nat(9).map((roll) => roll > 7),
    }),
  );
  return fc.oneof(
    { weight: 60, arbitrary: asked },
    { weight: 1, arbitrary: hostile.brokenHttp.map((bytes): Step => ({ kind: "broken", bytes })) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(1, 60, 3600, 86_400).map((seconds): Step => ({ kind: "wait", seconds })),
    },
  );
}

// ---- The world that is asked

interface Person {
  name: string;
  /** All that it may be: what was sent twice in one form may have been read either way. */
  passwords: string[];
  answer: string;
  token: string;
}

/** Values that belong together: an order's number, its address and its amount. */
type Facts = { owner: number | null; values: Record<string, string> };
const MOST_FACTS = 300;

interface Answer {
  status: number;
  headers: IncomingMessage["headers"];
  text: string;
}
interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

class Fault extends Error {}

/** What an answer must not hold, wherever it comes from. */
const INSIDES =
  /\bat (async )?[\w.<>]+ \(|node_modules|node:internal|\.ts:\d+|\bSELECT\b.*\bFROM\b|\bINSERT INTO\b|\bDELETE FROM\b|Failed query|syntax error|violates|duplicate key|drizzle|pglite|ECONN|TypeError|RangeError/i;
const ENVELOPE = v.strictObject({
  code: v.picklist([200, 1, 4001, -1]),
  message: v.pipe(v.string(), v.nonEmpty()),
  data: v.unknown(),
  server_time: v.number(),
  field: v.optional(v.string()),
});
const BARE: Readonly<Record<string, v.GenericSchema>> = {
  [paths.cardKey]: v.strictObject({ key: v.string() }),
  ...Object.fromEntries([...webhooks].map((path) => [path, v.strictObject({ received: v.boolean() })])),
};
/** Of what the service answers itself: found, sent elsewhere, not changed, a part of it; and its refusals. */
const STATUSES = new Set([200, 204, 206, 303, 304, 400, 404, 413, 416, 429]);
/** Node's own, before the service is asked. */
const BARE_STATUSES = new Set([400, 405, 408, 413, 414, 417, 431]);

async function world(store: Store, targets: readonly Target[], changes: Parameters<typeof serve>[1]) {
  const served = await serve(store, { siteDir: site, ...changes });
  const { app, clock, call, settle, service, lines } = served;
  const server = listen({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
  if (!server.listening) await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => {
    agent.destroy();
    server.close();
  });

  const counts = new Map<string, number>();
  const count = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  const people: Person[] = [];
  const facts: Facts[] = [];
  /** Long words of answers that are one person's alone, and the owner of each. */
  const secrets = new Map<string, number>();
  let made = 0;
  const freshWord = (kind: string) => `${kind}${(made += 1)}x${crypto.randomBytes(6).toString("hex")}`;

  const learn = (owner: number | null, values: Record<string, string>) => {
    facts.push({ owner, values });
    if (facts.length > MOST_FACTS) facts.splice(PEOPLE * 2, 1);
  };

  async function signIn(index: number): Promise<void> {
    const person = people[index];
    if (!person) return;
    for (const password of person.passwords) {
      const { code, data } = await call(paths.login, {
        body: { account_name: person.name, password },
        from: `10.0.0.${index}`,
      });
      if (code !== 200) continue;
      person.passwords = [password];
      person.token = (data as { token: string }).token;
      secrets.set(person.token, index);
      return;
    }
    if (service.settings.loginFailuresPerMinute === 0)
      throw new Fault(
        `Person ${index} cannot log in with the password that was acknowledged: ${JSON.stringify(person.passwords)}`,
      );
  }

  for (let index = 0; index < PEOPLE; index += 1) {
    const [name, password] = [freshWord("person"), freshWord("secret")];
    people.push({ name, passwords: [password], answer: freshWord("answer"), token: "" });
    secrets.set(name, index);
    secrets.set(password, index);
    await call(paths.register, { body: { account_name: name, password }, from: `10.1.0.${index}` });
    await signIn(index);
  }
  const offers = ((await call(paths.packages)).data as { id: string; product_id: string }[][])[2] ?? [];
  for (const { id, product_id } of offers) learn(null, { pack_id: id, product_id });
  const [question = ""] = (await call(paths.securityProblems)).data as string[];
  const { key = "" } = (await call(paths.cardKey)) as { key?: string };
  const card = {
    key,
    currency: "USD",
    method: "card",
    "card[name]": "A",
    "card[cvv]": "123",
    "card[expiry_month]": "12",
    "card[expiry_year]": "2039",
  };
  for (const number of ["4012888888881881", "4100280000060003", "4111111111111111"])
    learn(null, { ...card, "card[number]": number });

  /** Values of people and of what they were answered, those that fit most of the keys first. */
  function recall(wanted: string, keys: readonly string[], { person, pick, foreign }: Ask): string {
    if (wanted === "new_password") return freshWord("secret");
    const who = foreign ? pick % PEOPLE : (person ?? pick % PEOPLE);
    const one = people[who];
    const password = one?.passwords[0] ?? "";
    const own: Record<string, string> = {
      account_name: one?.name ?? "",
      password,
      old_password: password,
      security_problem: question,
      security_problem_value: one?.answer ?? "",
    };
    if (own[wanted] !== undefined) return own[wanted];
    const seen = facts.filter(
      ({ owner, values }) => values[wanted] !== undefined && (owner === null || foreign || owner === person),
    );
    const fit = ({ values }: Facts) => keys.filter((each) => values[each] !== undefined).length;
    const best = Math.max(0, ...seen.map(fit));
    const fitting = seen.filter((each) => fit(each) === best);
    return fitting[pick % Math.max(1, fitting.length)]?.values[wanted] ?? `no-${wanted}`;
  }

  function resolve(entries: hostile.Entries, asked: Ask): hostile.Entries {
    const keys = entries.flatMap(([, value]) => (value instanceof hostile.Remembered ? [value.key] : []));
    const found = new Map(keys.map((wanted) => [wanted, recall(wanted, keys, asked)]));
    const plain = (value: unknown): unknown => {
      if (value instanceof hostile.Remembered) return found.get(value.key);
      if (Array.isArray(value) && value.some((each) => each instanceof hostile.Remembered))
        return value.map(plain);
      return value;
    };
    return entries.map(([name, value]) => [name, plain(value)] as const);
  }

  function signature(path: string, body: Buffer): Record<string, string> {
    const { card: cardRail, stripe } = service;
    if (path.includes("razorpay") && cardRail)
      return {
        "X-Razorpay-Signature": sign(body, cardRail.account.webhookSecret),
        "X-Razorpay-Event-Id": freshWord("evt"),
      };
    const at = Math.floor(clock.now / SECOND);
    if (!stripe) return {};
    return {
      "Stripe-Signature": `t=${at},v1=${sign(`${at}.${body.toString()}`, stripe.account.webhookSecret)}`,
    };
  }

  function compose(asked: Ask): { sent: Sent; entries: hostile.Entries; target: Target } {
    const target = targets[asked.target] ?? { path: "/", method: "GET", schemas: [] };
    const entries = resolve(asked.entries[asked.schema % asked.entries.length] ?? [], asked);
    const plain = target.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(recall(name, [name], asked)),
    );
    const path = asked.twist?.(plain) ?? plain;
    const method = asked.method ?? target.method;
    const body = method === "GET" || method === "HEAD" ? null : hostile.encode(entries, asked.encoding);
    const person = asked.person === null ? undefined : people[asked.person];
    const authorization =
      asked.authorization?.replaceAll("{token}", person?.token ?? "") ?? (person && `Bearer ${person.token}`);
    return {
      target,
      entries,
      sent: {
        method,
        path,
        body,
        headers: {
          ...asked.headers,
          ...(authorization === undefined ? {} : { Authorization: authorization }),
          ...(body === null || asked.encoding.type === null ? {} : { "Content-Type": asked.encoding.type }),
          ...(body === null
            ? {}
            : asked.chunked
              ? { "Transfer-Encoding": "chunked" }
              : { "Content-Length": String(body.length) }),
          ...(body !== null && asked.signed && webhooks.has(path) ? signature(path, body) : {}),
        },
      },
    };
  }

  async function deliver({ method, path, headers, body }: Sent): Promise<Answer> {
    const sending = ask({ host: "127.0.0.1", port, agent, method, path, headers, timeout: PATIENCE });
    sending.on("timeout", () => sending.destroy(new Fault("No answer came.")));
    // After the answer's head it has no other listener.
    sending.on("error", () => undefined);
    sending.end(body ?? undefined);
    try {
      const [answer] = (await once(sending, "response")) as [IncomingMessage];
      const chunks = (await answer.toArray().catch((error: unknown) => {
        // Node refuses a head that is too long by itself, and cuts the body that is still on its way.
        if (answer.statusCode === 431) return [];
        throw error;
      })) as Buffer[];
      const text = Buffer.concat(chunks);
      const isPlain = answer.headers["content-encoding"] === undefined;
      return {
        status: answer.statusCode ?? 0,
        headers: answer.headers,
        text: isPlain ? text.toString() : "",
      };
    } catch (error) {
      // A connection that rested may be closed at the moment it is used again.
      if (sending.reusedSocket && (error as NodeJS.ErrnoException).code === "ECONNRESET")
        return deliver({ method, path, headers, body });
      throw error;
    }
  }

  /** @throws Fault that says what an answer should not be */
  function check(
    { sent, entries }: { sent: Sent; entries: hostile.Entries },
    { status, headers, text }: Answer,
    person: number | null,
  ): v.InferOutput<typeof ENVELOPE> | null {
    const wrong = (what: string): never => {
      const shown = `${sent.method} ${sent.path.slice(0, 300)} ${JSON.stringify(sent.headers).slice(0, 600)}\n${sent.body?.toString().slice(0, 600) ?? ""}`;
      throw new Fault(`${what}\n${shown}\n→ ${status} ${text.slice(0, 600)}`);
    };
    if (status >= 500)
      wrong(`The service failed: ${lines.findLast((line) => line.includes('failed"'))?.slice(0, 1000)}`);
    const isNodes = headers["x-content-type-options"] === undefined;
    if (isNodes && !(BARE_STATUSES.has(status) && text === ""))
      wrong("An answer without the headers of the service.");
    if (!isNodes && !STATUSES.has(status)) wrong("A status that is not documented.");
    if (headers["x-evil"] !== undefined || headers["set-cookie"] !== undefined)
      wrong("A header that is not the service's.");
    if (INSIDES.test(text) && !/javascript|css/.test(headers["content-type"] ?? ""))
      wrong("The answer tells of the insides.");
    if (text.includes(hostile.SCRIPT)) {
      if (headers["content-type"]?.includes("html")) wrong("The page holds a script that was sent.");
    }
    // What a person was told belongs to them alone, unless another person says it first.
    const spoken = `${sent.path} ${JSON.stringify(entries)} ${Object.values(sent.headers).join(" ")}`;
    const isPractice = sent.path.includes("/sandbox/");
    for (const [word] of isPractice ? [] : text.matchAll(/[\w.-]{10,}/g)) {
      const owner = secrets.get(word);
      if (
        owner !== undefined &&
        owner !== person &&
        !spoken.includes(word) &&
        !spoken.includes(people[owner]?.name ?? "-")
      )
        wrong(`The answer holds what belongs to person ${owner}: ${word}`);
    }
    if (sent.method === "HEAD") {
      if (text !== "") wrong("An answer to HEAD has a body.");
      return null;
    }
    // The path that is routed: dots in it are resolved first.
    const address = `http://localhost${sent.path}`;
    const routed = URL.canParse(address) ? new URL(address).pathname : sent.path;
    if (isNodes || !/^\/api(\/|$)/.test(routed) || status === 204) return null;
    let said: unknown;
    try {
      said = JSON.parse(text);
    } catch {
      return wrong("The answer is no JSON.");
    }
    const bare = BARE[routed];
    if (bare && v.is(bare, said)) return null;
    const read = v.safeParse(ENVELOPE, said);
    if (!read.success) return wrong("The answer is no envelope.");
    if (read.output.code === 200 && status !== 200) wrong("A success with another status than 200.");
    if (![200, 404, 413, 429].includes(status)) wrong("An envelope with a status that is not documented.");
    if (read.output.code !== 200 && read.output.data !== null) wrong("A refusal with data.");
    return read.output;
  }

  /** Remembers what was answered. */
  function harvest(data: unknown, owner: number | null, into: Record<string, string> = {}, depth = 0): void {
    if (typeof data !== "object" || data === null || depth > 4) return;
    if ("session_id" in data && owner !== null) {
      learn(owner, { session_id: String(data.session_id) });
      secrets.set(String(data.session_id), owner);
    }
    for (const [name, value] of Object.entries(data)) {
      if (Array.isArray(value)) value.forEach((each) => harvest(each, owner, {}, depth + 1));
      else if (typeof value === "object") harvest(value, owner, into, depth + 1);
      else if (typeof value === "string" || typeof value === "number")
        into[ALIASES[name] ?? name] = String(value);
    }
    if (depth > 0) return;
    const { address, payUrl, order_id } = into;
    if (address !== undefined) into["network"] = address.startsWith("T") ? "TRC20" : "ERC20";
    if (payUrl !== undefined) into["reference"] = payUrl.split("/").at(-1)?.split("?")[0] ?? "";
    if (owner === null || order_id === undefined) return;
    learn(owner, into);
    for (const name of ["order_id", "address", "razorpay_order_id", "reference"]) {
      const value = into[name];
      if (value !== undefined && value.length > 9) secrets.set(value, owner);
    }
  }

  /** Keeps up with what a request has changed of a person. */
  async function follow(
    { target, entries, sent }: ReturnType<typeof compose>,
    { data }: { data: unknown },
    person: number | null,
  ): Promise<void> {
    const said = (name: string) =>
      entries.flatMap(([key, value]) => (key === name && value !== undefined ? [String(value)] : []));
    if (target.path === paths.changePassword && person !== null)
      people[person]?.passwords.unshift(...said("new_password"));
    // Who deleted their account registers once more.
    const gone = target.path === paths.deleteAccount && person !== null ? people[person] : undefined;
    if (gone) {
      const [password = ""] = gone.passwords;
      await call(paths.register, {
        body: { account_name: gone.name, password },
        from: `10.1.0.${person}`,
      });
    }
    if (target.path === paths.saveSecurityProblem && person !== null) {
      const one = people[person];
      if (one) one.answer = said("security_problem_value").at(-1) ?? "";
    }
    if (target.path === paths.recover) {
      for (const one of people)
        if (said("account_name").some((name) => nameKey(name.trim()) === nameKey(one.name)))
          one.passwords.unshift(...said("new_password"));
    }
    if (target.path === paths.login) {
      const token = (data as { token?: string }).token ?? "";
      const index = people.findIndex(({ name }) =>
        said("account_name").some((each) => nameKey(each.trim()) === nameKey(name)),
      );
      if (index >= 0) secrets.set(token, index);
    }
    if (sent.headers["Authorization"] !== undefined) harvest(data, person);
  }

  async function act(asked: Ask): Promise<void> {
    const composed = compose(asked);
    const answer = await deliver(composed.sent);
    const person = asked.authorization === null ? asked.person : null;
    const { authorization } = asked;
    // A header that is nearly right may be right: then it speaks for that person.
    const speaks = authorization?.includes("{token}") ? asked.person : person;
    const said = check(composed, answer, speaks);
    count(`${composed.target.path} ${said?.code ?? answer.status}`);
    if (said?.code === 200) await follow(composed, said, speaks);
    if (/^\/sandbox\/card\/payments$/.test(composed.sent.path) && answer.status === 200)
      harvest({ ...(JSON.parse(answer.text) as object), order_id: "-" }, asked.person);
  }

  async function breakIn(bytes: string): Promise<void> {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1"))).on("error", () => undefined);
    socket.setTimeout(500, () => socket.destroy());
    socket.end(Buffer.from(bytes, "latin1"));
    if (!socket.closed) await once(socket, "close");
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? 0);
    if (status >= 500 || INSIDES.test(text))
      throw new Fault(
        `Broken HTTP fails the service.\n${JSON.stringify(bytes.slice(0, 600))}\n→ ${text.slice(0, 600)}`,
      );
    count(`broken HTTP ${status}`);
  }

  /** Sends one sequence. @throws Fault */
  async function run(sequence: readonly Step[]): Promise<void> {
    let waiting: Ask[] = [];
    for (const step of sequence) {
      if (step.kind === "ask") {
        waiting.push(step);
        if (step.together) continue;
      }
      await Promise.all(waiting.map(act));
      waiting = [];
      if (step.kind === "broken") await breakIn(step.bytes);
      if (step.kind === "wait") {
        clock.now += step.seconds * SECOND;
        await settle();
      }
    }
    await Promise.all(waiting.map(act));
    for (const [index, { token }] of people.entries()) {
      if ((await call(paths.centre, { token })).code !== 200) await signIn(index);
    }
  }

  return { ...served, run, counts, people };
}

/** What answers call by another name than requests. */
const ALIASES: Readonly<Record<string, string>> = {
  id: "razorpay_payment_id",
  payment_amount: "amount",
  third_reference_id: "razorpay_order_id",
};

// ---- The tests

const variants = databases.flatMap((kind) => [
  [kind, "without limits"] as const,
  [kind, "with limits"] as const,
]);
const EACH = Math.ceil(REQUESTS / variants.length);

test.each(variants)(
  `${EACH} hostile and valid requests break nothing, on the %s database %s`,
  async (kind, limits) => {
    const store = await emptyStore(kind);
    onTestFinished(() => store.close());
    learnt ??= learnTargets();
    const targets = [...(await learnt), ...OTHER_PATHS];
    const usual = readSettings({});
    const limited = {
      loginFailuresPerMinute: usual.loginFailuresPerMinute,
      registrationsPerMinute: usual.registrationsPerMinute,
      openOrdersPerHour: usual.openOrdersPerHour,
      networkOrdersPerHour: usual.networkOrdersPerHour,
      recoveryFailuresPerDay: usual.recoveryFailuresPerDay,
      requestsPerMinute: usual.requestsPerMinute,
      accountRequestsPerMinute: usual.accountRequestsPerMinute,
      trustedProxies: 1,
    };
    const { run, counts, lines, ledger, settle, clock } = await world(
      store,
      targets,
      limits === "with limits" ? limited : {},
    );
    const loose: unknown[] = [];
    const note = (reason: unknown) => loose.push(reason);
    process.on("unhandledRejection", note).on("uncaughtException", note);
    onTestFinished(() => void process.off("unhandledRejection", note).off("uncaughtException", note));
    const before = Object.getOwnPropertyNames(Object.prototype).length;

    const begun = Date.now();
    let failedAt: number | undefined;
    /** A failure is shown at once and made smaller for a minute, after which everything passes. */
    const property = async (sequence: readonly Step[]) => {
      if (failedAt !== undefined && Date.now() - failedAt > SHRINKING) return;
      try {
        await run(sequence);
      } catch (error) {
        if (failedAt === undefined) process.stderr.write(`${(error as Error).message}\n`);
        failedAt ??= Date.now();
        throw error;
      }
    };
    const sequences = fc.array(steps(targets), { minLength: 1, maxLength: 2 * AT_A_TIME, size: "max" });
    const told = await fc.check(fc.asyncProperty(sequences, property), {
      numRuns: Math.ceil(EACH / AT_A_TIME),
      ...(SEED !== undefined && { seed: Number(SEED) }),
    });
    if (told.failed)
      throw new Error(`FUZZ_SEED=${told.seed} fails: ${(told.errorInstance as Error | null)?.message}`, {
        cause: told.errorInstance,
      });
    const seconds = (Date.now() - begun) / SECOND;

    clock.now += 86_400 * SECOND;
    await settle();
    expect(loose).toEqual([]);
    expect(
      lines.filter((line) => /"event":"(failed|webhook failed|refresh failed)"/.test(line)).slice(0, 5),
    ).toEqual([]);
    expect(Object.getOwnPropertyNames(Object.prototype)).toHaveLength(before);
    expect(await forbiddenRows(store)).toEqual({});
    expect(await sweep(ledger)).toBe(0);
    // Every schema of the contract has a call that reads it: none was left out.
    const read = new Set(targets.flatMap(({ schemas }) => schemas));
    expect(requestSchemas.filter((schema) => !read.has(schema))).toEqual([]);
    if (process.env["FUZZ_REQUESTS"] !== undefined) {
      const table = [...counts]
        .toSorted(([one], [other]) => one.localeCompare(other))
        .map(([key, times]) => `${String(times).padStart(7)}  ${key}`);
      process.stdout.write(
        `${kind}, ${limits}, seed ${told.seed}: ${[...counts.values()].reduce((sum, each) => sum + each, 0)} requests in ${seconds} s\n${table.join("\n")}\n`,
      );
    }
  },
  Math.max(300_000, EACH * 100),
);
