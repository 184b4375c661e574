/** What React is told to leave alone, and what stands outside the view that it is hidden with. */
import { act, cleanup, render, screen } from "@testing-library/react";
import { Activity } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { Drawing } from "../../src/app/parts/drawing.tsx";
import { Sheet } from "../../src/app/parts/sheet.tsx";
import { openApp } from "../support/app.tsx";

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
  if (dropped) await act(async () => app.progress.send({ type: "views.dropped" }));
  await visit("/home");
  expect(vi.mocked(window.scrollTo).mock.lastCall).toEqual([{ top, behavior: "instant" }]);
});

test("a turn that is overtaken before it begins leads to where the person is", async () => {
  const turns: (() => void)[] = [];
  const ended = Promise.resolve();
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  Object.assign(document, {
    startViewTransition: (turn: () => void) => {
      turns.push(turn);
      return { ready: ended, finished: ended };
    },
  });
  const { visit, back, place } = await openApp("/home");
  await visit("/login");
  await back();
  for (const turn of turns) await act(async () => turn());
  Reflect.deleteProperty(document, "startViewTransition");
  expect({ turns: turns.length, place: place(), seen: document.title }).toEqual({
    turns: 1,
    place: "/home",
    seen: "Never-offline VPN · Everlit",
  });
});
