/** The member's particulars on the screen, and the settings that lead there. */
import { drawnAnew } from "../support/drawn-anew.ts";
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { birthDate, profile, unknown } from "../models/profile.ts";
import { box, button, drawFrames, link, openApp, pass, said } from "../support/app.tsx";
import { runOnScreen } from "../support/run-on-screen.ts";
import { anna, ok } from "../support/replies.ts";
import { openForModel } from "../support/jsdom-user.tsx";

const centre = "/api/user/center";
const path = "/api/user/update_info";
const user = {
  account_name: "Anna",
  name: "Annie",
  sex: "woman",
  birth_date: "2001-03-05 00:00:00",
  pack_name: null,
};
const open = (language: "en" | "zh-CN" = "en") =>
  openApp("/personalInformation", {
    language,
    stored: anna,
    replies: { [centre]: ok({ user }), [path]: ok() },
  });
const wheel = (name: string) => within(screen.getByRole("dialog")).getByRole("slider", { name });

runOnScreen(profile, () => openForModel("/personalInformation", { stored: anna }));
runOnScreen(birthDate, () =>
  openForModel("/personalInformation", { stored: anna, replies: { [centre]: ok({ user: unknown }) } }),
);

test("shows the account number read only, and what is known; sends what was changed", async () => {
  const { place, press, service, tap, type } = await open();
  expect({
    account: box("Account number").value,
    readOnly: box("Account number").readOnly,
    nickname: box("Nickname").value,
    gender: button(/^Gender/).textContent,
    birth: button(/^Date of birth/).textContent,
  }).toEqual({
    account: "Anna",
    readOnly: true,
    nickname: "Annie",
    gender: "Female",
    birth: "March\u00A05, 2001",
  });
  await type(box("Nickname"), "Nan");
  await tap(button(/^Gender/));
  wheel("Gender").focus();
  await press("{ArrowUp}");
  await tap(within(screen.getByRole("dialog")).getByRole("button", { name: "Confirm" }));
  await tap(button("Confirm"));
  expect({ sent: service.to(path).map(({ body }) => body), said: said(), place: place() }).toEqual({
    sent: [{ name: "Nan", sex: "man", birth_date: "2001-03-05" }],
    said: ["Modified successfully"],
    place: "/setting",
  });
});

test("from a link to it, the arrow leads to the settings in its stead", async () => {
  const { history, place, tap } = await open();
  await tap(button("Back"));
  expect({ place: place(), steps: history.length }).toEqual({ place: "/setting", steps: 1 });
});

test("a birth is between 1670 and today", async () => {
  const { press, tap } = await open();
  await tap(button(/^Date of birth/));
  const years = [];
  for (const key of ["{Home}", "{End}"]) {
    wheel("Year").focus();
    await press(key);
    years.push(wheel("Year").getAttribute("aria-valuetext"));
  }
  expect(years).toEqual(["1670", "2026"]);
});

test("a wheel that has turned draws its own sheet anew, and nothing of the page behind it", async () => {
  drawFrames();
  const { press, tap } = await open();
  await tap(button(/^Date of birth/));
  await pass(1_000);
  wheel("Year").focus();
  drawnAnew();
  await press("{ArrowDown}");
  await pass(1_000);
  const drawn = new Set(drawnAnew());
  expect({
    turned: drawn.has("DateWheels"),
    page: drawn.has("PersonalInformation"),
    fields: drawn.has("PickField"),
  }).toEqual({ turned: true, page: false, fields: false });
});

test("says male and female in Chinese", async () => {
  await open("zh-CN");
  expect(button(/^性别/).textContent).toBe("女");
});

test("the settings lead to the three screens, to the devices, and back to the personal center", async () => {
  const { place, tap, visit } = await openApp("/setting", { stored: anna });
  const places = [];
  const names = [
    /^Personal Information/,
    /^Change Password/,
    /^Fill in confidentiality/,
    "Logged-in devices",
  ];
  for (const name of names) {
    await tap(link(name));
    places.push(place());
    await visit("/setting");
  }
  await tap(button("Back"));
  expect([...places, place()]).toEqual([
    "/personalInformation",
    "/changePassword",
    "/modifyPassword",
    "/sessions",
    "/personal_info",
  ]);
});
