/** The first call of a screen sets out before its code is there: asked once, taken once, and aborted where no code takes it. */
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Api } from "../../src/app/ports/api.ts";
import { createApiClient } from "../../src/app/ports/api-client.ts";
import { openApp } from "../support/app.tsx";
import { anna, monthly, ok, packagesOf } from "../support/replies.ts";

/** An API that counts, and answers with the number of the call. */
function counting() {
  const asked: unknown[][] = [];
  const signals: AbortSignal[] = [];
  const api = new Proxy({} as Api, {
    get: (_, name: string) =>
      // A promise of it must not take it for another promise.
      name === "then"
        ? undefined
        : (...input: unknown[]) => {
            signals.push(input.at(-1) as AbortSignal);
            asked.push([name, ...input.slice(0, -1)]);
            return Promise.resolve(asked.length);
          },
  });
  return { asked, signals, ...createApiClient(async () => api) };
}
const somebody = () => new AbortController();
/** Until the API's code is there, the call made and its answer heard. */
const called = async () => {
  for (let turn = 0; turn < 4; turn += 1) await Promise.resolve();
};

test("what was prefetched is taken once, by the same call only", async () => {
  const { api, prefetch, asked } = counting();
  prefetch("readOrder", { orderId: "A100" });
  expect(await api.readOrder({ orderId: "B200" }, somebody().signal)).toBe(2);
  expect(await api.readOrder({ orderId: "A100" }, somebody().signal)).toBe(1);
  expect(await api.readOrder({ orderId: "A100" }, somebody().signal)).toBe(3);
  expect(asked).toEqual([
    ["readOrder", { orderId: "A100" }],
    ["readOrder", { orderId: "B200" }],
    ["readOrder", { orderId: "A100" }],
  ]);
});

test("the taker cancels it for both", async () => {
  const { api, prefetch, signals } = counting();
  prefetch("readMember");
  await called();
  const taker = somebody();
  await api.readMember(taker.signal);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  taker.abort();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

test("a call that was not taken is cancelled, and made anew", async () => {
  const { api, prefetch, cancelPrefetched, signals } = counting();
  prefetch("readPackages");
  await called();
  cancelPrefetched();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  expect(await api.readPackages(somebody().signal)).toBe(2);
});

test("a call that failed before it was taken is made anew", async () => {
  const failing = { readPackages: () => Promise.reject(new Error("no network")) } as unknown as Api;
  const { api, prefetch } = createApiClient(async () => failing);
  prefetch("readPackages");
  await called();
  failing.readPackages = () => Promise.resolve([]);
  expect(await api.readPackages(somebody().signal)).toEqual([]);
});

test.each([
  ["/buy", ["/api/packegs/list"]],
  ["/buy/Monthly", ["/api/packegs/list"]],
  ["/personal_info", ["/api/packegs/list", "/api/user/center"]],
  ["/personalInformation", ["/api/user/center"]],
  ["/modifyPassword", ["/api/user/center"]],
  ["/sessions", ["/api/user/session_list"]],
  ["/orders", ["/api/order/list"]],
  ["/payDetail/1/monthly/TRC20/9.99/TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t/A100", ["/api/order/detail"]],
  ["/billDetail/A100/0/9.99/-", ["/api/order/detail"]],
])("%s asks each of its calls once", async (place, calls) => {
  const { service } = await openApp(place, { stored: anna });
  expect(service.sent.map(({ path }) => path).toSorted()).toEqual(calls);
  expect(service.waiting.toSorted()).toEqual(calls);
});

test("a screen that was kept asks anew, once", async () => {
  const { service, visit, back } = await openApp("/buy", {
    replies: { "/api/packegs/list": packagesOf(monthly) },
  });
  await visit("/login");
  const before = service.sent.length;
  await back();
  expect(service.sent.length - before).toBe(1);
});

test("a visitor prefetches nothing of a member", async () => {
  const { service, place } = await openApp("/personal_info");
  expect([place(), service.sent]).toEqual(["/login", []]);
});

test("a way back that closes a sheet asks nothing ahead", async () => {
  const member = { user: { account_name: "Anna", pack_name: null, security_problem: null } };
  const { service, tap, back, place } = await openApp("/modifyPassword", {
    stored: anna,
    replies: { "/api/user/center": ok(member), "/api/security_problem_list": ok(["First pet?"]) },
  });
  const asked = service.to("/api/user/center").length;
  await tap(screen.getByRole("button", { name: /Security question|Choose a question/ }));
  expect(screen.getByRole("dialog")).toBeTruthy();
  await back();
  expect({ place: place(), asked: service.to("/api/user/center").length }).toEqual({
    place: "/modifyPassword",
    asked,
  });
});
