/** Where the account is logged in, on the screen: what is told of each device, and what is sent to end it. */
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { everywhere, listOf, sessions } from "../models/sessions.ts";
import { button, openApp, reads, said, submit, title } from "../support/app.tsx";
import { runOnScreen } from "../support/run-on-screen.ts";
import { anna, ok } from "../support/replies.ts";
import { openForModel } from "../support/jsdom-user.tsx";

const list = "/api/user/session_list";

runOnScreen(sessions, () => openForModel("/sessions", { stored: anna }));

test("each device says its network and when it logged in and was last used; this one cannot be chosen", async () => {
  const of = (more: object) => ({
    session_id: "1",
    created_at: "2026-01-01T08:00:00Z",
    used_at: null,
    ...more,
  });
  await openApp("/sessions", {
    stored: anna,
    replies: {
      [list]: ok([
        of({ current: true, browser: "Safari", device: "iPhone", network: "192.0.2.1" }),
        of({ session_id: "2", browser: "WeChat", device: null, used_at: "2026-01-05T08:00:00Z" }),
        of({ session_id: "3", network: "2001:db8:1:2::/64" }),
      ]),
    },
  });
  const first = "January\u00A01, 2026";
  const rows = within(screen.getByRole("list")).getAllByRole("listitem");
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    `Safari on iPhone192.0.2.1Logged in ${first}This device`,
    `WeChatLogged in ${first}Last used January\u00A05, 2026`,
    `Unknown device2001:db8:1:2::/64Logged in ${first}`,
  ]);
  expect(rows.map((row) => within(row).queryAllByRole("button").length)).toEqual([0, 1, 1]);
});

test("the devices are named in Chinese", async () => {
  await openApp("/sessions", { stored: anna, language: "zh-CN", replies: { [list]: listOf(everywhere) } });
  expect(reads("Chrome（Android）")).toBe(true);
});

test("one is ended with its id and the password, all others with the password alone", async () => {
  const [one, others] = ["/api/user/end_session", "/api/user/end_other_sessions"];
  const stage = await openApp("/sessions", {
    stored: anna,
    replies: { [list]: listOf(everywhere), [one]: ok(), [others]: ok() },
  });
  const end = async (choice: RegExp | string, label: string) => {
    await stage.tap(button(choice));
    await stage.type(screen.getByLabelText("Password"), "my password");
    await stage.tap(button(label));
  };
  await end(/^Firefox on Windows/, "Log it out");
  await end("Log out elsewhere", "Log out elsewhere");
  expect([one, others].map((path) => stage.service.to(path).map(({ body }) => body))).toEqual([
    [{ session_id: "3", password: "my password" }],
    [{ password: "my password" }],
  ]);
  expect(said()).toEqual(["Logged out on the other devices"]);
});

test("a screen reader goes on from the heading: of the question, and of the list after it", async () => {
  const stage = await openApp("/sessions", { stored: anna, replies: { [list]: listOf(everywhere) } });
  const tapped = async (name: RegExp | string) => {
    button(name).focus();
    await stage.tap(button(name));
    return document.activeElement?.textContent;
  };
  expect(await tapped(/^Firefox on Windows/)).toBe("Log this device out?");
  expect(await tapped("Back")).toBe("Logged-in devices");
  expect(await tapped("Log out elsewhere")).toBe("Log out elsewhere?");
});

test("the password sent from the keyboard leaves the focus on the list's heading", async () => {
  const stage = await openApp("/sessions", {
    stored: anna,
    replies: { [list]: listOf(everywhere), "/api/user/end_session": ok() },
  });
  await stage.tap(button(/^Firefox on Windows/));
  await stage.type(screen.getByLabelText("Password"), "my password");
  await submit("Password");
  expect(document.activeElement?.textContent).toBe("Logged-in devices");
});

test("the phone's Back leads from the question to the list, and from the list to the screen before", async () => {
  const stage = await openApp("/setting", { stored: anna, replies: { [list]: listOf(everywhere) } });
  await stage.visit("/sessions");
  await stage.tap(button(/^Firefox on Windows/));
  await stage.type(screen.getByLabelText("Password"), "my password");
  await stage.back();
  expect({ place: stage.place(), title: title(), focused: document.activeElement?.textContent }).toEqual({
    place: "/sessions",
    title: "Logged-in devices",
    focused: "Logged-in devices",
  });
  await stage.back();
  expect(stage.place()).toBe("/setting");
});

test("while the question is sent, the phone's Back gives it up and reads the list again", async () => {
  const stage = await openApp("/setting", { stored: anna, replies: { [list]: listOf(everywhere) } });
  await stage.visit("/sessions");
  await stage.tap(button(/^Firefox on Windows/));
  await stage.type(screen.getByLabelText("Password"), "my password");
  await stage.tap(button("Log it out"));
  await stage.back();
  expect({
    place: stage.place(),
    title: title(),
    waiting: stage.service.waiting,
    read: stage.service.to(list).length,
  }).toEqual({ place: "/sessions", title: "Logged-in devices", waiting: [], read: 2 });
});

test("an API that does not know the call is a screen that says so, and a retry", async () => {
  await openApp("/sessions", { stored: anna, replies: { [list]: 404 } });
  expect(reads(`Request address error: ${list}`)).toBe(true);
  expect(screen.getAllByRole("button", { name: "Try again" })).toHaveLength(1);
});
