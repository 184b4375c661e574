/** The sandbox's stand-in for the card provider's browser script, with the surface that the provider documents. It runs in the browser alone. */

import type { Language } from "../../../contract/languages.ts";

interface Fault {
  code: string;
  description: string;
  field: string | null;
  source: string;
  step: string;
  reason: string;
  metadata: { payment_id?: string; order_id?: string };
}
interface Outcome {
  status: "open" | "captured" | "declined" | "cancelled" | "refused";
  id?: string;
  response?: unknown;
  error?: Fault;
}
/** Flat, as the provider has it: `amount`, `order_id`, `card[number]`, … */
type Data = Record<string, string | number>;
interface Options {
  /** Opens the window now and holds the payment until `payment.resume`. */
  paused?: boolean;
  message?: string;
}
type Listener = (answer: unknown) => void;

/** A payment under way: the card is held until it is sent, and no longer. */
interface Attempt {
  popup: Window;
  held: Data | null;
  orderId: string;
  id: string | null;
  over: boolean;
  stop: () => void;
}

/** What the script says by itself; all else the sandbox says. */
export type CardScriptWords = Record<"cancelled" | "blocked" | "unreachable", string>;

/**
 * Defines `window.Razorpay`. It is sent to the browser as text, so nothing outside of it exists for it.
 * Everything goes to the sandbox that it was loaded from, the card included, and never to the shop.
 */
export function cardScript(words: Record<Language, CardScriptWords>): void {
  const home = new URL(".", (document.currentScript as HTMLScriptElement | null)?.src ?? location.href);
  const at = (path: string) => new URL(path, home).href;
  /** Its language may change while the page is open. */
  const root = document.documentElement;

  const faults = {
    cancelled: {
      code: "BAD_REQUEST_ERROR",
      field: null,
      source: "customer",
      step: "payment_authentication",
      reason: "payment_cancelled",
    },
    blocked: {
      code: "BAD_REQUEST_ERROR",
      field: null,
      source: "customer",
      step: "payment_initiation",
      reason: "popup_blocked",
    },
    unreachable: {
      code: "SERVER_ERROR",
      field: null,
      source: "internal",
      step: "payment_initiation",
      reason: "server_error",
    },
  };
  const faultOf = (kind: keyof typeof faults, orderId: string): Fault => ({
    ...faults[kind],
    description: words[/^zh\b/i.test(root.lang) ? "zh-CN" : "en"][kind],
    metadata: { order_id: orderId },
  });

  async function ask(path: string, body?: unknown): Promise<Outcome> {
    const sent =
      body === undefined
        ? {}
        : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
    const spoken = new URLSearchParams({ language: root.lang });
    const answer = await fetch(at(`${path}?${spoken}`), { ...sent, cache: "no-store", credentials: "omit" });
    return (await answer.json()) as Outcome;
  }

  class Razorpay {
    readonly #key: string;
    readonly #listeners = new Map<string, Set<Listener>>();
    #ready = false;
    #attempt: Attempt | null = null;

    constructor(options: { key: string }) {
      this.#key = options.key;
      setTimeout(() => {
        this.#ready = true;
        this.#say("ready", { methods: { card: true } });
      });
    }

    on(event: string, listener: Listener): this {
      const listeners = this.#listeners.get(event) ?? new Set();
      this.#listeners.set(event, listeners.add(listener));
      return this;
    }

    once(event: string, listener: Listener): this {
      if (event === "ready" && this.#ready) {
        queueMicrotask(() => listener({ methods: { card: true } }));
        return this;
      }
      const first: Listener = (answer) => {
        this.#listeners.get(event)?.delete(first);
        listener(answer);
      };
      return this.on(event, first);
    }

    /** The window opens at once, because only within the tap may it. */
    createPayment(data: Data, options: Options = {}): this {
      this.#attempt?.stop();
      this.#attempt?.popup.close();
      const orderId = String(data["order_id"] ?? "");
      const query = new URLSearchParams({ language: root.lang });
      if (options.message !== undefined) query.set("message", options.message);
      const popup = window.open(at(`card/confirm?${query}`), "_blank", "popup,width=430,height=680");
      if (!popup) {
        const error = faultOf("blocked", orderId);
        queueMicrotask(() => this.#say("payment.error", { error }));
        return this;
      }
      const attempt: Attempt = { popup, held: data, orderId, id: null, over: false, stop: () => {} };
      this.#attempt = attempt;
      const heard = (message: MessageEvent) => {
        if (message.source === popup && attempt.id !== null) void this.#look(attempt);
      };
      window.addEventListener("message", heard);
      const watch = setInterval(() => {
        if (!popup.closed) return;
        clearInterval(watch);
        void this.#closed(attempt);
      }, 200);
      attempt.stop = () => {
        attempt.over = true;
        attempt.held = null;
        clearInterval(watch);
        window.removeEventListener("message", heard);
      };
      if (options.paused !== true) void this.#send(attempt);
      return this;
    }

    focus(): void {
      this.#attempt?.popup.focus();
    }

    emit(event: "payment.resume" | "payment.cancel"): void {
      const attempt = this.#attempt;
      if (!attempt || attempt.over) return;
      if (event === "payment.resume") void this.#send(attempt);
      else attempt.popup.close();
    }

    #say(event: string, answer: unknown): void {
      for (const listener of this.#listeners.get(event) ?? []) listener(answer);
    }

    #settle(attempt: Attempt, outcome: Outcome): void {
      if (attempt.over) return;
      attempt.stop();
      if (outcome.status === "captured") this.#say("payment.success", outcome.response);
      else this.#say("payment.error", { error: outcome.error });
    }

    #fail(attempt: Attempt, kind: keyof typeof faults): void {
      this.#settle(attempt, { status: "refused", error: faultOf(kind, attempt.orderId) });
    }

    /** Hands the card to the provider, and the window to the bank's page. */
    async #send(attempt: Attempt): Promise<void> {
      const { held, popup } = attempt;
      if (!held) return;
      attempt.held = null;
      try {
        const outcome = await ask("card/payments", { ...held, key: this.#key });
        if (outcome.status === "refused" || outcome.id === undefined) {
          this.#settle(attempt, outcome);
          popup.close();
          return;
        }
        attempt.id = outcome.id;
        if (popup.closed) await this.#closed(attempt);
        else popup.location.replace(at(`card/confirm/${outcome.id}?language=${root.lang}`));
      } catch {
        this.#fail(attempt, "unreachable");
        popup.close();
      }
    }

    /** Asks for the outcome of the payment when the window reports that it has ended. */
    async #look(attempt: Attempt): Promise<void> {
      try {
        const outcome = await ask(`card/payments/${attempt.id}`);
        if (outcome.status !== "open") this.#settle(attempt, outcome);
      } catch {
        // The window closes in a moment, which asks again.
      }
    }

    /** A window that is closed ends its payment, unless that had ended before. */
    async #closed(attempt: Attempt): Promise<void> {
      if (attempt.over) return;
      if (attempt.id === null) {
        // Under way to the provider: #send comes back to this.
        if (attempt.held) this.#fail(attempt, "cancelled");
        return;
      }
      try {
        this.#settle(attempt, await ask(`card/payments/${attempt.id}/cancel`, {}));
      } catch {
        this.#fail(attempt, "unreachable");
      }
    }
  }

  Object.assign(window, { Razorpay });
}

/** Runs in the bank's window when the payment has ended: tells the page that opened it to look, and closes. Nothing is told but that. */
export function doneScript(): void {
  const opener = window.opener as Window | null;
  opener?.postMessage("sandbox.card.done", "*");
  setTimeout(() => window.close(), 1200);
}
