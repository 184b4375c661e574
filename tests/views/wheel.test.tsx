/** The wheel: how it is thrown and stretched, where it rests, what keys do, and that a confirm stops it first. */
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DateWheels } from "../../src/app/ui/date-wheels.tsx";
import { PickerSheet } from "../../src/app/ui/picker-sheet.tsx";
import {
  easeTo,
  hasArrived,
  held,
  offsetAfter,
  restingAt,
  stretched,
  throwSpeed,
  thrownTo,
  throwTo,
  withTouch,
  type Touch,
} from "../../src/app/ui/wheel-motion.ts";
import { WheelTurning } from "../../src/app/ui/wheel-turning.ts";
import { Wheel, type WheelOption } from "../../src/app/ui/wheel.tsx";
import { dayChoices, readDay, turnDay, writeDay, type Day } from "../../machines/dates.ts";

/** A finger that goes `by` px in each of `steps` steps of 10 ms. */
const swipe = (by: number, steps: number, from = { at: 0, y: 500 }): Touch[] =>
  Array.from({ length: steps + 1 }, (_, step) => ({ at: from.at + step * 10, y: from.y + by * step }));

test.each([
  // [what, touches, lifted at, px/ms]
  ["a flick up goes to later options", swipe(-10, 6), 60, 1],
  ["a flick down goes to earlier ones", swipe(5, 12), 120, -0.5],
  ["15 px are no throw", swipe(-3, 5), 50, 0],
  ["16 px are one", swipe(-4, 4), 40, 0.4],
  ["a finger that rested holds", swipe(-10, 6), 200, 0],
  ["a tap throws nothing", swipe(0, 0), 10, 0],
  [
    "a long drag that ends in a flick throws",
    [...swipe(-1, 50), ...swipe(-10, 12, { at: 510, y: 440 })],
    630,
    1,
  ],
] as const)("throws: %s", (_, touches, lifted, speed) => {
  expect(throwSpeed([...touches], lifted)).toBeCloseTo(speed, 5);
});

test("remembers 300 ms of touches", () => {
  const kept = swipe(-1, 60).reduce<Touch[]>(withTouch, []);
  expect([kept[0]?.at, kept.at(-1)?.at]).toEqual([310, 600]);
});

test("goes speed / 0.003 far, in 1000 ms, beginning at the finger's own speed and ending at none", () => {
  expect(thrownTo(100, 0.9)).toBeCloseTo(400, 6);
  const movement = throwTo(100, 400, 0.9, false);
  expect(movement.duration).toBeCloseTo(1_000, 6);
  expect(offsetAfter(movement, 0)).toBeCloseTo(100, 6);
  expect(offsetAfter(movement, 1) - offsetAfter(movement, 0)).toBeCloseTo(0.9, 2);
  expect(offsetAfter(movement, 1_000) - offsetAfter(movement, 990)).toBeCloseTo(0, 2);
  expect(offsetAfter(movement, 1_000)).toBe(400);
});

test("never turns back on its way, and never takes longer than 1000 ms", () => {
  for (const [to, speed] of [
    [44, 0.1],
    [440, 1.2],
    [-880, -3],
    [4_400, 13],
  ] as const) {
    const movement = throwTo(0, to, speed, false);
    expect(movement.duration).toBeLessThanOrEqual(1_000);
    let before = 0;
    for (let at = 0; at <= movement.duration; at += 10) {
      const after = offsetAfter(movement, at);
      expect(Math.abs(after)).toBeGreaterThanOrEqual(Math.abs(before) - 1e-9);
      before = after;
    }
  }
});

test("swings a little past its end, less than an option, and comes back", () => {
  for (const way of [0, 20, 44, 300]) {
    const movement = throwTo(way, 0, -3, true);
    const places = Array.from({ length: 101 }, (_, at) => offsetAfter(movement, at * 10));
    expect(Math.min(...places)).toBeGreaterThan(-44);
    expect(places.at(-1)).toBe(0);
  }
  expect(
    Math.min(...Array.from({ length: 40 }, (_, at) => offsetAfter(throwTo(0, 0, -3, true), at * 10))),
  ).toBeLessThan(-8);
});

test("arrives when what is left cannot be seen, not when it crosses its end", () => {
  const movement = easeTo(0, 440, 1_000);
  expect(hasArrived(movement, 700)).toBe(false);
  expect(hasArrived(movement, 920)).toBe(true);
  expect(hasArrived(throwTo(0, 0, -3, true), 1)).toBe(false);
});

