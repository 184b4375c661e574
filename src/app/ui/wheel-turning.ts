/** Controller of one wheel: touch, mouse wheel and keys in; an offset and a selected option out. */
import {
  easeTo,
  hasArrived,
  held,
  OPTION_HEIGHT,
  offsetAfter,
  restingAt,
  throwSpeed,
  thrownTo,
  throwTo,
  withTouch,
  type Movement,
  type Touch,
} from "./wheel-motion.ts";

/** A smaller movement counts as a tap, in px. */
const tapSlop = 8;
/** At least so many px at once is a notch of a mouse wheel and turns by one option; less is a trackpad and is followed. */
const notch = 50;
/** A trackpad gesture has ended after so many ms without an event. */
const glideTime = 120;

const frameTime = 1_000 / 60;

export interface TurningOutside {
  /** Height of one option in px, as rendered. */
  height: () => number;
  place: (offset: number) => void;
  /** The option that the wheel moves towards. */
  onAim: (index: number) => void;
  /** The wheel stopped on an option. */
  onRest: (index: number) => void;
  /** Reduced motion: every movement ends at once. */
  still: () => boolean;
}

interface Hold {
  y: number;
  /** The offset in px when the touch began, without the resistance past an end. */
  offset: number;
  /** The touch stopped a turning wheel, so its end is not a tap. */
  caught: boolean;
  moved: boolean;
  touches: Touch[];
}

/**
 * State that changes sixty times a second is kept here, outside React. Offsets are px scrolled at the default text
 * size: 0 has the first option in the middle, 44 the second.
 */
