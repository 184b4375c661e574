/** Who is signed in, on every screen: logging out, a session that is over, another tab. */
import { keptMembership } from "../models/membership.ts";
import { screen } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { session } from "../models/session.ts";
import {
  button,
  isBusy,
  link,
  lookAgain,
  openApp,
  START,
  pass,
  reads,
  said,
  settled,
  stored,
  storeElsewhere,
  title,
} from "../support/app.tsx";
import { runOnScreen } from "../support/run-on-screen.ts";
import { anna, kept, monthly, notSignedIn, ok, packagesOf, paymentPath } from "../support/replies.ts";
import { openForModel } from "../support/jsdom-user.tsx";

const centre = "/api/user/center";
const packages = "/api/packegs/list";
const logout = "/api/logout";
const userOf = (account_name: string) => ok({ user: { account_name, pack_name: null } });

runOnScreen(session, () =>
  openForModel("/home", {
    stored: { user_name: "anna", user_key: { account_name: "anna" }, user_token: "token1" },
  }),
);

test("logging out waits half a second, tells the service, forgets everything, and leads to the login", async () => {
  const { place, service, tap } = await openApp("/setting", {
    stored: { ...anna, selectedItem: monthly, membership: keptMembership },
  });
  await tap(button("Log out"));
  await tap(button("Log out"));
  const seen = () => ({ place: place(), sent: service.sent.length, name: stored()["user_name"] });
  expect({ ...seen(), busy: isBusy(button("Log out")) }).toEqual({
    place: "/setting",
    sent: 0,
    name: "Anna",
    busy: true,
  });
  await pass(499);
  expect(seen()).toEqual({ place: "/setting", sent: 0, name: "Anna" });
  await pass(1);
  // Its answer is not waited for.
  expect(service.to(logout).map(({ headers }) => headers["authorization"])).toEqual(["Bearer token1"]);
  expect(service.waiting).toEqual([logout]);
  expect({ place: place(), stored: stored(), said: said() }).toEqual({
    place: "/login",
    stored: { selectedItem: monthly },
    said: [],
  });
});

test.each([
  ["says no", { code: 1, message: "No." }],
  ["says that notSignedIn is signed in", notSignedIn],
  ["is lost", "lost"],
  ["fails", 500],
] as const)("logs out though the service %s", async (_, reply) => {
  const { place, tap } = await openApp("/setting", { stored: anna, replies: { [logout]: reply } });
  await tap(button("Log out"));
  await pass(500);
  expect({ place: place(), stored: stored() }).toEqual({ place: "/login", stored: {} });
});

test("the way back does not lead into what was left by logging out", async () => {
  const { back, place, tap } = await openApp("/personal_info", {
    stored: anna,
    replies: { [logout]: ok(), [centre]: userOf("Anna"), [packages]: packagesOf() },
  });
  await tap(link("Settings"));
  await tap(button("Log out"));
  await pass(500);
  await back();
  expect({ place: place(), name: reads("Anna") }).toEqual({ place: "/login", name: false });
});

test.each([
  ["/personal_info", { [centre]: notSignedIn, [packages]: notSignedIn }],
  ["/buy", { [packages]: notSignedIn }],
  [paymentPath, { "/api/order/detail": notSignedIn }],
  ["/billDetail/A100/0/9.99/-", { "/api/order/detail": notSignedIn }],
])("a session that is over ends on %s: told once, forgotten, at the login", async (path, replies) => {
  const { place, history } = await openApp(path, { stored: { ...anna, orders: [kept] }, replies });
  expect({ place: place(), said: said(), stored: stored(), length: history.length }).toEqual({
    place: "/login",
    said: ["Please log in first"],
    stored: { "order:A100": { ...kept, keptAt: START } },
    length: 1,
  });
  await pass(2_000);
  expect(said()).toEqual([]);
});

test("says in Chinese that somebody has to log in", async () => {
  await openApp("/personal_info", { language: "zh-CN", stored: anna, replies: { [centre]: notSignedIn } });
  expect(said()).toEqual(["请先登录"]);
});

