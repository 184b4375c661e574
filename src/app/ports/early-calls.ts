/** A screen's first calls, made by the page's own script before the app has loaded. The app takes each answer once. Decision 13. */
import { LANGUAGE_HEADER, type Language } from "../../contract/languages.ts";
import { tokenIn } from "./stored-values.ts";

/** A response, and how many milliseconds ago it was asked for. */
export type Answered = { status: number; headers: Headers; text: string; waited: number };

type EarlyCall = {
  token: string | null;
  language: Language;
  /** Null when there is none: the app then makes the call itself, and shows why that fails. */
  answer: Promise<Answered | null>;
};

declare global {
  interface Window {
    /** By their addresses. */
    earlyCalls?: Map<string, EarlyCall>;
  }
}

/**
 * @param api where the API is; "" is this origin
 * @param stored the token as it is stored
 */
export function makeEarlyCalls(
  api: string,
  paths: readonly string[],
  stored: string | null,
  language: Language,
): void {
  const token = tokenIn(stored);
  const headers = {
    [LANGUAGE_HEADER]: language,
    ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
  };
  const ask = async (address: string) => {
    const askedAt = Date.now();
    const response = await fetch(address, { headers });
    const text = await response.text();
    // The answer may wait here for a while.
    return {
      status: response.status,
      headers: response.headers,
      text,
      get waited() {
        return Date.now() - askedAt;
      },
    };
  };
  window.earlyCalls = new Map(
    paths.map((path) => {
      const address = api.replace(/\/+$/, "") + path;
      return [address, { token, language, answer: ask(address).catch(() => null) }];
    }),
  );
}

/** The answer to the same call with the same token and language, if it was made early. Each is returned once. */
export async function takeEarlyAnswer(
  address: string,
  token: string | null,
  language: Language,
): Promise<Answered | null> {
  const early = window.earlyCalls?.get(address);
  window.earlyCalls?.delete(address);
  return early?.token === token && early.language === language ? early.answer : null;
}
