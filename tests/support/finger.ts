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

  #touch(type: "touchStart" | "touchMove" | "touchEnd" | "touchCancel", point?: Point) {
    return this.#session.send("Input.dispatchTouchEvent", { type, touchPoints: point ? [point] : [] });
  }

  /** Puts the finger down, moves it evenly in so many ms, and lifts it (or, told so, leaves it there). */
  async move(from: Point, to: Point, ms: number, { lifts = true } = {}): Promise<void> {
    await this.#touch("touchStart", from);
    const began = performance.now();
    const steps = Math.max(2, Math.round(ms / beat));
    for (let step = 1; step <= steps; step += 1) {
      const due = began + (ms * step) / steps;
      const early = due - performance.now();
      if (early > 0) await pause(early);
      const share = step / steps;
      // Not waited for: the browser answers when the page has dealt with it, and a finger does not wait for the page.
      void this.#touch("touchMove", {
        x: from.x + (to.x - from.x) * share,
        y: from.y + (to.y - from.y) * share,
      });
    }
    if (lifts) await this.lift();
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
