/** A wheel of options that turns under the finger and comes to rest on one of them. Specification, section 9 ("picker"). */
import {
  createContext,
  memo,
  useContext,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type Ref,
} from "react";
import styled from "styled-components";
import { OPTION_HEIGHT, restingAt, VISIBLE_OPTIONS } from "./wheel-motion.ts";
import { SeenContext } from "./sheet.tsx";
import { WheelTurning } from "./wheel-turning.ts";

const Frame = styled.div`
  /* 44 px, and more for a reader of larger text; fewer options show where the screen is too low for all. */
  --option: var(--option-height, ${OPTION_HEIGHT / 16}rem);
  --middle: calc(50% - var(--option) / 2);
  position: relative;
  height: min(${VISIBLE_OPTIONS} * var(--option), max(3 * var(--option), 92vh - 12rem));
  @supports (height: 1dvh) {
    height: min(${VISIBLE_OPTIONS} * var(--option), max(3 * var(--option), 92dvh - 12rem));
  }
  min-width: 0;
  overflow: hidden;
  touch-action: pinch-zoom;
  user-select: none;
  -webkit-user-select: none;
  -webkit-touch-callout: none;
  cursor: grab;

  &:active {
    cursor: grabbing;
  }
  &:focus-visible {
    outline: none;
  }
`;

/** The options that pass by, fading towards both edges. */
const Passing = styled.div`
  position: absolute;
  inset: 0;
  color: var(--soft);
  -webkit-mask-image: linear-gradient(transparent, #000 42%, #000 58%, transparent);
  mask-image: linear-gradient(transparent, #000 42%, #000 58%, transparent);
`;

/** The lamp's light in the middle: what stands in it is the choice. A second set of the options, so that one that is halfway in is halfway lit. */
const Light = styled.div`
  position: absolute;
  inset: var(--middle) 0 auto;
  height: var(--option);
  border-radius: var(--light-radius, var(--radius-small));
  background: var(--accent-tint);
  color: var(--ink);
  overflow: hidden;

  :focus-visible > & {
    outline: 2px solid var(--accent);
    outline-offset: -2px;
  }
  @media (forced-colors: active) {
    border-block: 1px solid;
  }
`;

const Strip = styled.div`
  position: absolute;
  inset: 0 0 auto;
  will-change: transform;
  font-size: var(--option-face, var(--size-20));
  font-weight: 500;
  line-height: 1.2;
  text-align: center;
  font-variant-numeric: tabular-nums;

  ${Passing} > & {
    top: var(--middle);
  }
  > div {
    display: grid;
    place-items: center;
    height: var(--option);
    padding: 0 6px;
    contain: strict;
  }
  > [data-disabled] {
    color: var(--faint);
    opacity: 0.5;
  }
  /* Two lines of a sentence stand in one option, with air above and below. */
  [data-sentences] & {
    font-size: 0.9375rem;

    > div {
      padding: 0 14px;
    }
    span {
      display: -webkit-box;
      -webkit-box-orient: vertical;
      -webkit-line-clamp: 2;
      overflow: hidden;
      text-wrap: balance;
    }
  }
  /* In a reader's much larger text, on a phone, three lines take the room. */
  @media (max-width: 16rem) {
    [data-sentences] & {
      font-size: 0.75rem;

      > div {
        padding: 0 8px;
      }
      span {
        -webkit-line-clamp: 3;
      }
    }
  }
`;

export interface WheelOption {
  value: string;
  /** Words; up to two lines of them. */
  label: string;
  disabled?: boolean | undefined;
}

export interface WheelProps {
  /** What is chosen, for the ear. */
  label: string;
  options: readonly WheelOption[];
  /** A value that no option has stands for the first. */
  value: string;
  /** When the movement has ended; at once when a picker sheet's confirm stops it. */
  onChange: (value: string) => void;
}

const alike = (one: readonly WheelOption[], other: readonly WheelOption[]) =>
  one.length === other.length &&
  one.every((option, index) => {
    const twin = other[index];
    return option.value === twin?.value && option.label === twin.label && option.disabled === twin.disabled;
  });

/** Of hundreds of options those are drawn that may soon be seen: so many to either side of a place that moves on in steps. */
const drawn = 20;
const stepOf = (offset: number) => Math.round(offset / OPTION_HEIGHT / 8) * 8;

interface OptionsProps {
  options: readonly WheelOption[];
  /** The option around which they are drawn. */
  around: number;
  ref: Ref<HTMLDivElement>;
}

/** Drawn again only when they have changed: the wheel draws itself in the midst of a throw, when every frame counts. */
const Options = memo(function Options({ options, around, ref }: OptionsProps) {
  const first = Math.max(0, around - drawn);
  return (
    <Strip ref={ref} style={{ paddingTop: `calc(var(--option) * ${first})` }}>
      {options.slice(first, around + drawn + 1).map((option) => (
        <div key={option.value} data-disabled={option.disabled ? "" : undefined}>
          <span>{option.label}</span>
        </div>
      ))}
    </Strip>
  );
});

/** Where wheels report to what can be confirmed or cancelled in the midst of their movement. */
export const TurningWheels = createContext<Set<WheelTurning> | null>(null);

/** Longer than so many letters, an option is a sentence; Han characters are as wide as two. */
const wordLength = 16;
const lengthOf = (text: string) => text.length + (text.match(/[\u2e80-\uffef]/g)?.length ?? 0);

