/** The API as the app calls it: its code loads with the first call, and a screen's first calls may be prefetched. */
import type * as apiCode from "./api.ts";
import type { Api } from "./api.ts";
import { missingCode } from "./missing-code.ts";

/** A call that a screen begins with, and what it is about. */
export type Prefetched =
  | readonly ["readPackages" | "readMember" | "readSessions"]
  | readonly ["readOrders", { readonly cursor: null }]
  | readonly ["readOrder" | "readIssued", { readonly orderId: string }];

/** Loads the API's code once; after an error, the next call loads it again, because the network may be back. */
export function lazyApi(create: (code: typeof apiCode) => Api): () => Promise<Api> {
  let loading: Promise<Api> | undefined;
  return () => {
    loading ??= import("./api.ts").then(create, async () => {
      loading = undefined;
      throw await missingCode();
    });
    return loading;
  };
}

const keyOf = (name: keyof Api, about: readonly unknown[]) => JSON.stringify([name, ...about]);

type AnyCall = (...input: readonly unknown[]) => Promise<unknown>;

/**
 * `prefetch` makes a call early; the next equal call of `api` takes its answer, once. `cancelPrefetched` aborts those
 * that were not taken. An answer is never kept for later: it would be old.
 */
export function createApiClient(load: () => Promise<Api>): {
  api: Api;
  prefetch: (...call: Prefetched) => void;
  cancelPrefetched: () => void;
} {
  const prefetched = new Map<string, { answer: Promise<unknown>; controller: AbortController }>();
  const make = async (name: keyof Api, input: readonly unknown[]) =>
    ((await load())[name] as AnyCall)(...input);
  const callOf =
    (name: keyof Api): AnyCall =>
    (...input) => {
      const signal = input.at(-1);
      if (!(signal instanceof AbortSignal)) return make(name, input);
      const key = keyOf(name, input.slice(0, -1));
      const early = prefetched.get(key);
      if (!early) return make(name, input);
      prefetched.delete(key);
      signal.addEventListener("abort", () => early.controller.abort());
      return early.answer;
    };

  return {
    // Every call by its name: the code that knows them is not there yet.
    api: new Proxy({} as Api, { get: (_, name) => callOf(name as keyof Api) }),
    prefetch: (...call) => {
      const [name, ...about] = call;
      const controller = new AbortController();
      const answer = make(name, [...about, controller.signal]);
      const key = keyOf(name, about);
      prefetched.set(key, { answer, controller });
      // The call that took it learns of its error; a later one is made anew.
      answer.catch(() => prefetched.delete(key));
    },
    cancelPrefetched: () => {
      for (const { controller } of prefetched.values()) controller.abort();
      prefetched.clear();
    },
  };
}
