/** A wheel picker: options turn under the touch and one is selected when the wheel stops. Specification, section 9 ("picker"). */
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
import { isComposing } from "./keys.ts";
import { OPTION_HEIGHT, restingAt, VISIBLE_OPTIONS } from "./wheel-motion.ts";
import { SeenContext } from "./sheet.tsx";
import { WheelTurning } from "./wheel-turning.ts";

const Frame = styled.div`
  /* 44 px, and more at a larger text size; fewer options are visible on a low screen. */
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

/** The moving options, fading towards both edges. */
const Passing = styled.div`
  position: absolute;
  inset: 0;
  color: var(--soft);
  -webkit-mask-image: linear-gradient(transparent, #000 42%, #000 58%, transparent);
  mask-image: linear-gradient(transparent, #000 42%, #000 58%, transparent);
`;

/**
 * The highlighted middle, which shows the selection. It holds a second copy of the options, so that an option
 * halfway in is half highlighted.
 */
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
  /* An option has room for two lines of a sentence. */
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
  /* At a very large text size on a phone: room for three lines. */
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
  /** Up to two lines of text. */
  label: string;
  disabled?: boolean | undefined;
}

export interface WheelProps {
  /** The accessible name. */
  label: string;
  options: readonly WheelOption[];
  /** A value that is not an option selects the first. */
  value: string;
  /** Called when the movement has ended, or at once when a picker sheet's confirm stops it. */
  onChange: (value: string) => void;
}

const alike = (one: readonly WheelOption[], other: readonly WheelOption[]) =>
  one.length === other.length &&
  one.every((option, index) => {
    const twin = other[index];
    return option.value === twin?.value && option.label === twin.label && option.disabled === twin.disabled;
  });

/** How many options are rendered to either side of a position that moves in steps: a wheel may have hundreds. */
const drawn = 20;
const stepOf = (offset: number) => Math.round(offset / OPTION_HEIGHT / 8) * 8;

interface OptionsProps {
  options: readonly WheelOption[];
  /** The option around which they are rendered. */
  around: number;
  ref: Ref<HTMLDivElement>;
}

/** Rerendered only when they change: the wheel renders during a flick, when every frame counts. */
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

/** Where wheels register, so that a sheet can stop them when the user confirms or cancels. */
export const TurningWheels = createContext<Set<WheelTurning> | null>(null);

/** A longer option is a sentence; Han characters count as two. */
const wordLength = 16;
const lengthOf = (text: string) => text.length + (text.match(/[\u2e80-\uffef]/g)?.length ?? 0);

/** The typed search text is cleared after so many ms. */
const typingTime = 800;

/** How many options a key turns the wheel by. */
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
 * One adjustable value (role `slider`) for assistive technology, not a list: VoiceOver and TalkBack then offer
 * "swipe up or down to adjust" and read `aria-valuetext`. Not `spinbutton`, for which ArrowUp means "more"; here it
 * must be the option above. A slider without an orientation gets ArrowRight.
 */
export function Wheel({ label, options: given, value, onChange }: WheelProps) {
  // Owners create a new array at each render; hundreds of options are compared only when they differ.
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
  // Screen readers hear the target at once; the owner hears the value when the movement ends.
  const [aim, setAim] = useState(chosen);
  const [around, setAround] = useState(stepOf(chosen * OPTION_HEIGHT));

  const [turning] = useState(() => new WheelTurning());
  const isSeen = useContext(SeenContext);
  const seen = useRef(false);
  useLayoutEffect(() => {
    // At every render: a movement may outlast the render in which it began, and must report to the latest owner.
    turning.serve({
      height: () => light.current?.clientHeight || OPTION_HEIGHT,
      place(offset) {
        // In options, so that the wheel keeps its position when the user's text size changes.
        const along = `translate3d(0, calc(var(--option) * ${-offset / OPTION_HEIGHT}), 0)`;
        for (const strip of [passing.current, lit.current]) if (strip) strip.style.transform = along;
        // The same step again causes no render.
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

  // A native listener, because React's is passive and could not stop the page from scrolling.
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
    if (event.ctrlKey || event.metaKey || event.altKey || isComposing(event.nativeEvent)) return;
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
      // A first letter goes to the next option that begins with it.
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
