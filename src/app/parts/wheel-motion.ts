/** How a wheel moves under a finger and comes to rest: pure, in pixels and milliseconds. Specification, section 9 ("picker"). */

/** Height of an option in px at the browser's normal text size. */
export const OPTION_HEIGHT = 44;
/** How many options the wheel shows. */
export const VISIBLE_OPTIONS = 6;

/** A throw is the last of a drag, this long at most, and longer than this. */
const throwTime = 300;
const throwLength = 15;
/** The throw's speed is that of its end: what came before it is not what the hand meant. */
const speedTime = 100;
/** A finger that has rested so long holds the wheel; it does not throw it. */
const restTime = 70;
/** px/ms lost in each ms: a throw goes speed ÷ friction far. */
const friction = 0.003;
const longestTime = 1_000;
const snapTime = 200;
const bounceTime = 320;

/** Where the finger was, and when. */
export interface Touch {
  /** ms. */
  at: number;
  /** px from the top. */
  y: number;
}

/** The touches that still say something about a throw, the new one included. */
export function withTouch(touches: readonly Touch[], touch: Touch): Touch[] {
  return [...touches.filter(({ at }) => touch.at - at < throwTime), touch];
}

/** Px/ms at which a finger that lifts `now` throws the wheel on (positive towards later options); 0 when it does not. */
export function throwSpeed(touches: readonly Touch[], now: number): number {
  const recent = touches.filter(({ at }) => now - at < throwTime);
  const [first] = recent;
  const last = recent.at(-1);
  if (!first || !last || now - last.at > restTime || Math.abs(last.y - first.y) <= throwLength) return 0;
  const from = recent.find(({ at }) => last.at - at <= speedTime && at < last.at) ?? recent.at(-2) ?? first;
  return last.at > from.at ? (from.y - last.y) / (last.at - from.at) : 0;
}

/** How far the wheel follows a finger that pulls it `beyond` px past its end: ever less, never its own height. */
export function stretched(beyond: number): number {
  const height = OPTION_HEIGHT * VISIBLE_OPTIONS;
  return Math.sign(beyond) * (1 - 1 / ((Math.abs(beyond) * 0.5) / height + 1)) * height;
}

/** `offset` px, with what lies outside 0…`end` stretched. */
export function held(offset: number, end: number): number {
  const inside = Math.min(Math.max(offset, 0), end);
  return inside + stretched(offset - inside);
}

/**
 * The option to rest on: the wanted one, or else the next that is not disabled that `way` (below 0 towards earlier
 * options, above 0 towards later ones), or else back; without a way, the nearest.
 * @returns -1 when there is none.
 */
export function restingAt(disabled: readonly boolean[], wanted: number, way: number): number {
  const index = Math.min(Math.max(wanted, 0), disabled.length - 1);
  const later = disabled.indexOf(false, Math.max(index, 0));
  const earlier = index < 0 ? -1 : disabled.lastIndexOf(false, index);
  if (later < 0 || earlier < 0) return Math.max(later, earlier);
  if (way !== 0) return way > 0 ? later : earlier;
  return later - index < index - earlier ? later : earlier;
}

/** From one offset to another in so many ms, beginning at a speed and ending at none. */
export interface Movement {
  from: number;
  to: number;
  /** px/ms at the beginning. */
  speed: number;
  duration: number;
}

/** Comes to rest evenly: quick at first, without a bounce. */
export function easeTo(from: number, to: number, duration = snapTime): Movement {
  return { from, to, speed: (3 * (to - from)) / duration, duration };
}

/** Where a thrown wheel would stop, were there no options to stop at. */
export function thrownTo(offset: number, speed: number): number {
  return offset + speed / friction;
}

/**
 * From a throw's end to `to`. The movement begins at the finger's own speed, so the hand feels no seam: slowing down
 * evenly over speed ÷ friction px takes exactly the longest time. An end that is nearer is reached sooner, and a wheel
 * thrown past its end (`beyond`) swings a little over it before it returns.
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

/** Where the movement is after `elapsed` ms. */
export function offsetAfter({ from, to, speed, duration }: Movement, elapsed: number): number {
  if (elapsed >= duration) return to;
  const done = Math.max(0, elapsed) / duration;
  const left = 1 - done;
  return to - left * left * ((to - from) * (1 + 2 * done) - speed * duration * done);
}

/** Whether what is left cannot be seen: the long last of a throw is not waited for. */
export function hasArrived(movement: Movement, elapsed: number): boolean {
  if (elapsed >= movement.duration) return true;
  // Not in the first half, where a wheel on its way past its end crosses the place at full speed.
  return elapsed > movement.duration * 0.6 && Math.abs(offsetAfter(movement, elapsed) - movement.to) < 0.5;
}