test("snaps in 200 ms", () => {
  const movement = easeTo(10, 44);
  expect(movement.duration).toBe(200);
  expect(offsetAfter(movement, 200)).toBe(44);
});

test("stretches past its ends, ever less, and follows one to one between them", () => {
  expect(held(120, 440)).toBe(120);
  expect(held(-100, 440)).toBeCloseTo(stretched(-100), 6);
  expect(held(540, 440)).toBeCloseTo(440 + stretched(100), 6);
  expect(stretched(40)).toBeLessThan(40);
  expect(stretched(200) - stretched(190)).toBeLessThan(stretched(20) - stretched(10));
  expect(stretched(100_000)).toBeLessThan(264);
});

const yes = false;
const no = true;
test.each([
  [[yes, yes, yes], 1, 0, 1],
  [[yes, yes, yes], 9, 1, 2],
  [[yes, yes, yes], -9, -1, 0],
  [[yes, no, no, yes], 1, 1, 3],
  [[yes, no, no, yes], 2, -1, 0],
  [[yes, no, no, yes], 2, 0, 3],
  [[yes, yes, no], 2, 1, 1],
  [[no, yes, yes], 0, -1, 1],
  [[no, no], 0, 0, -1],
  [[], 0, 0, -1],
])("of %j, wanting %i by way %i, rests at %i", (disabled, wanted, way, index) => {
  expect(restingAt(disabled, wanted, way)).toBe(index);
});

/** A wheel of 20 options outside React, and what it says. */
function turningWheel(disabled: boolean[] = Array.from({ length: 20 }, () => false), chosen = 5) {
  const said: { place: number; aim: number; rests: number[] } = { place: 0, aim: -1, rests: [] };
  const wheel = new WheelTurning();
  wheel.serve({
    height: () => 44,
    place: (offset) => {
      said.place = offset;
    },
    onAim: (index) => {
      said.aim = index;
    },
    onRest: (index) => said.rests.push(index),
    still: () => false,
  });
  wheel.show(disabled, chosen, true);
  const swiped = (touches: Touch[]) => {
    const [first, ...rest] = touches;
    if (first) wheel.grab(first);
    for (const touch of rest) wheel.follow(touch);
    wheel.release(touches.at(-1)?.at ?? 0, 0);
  };
  return { wheel, said, swiped };
}

const frames = (ms: number) => {
  vi.advanceTimersByTime(ms);
};

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ["requestAnimationFrame", "cancelAnimationFrame", "setTimeout", "clearTimeout", "performance"],
  });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a throw is told once, at its end", () => {
  const { said, swiped } = turningWheel();
  swiped(swipe(-10, 6));
  expect(said.aim).toBeGreaterThan(10);
  frames(500);
  expect(said.rests).toEqual([]);
  frames(600);
  expect(said.rests).toEqual([said.aim]);
  expect(said.place).toBe(said.aim * 44);
});

test("a slow drag snaps to the nearest, and a tap turns to the option under it", () => {
  const { wheel, said } = turningWheel();
  wheel.grab({ at: 0, y: 500 });
  wheel.follow({ at: 300, y: 480 });
  wheel.follow({ at: 700, y: 440 });
  wheel.release(1_000, 0);
  frames(300);
  expect(said.rests).toEqual([6]);
  wheel.grab({ at: 2_000, y: 500 });
  wheel.release(2_060, 80);
  frames(300);
  expect(said.rests).toEqual([6, 8]);
});

test("a finger catches a turning wheel; lifting it is no tap", () => {
  const { wheel, said, swiped } = turningWheel();
  swiped(swipe(-10, 6));
  frames(200);
  wheel.grab({ at: 300, y: 600 });
  const caught = said.place;
  frames(500);
  expect(said.place).toBe(caught);
  wheel.release(900, 100);
  frames(300);
  expect(said.rests).toEqual([Math.round(caught / 44)]);
});

test("thrown past its end it comes back to the last option that is not disabled", () => {
  const { said, swiped } = turningWheel([false, false, false, true], 1);
  swiped(swipe(-20, 6));
  frames(1_100);
  expect(said.rests).toEqual([2]);
  expect(said.place).toBe(88);
});

test("settled in the midst of a throw it takes what is seen; on its way to an option, that option", () => {
  const { wheel, said, swiped } = turningWheel();
  swiped(swipe(-10, 6));
  frames(100);
  const seen = Math.round(said.place / 44);
  wheel.settle();
  expect(said.rests).toEqual([seen]);
  expect(said.place).toBe(seen * 44);
  frames(2_000);
  expect(said.rests).toEqual([seen]);
  wheel.turnBy(3);
  frames(20);
  wheel.settle();
  expect(said.rests).toEqual([seen, seen + 3]);
});

