/** Creating an account on the screen: the smallest lengths, the agreement, and being logged in by itself. */
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { register } from "../models/register.ts";
import {
  box,
  button,
  link,
  openApp,
  pass,
  reads,
  said,
  secret,
  stored,
  title,
  warned,
  type Harness,
} from "../support/app.tsx";
import { runOnScreen } from "../support/run-on-screen.ts";
import { kept, no, ok } from "../support/replies.ts";
import { openForModel } from "../support/jsdom-user.tsx";

const accountShort = "The account length cannot be less than 4 characters";
// The message says 6; the check is 8. Specification, section 5.
const passwordShort = "Password length cannot be less than 6 digits";
const known = ok({ token: "token1", user: { account_name: "Anna" } });

const agreement = () => screen.getByRole<HTMLInputElement>("checkbox");
const isShaking = () => agreement().closest("[data-shaking]") !== null;

type Form = { account_name: string; password: string; agreement: boolean };
async function submit(form: Form, { type, tap }: Harness) {
  await type(box("Account"), form.account_name);
  await type(secret("Password"), form.password);
  if (agreement().checked !== form.agreement) await tap(agreement());
  await tap(button("Create account"));
}

const form = { account_name: " anna ", password: "12345678", agreement: true };

runOnScreen(register, () => openForModel("/register"));

test.each([
  ["abc", "12345678", [accountShort]],
  ["abcd", "1234567", [passwordShort]],
  ["abcd", "12345678", []],
  ["abc", "1234567", [accountShort]],
  ["🦊🦊🦊", "12345678", [accountShort]],
])("measures %s and %s", async (account_name, password, words) => {
  const harness = await openApp("/register");
  await submit({ account_name, password, agreement: true }, harness);
  expect({ warned: warned(), waiting: harness.service.waiting }).toEqual({
    warned: words,
    waiting: words.length > 0 ? [] : ["/api/register"],
  });
});

test("says in Chinese what is too short", async () => {
  const { tap, type } = await openApp("/register", { language: "zh-CN" });
  await type(box("账号"), "abc");
  await tap(button("注册"));
  expect(warned()).toEqual(["账号长度不能少于 4 个字符"]);
  await type(box("账号"), "abcd");
  await type(secret("密码"), "1234567");
  await tap(button("注册"));
  expect(warned()).toEqual(["密码长度不能少于 6 位"]);
});

test("shows the password when asked, and hides it again", async () => {
  const { tap } = await openApp("/register");
  const types = [secret("Password").type];
  await tap(button("Show the password"));
  types.push(secret("Password").type);
  await tap(button("Hide the password"));
  types.push(secret("Password").type);
  expect(types).toEqual(["password", "text", "password"]);
});

test("sets no upper length, whatever the placeholders say", async () => {
  await openApp("/register");
  const fields = [box("Account"), secret("Password")];
  expect(fields.map(({ name, placeholder, maxLength }) => ({ name, placeholder, maxLength }))).toEqual([
    { name: "account_name", placeholder: "6-12 characters", maxLength: -1 },
    { name: "password", placeholder: "Enter 8-12 letters+Number", maxLength: -1 },
  ]);
});

test("shakes the box for half a second, again at each try, and sends nothing", async () => {
  const harness = await openApp("/register");
  await submit({ ...form, agreement: false }, harness);
  const shaken = [];
  for (const ms of [0, 499, 1]) {
    await pass(ms);
    shaken.push(isShaking());
  }
  await harness.tap(button("Create account"));
  shaken.push(isShaking());
  expect({ shaken, sent: harness.service.sent }).toEqual({ shaken: [true, true, false, true], sent: [] });
});

test("registers, logs in with the same words, and is at home", async () => {
  const harness = await openApp("/register", { replies: { "/api/register": ok(), "/api/login": known } });
  await submit(form, harness);
  const words = { account_name: "anna", password: "12345678" };
  expect({
    sent: harness.service.sent.map(({ path, body }) => ({ path, body })),
    place: harness.place(),
    said: said(),
    stored: stored(),
  }).toEqual({
    sent: [
      { path: "/api/register", body: words },
      { path: "/api/login", body: words },
    ],
    place: "/home",
    said: ["Login succeeded"],
    stored: { user_key: { account_name: "Anna" }, user_name: "Anna", user_token: "token1" },
  });
});

test("who gets the name of a deleted account sees none of its payments", async () => {
  const other = { ...kept, orderId: "B200", accountName: "Berta" };
  const harness = await openApp("/register", {
    stored: { orders: [{ ...kept, accountName: "anna" }, other] },
    replies: { "/api/register": ok(), "/api/login": known },
  });
  await submit(form, harness);
  const left = JSON.stringify(stored());
  expect(["A100", "B200"].map((id) => left.includes(id))).toEqual([false, true]);
});

test("an account whose login failed leads to the login", async () => {
  const harness = await openApp("/register", { replies: { "/api/register": ok(), "/api/login": "lost" } });
  await submit(form, harness);
  expect({ place: harness.place(), title: title(), stored: stored() }).toEqual({
    place: "/registerSuccess",
    title: "Account created",
    stored: {},
  });
  await harness.tap(link("Log in"));
  expect(harness.place()).toBe("/login");
});

test("another account can be made after one whose login failed", async () => {
  const harness = await openApp("/register", { replies: { "/api/register": ok(), "/api/login": "lost" } });
  await submit(form, harness);
  await harness.back();
  expect({ place: harness.place(), account: box("Account").value }).toEqual({
    place: "/register",
    account: "",
  });
  await submit({ ...form, account_name: "berta" }, harness);
  expect(harness.service.to("/api/register").map(({ body }) => body)).toEqual([
    { account_name: "anna", password: "12345678" },
    { account_name: "berta", password: "12345678" },
  ]);
});

test("keeps what was typed and tells why, when the service says no", async () => {
  const harness = await openApp("/register", { replies: { "/api/register": no("That name is taken.") } });
  await submit(form, harness);
  expect({ said: said(), account: box("Account").value, password: secret("Password").value }).toEqual({
    said: ["That name is taken."],
    account: " anna ",
    password: "12345678",
  });
});

test("keeps what was typed while the agreement is read", async () => {
  const { back, place, tap, type } = await openApp("/register");
  await type(box("Account"), "anna");
  await type(secret("Password"), "12345678");
  await tap(agreement());
  await tap(link("user service agreement"));
  expect({ place: place(), title: title(), dated: reads(/January 7, 2022/) }).toEqual({
    place: "/service",
    title: "User service agreement",
    dated: true,
  });
  await tap(button("Back"));
  const typed = () => ({
    place: place(),
    account: box("Account").value,
    password: secret("Password").value,
    agreed: agreement().checked,
  });
  const kept = { place: "/register", account: "anna", password: "12345678", agreed: true };
  expect(typed()).toEqual(kept);
  await tap(link("user service agreement"));
  await back();
  expect(typed()).toEqual(kept);
});

test("forgets what was typed once a user is logged in", async () => {
  const harness = await openApp("/register", { replies: { "/api/register": ok(), "/api/login": known } });
  await submit(form, harness);
  await harness.visit("/register");
  expect({
    account: box("Account").value,
    password: secret("Password").value,
    agreed: agreement().checked,
  }).toEqual({ account: "", password: "", agreed: false });
});

test("leads to the login, and back there", async () => {
  const { place, tap, visit } = await openApp("/register");
  await tap(button("Back"));
  expect(place()).toBe("/login");
  await visit("/register");
  await tap(link("I already have an account"));
  expect(place()).toBe("/login");
});
