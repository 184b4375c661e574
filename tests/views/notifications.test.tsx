/** What is said over any screen: toasts, notifications, questions, and the way to customer support. */
import { fireEvent, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { App } from "../../src/app/runtime/create-app.ts";
import { answering, hearing, type Says } from "../models/notifications.ts";
import { support, supportBlocked } from "../models/support.ts";
import { button, openApp, pass, question, said, settled, stubWindow, warned } from "../support/app.tsx";
import { runOnScreen } from "../support/run-on-screen.ts";
import { anna, detail, no, ok } from "../support/replies.ts";
import { jsdomUser, openForModel } from "../support/jsdom-user.tsx";

const dialog = {
  id: "1",
  title: "Really?",
  text: "It cannot be undone.",
  confirm: "Yes",
  cancel: "No",
  tone: "plain",
} as const;

let app: App;
/** The app itself says it. */
const says: Says = (event) => settled(() => app.notifications.send(event));
const listen = async () => {
  const harness = await openApp("/setting", { stored: anna });
  ({ app } = harness);
  return { user: jsdomUser(harness), walked: harness.walked };
};
runOnScreen(hearing(says), listen);
runOnScreen(answering(says), listen);

test("a toast that came while the page was covered is put in again when it is not, so that it is announced", async () => {
  const { app, tap } = await openApp("/setting", { stored: anna });
  await settled(() => app.notifications.send({ type: "dialog.requested", dialog }));
  await settled(() => app.toast("Saved"));
  const put: string[] = [];
  const observer = new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes)
      if ((target as Element).closest("[role=status]"))
        put.push(...[...addedNodes].map((node) => node.textContent ?? ""));
  });
  observer.observe(document.body, { childList: true, subtree: true });
  await tap(button("No"));
  await pass(1_000);
  observer.disconnect();
  expect(put).toEqual(["Saved"]);
});

test("what is said stands in the part of the page that a keyboard leaves free, and moves with it", async () => {
  const visible = Object.assign(new EventTarget(), { offsetTop: 120, height: 336, scale: 1 });
  vi.stubGlobal("visualViewport", visible);
  const { app } = await openApp("/setting", { stored: anna });
  await settled(() => app.toast("Saved"));
  const places = [];
  for (const [offsetTop, height, type] of [
    [120, 336, "resize"],
    [0, 336, "scroll"],
    [0, 660, "resize"],
  ] as const) {
    Object.assign(visible, { offsetTop, height });
    visible.dispatchEvent(new Event(type));
    const layer = screen.getByText("Saved").closest<HTMLElement>("[style]");
    places.push([layer?.style.top, layer?.style.height]);
  }
  expect(places).toEqual([
    ["120px", "336px"],
    ["0px", "336px"],
    ["0px", "660px"],
  ]);
});

test("a toast stays two seconds, a notification three", async () => {
  const { app } = await openApp("/setting", { stored: anna });
  await settled(() => {
    app.toast("Saved");
    app.notifications.send({ type: "notify.requested", notify: { words: "Careful" } });
  });
  const seen = [];
  for (const ms of [1_999, 1, 999, 1]) {
    await pass(ms);
    seen.push([said().length, warned().length]);
  }
  expect(seen).toEqual([
    [1, 1],
    [0, 1],
    [0, 1],
    [0, 0],
  ]);
});

test("every question is answered exactly once: yes, no, by Escape, by the next question, or by being taken back", async () => {
  const { app, tap } = await openApp("/setting", { stored: anna });
  const { id: _, ...words } = dialog;
  const answers: [string, boolean][] = [];
  const ask = (name: string, signal?: AbortSignal) =>
    settled(() => void app.confirm(words, signal).then((yes) => answers.push([name, yes])));
  await ask("first");
  await tap(button("Yes"));
  await ask("second");
  await tap(button("No"));
  await ask("third");
  await settled(() => fireEvent(screen.getByRole("alertdialog"), new Event("cancel", { cancelable: true })));
  await ask("fourth");
  await ask("fifth");
  await tap(button("Yes"));
  const asker = new AbortController();
  await ask("sixth", asker.signal);
  await settled(() => asker.abort());
  expect({ answers, question: question() }).toEqual({
    answers: [
      ["first", true],
      ["second", false],
      ["third", false],
      ["fourth", false],
      ["fifth", true],
      ["sixth", false],
    ],
    question: null,
  });
});

test("a question that loses something puts the harmless answer first", async () => {
  const { app } = await openApp("/setting", { stored: anna });
  await settled(() => void app.confirm({ ...dialog, tone: "danger" }));
  expect({ answers: question()?.answers, focused: document.activeElement?.textContent }).toEqual({
    answers: ["No", "Yes"],
    focused: "No",
  });
});

/* Customer support. */

const path = "/api/contact/url";
const address = "https://help.example/chat";
const contact = ok([{ contact_url: address }]);
const ask = () => button("Contact customer support");
const replies = { "/api/order/detail": ok(detail({ status: 9 })) };
const openBill = (sandbox = false) =>
  openApp("/billDetail/A100/0/9.99/-", { stored: anna, replies, sandbox });

const openBillForPlay = () => openForModel("/billDetail/A100/0/9.99/-", { stored: anna, replies });
runOnScreen(support, () => {
  stubWindow(true);
  return openBillForPlay();
});
runOnScreen(supportBlocked, () => {
  stubWindow(false);
  return openBillForPlay();
});

test("opens blank within the tap, cuts the opener, then goes where the service says", async () => {
  const log = stubWindow(true);
  const { service, tap } = await openBill();
  await tap(ask());
  expect(log).toEqual(["opens about:blank"]);
  await service.answer(path, contact);
  expect(log).toEqual(["opens about:blank", `goes to ${address}, opener null`]);
});

test.each([
  ["javascript:alert(1)", false],
  ["data:text/html,hello", false],
  ["http://help.example/", false],
  ["http://help.example/", true],
  ["not an address", false],
])("sends no window to %s (sandbox %s): closes it and says why", async (contact_url, sandbox) => {
  const log = stubWindow(true);
  const { service, tap } = await openBill(sandbox);
  await tap(ask());
  await service.answer(path, ok([{ contact_url }]));
  expect({ log, said: said().at(-1) }).toEqual({
    log: ["opens about:blank", "closes"],
    said: "Something went wrong on our side. Please try again.",
  });
});

test("sends a window to this machine in the sandbox alone", async () => {
  const log = stubWindow(true);
  const { service, tap } = await openBill(true);
  await tap(ask());
  await service.answer(path, ok([{ contact_url: "http://127.0.0.1:3000/help" }]));
  expect(log.at(-1)).toBe("goes to http://127.0.0.1:3000/help, opener null");
});

test.each([
  ["in the service's words", no("Closed."), "Closed."],
  ["that it is out of reach", "lost", "No connection. Check your network and try again."],
] as const)("closes the window and tells %s", async (_, reply, words) => {
  const log = stubWindow(true);
  const { service, tap } = await openBill();
  await tap(ask());
  await service.answer(path, reply);
  expect({ log, said: said().at(-1) }).toEqual({ log: ["opens about:blank", "closes"], said: words });
});
