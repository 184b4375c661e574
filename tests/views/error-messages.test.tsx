/** The error catalogue of section 8: what each answer of HTTP is called, in both languages; and the agreement's fixed words. */
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { box, button, openApp, pass, reads, said, secret, title } from "../support/app.tsx";

const path = "/api/login";
const catalogue: [status: number, english: string, chinese: string][] = [
  [400, "Request error", "请求错误"],
  [401, "Unauthorized, please log in", "未授权，请登录"],
  [403, "Access denied", "拒绝访问"],
  [404, "Request address error: /api/login", "请求地址出错：/api/login"],
  [408, "Request timeout", "请求超时"],
  [429, "Too many requests. Please wait a minute and try again.", "请求过于频繁，请一分钟后再试。"],
  [500, "Internal server error", "服务器内部错误"],
  [501, "Service not implemented", "服务未实现"],
  [502, "Bad gateway", "网关错误"],
  [503, "Service unavailable", "服务不可用"],
  [504, "Gateway timeout", "网关超时"],
  [505, "HTTP version not supported", "HTTP 版本不受支持"],
  [418, "Network fault", "网络故障"],
];

test.each(["en", "zh-CN"] as const)("every HTTP error has its own words in %s", async (language) => {
  const english = language === "en";
  const { service, tap, type } = await openApp("/login", { language });
  await type(box(english ? "Account" : "账号"), "anna");
  await type(secret(english ? "Password" : "密码"), "password");
  const told = [];
  for (const [status] of catalogue) {
    await tap(button(english ? "Log in" : "登录"));
    await service.answer(path, status);
    told.push(said());
    await pass(2_000);
    told.push(said());
  }
  expect(told).toEqual(catalogue.flatMap(([, one, other]) => [[english ? one : other], []]));
});

test("the agreement is dated January 7, 2022, has all its parts, tells of auto-renewal, and leads back to registering", async () => {
  const { place, tap } = await openApp("/service");
  expect({ title: title(), dated: reads(/January 7, 2022/), renewal: reads(/24 hours before/) }).toEqual({
    title: "User service agreement",
    dated: true,
    renewal: true,
  });
  const parts = screen.getAllByRole("heading", { level: 2 }).map((heading) => heading.textContent ?? "");
  const expected = [
    /service/i,
    /obligation|duties|your part/i,
    /prohibit|forbidden|not allowed|may not/i,
    /pay/i,
    /privacy/i,
    /liab|answer for/i,
  ];
  expect(expected.filter((part) => !parts.some((heading) => part.test(heading)))).toEqual([]);
  await tap(button("Back"));
  expect(place()).toBe("/register");
});

test("the account that was made has a success message and the way to the login", async () => {
  const { place, tap } = await openApp("/registerSuccess");
  expect(title()).toBe("Account created");
  await tap(screen.getByRole("link", { name: "Log in" }));
  expect(place()).toBe("/login");
});
