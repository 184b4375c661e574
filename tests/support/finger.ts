/** A finger on a phone's screen, through the browser's own input: what it touches scrolls, flicks and taps as under a hand. */
import { setTimeout as pause } from "node:timers/promises";
import type { CDPSession, Page } from "playwright-core";

export interface Point {
  x: number;
  y: number;
}

/** Ms between two places of a moving finger. */
const beat = 16;
/** Ms that a finger rests on the glass in a quick tap: what it touches answers to the touch before it hears of the click. */
const rest = 80;

export class Finger {
  readonly #session: CDPSession;

  private constructor(session: CDPSession) {
    this.#session = session;
  }

  static async on(page: Page): Promise<Finger> {
    return new Finger(await page.context().newCDPSession(page));
  }

  /** @param at when the page is to believe that it happened, in ms since 1970 */
  #touch(type: "touchStart" | "touchMove" | "touchEnd" | "touchCancel", point?: Point, at = Date.now()) {
    const touchPoints = point ? [point] : [];
    return this.#session.send("Input.dispatchTouchEvent", { type, touchPoints, timestamp: at / 1_000 });
  }

  /**
   * Puts the finger down, moves it evenly in so many ms, and lifts it (or, told so, leaves it there). The page is told
   * those times: however slow the machine, a flick is a flick.
   */
  async move(from: Point, to: Point, ms: number, { lifts = true } = {}): Promise<void> {
    const began = Date.now();
    await this.#touch("touchStart", from, began);
    const steps = Math.max(2, Math.round(ms / beat));
    for (let step = 1; step <= steps; step += 1) {
      const due = began + (ms * step) / steps;
      const early = due - Date.now();
      if (early > 0) await pause(early);
      const share = step / steps;
      // Not waited for: the browser answers when the page has dealt with it, and a finger does not wait for the page.
      const place = { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
      void this.#touch("touchMove", place, due);
    }
    if (lifts) await this.#touch("touchEnd", undefined, began + ms);
  }

  async tap(at: Point): Promise<void> {
    await this.#touch("touchStart", at);
    await pause(rest);
    await this.lift();
  }

  async lift(): Promise<void> {
    await this.#touch("touchEnd");
  }
}