test("a hidden page that was refused says nothing of it once the user has logged in in another tab", async () => {
  const { service } = await openApp("/personal_info", { stored: anna });
  const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  onTestFinished(() => hidden.mockRestore());
  await service.answer(centre, notSignedIn);
  for (const [key, value] of Object.entries(anna))
    await storeElsewhere(key, typeof value === "string" ? value : JSON.stringify(value));
  hidden.mockReturnValue(false);
  await lookAgain();
  expect({ said: said(), name: stored()["user_name"] }).toEqual({ said: [], name: "Anna" });
});

/** Another tab logs Anna out, or Berta in, while this one hears nothing: it was frozen, or in the back/forward cache. */
const unheard = {
  "logged out": () => ["user_name", "user_key", "user_token"].forEach((key) => localStorage.removeItem(key)),
  "logged in as somebody else": () => {
    localStorage.setItem("user_name", "Berta");
    localStorage.setItem("user_key", JSON.stringify({ account_name: "Berta" }));
    localStorage.setItem("user_token", "token2");
  },
};
const returns = {
  "is looked at again": lookAgain,
  "comes out of the back/forward cache": () =>
    settled(() => window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }))),
};

test.each(
  (Object.keys(unheard) as (keyof typeof unheard)[]).flatMap((did) =>
    (Object.keys(returns) as (keyof typeof returns)[]).map((how) => [did, how] as const),
  ),
)("where another tab %s unheard, a page that %s shows nothing of Anna any more", async (did, how) => {
  const { place, service } = await openApp("/personal_info", {
    stored: anna,
    replies: {
      [centre]: ({ headers }) => userOf(headers["authorization"] === "Bearer token1" ? "Anna" : "Berta"),
      [packages]: packagesOf(),
    },
  });
  expect(reads("Anna")).toBe(true);
  const before = service.sent.length;
  unheard[did]();
  await returns[how]();
  const isOut = did === "logged out";
  expect({ place: place(), anna: reads("Anna"), berta: reads("Berta") }).toEqual({
    place: isOut ? "/login" : "/personal_info",
    anna: false,
    berta: !isOut,
  });
  for (const { headers } of service.sent.slice(before))
    expect(headers["authorization"]).not.toBe("Bearer token1");
});

test.each(Object.keys(unheard) as (keyof typeof unheard)[])(
  "a tap of Anna's is no call of another account where another tab %s unheard",
  async (did) => {
    const { service, tap } = await openApp("/pay/vpn.month", {
      stored: { ...anna, selectedItem: monthly },
    });
    unheard[did]();
    await tap(button("Pay 9.99 USDT"));
    expect({ sent: service.to("/api/order/create"), token: stored()["user_token"] }).toEqual({
      sent: [],
      token: did === "logged out" ? undefined : "token2",
    });
  },
);

test("logging out of a page that did not hear of another account leaves that account logged in", async () => {
  const { service, tap } = await openApp("/setting", { stored: anna });
  unheard["logged in as somebody else"]();
  await tap(button("Log out"));
  await pass(4_000);
  expect({ sent: service.to(logout), stored: stored() }).toEqual({
    sent: [],
    stored: { user_name: "Berta", user_key: { account_name: "Berta" }, user_token: "token2" },
  });
});

test("a session that is over on a page that did not hear of another account leaves that account logged in", async () => {
  const { service } = await openApp("/personal_info", { stored: anna });
  unheard["logged in as somebody else"]();
  localStorage.setItem("user_token", "token1");
  await service.answer(centre, notSignedIn);
  expect(stored()["user_name"]).toBe("Berta");
});

test("who is refused again at once is told again, and led to the login", async () => {
  const { place, visit } = await openApp("/buy", { replies: { [packages]: notSignedIn } });
  await pass(1_900);
  await visit("/buy");
  expect(place()).toBe("/login");
  await pass(1_900);
  expect(said()).toEqual(["Please log in first"]);
});