test("ended it says nothing more", () => {
  const { wheel, said, swiped } = turningWheel();
  swiped(swipe(-10, 6));
  frames(100);
  wheel.end();
  frames(2_000);
  expect(said.rests).toEqual([]);
});

test("led by its owner twice in a row it follows the second word", () => {
  const { wheel, said } = turningWheel();
  const all = Array.from({ length: 20 }, () => false);
  wheel.show(all, 9, false);
  frames(50);
  wheel.show(all, 2, false);
  frames(400);
  expect(said).toEqual({ place: 88, aim: 2, rests: [] });
});

test("a mouse's notch is one option; a trackpad's glide is followed and snaps when it ends", () => {
  const { wheel, said } = turningWheel();
  wheel.roll(100);
  frames(300);
  expect(said.rests).toEqual([6]);
  for (let glide = 0; glide < 12; glide += 1) wheel.roll(-8);
  expect(said.place).toBe(6 * 44 - 96);
  frames(400);
  expect(said.rests).toEqual([6, 4]);
});

const letters: WheelOption[] = ["alpha", "beta", "gamma", "delta", "epsilon", "beetle"].map((label) => ({
  value: label[0] === "b" ? label : label.charAt(0),
  label,
  disabled: label === "gamma",
}));

/** Movements arrive at once, so that what is told can be compared. */
const stillMotion = () => vi.stubGlobal("matchMedia", () => ({ matches: true }));

function Lettered({ onChange }: { onChange: (value: string) => void }) {
  const [value, setValue] = useState("a");
  return (
    <Wheel
      label="Letter"
      options={letters}
      value={value}
      onChange={(to) => {
        setValue(to);
        onChange(to);
      }}
    />
  );
}

test.each([
  [["ArrowDown"], "beta"],
  [["ArrowUp"], "alpha"],
  [["ArrowRight", "ArrowLeft"], "alpha"],
  // Over the disabled one, both ways.
  [["ArrowDown", "ArrowDown"], "delta"],
  [["ArrowDown", "ArrowDown", "ArrowUp"], "beta"],
  [["End"], "beetle"],
  [["End", "Home"], "alpha"],
  [["PageDown"], "beetle"],
  [["End", "PageUp"], "alpha"],
  [["d"], "delta"],
  [["b"], "beta"],
  [["b", "e", "e"], "beetle"],
  [["End", "b"], "beta"],
  // The disabled one is not found, nor what no option begins with.
  [["g"], "alpha"],
  [["x"], "alpha"],
])("keys %j lead to %s", (keys, words) => {
  stillMotion();
  render(<Lettered onChange={() => undefined} />);
  const wheel = screen.getByRole("slider", { name: "Letter" });
  for (const key of keys) fireEvent.keyDown(wheel, { key });
  expect(wheel.getAttribute("aria-valuetext")).toBe(words);
});

test("the ear hears the option at once, the owner when the wheel rests", () => {
  const told: string[] = [];
  render(<Lettered onChange={(value) => told.push(value)} />);
  const wheel = screen.getByRole("slider", { name: "Letter" });
  fireEvent.keyDown(wheel, { key: "ArrowDown" });
  expect([wheel.getAttribute("aria-valuenow"), told]).toEqual(["2", []]);
  act(() => frames(300));
  expect(told).toEqual(["beta"]);
});

function Picked({ said }: { said: string[] }) {
  return (
    <PickerSheet
      open
      title="Letter"
      cancelLabel="Cancel"
      confirmLabel="Confirm"
      onCancel={() => said.push("cancelled")}
      onConfirm={() => said.push("confirmed")}
    >
      <Wheel label="Letter" options={letters} value="" onChange={(value) => said.push(value)} />
    </PickerSheet>
  );
}

test("confirm stops the movement first, and then confirms", () => {
  const said: string[] = [];
  render(<Picked said={said} />);
  fireEvent.keyDown(screen.getByRole("slider"), { key: "End" });
  fireEvent.click(screen.getByRole("button", { name: "Confirm" }));
  expect(said).toEqual(["beetle", "confirmed"]);
});

test("what stands in the light from the beginning is chosen by confirming, also by Enter", () => {
  const said: string[] = [];
  render(<Picked said={said} />);
  fireEvent.keyDown(screen.getByRole("slider"), { key: "Enter" });
  expect(said).toEqual(["a", "confirmed"]);
});

