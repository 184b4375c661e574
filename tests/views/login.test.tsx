/** Logging in on the screen: two fields, one call, home. */
import { fireEvent, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { login } from "../models/login.ts";
import {
  bar,
  box,
  button,
  drawFrames,
  link,
  marked,
  openApp,
  pass,
  said,
  secret,
  stored,
  warned,
} from "../support/app.tsx";
import { runOnScreen } from "../support/run-on-screen.ts";
import { no, ok } from "../support/replies.ts";
import { openForModel } from "../support/jsdom-user.tsx";

const path = "/api/login";
const known = ok({ token: "token1", user: { account_name: "Anna" } });

runOnScreen(login, () => openForModel("/login"));

test.each([
  ["en", "Account", "Log in", "Please enter your account and password"],
  ["zh-CN", "账号", "登录", "请输入账号和密码"],
] as const)("asks for both fields in %s, and sends nothing", async (language, account, logIn, tips) => {
  const { service, tap, type } = await openApp("/login", { language });
  await type(box(account), "anna");
  await tap(button(logIn));
  expect({ warned: warned(), sent: service.sent }).toEqual({ warned: [tips], sent: [] });
});

test.each([
  ["", "", ["account_name", "password"]],
  [" ", "12345678", ["account_name"]],
  ["anna", "", ["password"]],
])(
  "marks what is missing of '%s' and '%s', with the same words, and leads to the first",
  async (name, password, names) => {
    drawFrames();
    const { tap, type } = await openApp("/login");
    await type(box("Account"), name);
    await type(secret("Password"), password);
    await tap(button("Log in"));
    await pass(16);
    const tips = "Please enter your account and password";
    expect({ ...marked(), warned: warned() }).toEqual({
      fields: Object.fromEntries(names.map((each) => [each, tips])),
      focused: names[0],
      warned: [tips],
    });
  },
);

test.each([
  ["a refusal of the form", no("Too often."), "Too often."],
  ["a refusal of a field", no("Wrong password.", "password"), "Wrong password."],
  ["no network", "lost", "No connection. Check your network and try again."],
] as const)("a screen reader announces %s once, though the toast is seen, too", async (_, reply, words) => {
  const { tap, type } = await openApp("/login", { replies: { [path]: reply } });
  await type(box("Account"), "anna");
  await type(secret("Password"), "12345678");
  await tap(button("Log in"));
  const live = [...document.querySelectorAll("[role=alert], [role=status]")];
  const announced = live.map((region) => {
    const heard = region.cloneNode(true) as Element;
    for (const silent of heard.querySelectorAll("[aria-hidden=true]")) silent.remove();
    return heard.textContent;
  });
  expect({ said: said(), announced: announced.filter(Boolean) }).toEqual({
    said: [words],
    announced: [words],
  });
});

test("the key that is called next leads to what is still empty, and sends what is whole", async () => {
  const { service, type } = await openApp("/login");
  const [account, password] = [box("Account"), secret("Password")];
  /** Whether the browser does with it what it always does: sends the form. */
  const press = (more = {}) => fireEvent.keyDown(account, { key: "Enter", ...more });
  await type(account, "anna");
  account.focus();
  // It takes a word into the text while one is composed, as Chinese is.
  expect(press({ isComposing: true })).toBe(true);
  expect(document.activeElement).toBe(account);
  expect(press()).toBe(false);
  expect(document.activeElement).toBe(password);
  await type(password, "12345678");
  expect(press()).toBe(true);
  expect(service.sent).toEqual([]);
});

test.each([
  ["the service's own words", no("Wrong account or password."), "Wrong account or password."],
  ["no connection", "lost", "No connection. Check your network and try again."],
  ["a bare status", 503, "Service unavailable"],
  ["a wrong address", 404, "Request address error: /api/login"],
  ["an unknown status", 599, "Network fault"],
  ["words that cannot be read", ok({}), "Something went wrong on our side. Please try again."],
] as const)("tells a failure and keeps what was typed: %s", async (_, reply, words) => {
  const { service, tap, type } = await openApp("/login", { replies: { [path]: reply } });
  await type(box("Account"), "anna");
  await type(secret("Password"), "12345678");
  await tap(button("Log in"));
  expect({
    said: said(),
    account: box("Account").value,
    password: secret("Password").value,
    stored: stored(),
  }).toEqual({ said: [words], account: "anna", password: "12345678", stored: {} });
  expect(service.to(path).length).toBe(1);
});

test("tells a failure in Chinese", async () => {
  const { tap, type, service } = await openApp("/login", { language: "zh-CN", replies: { [path]: 500 } });
  await type(box("账号"), "anna");
  await type(secret("密码"), "12345678");
  await tap(button("登录"));
  expect(said()).toEqual(["服务器内部错误"]);
  expect(service.sent).toEqual([
    {
      path,
      body: { account_name: "anna", password: "12345678" },
      headers: expect.objectContaining({ language: "zh-CN" }),
    },
  ]);
});

test("keeps the name that the service tells, and leaves no way back to the form", async () => {
  const { place, service, tap, type, back } = await openApp("/home", { replies: { [path]: known } });
  await tap(bar().getByRole("link", { name: "Log in" }));
  await type(box("Account"), "anna");
  await type(secret("Password"), "12345678");
  await tap(button("Log in"));
  expect(service.sent).toEqual([
    {
      path,
      body: { account_name: "anna", password: "12345678" },
      headers: expect.not.objectContaining({ authorization: expect.anything() }),
    },
  ]);
  expect(stored()).toEqual({ user_key: { account_name: "Anna" }, user_name: "Anna", user_token: "token1" });
  expect({ place: place(), said: said() }).toEqual({ place: "/home", said: ["Login succeeded"] });
  await back();
  expect(place()).toBe("/home");
});

test("sends once, however often it is tapped", async () => {
  const { service, tapTwice, type, press } = await openApp("/login");
  await type(box("Account"), "anna");
  await type(secret("Password"), "12345678");
  await tapTwice(button("Log in"));
  await press("{Enter}");
  expect(service.waiting).toEqual([path]);
});

test("leads to an account, and back to the beginning", async () => {
  const { place, tap, visit } = await openApp("/login");
  await tap(link("Create an account"));
  expect(place()).toBe("/register");
  await visit("/login");
  await tap(button("Back"));
  expect(place()).toBe("/home");
});

test.each([
  ["/login", "Log in", path, path],
  // By then the account may be there: first it is tried.
  ["/register", "Create account", "/api/register", path],
] as const)(
  "what was sent from %s is given up with the form, and not sent again by itself",
  async (form, send, call, again) => {
    const { service, tap, type, visit } = await openApp(form);
    await type(box("Account"), "anna");
    await type(secret("Password"), "lamplight & harbour 7");
    for (const agreement of screen.queryAllByRole("checkbox")) await tap(agreement);
    await tap(button(send));
    expect(service.waiting).toEqual([call]);
    await visit("/home");
    await visit(form);
    expect(service.to(call)).toHaveLength(1);
    const asked = service.to(again).length;
    await tap(button(send));
    expect(service.to(again)).toHaveLength(asked + 1);
  },
);

test("a user who leaves while the login after registering is under way finds the form as it was", async () => {
  const { service, tap, type, visit, place } = await openApp("/register", {
    replies: { "/api/register": ok() },
  });
  await type(box("Account"), "anna");
  await type(secret("Password"), "lamplight & harbour 7");
  await tap(screen.getByRole("checkbox"));
  await tap(button("Create account"));
  expect(service.waiting).toEqual([path]);
  await visit("/home");
  await visit("/register");
  expect({ place: place(), logins: service.to(path).length }).toEqual({ place: "/register", logins: 1 });
  await tap(button("Create account"));
  // To the account that is there by now.
  expect([service.to("/api/register").length, service.to(path).length]).toEqual([1, 2]);
});

test.each([
  ["/login", "Log in", path],
  ["/register", "Create account", "/api/register"],
])(
  "what the API said at %s is gone for who left and comes back, what was typed is not",
  async (at, submit, call) => {
    const { tap, type, visit, service } = await openApp(at);
    await type(box("Account"), "anna");
    await type(secret("Password"), "12345678");
    if (at === "/register") await tap(screen.getByRole("checkbox"));
    await tap(button(submit));
    await service.answer(call, no("Wrong account or password."));
    expect(warned()).toEqual(["Wrong account or password."]);
    await visit("/home");
    await visit(at);
    expect({ warned: warned(), name: box("Account").value }).toEqual({ warned: [], name: "anna" });
  },
);