test.each([
  ["en", "You were logged out in another window."],
  ["zh-CN", "账号已在另一个窗口退出登录。"],
] as const)("who is logged out in another window is told so, in %s", async (language, words) => {
  const { place, visit } = await openApp("/setting", { stored: anna, language });
  await storeElsewhere("user_key", null);
  await storeElsewhere("user_name", null);
  expect({ place: place(), said: said() }).toEqual({ place: "/login", said: [words] });
  await pass(2_000);
  await visit("/setting");
  expect(said()).toEqual([language === "en" ? "Please log in first" : "请先登录"]);
});

test("a login that waits is over when a user logs in in another window; it is found by its address", async () => {
  const { place, visit } = await openApp("/login");
  await storeElsewhere("user_token", "token2");
  await storeElsewhere("user_name", "Berta");
  expect(place()).toBe("/home");
  await visit("/login");
  expect(place()).toBe("/login");
});

test.each(["/personal_info", "/setting", paymentPath, "/billDetail/A100/0/9.99/-"])(
  "%s is for members only",
  async (path) => {
    const { place, service } = await openApp(path);
    expect({ place: place(), said: said(), sent: service.sent }).toEqual({
      place: "/login",
      said: ["Please log in first"],
      sent: [],
    });
  },
);

test("another tab's account takes the place of this one: nothing of the first stays on the screen", async () => {
  const { service, visit } = await openApp("/personal_info", {
    stored: anna,
    replies: { [centre]: userOf("Anna"), [packages]: packagesOf() },
  });
  await visit("/setting");
  await visit("/personal_info");
  expect(reads("Anna")).toBe(true);
  service.will(centre, userOf("Berta"));
  await storeElsewhere("user_token", "token2");
  await storeElsewhere("user_name", "Berta");
  expect([reads("Anna"), reads("Berta")]).toEqual([false, true]);
});

test("a reply to the account before never reaches the one after", async () => {
  const { service, visit } = await openApp("/personal_info", {
    stored: anna,
    replies: { [packages]: packagesOf() },
  });
  localStorage.setItem("user_name", "Berta");
  // What the account before is called stands there from the beginning; what the API says of it does not.
  await service.answer(centre, ok({ user: { account_name: "Anna", name: "Annie" } }));
  expect(reads("Annie")).toBe(false);
  await visit("/setting");
  expect(title()).toBe("Settings");
});

test("a reply arrives though another reply, or a login in another tab, has replaced the token", async () => {
  const { service } = await openApp("/personal_info", {
    stored: anna,
    replies: { [packages]: packagesOf() },
  });
  localStorage.setItem("user_token", "token2");
  await service.answer(centre, userOf("Anna"));
  expect(reads("Anna")).toBe(true);
});

test("what was kept of a view is forgotten at the login", async () => {
  const { service, tap, type, visit } = await openApp("/buy", {
    replies: { [packages]: packagesOf(monthly), "/api/login": ok({ user: { account_name: "Anna" } }) },
  });
  await tap(screen.getByRole("radio", { name: /Monthly/ }));
  await visit("/login");
  await type(screen.getByRole("textbox", { name: "Account" }), "anna");
  await type(screen.getByLabelText("Password", { selector: "input" }), "12345678");
  await tap(button("Log in"));
  await visit("/buy");
  expect({
    picked: screen.getByRole<HTMLInputElement>("radio").checked,
    read: service.to(packages).length,
  }).toEqual({ picked: false, read: 2 });
});

test("a bill that is left hidden does not end the session of the next user", async () => {
  const { place, service, visit } = await openApp("/billDetail/A100/0/9.99/-", { stored: anna });
  await visit("/service");
  expect(service.waiting).toEqual([]);
  service.will("/api/order/detail", notSignedIn);
  await lookAgain();
  await pass(60_000);
  expect({ place: place(), asked: service.to("/api/order/detail").length }).toEqual({
    place: "/service",
    asked: 1,
  });
});
