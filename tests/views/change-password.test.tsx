/** Changing the password on the screen: what is wrong is said in place, what is right ends the session. */
import { expect, onTestFinished, test, vi } from "vitest";
import { password } from "../models/password.ts";
import {
  button,
  drawFrames,
  lookAgain,
  marked,
  openApp,
  pass,
  reads,
  said,
  secret,
  stored,
  title,
  warned,
  type Opening,
} from "../support/app.tsx";
import { runOnScreen } from "../support/run-on-screen.ts";
import { anna, no, notSignedIn, ok } from "../support/replies.ts";
import { openForModel } from "../support/jsdom-user.tsx";

const path = "/api/user/change_password";
const open = async (opening: Opening = {}) => {
  const harness = await openApp("/changePassword", { stored: anna, ...opening });
  const submit = async (old: string, one: string, other: string) => {
    await harness.type(secret("Old password"), old);
    await harness.type(secret("New password"), one);
    await harness.type(secret("Confirm the new password"), other);
    await harness.tap(button("Change Password"));
  };
  return { ...harness, submit };
};
const mismatch = "The passwords entered twice do not match, Please re-enter";
const short = "Password length cannot be less than 8 digits";
const missing = "Please enter password";

runOnScreen(password, () => openForModel("/changePassword", { stored: anna }));

test.each([
  ["12345678", "12345679", mismatch],
  ["1234567", "1234567", short],
  ["1234567", "12345678", mismatch],
])("of '%s' and '%s' is said in place: %s", async (one, other, words) => {
  const { service, submit } = await open();
  await submit("old word", one, other);
  expect({ title: title(), said: reads(words), sent: service.to(path) }).toEqual({
    title: "Change Password",
    said: true,
    sent: [],
  });
});

test.each([
  ["", "", "", short, ["old_password", "new_password", "new_password_confirmation"]],
  ["", "12345678", "12345678", missing, ["old_password"]],
  ["old word", "", "", short, ["new_password", "new_password_confirmation"]],
  ["old word", "12345678", "", mismatch, ["new_password_confirmation"]],
  ["old word", "12345678", "12345679", mismatch, ["new_password", "new_password_confirmation"]],
])(
  "of '%s', '%s' and '%s' is said of the fields that it is about: %s",
  async (old, one, other, words, names) => {
    drawFrames();
    const { service, submit } = await open();
    await submit(old, one, other);
    await pass(16);
    expect({ ...marked(), warned: warned(), sent: service.to(path) }).toEqual({
      fields: Object.fromEntries(names.map((name) => [name, words])),
      focused: names[0],
      warned: [words],
      sent: [],
    });
  },
);

test("a change ends the session, and leads to the login", async () => {
  const { place, service, submit } = await open({ replies: { [path]: ok() } });
  await submit("old word", "new word", "new word");
  expect({
    bodies: service.to(path).map(({ body }) => body),
    place: place(),
    said: said(),
    stored: stored(),
  }).toEqual({
    bodies: [{ old_password: "old word", new_password: "new word", new_password_confirmation: "new word" }],
    place: "/login",
    said: ["Password changed successfully, please log in again"],
    stored: {},
  });
});

test.each([
  [
    "en",
    ["Old password", "New password", "Confirm the new password", "Change Password"],
    "Log in again: with the new password or, if that fails, with the old one.",
  ],
  ["zh-CN", ["旧密码", "新密码", "确认新密码", "修改密码"], "请重新登录：先用新密码，如果不行，再用旧密码。"],
] as const)(
  "in %s, sent again after an answer was lost, a session that is over leads to the login with either password",
  async (language, [old, one, other, send], words) => {
    const harness = await openApp("/changePassword", { language, stored: anna, replies: { [path]: "lost" } });
    await harness.type(secret(old), "old word");
    await harness.type(secret(one), "new word");
    await harness.type(secret(other), "new word");
    await harness.tap(button(send));
    harness.service.will(path, notSignedIn);
    await pass(2_000);
    await harness.tap(button(send));
    expect({ place: harness.place(), warned: warned(), stored: stored() }).toEqual({
      place: "/login",
      warned: [words],
      stored: { language },
    });
  },
);

test("that it is not known which password holds is said once the page is seen", async () => {
  const { service, submit, tap } = await open({ replies: { [path]: "lost" } });
  await submit("old word", "new word", "new word");
  service.will(path, notSignedIn);
  await pass(2_000);
  const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  onTestFinished(() => hidden.mockRestore());
  await tap(button("Change Password"));
  const before = warned();
  await pass(60_000);
  hidden.mockReturnValue(false);
  await lookAgain();
  expect({ before, after: warned() }).toEqual({
    before: [],
    after: ["Log in again: with the new password or, if that fails, with the old one."],
  });
});

test("a session that another device ended is told of as ever", async () => {
  const { place, submit } = await open({ replies: { [path]: notSignedIn } });
  await submit("old word", "new word", "new word");
  expect({ place: place(), said: said(), stored: stored() }).toEqual({
    place: "/login",
    said: ["Please log in first"],
    stored: {},
  });
});

test("a refusal is told in the service's words, beside the field that it is about, and nothing typed is lost", async () => {
  const wrong = "The old password is wrong.";
  const { place, submit } = await open({ replies: { [path]: no(wrong, "old_password") } });
  await submit("old wrod", "new word", "new word");
  expect({
    place: place(),
    said: said(),
    fields: marked().fields,
    typed: secret("New password").value,
  }).toEqual({
    place: "/changePassword",
    said: [wrong],
    fields: { old_password: wrong },
    typed: "new word",
  });
});

test("a refusal about something else marks no field", async () => {
  const { submit } = await open({ replies: { [path]: no("Not today.", "membership") } });
  await submit("old word", "new word", "new word");
  expect({ said: said(), fields: marked().fields }).toEqual({ said: ["Not today."], fields: {} });
});