export class WheelTurning {
  #outside: TurningOutside = {
    height: () => OPTION_HEIGHT,
    place: () => undefined,
    onAim: () => undefined,
    onRest: () => undefined,
    still: () => true,
  };
  #disabled: readonly boolean[] = [];
  #aim = -1;
  #offset = 0;
  /** Factor from screen px to px at the default text size; measured when a touch begins, never between frames. */
  #scale = 1;
  #hold: Hold | null = null;
  #turning: "not" | "by its owner" | "to an option" | "thrown" | "gliding" = "not";
  #frame = 0;
  #glide: ReturnType<typeof setTimeout> | undefined;

  /** Sets the callbacks to use from now on. */
  serve(outside: TurningOutside) {
    this.#outside = outside;
  }

  /** Sets which options are disabled, and the owner's selection; the wheel turns to it, or jumps there. */
  show(disabled: readonly boolean[], chosen: number, atOnce: boolean) {
    this.#disabled = disabled;
    // The user's touch takes precedence; a movement towards the same option continues.
    const led = this.#turning === "by its owner";
    if (this.#hold || (led ? chosen === this.#aim : this.#turning !== "not")) return;
    this.#aim = chosen;
    this.#outside.onAim(chosen);
    const to = Math.max(0, chosen) * OPTION_HEIGHT;
    if (atOnce || Math.abs(to - this.#offset) < 1) this.#place(to);
    else this.#move(easeTo(this.#offset, to), "by its owner", () => undefined);
  }

  grab({ at, y }: Touch) {
    this.#scale = OPTION_HEIGHT / this.#outside.height();
    const touch = { at, y: y * this.#scale };
    const caught = this.#turning !== "not";
    this.#stop();
    this.#hold = { y: touch.y, offset: this.#offset, caught, moved: false, touches: [touch] };
  }

  follow({ at, y }: Touch) {
    const hold = this.#hold;
    if (!hold) return;
    const touch = { at, y: y * this.#scale };
    hold.touches = withTouch(hold.touches, touch);
    if (!hold.moved && Math.abs(touch.y - hold.y) < tapSlop) return;
    if (!hold.moved) {
      hold.moved = true;
      // The drag starts here, so that the wheel does not jump by the slop.
      hold.y = touch.y;
    }
    this.#place(held(hold.offset + hold.y - touch.y, this.#end()));
  }

  /** `tapped`: px from the wheel's middle to where the touch ended. */
  release(at: number, tapped: number) {
    const hold = this.#hold;
    this.#hold = null;
    if (!hold) return;
    if (!hold.moved && !hold.caught)
      return this.turnTo(Math.round((this.#offset + tapped * this.#scale) / OPTION_HEIGHT), tapped);
    const speed = hold.moved ? throwSpeed(hold.touches, at) : 0;
    if (speed === 0) return this.turnTo(Math.round(this.#offset / OPTION_HEIGHT), 0);
    const target = Math.round(thrownTo(this.#offset, speed) / OPTION_HEIGHT);
    const index = this.#aimAt(target, speed);
    if (index < 0) return;
    const beyond = target < 0 || target >= this.#disabled.length;
    this.#move(throwTo(this.#offset, index * OPTION_HEIGHT, speed, beyond), "thrown", () => this.#rest());
  }

  /** The browser cancelled the touch: the movement so far stands. */
  cancel() {
    if (!this.#hold) return;
    this.#hold = null;
    this.turnTo(Math.round(this.#offset / OPTION_HEIGHT), 0);
  }

  /** A mouse wheel or a trackpad. */
  roll(delta: number) {
    if (this.#hold || delta === 0) return;
    if (Math.abs(delta) >= notch && this.#turning !== "gliding") return this.turnBy(Math.sign(delta));
    this.#stop();
    this.#turning = "gliding";
    const along = (delta * OPTION_HEIGHT) / this.#outside.height();
    this.#place(Math.min(Math.max(this.#offset + along, 0), this.#end()));
    this.#glide = setTimeout(() => this.turnTo(Math.round(this.#offset / OPTION_HEIGHT), delta), glideTime);
  }

  /** Turns by so many options. */
  turnBy(steps: number) {
    this.turnTo(this.#aim + steps, steps);
  }

  /** Turns to an option, or to the next enabled one towards `way`. */
  turnTo(index: number, way: number) {
    const at = this.#aimAt(index, way);
    if (at < 0) return this.#stop();
    this.#move(easeTo(this.#offset, at * OPTION_HEIGHT), "to an option", () => this.#rest());
  }

  /** Stops now. A flicked or held wheel selects the option in the middle; one that moves to an option is set to it. */
  settle() {
    const seen = this.#hold || this.#turning === "thrown" || this.#turning === "gliding";
    this.#hold = null;
    this.#stop();
    const index = this.#aimAt(seen ? Math.round(this.#offset / OPTION_HEIGHT) : this.#aim, 0);
    if (index < 0) return;
    this.#place(index * OPTION_HEIGHT);
    this.#rest();
  }

  /** Stops now and reports nothing, because the selection is discarded. */
  end() {
    this.#hold = null;
    this.#stop();
  }

  #end() {
    return Math.max(0, this.#disabled.length - 1) * OPTION_HEIGHT;
  }

  #place(offset: number) {
    this.#offset = offset;
    this.#outside.place(offset);
  }

  #aimAt(index: number, way: number) {
    const at = restingAt(this.#disabled, index, way);
    if (at < 0) return at;
    this.#aim = at;
    this.#outside.onAim(at);
    return at;
  }

  #stop() {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#glide);
    this.#turning = "not";
  }

  #rest() {
    this.#stop();
    // The options may have changed during the movement.
    const at = restingAt(this.#disabled, this.#aim, 0);
    if (at !== this.#aim) return this.turnTo(at, 0);
    this.#outside.onRest(this.#aim);
  }

  #move(movement: Movement, turning: "by its owner" | "to an option" | "thrown", ended: () => void) {
    this.#stop();
    if (Math.abs(movement.to - movement.from) < 1 || this.#outside.still()) {
      this.#place(movement.to);
      return ended();
    }
    this.#turning = turning;
    let began: number | null = null;
    const step = (now: number) => {
      // Dated one frame back: otherwise the first frame would not move, right after the touch ended.
      began ??= now - frameTime;
      if (!hasArrived(movement, now - began)) {
        this.#place(offsetAfter(movement, now - began));
        this.#frame = requestAnimationFrame(step);
        return;
      }
      this.#place(movement.to);
      this.#turning = "not";
      ended();
    };
    this.#frame = requestAnimationFrame(step);
  }
}
