/** The first call of a screen, begun while the code of the screen is on its way: it is asked once all the same. */
import type { Api } from "./api.ts";

/** The calls that a screen may begin with, and what each is asked about besides. */
export type Foreseen =
  | readonly ["readPackages" | "readMember"]
  | readonly ["readOrder" | "readIssued", { readonly orderId: string }];

type Begun = { answer: Promise<unknown>; giver: AbortController };

/**
 * `foresee` asks ahead; the same call of `api` then takes that answer, once. `forget` gives up whatever was not taken.
 * An answer is never kept for later: what it said would be old.
 */
export function withForesight(api: Api): {
  api: Api;
  foresee: (...call: Foreseen) => void;
  forget: () => void;
} {
  const begun = new Map<string, Begun>();
  const ask = (name: keyof Api, input: readonly unknown[]) =>
    (api[name] as (...input: readonly unknown[]) => Promise<unknown>)(...input);
  return {
    api: new Proxy(api, {
      get:
        (_, name: keyof Api) =>
        (...input: readonly unknown[]) => {
          const signal = input.at(-1);
          const key = JSON.stringify([name, ...input.filter((each) => each !== signal)]);
          const early = begun.get(key);
          if (!early || !(signal instanceof AbortSignal)) return ask(name, input);
          begun.delete(key);
          signal.addEventListener("abort", () => early.giver.abort());
          return early.answer;
        },
    }),
    foresee: (...call) => {
      const [name, ...input] = call;
      const giver = new AbortController();
      const answer = ask(name, [...input, giver.signal]);
      const key = JSON.stringify(call);
      begun.set(key, { answer, giver });
      // Whoever has taken it hears of its failure; whoever comes later asks anew, for the network may be back.
      answer.catch(() => begun.delete(key));
    },
    forget: () => {
      for (const { giver } of begun.values()) giver.abort();
      begun.clear();
    },
  };
}