/** A typed beginning is forgotten after so many ms. */
const typingTime = 800;

/** By how many options a key turns the wheel. */
const steps: Record<string, number> = {
  ArrowUp: -1,
  ArrowLeft: -1,
  ArrowDown: 1,
  ArrowRight: 1,
  PageUp: 1 - VISIBLE_OPTIONS,
  PageDown: VISIBLE_OPTIONS - 1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

const touchOf = (event: PointerEvent) => ({ at: event.timeStamp, y: event.clientY });

/**
 * For assistive technology this is one adjustable value (role `slider`), not a list of options: VoiceOver and TalkBack
 * then offer "swipe up or down to adjust", as on the phone's own wheels, and speak `aria-valuetext`; a list would be
 * hundreds of years to swipe through, most of them out of sight. Not `spinbutton`: that one gets ArrowUp for "more",
 * and here ArrowUp must be the option above. A slider without an orientation gets ArrowRight.
 */
export function Wheel({ label, options: given, value, onChange }: WheelProps) {
  // Owners make them anew at each rendering; hundreds of them are looked at only when they say something else.
  const [options, setOptions] = useState(given);
  if (!alike(options, given)) setOptions(given);
  const frame = useRef<HTMLDivElement>(null);
  const passing = useRef<HTMLDivElement>(null);
  const light = useRef<HTMLDivElement>(null);
  const lit = useRef<HTMLDivElement>(null);
  const typed = useRef({ text: "", at: 0 });

  const disabled = useMemo(() => options.map((option) => option.disabled ?? false), [options]);
  const sentences = useMemo(
    () => options.some(({ label: words }) => lengthOf(words) > wordLength),
    [options],
  );
  const named = options.findIndex((option) => option.value === value);
  const chosen = restingAt(disabled, named, 1);
  // What the ear hears goes ahead of the movement; what the owner hears waits for its end.
  const [aim, setAim] = useState(chosen);
  const [around, setAround] = useState(stepOf(chosen * OPTION_HEIGHT));

  const [turning] = useState(() => new WheelTurning());
  const isSeen = useContext(SeenContext);
  const seen = useRef(false);
  useLayoutEffect(() => {
    // At every rendering: a movement outlives the one in which it began, and its end is told to the latest owner.
    turning.serve({
      height: () => light.current?.clientHeight || OPTION_HEIGHT,
      place(offset) {
        // In options, so that the wheel stays in its place when the reader's text size changes.
        const along = `translate3d(0, calc(var(--option) * ${-offset / OPTION_HEIGHT}), 0)`;
        for (const strip of [passing.current, lit.current]) if (strip) strip.style.transform = along;
        // The same step again draws nothing.
        setAround(stepOf(offset));
      },
      onAim: setAim,
      onRest(index) {
        const option = options[index];
        if (option && option.value !== value) onChange(option.value);
      },
      still: () => window.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false,
    });
    turning.show(disabled, chosen, !seen.current);
    seen.current = isSeen;
  }, [turning, options, value, onChange, disabled, chosen, isSeen]);

  const wheels = useContext(TurningWheels);
  useLayoutEffect(() => {
    wheels?.add(turning);
    return () => {
      wheels?.delete(turning);
      turning.end();
    };
  }, [wheels, turning]);

  // Heard natively: React's own listener could not keep the page from scrolling.
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const onWheel = (event: WheelEvent) => {
      if (event.ctrlKey) return;
      event.preventDefault();
      turning.roll(
        event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * OPTION_HEIGHT,
      );
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [turning]);

  const onPointerUp = (event: PointerEvent<HTMLDivElement>) => {
    const { top, height } = event.currentTarget.getBoundingClientRect();
    turning.release(event.timeStamp, event.clientY - top - height / 2);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const by = steps[event.key];
    if (by !== undefined) {
      event.preventDefault();
      turning.turnBy(by);
    } else if (event.key.length === 1 && event.key !== " ") {
      const fresh = event.timeStamp - typed.current.at > typingTime;
      const text = (fresh ? "" : typed.current.text) + event.key.toLowerCase();
      typed.current = { text, at: event.timeStamp };
      const begins = ({ label: words, disabled: no }: WheelOption) =>
        !no && words.toLowerCase().startsWith(text);
      // A first letter goes on to the next option that begins with it.
      const next = options.findIndex((option, index) => index > aim - text.length + 1 && begins(option));
      const found = next < 0 ? options.findIndex(begins) : next;
      if (found >= 0) turning.turnTo(found, 0);
    }
  };

  return (
    <Frame
      ref={frame}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={options.length > 0 ? 1 : 0}
      aria-valuemax={options.length}
      aria-valuenow={aim + 1}
      aria-valuetext={options[aim]?.label}
      data-sentences={sentences ? "" : undefined}
      onPointerDown={(event) => {
        if (!event.isPrimary || event.button !== 0) return;
        event.currentTarget.setPointerCapture?.(event.pointerId);
        turning.grab(touchOf(event));
      }}
      onPointerMove={(event) => {
        if (event.isPrimary) turning.follow(touchOf(event));
      }}
      onPointerUp={onPointerUp}
      onPointerCancel={() => turning.cancel()}
      onKeyDown={onKeyDown}
    >
      <Passing aria-hidden="true">
        <Options ref={passing} options={options} around={around} />
      </Passing>
      <Light ref={light} aria-hidden="true">
        <Options ref={lit} options={options} around={around} />
      </Light>
    </Frame>
  );
}
