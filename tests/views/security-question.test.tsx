/** The security question on the screen: all fields required, only read once it is saved, and replaced by another. */
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { questionList } from "../models/question-list.ts";
import { securityQuestion } from "../models/security-question.ts";
import { box, button, openApp, reads, said, submit } from "../support/app.tsx";
import { runOnScreen } from "../support/run-on-screen.ts";
import { anna, ok } from "../support/replies.ts";
import { openForModel } from "../support/jsdom-user.tsx";

const centre = "/api/user/center";
const list = "/api/security_problem_list";
const path = "/api/user/save_security_problem";
const userOf = (security_problem: string | null) => ok({ user: { account_name: "Anna", security_problem } });

const questions = ok(["First pet?", "First school?"]);

runOnScreen(securityQuestion, () =>
  openForModel("/modifyPassword", { stored: anna, replies: { [list]: questions } }),
);
runOnScreen(questionList, () =>
  openForModel("/modifyPassword", { stored: anna, replies: { [centre]: userOf(null) } }),
);

test("the sheet does not open over a user who types the answer meanwhile", async () => {
  const { service, tap, type } = await openApp("/modifyPassword", {
    stored: anna,
    replies: { [centre]: userOf(null) },
  });
  await tap(button(/^Security question/));
  await type(box("Secret answer"), "Fo");
  await service.answer(list, questions);
  expect({ focus: document.activeElement, sheet: screen.queryByRole("dialog") }).toEqual({
    focus: box("Secret answer"),
    sheet: null,
  });
});

test("all are required; what is saved is only read from then on", async () => {
  let question: string | null = null;
  const harness = await openApp("/modifyPassword", {
    stored: anna,
    replies: {
      [centre]: () => userOf(question),
      [list]: questions,
      [path]: () => {
        question = "First pet?";
        return ok();
      },
    },
  });
  await harness.tap(button("Set the question"));
  expect(reads("Please select security Question")).toBe(true);
  await harness.tap(button(/^Security question/));
  await harness.tap(within(screen.getByRole("dialog")).getByRole("button", { name: "Confirm" }));
  await harness.tap(button("Set the question"));
  expect({ said: reads("Please enter the secret answer"), sent: harness.service.to(path) }).toEqual({
    said: true,
    sent: [],
  });
  await harness.type(box("Secret answer"), "Fox");
  await harness.tap(button("Set the question"));
  expect({ said: reads("Please enter password"), sent: harness.service.to(path) }).toEqual({
    said: true,
    sent: [],
  });
  await harness.type(screen.getByLabelText("Password"), "my password");
  await harness.tap(button("Set the question"));
  expect({
    sent: harness.service.to(path).map(({ body }) => body),
    said: said(),
    question: reads("First pet?"),
    fields: screen.queryAllByRole("textbox").length,
  }).toEqual({
    sent: [{ security_problem: "First pet?", security_problem_value: "Fox", password: "my password" }],
    said: ["Modified successfully"],
    question: true,
    fields: 0,
  });
});

test("a question that is set already is only read", async () => {
  await openApp("/modifyPassword", { stored: anna, replies: { [centre]: userOf("First school?") } });
  expect({
    question: reads("First school?"),
    fields: screen.queryAllByRole("textbox").length,
    confirms: screen.queryAllByRole("button", { name: "Set the question" }).length,
  }).toEqual({ question: true, fields: 0, confirms: 0 });
});

test("a question saved from the keyboard leaves the focus on the heading", async () => {
  let question: string | null = null;
  const harness = await openApp("/modifyPassword", {
    stored: anna,
    replies: {
      [centre]: () => userOf(question),
      [list]: questions,
      [path]: () => {
        question = "First pet?";
        return ok();
      },
    },
  });
  await harness.tap(button(/^Security question/));
  await harness.tap(button("Confirm"));
  await harness.type(box("Secret answer"), "Fox");
  await harness.type(screen.getByLabelText("Password"), "my password");
  await submit("Password");
  expect({ said: said(), focused: document.activeElement?.textContent }).toEqual({
    said: ["Modified successfully"],
    focused: "Security question",
  });
});
