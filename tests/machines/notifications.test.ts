/** What is said over any screen: a toast for two seconds, a notification for three, and one answer to every question. */
import { describe, expect } from "vitest";
import {
  notificationsMachine,
  type Dialog,
  type NotificationsEmitted,
  type Toast,
} from "../../machines/notifications.ts";
import { answering, hearing } from "../models/notifications.ts";
import { runOnMachine } from "../support/user-model.ts";
import { invariantsOf } from "../support/invariant-runner.ts";

const toastOf = (words: string): Toast => ({ words, tone: "plain" });
const dialogOf = (id: string): Dialog => ({
  id,
  title: "Leave?",
  text: "The order stays.",
  confirm: "Go on",
  cancel: "Leave",
  tone: "plain",
});

const notice = invariantsOf(notificationsMachine, {
  events: [
    { type: "toast.requested", toast: toastOf("Modified successfully") },
    { type: "toast.requested", toast: toastOf("Login succeeded") },
    { type: "notify.requested", notify: { words: "No network" } },
    { type: "dialog.requested", dialog: dialogOf("1") },
    { type: "dialog.requested", dialog: dialogOf("2") },
    { type: "dialog.confirmed" },
    { type: "dialog.cancelled" },
    { type: "dialog.withdrawn", id: "1" },
  ],
  answers: {},
});

notice.always("shows the last toast for two seconds", ({ state, at }, history) => {
  const last = history.findLast(({ event }) => event.type === "toast.requested");
  const shown = last?.event.type === "toast.requested" && at - last.at < 2_000 ? last.event.toast : null;
  expect({
    toast: state.context.toast,
    state: state.value.toast,
    isUrgent: state.hasTag("urgent"),
  }).toEqual({ toast: shown, state: shown ? "shown" : "hidden", isUrgent: shown !== null });
});

notice.always("shows a notification for three seconds", ({ state, at }, history) => {
  const last = history.findLast(({ event }) => event.type === "notify.requested");
  const shown = last?.event.type === "notify.requested" && at - last.at < 3_000 ? last.event.notify : null;
  expect({ notify: state.context.notify, state: state.value.notify }).toEqual({
    notify: shown,
    state: shown ? "shown" : "hidden",
  });
});

notice.always(
  "answers every question once: as told, or no when it is taken back or another comes",
  (_, history) => {
    const answers: NotificationsEmitted[] = [];
    let open: Dialog | null = null;
    const settle = (confirmed: boolean) => {
      if (open) answers.push({ type: "dialog.settled", id: open.id, confirmed });
      open = null;
    };
    for (const { event } of history) {
      if (event.type === "dialog.confirmed") settle(true);
      if (event.type === "dialog.cancelled") settle(false);
      if (event.type === "dialog.withdrawn" && event.id === open?.id) settle(false);
      if (event.type === "dialog.requested") {
        settle(false);
        open = event.dialog;
      }
    }
    const dialog = history.at(-1)?.state.context.dialog;
    expect({ answers: history.flatMap(({ emitted }) => emitted), dialog }).toEqual({ answers, dialog: open });
  },
);

/** The chart hears of it alone. */
const says = async () => {};
describe("what is said", () => {
  runOnMachine(hearing(says));
});
describe("what is asked", () => {
  runOnMachine(answering(says));
});
