/** The API as the app calls it: its code loads with the first call, and a screen's first calls may be prefetched. */
import type * as apiCode from "./api.ts";
import type { Api } from "./api.ts";
import { missingCode } from "./missing-code.ts";

/** A call that a screen begins with, and what it is about. */
export type Prefetched =
  | readonly ["readPackages" | "readMember"]
  | readonly ["readOrder" | "readIssued", { readonly orderId: string }];

/** Loads the API's code once; after a failure again with the next call, for the network may be back. */
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
  const plain = <Name extends keyof Api>(name: Name) =>
    ((...input: unknown[]) => make(name, input)) as Api[Name];
  const prefetchable = <Name extends Prefetched[0]>(name: Name) =>
    ((...input: unknown[]) => {
      const signal = input.at(-1);
      const key = JSON.stringify([name, ...input.filter((each) => each !== signal)]);
      const early = prefetched.get(key);
      if (!early || !(signal instanceof AbortSignal)) return make(name, input);
      prefetched.delete(key);
      signal.addEventListener("abort", () => early.controller.abort());
      return early.answer;
    }) as Api[Name];

  return {
    api: {
      logIn: plain("logIn"),
      register: plain("register"),
      logOut: plain("logOut"),
      readMember: prefetchable("readMember"),
      readPackages: prefetchable("readPackages"),
      readMethods: plain("readMethods"),
      createOrder: plain("createOrder"),
      readOrder: prefetchable("readOrder"),
      readIssued: prefetchable("readIssued"),
      readQuestions: plain("readQuestions"),
      saveQuestion: plain("saveQuestion"),
      saveParticulars: plain("saveParticulars"),
      changePassword: plain("changePassword"),
      resetPassword: plain("resetPassword"),
      createCardOrder: plain("createCardOrder"),
      readCardKey: plain("readCardKey"),
      verifyCard: plain("verifyCard"),
      createCheckout: plain("createCheckout"),
      readContact: plain("readContact"),
    },
    prefetch: (...call) => {
      const [name, ...about] = call;
      const controller = new AbortController();
      const answer = make(name, [...about, controller.signal]);
      const key = JSON.stringify([name, ...about]);
      prefetched.set(key, { answer, controller });
      // The call that took it learns of its failure; a later one is made anew.
      answer.catch(() => prefetched.delete(key));
    },
    cancelPrefetched: () => {
      for (const { controller } of prefetched.values()) controller.abort();
      prefetched.clear();
    },
  };
}
