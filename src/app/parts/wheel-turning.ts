/** The turning of one wheel: a finger, a wheel of a mouse or a key in, a place on the screen and a choice out. */
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

/** A finger that moved less is a tap, in px. */
const tapSlop = 8;
/** So much at once is a notch of a mouse's wheel and turns by one option; less is a trackpad's glide and is followed, in px. */
const notch = 50;
/** A trackpad that is silent for so many ms has ended its glide. */
const glideTime = 120;

const frameTime = 1_000 / 60;

export interface TurningOutside {
  /** Px of one option, as it stands on the screen. */
  height: () => number;
  place: (offset: number) => void;
  /** The option that the wheel is on its way to. */
  onAim: (index: number) => void;
  /** The wheel has come to rest on an option. */
  onRest: (index: number) => void;
  /** No movement is wanted: everything arrives at once. */
  still: () => boolean;
}

interface Hold {
  y: number;
  /** Px scrolled when the finger came, without the stretch of an end. */
  offset: number;
  /** The finger stopped a turning wheel; lifting it is no tap. */
  caught: boolean;
  moved: boolean;
  touches: Touch[];
}

/**
 * What changes sixty times a second lives here, outside React. Offsets are px scrolled at the normal text size: 0 has
 * the first option in the middle, 44 the second.
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
  /** From px of the screen to px at the normal text size; measured when a hand comes, never between frames. */
  #scale = 1;
  #hold: Hold | null = null;
  #turning: "not" | "by its owner" | "to an option" | "thrown" | "gliding" = "not";
  #frame = 0;
  #glide: ReturnType<typeof setTimeout> | undefined;

  /** Whom it serves from now on. */
  serve(outside: TurningOutside) {
    this.#outside = outside;
  }

  /** Which options there are, by whether they are disabled, and the owner's choice; the wheel turns to it, or stands there at once. */
  show(disabled: readonly boolean[], chosen: number, atOnce: boolean) {
    this.#disabled = disabled;
    // A hand on the wheel has the last word; a movement for the same choice goes on.
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
      // Begins here, so that the slop is not jumped over.
      hold.y = touch.y;
    }
    this.#place(held(hold.offset + hold.y - touch.y, this.#end()));
  }

  /** `tapped`: px from the wheel's middle, where the finger lifted. */
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

  /** The system took the finger away: what it did so far stands. */
  cancel() {
    if (!this.#hold) return;
    this.#hold = null;
    this.turnTo(Math.round(this.#offset / OPTION_HEIGHT), 0);
  }

  /** A mouse's wheel or a trackpad. */
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

  /** Turns to an option, or to the next that can be chosen that way. */
  turnTo(index: number, way: number) {
    const at = this.#aimAt(index, way);
    if (at < 0) return this.#stop();
    this.#move(easeTo(this.#offset, at * OPTION_HEIGHT), "to an option", () => this.#rest());
  }

  /** Stops here and now. A thrown or held wheel takes the option that is seen in the middle; one that was sent to an option is there. */
  settle() {
    const seen = this.#hold || this.#turning === "thrown" || this.#turning === "gliding";
    this.#hold = null;
    this.#stop();
    const index = this.#aimAt(seen ? Math.round(this.#offset / OPTION_HEIGHT) : this.#aim, 0);
    if (index < 0) return;
    this.#place(index * OPTION_HEIGHT);
    this.#rest();
  }

  /** Stops here and now, and says nothing: its choice is not wanted any more. */
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
    // The options may have changed on the way.
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
      // A frame ago: the first one must not stand still, the hand has only just left it.
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
