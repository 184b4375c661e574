/** The faults of a network between the app and the service, as data: one definition for a service in this process and for one behind a proxy. */

/** `reaches`: how often the service gets the request. The answer's delay begins when the service has answered. */
type Fault = {
  reaches: 0 | 1 | 2;
  requestDelay?: number;
  answerDelay?: number;
  answer: "whole" | "none" | "half" | "mistyped" | "gateway" | "portal";
};

/** Longer than the app waits before it says so, in ms. */
const LATE = 20_000;

export const faults = {
  none: { reaches: 1, answer: "whole" },
  "request lost": { reaches: 0, answer: "none" },
  "answer lost": { reaches: 1, answer: "none" },
  "half a body": { reaches: 1, answer: "half" },
  "bad gateway": { reaches: 0, answer: "gateway" },
  "bad gateway afterwards": { reaches: 1, answer: "gateway" },
  "HTML instead of JSON": { reaches: 0, answer: "portal" },
  "wrong types": { reaches: 1, answer: "mistyped" },
  "sent twice": { reaches: 2, answer: "whole" },
  // Later requests overtake it, and later answers.
  "late request": { reaches: 1, requestDelay: LATE, answer: "whole" },
  "late answer": { reaches: 1, answerDelay: LATE, answer: "whole" },
} as const satisfies Record<string, Fault>;

export type FaultName = keyof typeof faults;
export const faultNames = Object.keys(faults) as FaultName[];
export const faultOf = (name: FaultName): Fault => faults[name];

export type PlainAnswer = { status: number; type: string; body: string };

/** What a reverse proxy says when the service is away, and a hotel's network to someone who has not paid for it. */
const pages = {
  gateway: { status: 502, body: "<html><h1>502 Bad Gateway</h1></html>" },
  portal: { status: 200, body: "<!doctype html><title>Welcome</title><h1>Welcome to our network</h1>" },
};

/**
 * What arrives of the service's answer; null where the connection breaks instead.
 * @param whole null where the request did not reach the service
 */
export function arriving(name: FaultName, whole: PlainAnswer | null): PlainAnswer | null {
  const { answer } = faultOf(name);
  if (answer === "gateway" || answer === "portal") return { ...pages[answer], type: "text/html" };
  if (answer === "none" || whole === null) return null;
  if (answer === "half") return { ...whole, body: whole.body.slice(0, whole.body.length / 2) };
  return answer === "mistyped" ? { ...whole, body: mistyped(whole.body) } : whole;
}

/** The same answer with every value of its data of another type. */
function mistyped(body: string): string {
  const { data, ...said } = JSON.parse(body) as Record<string, unknown>;
  return JSON.stringify("code" in said ? { ...said, data: otherType(data) } : otherType(said));
}

function otherType(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(otherType);
  switch (typeof value) {
    case "string":
      return { text: value };
    case "number":
      return "many";
    case "boolean":
      return "perhaps";
    default:
      return value === null
        ? 7
        : Object.fromEntries(Object.entries(value as object).map(([key, each]) => [key, otherType(each)]));
  }
}

export type Request = { path: string; method: string; headers: Headers; body: string | null };

/**
 * `fetch` on a network with faults.
 * @param reach the service
 * @param next the fault of the next request
 */
export function faultyFetch(
  reach: (request: Request) => Promise<Response>,
  next: (request: Request) => FaultName,
) {
  const count = {
    /** Requests that the service is working on. */
    working: 0,
    /** Requests that the app waits for. */
    waiting: 0,
  };
  /** A fault's delay, by the clock of the test. */
  const pause = (ms = 0) => (ms === 0 ? undefined : new Promise((resolve) => setTimeout(resolve, ms)));
  const ask = async (request: Request): Promise<PlainAnswer> => {
    count.working += 1;
    try {
      const answer = await reach(request);
      const type = answer.headers.get("Content-Type") ?? "";
      return { status: answer.status, type, body: await answer.text() };
    } finally {
      count.working -= 1;
    }
  };
  const send = async (request: Request): Promise<Response> => {
    const name = next(request);
    const { reaches, requestDelay, answerDelay } = faultOf(name);
    await pause(requestDelay);
    const [whole = null] = await Promise.all(Array.from({ length: reaches }, () => ask(request)));
    await pause(answerDelay);
    const answer = arriving(name, whole);
    if (answer === null) throw new TypeError("Failed to fetch");
    return new Response(answer.body, { status: answer.status, headers: { "Content-Type": answer.type } });
  };
  const faulty = (path: string, { method = "GET", headers, body, signal }: RequestInit = {}) =>
    new Promise<Response>((resolve, reject) => {
      const giveUp = () => reject(new DOMException("Aborted", "AbortError"));
      if (signal?.aborted) return giveUp();
      // What is aborted is on its way all the same.
      signal?.addEventListener("abort", giveUp);
      const sent = send({ path, method, headers: new Headers(headers), body: (body as string) ?? null });
      sent.then(resolve, reject);
    });
  return {
    count,
    fetch: async (...request: Parameters<typeof faulty>): Promise<Response> => {
      count.waiting += 1;
      try {
        return await faulty(...request);
      } finally {
        count.waiting -= 1;
      }
    },
  };
}
