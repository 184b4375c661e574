/** What React is told to leave alone, and what stands outside the view that it is hidden with. */
import { act, cleanup, render, screen } from "@testing-library/react";
import { Activity } from "react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Drawing } from "../../src/app/ui/drawing.tsx";
import { Sheet } from "../../src/app/ui/sheet.tsx";
import { openApp, pass } from "../support/app.tsx";
import { anna } from "../support/replies.ts";

afterEach(() => {
  cleanup();
  Reflect.deleteProperty(Element.prototype, "getAnimations");
});

test("a drawing that the page holds stays what it is when its screen is drawn anew", () => {
  const container = document.createElement("div");
  container.innerHTML = "<span><svg></svg></span>";
  document.body.append(container);
  const held = container.querySelector("svg");
  const drawing = () => <Drawing name="hero" src="/hero.svg" width={390} height={300} />;
  const { rerender } = render(drawing(), { container, hydrate: true });
  rerender(drawing());
  expect(container.querySelector("svg")).toBe(held);
});

test("a sheet that leaves as its view is left goes with it, and is not there when the view comes back", async () => {
  // A movement that does not end meanwhile.
  Object.assign(Element.prototype, { getAnimations: () => [{ finished: new Promise(() => undefined) }] });
  const show = (mode: "visible" | "hidden", open: boolean) => (
    <Activity mode={mode}>
      <Sheet open={open} title="Ways to pay" closeLabel="Close" onClose={() => undefined}>
        Card
      </Sheet>
    </Activity>
  );
  const { rerender } = render(show("visible", true));
  const sheet = screen.getByRole("dialog");
  rerender(show("visible", false));
  expect(sheet.hasAttribute("data-leaving")).toBe(true);
  await act(async () => rerender(show("hidden", false)));
  expect(sheet.closest("[hidden]")).not.toBeNull();
  await act(async () => rerender(show("visible", false)));
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(document.querySelector("[data-leaving]")).toBeNull();
});

test.each([
  ["a view that is kept opens where it was left", false, 500],
  ["one that was dropped meanwhile opens at its top", true, 0],
])("%s", async (_, dropped, top) => {
  const { app, visit } = await openApp("/home");
  vi.stubGlobal("scrollY", 500);
  act(() => void window.dispatchEvent(new Event("scroll")));
  await visit("/service");
  if (dropped) await act(async () => app.navigationActor.send({ type: "views.dropped" }));
  await visit("/home");
  expect(vi.mocked(window.scrollTo).mock.lastCall).toEqual([{ top, behavior: "instant" }]);
});

test("a bill, which is never kept, opens at its top, and after a step back where it was left", async () => {
  const { visit, back } = await openApp("/billDetail/A100/0/9.99/-", { stored: anna });
  const scrollTo = vi.mocked(window.scrollTo);
  const leave = async () => {
    vi.stubGlobal("scrollY", 500);
    act(() => void window.dispatchEvent(new Event("scroll")));
    await visit("/orders");
  };
  await leave();
  await back();
  const afterBack = scrollTo.mock.lastCall;
  await leave();
  await visit("/billDetail/A100/0/9.99/-");
  expect([afterBack, scrollTo.mock.lastCall]).toEqual([
    [{ top: 500, behavior: "instant" }],
    [{ top: 0, behavior: "instant" }],
  ]);
});

describe("where views may be seen to move", () => {
  beforeEach(() => {
    vi.stubGlobal("matchMedia", () => ({ matches: true }));
    vi.stubGlobal("requestAnimationFrame", (run: () => void) => setTimeout(run, 16));
    vi.stubGlobal("cancelAnimationFrame", clearTimeout);
  });
  const frames = () =>
    [...document.querySelectorAll<HTMLElement>("[data-direction], [data-transition]")].map((frame) => ({
      heading: frame.querySelector("h1")?.textContent,
      transition: frame.dataset["transition"] ?? null,
      shown: !frame.hidden && (frame.firstElementChild as HTMLElement).style.display !== "none",
      told: frame.getAttribute("aria-hidden") === null,
    }));

  test("the focus goes to the heading of what comes, and stays there when what leaves has gone", async () => {
    const { visit, back } = await openApp("/home");
    const focused = [];
    for (const go of [() => visit("/login"), back]) {
      await go();
      for (const ms of [16, 400]) {
        await pass(ms);
        focused.push(document.activeElement?.textContent);
      }
    }
    expect(focused).toEqual(["Welcome back", "Welcome back", "Never-offline VPN", "Never-offline VPN"]);
  });

  test("a turn that is overtaken before it begins leads to where the person is", async () => {
    const { visit, back, place } = await openApp("/home");
    await visit("/login");
    await back();
    await pass(0);
    expect({ place: place(), seen: document.title, frames: frames().length }).toEqual({
      place: "/home",
      seen: "Never-offline VPN · Everlit",
      frames: 1,
    });
  });

  test("a leaving view stays visible during the transition and is hidden from screen readers; the new one is announced at once", async () => {
    const { visit } = await openApp("/login");
    await visit("/forgetPasswordInfo/anna");
    await pass(0);
    const login = { heading: "Welcome back", shown: true };
    const password = { heading: "Choose a new password", shown: true };
    expect(frames()).toEqual([
      { ...password, transition: "coming", told: true },
      { ...login, transition: "leaving", told: false },
    ]);
    await pass(360);
    expect(frames()).toEqual([{ ...password, transition: null, told: true }]);
    expect(document.activeElement?.textContent).toBe("Choose a new password");
    // One that is not kept goes as slowly, and then altogether.
    await visit("/login");
    await pass(0);
    expect(frames()).toEqual([
      { ...password, transition: "leaving", told: false },
      { ...login, transition: "coming", told: true },
    ]);
    await pass(360);
    expect(frames()).toEqual([{ ...login, transition: null, told: true }]);
    expect(screen.queryByText("Choose a new password")).toBeNull();
  });

  test("what is left stays where it was in the window", async () => {
    const { visit } = await openApp("/home");
    vi.stubGlobal("scrollY", 500);
    act(() => void window.dispatchEvent(new Event("scroll")));
    await visit("/login");
    await pass(0);
    const leaving = document.querySelector<HTMLElement>("[data-transition=leaving]");
    expect(leaving?.style.top).toBe("-500px");
    // Not before the next picture: else the page would be laid out twice.
    expect(window.scrollTo).not.toHaveBeenCalled();
    await pass(16);
    expect(vi.mocked(window.scrollTo).mock.lastCall).toEqual([{ top: 0, behavior: "instant" }]);
  });
});
