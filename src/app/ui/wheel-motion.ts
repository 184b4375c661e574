/** The motion of a wheel under a touch and after it: pure functions, in pixels and milliseconds. Specification, section 9 ("picker"). */

/** Height of an option in px at the browser's default text size. */
export const OPTION_HEIGHT = 44;
/** Visible options. */
export const VISIBLE_OPTIONS = 6;

/** A flick is judged by the last so many ms of a drag, and must move more px than `throwLength`. */
const throwTime = 300;
const throwLength = 15;
/** The flick's speed is measured at its end, because earlier movement does not show the intent. */
const speedTime = 100;
/** After a pause this long the touch holds the wheel and does not flick it. */
const restTime = 70;
/** px/ms lost in each ms: a flick goes speed ÷ friction far. */
const friction = 0.003;
const longestTime = 1_000;
const snapTime = 200;
const bounceTime = 320;

/** A position and time of a touch. */
export interface Touch {
  /** ms. */
  at: number;
  /** px from the top. */
  y: number;
}

/** The touches that still matter for a flick, the new one included. */
export function withTouch(touches: readonly Touch[], touch: Touch): Touch[] {
  return [...touches.filter(({ at }) => touch.at - at < throwTime), touch];
}

/** Speed in px/ms at which a touch released `now` flicks the wheel (positive towards later options); 0 when it does not. */
export function throwSpeed(touches: readonly Touch[], now: number): number {
  const recent = touches.filter(({ at }) => now - at < throwTime);
  const [first] = recent;
  const last = recent.at(-1);
  if (!first || !last || now - last.at > restTime || Math.abs(last.y - first.y) <= throwLength) return 0;
  const from = recent.find(({ at }) => last.at - at <= speedTime && at < last.at) ?? recent.at(-2) ?? first;
  return last.at > from.at ? (from.y - last.y) / (last.at - from.at) : 0;
}

/**
 * How far the wheel follows a touch that pulls it `beyond` px past its end: with growing resistance, and never its
 * own height.
 */
export function stretched(beyond: number): number {
  const height = OPTION_HEIGHT * VISIBLE_OPTIONS;
  return Math.sign(beyond) * (1 - 1 / ((Math.abs(beyond) * 0.5) / height + 1)) * height;
}

/** `offset` px, with the part beyond 0…`end` under resistance. */
export function held(offset: number, end: number): number {
  const inside = Math.min(Math.max(offset, 0), end);
  return inside + stretched(offset - inside);
}

/**
 * The option to stop at: the wanted one, or the next enabled one towards `way` (below 0 earlier, above 0 later), or
 * else back; when `way` is 0, the nearest. @returns -1 when there is none.
 */
export function restingAt(disabled: readonly boolean[], wanted: number, way: number): number {
  const index = Math.min(Math.max(wanted, 0), disabled.length - 1);
  const later = disabled.indexOf(false, Math.max(index, 0));
  const earlier = index < 0 ? -1 : disabled.lastIndexOf(false, index);
  if (later < 0 || earlier < 0) return Math.max(later, earlier);
  if (way !== 0) return way > 0 ? later : earlier;
  return later - index < index - earlier ? later : earlier;
}

/** A movement between two offsets in so many ms, with an initial speed and no final one. */
export interface Movement {
  from: number;
  to: number;
  /** px/ms at the beginning. */
  speed: number;
  duration: number;
}

/** Slows down evenly, without a bounce. */
export function easeTo(from: number, to: number, duration = snapTime): Movement {
  return { from, to, speed: (3 * (to - from)) / duration, duration };
}

/** Where a flicked wheel would stop without options to snap to. */
export function thrownTo(offset: number, speed: number): number {
  return offset + speed / friction;
}

/**
 * From the end of a flick to `to`, starting at the touch's speed so that the motion is continuous: slowing down
 * evenly over speed ÷ friction px takes the longest time. A nearer end is reached sooner; past the wheel's end
 * (`beyond`) it overshoots a little and returns.
 */
export function throwTo(from: number, to: number, speed: number, beyond: boolean): Movement {
  const way = Math.abs(to - from);
  const natural = (3 * way) / Math.abs(speed);
  if (beyond) {
    const duration = Math.min(Math.max(natural, bounceTime), longestTime);
    const most = (3 * way + 3 * OPTION_HEIGHT) / duration;
    return { from, to, speed: Math.sign(speed) * Math.min(Math.abs(speed), most), duration };
  }
  return easeTo(from, to, Math.min(Math.max(natural, snapTime), longestTime));
}

/** The offset after `elapsed` ms. */
export function offsetAfter({ from, to, speed, duration }: Movement, elapsed: number): number {
  if (elapsed >= duration) return to;
  const done = Math.max(0, elapsed) / duration;
  const left = 1 - done;
  return to - left * left * ((to - from) * (1 + 2 * done) - speed * duration * done);
}

/** Whether the rest of the movement is invisible: the slow end of a flick is cut short. */
export function hasArrived(movement: Movement, elapsed: number): boolean {
  if (elapsed >= movement.duration) return true;
  // Not in the first half: a wheel on its way past its end crosses the target at full speed.
  return elapsed > movement.duration * 0.6 && Math.abs(offsetAfter(movement, elapsed) - movement.to) < 0.5;
}