test("drawn ahead of its sheet's opening it stands where the sheet opens; once it is seen, it turns", () => {
  const sheet = (open: boolean, value: string) => (
    <PickerSheet
      open={open}
      title="Letter"
      cancelLabel="Cancel"
      confirmLabel="Confirm"
      onCancel={() => undefined}
      onConfirm={() => undefined}
    >
      <Wheel label="Letter" options={letters} value={value} onChange={() => undefined} />
    </PickerSheet>
  );
  const isOpen = () => document.querySelector("dialog")?.open ?? null;
  const place = () =>
    document.querySelector<HTMLElement>("[role=slider] [style*=translate3d]")?.style.transform ?? null;
  const at = (index: number) => `translate3d(0, calc(var(--option) * ${-index}), 0)`;
  const { rerender } = render(sheet(false, "beta"));
  expect(isOpen()).toBe(null);
  act(() => frames(500));
  expect([isOpen(), place()]).toEqual([false, at(1)]);
  rerender(sheet(true, "d"));
  expect([isOpen(), place()]).toEqual([true, at(3)]);
  rerender(sheet(true, "beetle"));
  expect(place()).not.toBe(at(5));
  act(() => frames(1_000));
  expect(place()).toBe(at(5));
});

test("a finger throws the wheel, and one that rested before it lifts does not", () => {
  const told: string[] = [];
  const years = Array.from({ length: 200 }, (_, index) => ({ value: `${index}`, label: `${index}` }));
  render(<Wheel label="Year" options={years} value="100" onChange={(value) => told.push(value)} />);
  const wheel = screen.getByRole("slider");
  let now = 1_000;
  const finger = (type: string, clientY: number) => {
    const event = new PointerEvent(type, { bubbles: true, isPrimary: true, pointerId: 1, clientY });
    fireEvent(wheel, Object.defineProperty(event, "timeStamp", { value: now }));
  };
  const flick = (restedFor: number) => {
    finger("pointerdown", 300);
    for (let y = 290; y >= 200; y -= 10) {
      now += 10;
      finger("pointermove", y);
    }
    now += restedFor;
    finger("pointerup", 200);
    act(() => frames(1_200));
  };
  flick(150);
  flick(0);
  expect(told.map((value) => Number(value) > 104)).toEqual([false, true]);
});

test("cancelled, a turning wheel tells nothing", () => {
  const said: string[] = [];
  render(<Picked said={said} />);
  fireEvent.keyDown(screen.getByRole("slider"), { key: "End" });
  fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
  act(() => frames(2_000));
  expect(said).toEqual(["cancelled"]);
});

const on = (text: string): Day => {
  const day = readDay(text);
  if (!day) throw new Error(`${text} is no day`);
  return day;
};
const births = { min: on("1670-01-01"), max: on("2026-11-20") };

function Birth({ from, days }: { from: string; days: string[] }) {
  const [draft, setDraft] = useState(on(from));
  return (
    <DateWheels
      value={draft}
      choices={dayChoices(draft, births)}
      onTurn={(part, to) => {
        const day = turnDay(draft, part, to, births);
        setDraft(day);
        days.push(writeDay(day));
      }}
      order={["year", "month", "day"]}
      labels={{ year: "Year", month: "Month", day: "Day" }}
      format={{ year: (year) => `${year}年`, month: (month) => `${month}月`, day: (day) => `${day}日` }}
    />
  );
}

const words = () => screen.getAllByRole("slider").map((wheel) => wheel.getAttribute("aria-valuetext"));
const press = (label: string, key: string) =>
  fireEvent.keyDown(screen.getByRole("slider", { name: label }), { key });

test("the wheels of a day follow one another's bounds", () => {
  stillMotion();
  const days: string[] = [];
  render(<Birth from="2024-01-31" days={days} />);
  expect(words()).toEqual(["2024年", "1月", "31日"]);
  press("Month", "ArrowDown");
  expect(words()).toEqual(["2024年", "2月", "29日"]);
  press("Year", "ArrowUp");
  expect(words()).toEqual(["2023年", "2月", "28日"]);
  press("Year", "Home");
  press("Month", "Home");
  press("Day", "Home");
  expect(words()).toEqual(["1670年", "1月", "1日"]);
  press("Month", "End");
  press("Day", "End");
  press("Year", "End");
  expect(words()).toEqual(["2026年", "11月", "20日"]);
  expect(days).toEqual([
    "2024-02-29",
    "2023-02-28",
    "1670-02-28",
    "1670-01-28",
    "1670-01-01",
    "1670-12-01",
    "1670-12-31",
    "2026-11-20",
  ]);
});
