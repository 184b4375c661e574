/** A forgotten password on the screen: three screens with their own words, and no password in any address. */
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { recovery } from "../models/recovery.ts";
import {
  box,
  button,
  drawFrames,
  link,
  marked,
  openApp,
  pass,
  reads,
  said,
  secret,
  stored,
  warned,
  type Harness,
} from "../support/app.tsx";
import { runOnScreen } from "../support/run-on-screen.ts";
import { no, ok } from "../support/replies.ts";
import { openForModel } from "../support/jsdom-user.tsx";

const list = "/api/security_problem_list";
const path = "/api/problem_change_password";
const questions = ok(["First pet?", "First school?"]);

const both = ["new_password", "new_password_confirmation"];
const submitPassword = async ({ tap, type }: Harness, one: string, other: string) => {
  await type(secret("New password"), one);
  await type(secret("Confirm the new password"), other);
  await tap(button("Next step"));
};
const toLast = async (harness: Harness) => {
  await submitPassword(harness, "new word", "new word");
  return harness;
};
const chooseQuestion = async ({ tap }: Harness) => {
  await tap(button(/^Security question/));
  await tap(button("Confirm"));
};

runOnScreen(recovery, () =>
  openForModel("/forgetPasswordUserName", { replies: { [list]: ok(["First pet?", "First school?"]) } }),
);

test("the account is required, then named in the address of the next screen", async () => {
  const { place, tap, type } = await openApp("/login");
  await tap(link("Forgot your password?"));
  expect(place()).toBe("/forgetPasswordUserName");
  await tap(button("Next step"));
  expect({ place: place(), said: reads("Please enter your account") }).toEqual({
    place: "/forgetPasswordUserName",
    said: true,
  });
  await type(box("Account"), "anna");
  await tap(button("Next step"));
  expect(place()).toBe("/forgetPasswordInfo/anna");
  expect(reads("Contact customer support")).toBe(false);
});

test("the first screen offers customer support", async () => {
  await openApp("/forgetPasswordUserName");
  expect(button("Contact customer support").textContent).toBe("Contact customer support");
});

test.each([
  ["", "", "Please enter password", both],
  ["12345678", "", "Please enter password", ["new_password_confirmation"]],
  ["", "12345678", "Please enter password", ["new_password"]],
  ["1234567", "1234567", "Password length cannot be less than 8 digits", both],
  ["12345678", "1234567", "Password length cannot be less than 8 digits", ["new_password_confirmation"]],
  ["12345678", "12345679", "The passwords entered twice do not match, Please re-enter", both],
])("of the new password '%s' and '%s' is said: %s", async (one, other, words, names) => {
  drawFrames();
  const harness = await openApp("/forgetPasswordInfo/anna");
  await submitPassword(harness, one, other);
  await pass(16);
  expect({ place: harness.place(), ...marked(), warned: warned() }).toEqual({
    place: "/forgetPasswordInfo/anna",
    fields: Object.fromEntries(names.map((name) => [name, words])),
    focused: names[0],
    warned: [words],
  });
});

test("the password is in no address, in no storage, and in one call alone", async () => {
  const harness = await toLast(
    await openApp("/forgetPasswordInfo/anna", { replies: { [list]: questions, [path]: ok() } }),
  );
  expect(harness.place()).toMatch(/^\/forgetPassword\/word\d+\/anna$/);
  expect(JSON.stringify(stored())).not.toContain("new word");
  await harness.tap(button("Set the new password"));
  expect(reads("Please select security Question")).toBe(true);
  await chooseQuestion(harness);
  expect(reads("Please select security Question")).toBe(false);
  await harness.tap(button("Set the new password"));
  expect(reads("Please enter the secret answer")).toBe(true);
  await harness.type(box("Secret answer"), "Fox");
  await harness.tap(button("Set the new password"));
  expect({
    sent: harness.service.to(path).map(({ body }) => body),
    place: harness.place(),
    said: said(),
  }).toEqual({
    sent: [
      {
        account_name: "anna",
        new_password: "new word",
        new_password_confirmation: "new word",
        security_problem: "First pet?",
        security_problem_value: "Fox",
      },
    ],
    place: "/login",
    said: ["Password changed successfully, please log in again"],
  });
});

test("a failed recovery tells the service's words, and can be tried again", async () => {
  const harness = await toLast(
    await openApp("/forgetPasswordInfo/anna", {
      replies: { [list]: questions, [path]: no("That did not match.") },
    }),
  );
  await chooseQuestion(harness);
  await harness.type(box("Secret answer"), "Cat");
  await harness.tap(button("Set the new password"));
  await harness.tap(button("Set the new password"));
  expect({ said: said(), sent: harness.service.to(path).length }).toEqual({
    said: ["That did not match."],
    sent: 2,
  });
});

test("a double tap on the next step opens one address, and Back leads to the password", async () => {
  const { back, history, place, tapTwice, type } = await openApp("/forgetPasswordInfo/anna", {
    replies: { [list]: questions },
  });
  await type(secret("New password"), "new word");
  await type(secret("Confirm the new password"), "new word");
  await tapTwice(button("Next step"));
  expect({ place: place(), length: history.length }).toEqual({
    place: "/forgetPassword/word1/anna",
    length: 2,
  });
  await back();
  expect(place()).toBe("/forgetPasswordInfo/anna");
});

test("the questions are in a sheet of 58 percent of the screen", async () => {
  const harness = await toLast(await openApp("/forgetPasswordInfo/anna", { replies: { [list]: questions } }));
  await harness.tap(button(/^Security question/));
  const heights = [...document.querySelectorAll<HTMLElement>("dialog, [role=dialog], [role=dialog] *")].map(
    (element) => element.getAttribute("style") ?? "",
  );
  expect(heights.filter((style) => style.includes("58%")).length).toBeGreaterThan(0);
  expect(screen.getByRole("slider").getAttribute("aria-valuetext")).toBe("First pet?");
});

test("a real password in a typed link, or a handle after a reload, leads back and leaves the history at once", async () => {
  const { history, place } = await openApp("/forgetPassword/my-real-password/anna");
  expect({ place: place(), canGoBack: history.canGoBack(), length: history.length }).toEqual({
    place: "/forgetPasswordInfo/anna",
    canGoBack: false,
    length: 1,
  });
});

test.each([
  ["security_problem_value", 0],
  ["new_password", 1],
  ["new_password_confirmation", 1],
  ["account_name", 2],
])(
  "a refusal of the field %s is said where the form was sent, and beside the field %d screens back",
  async (field, screens) => {
    const harness = await openApp("/forgetPasswordUserName", {
      replies: { [list]: questions, [path]: no("Too long.", field) },
    });
    const { back, tap, type } = harness;
    await type(box("Account"), "anna");
    await tap(button("Next step"));
    await toLast(harness);
    await chooseQuestion(harness);
    await type(box("Secret answer"), "Fox");
    await tap(button("Set the new password"));
    expect(warned()).toEqual(["Too long."]);
    for (let screen = 0; screen < screens; screen += 1) await back();
    expect({ fields: marked().fields, warned: warned() }).toEqual({
      fields: { [field]: "Too long." },
      warned: ["Too long."],
    });
  },
);
