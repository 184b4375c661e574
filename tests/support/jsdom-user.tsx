/** The user of user models in jsdom: taps, types and reads on the rendered screen. */
import { fireEvent, screen, within } from "@testing-library/react";
import { vi } from "vitest";
import type { User } from "../user.ts";
import {
  isBusy,
  isSeen,
  keptOrders,
  lookAgain,
  named,
  network,
  openApp,
  pass,
  reads,
  said,
  settled,
  storeElsewhere,
  storeOrdersElsewhere,
  title,
  warned,
  windows,
  type Harness,
} from "./app.tsx";
import type { Reply } from "./replies.ts";

export function jsdomUser({ place, visit, back, tap, type, press, service }: Harness): User {
  const exact = (name: string | RegExp | undefined) => (name === undefined ? {} : named(name));
  const every = (role: string, name?: string | RegExp) => screen.queryAllByRole(role, exact(name));
  const one = (role: string, name: string | RegExp) => screen.getByRole(role, named(name));
  /** What stands behind an open sheet is not. */
  const inReach = () => within(document.querySelector<HTMLElement>("dialog[open]") ?? document.body);
  const field = (label: string | RegExp) =>
    screen
      .getAllByLabelText<HTMLInputElement>(label, { selector: "input, textarea, select" })
      .find((each) => isSeen(each)) as HTMLInputElement;
  return {
    visit,
    back,
    press,
    finger: (does, selector, { down, across } = { down: 0, across: 0 }) =>
      settled(() => {
        const type = (
          {
            comes: "pointerDown",
            moves: "pointerMove",
            goes: "pointerUp",
            "is lost": "pointerCancel",
          } as const
        )[does];
        const at = { clientX: 100 + across, clientY: 100 + down, isPrimary: true, button: 0, buttons: 1 };
        fireEvent[type](document.querySelector(selector) as Element, at);
      }),
    returnToPage: lookAgain,
    network,
    storeElsewhere,
    storeOrdersElsewhere,
    advance: pass,
    tap: (role, name, at) =>
      tap(
        at === undefined
          ? inReach().getByRole(role, named(name))
          : (inReach().getAllByRole(role, named(name))[at] as HTMLElement),
      ),
    // Awake for its last second, in which what is overdue is done.
    sleep: async (ms) => {
      vi.setSystemTime(Date.now() + ms - 1_000);
      await pass(1_000);
    },
    type: (label, text) => type(field(label), text),
    turn: async (label, keys) => {
      one("slider", label).focus();
      await press(keys);
    },
    path: async () => place(),
    title: async () => title() ?? "",
    hasText: async (text) => reads(text),
    has: async (role, name) => every(role, name).length > 0,
    isBusy: async (name) => every("button", name).some(isBusy),
    isChecked: async (role, name) => {
      const each = one(role, name);
      return each instanceof HTMLInputElement
        ? each.checked
        : each.ariaChecked === "true" || each.ariaSelected === "true";
    },
    value: async (label) => field(label).value,
    wheelValue: async (label) => every("slider", label)[0]?.ariaValueText ?? "",
    isRevealed: async (label) => field(label).type === "text",
    statusTexts: async () => said(),
    alertTexts: async () => warned(),
    isVisible: async (selector) => [...document.querySelectorAll(selector)].some(isSeen),
    texts: async (selector) =>
      [...document.querySelectorAll(selector)].filter(isSeen).map(({ textContent }) => textContent),
    windows: async () => [...windows.values()],
    clipboard: () => navigator.clipboard.readText(),
    stored: async (key) => localStorage.getItem(key),
    keptOrders: async () => keptOrders().map(({ orderId }) => orderId),
    pendingCalls: () => service.waiting,
    answer: (path, reply) => service.answer(path, reply as Reply),
  };
}

/** Opens the app for a user model. */
export async function openForModel(...opening: Parameters<typeof openApp>) {
  const harness = await openApp(...opening);
  return { user: jsdomUser(harness), walked: harness.walked };
}
