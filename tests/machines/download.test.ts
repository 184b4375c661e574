/** Getting the app: a boxed browser gets a hint, a missing package the provider's page, everybody else the app. */
import { describe, expect, test } from "vitest";
import { downloadMachine, noBuilds, type Builds } from "../../machines/download.ts";
import { downloadBlocked, downloading, downloadingAgain, hinted } from "../models/download.ts";
import { Harness } from "../support/harness.ts";
import { runOnMachine } from "../support/user-model.ts";
import { invariantsOf, type History } from "../support/invariant-runner.ts";
import {
  answerIn,
  asked,
  asksOneAtATime,
  errorIn,
  letsGoWhenTold,
  wasAsking,
} from "../support/invariants.ts";
import { refused } from "../support/samples.ts";

const built = (url: string) => ({ date: "2026-01-01", url, verison: "1.0" });
const all: Builds = {
  ...noBuilds,
  android: built("https://app.example/a.apk"),
  ios: built("https://app.example/i"),
};
const androidOnly: Builds = { ...noBuilds, android: all.android };

const download = invariantsOf(downloadMachine, {
  inputs: [{ boxed: false }, { boxed: true }],
  events: [
    { type: "download.requested", device: "android" },
    { type: "download.requested", device: "ios" },
    { type: "hint.dismissed" },
    { type: "cancel" },
  ],
  answers: {
    readBuilds: { all, androidOnly, none: noBuilds },
    install: { begun: undefined, refused },
    openSite: { opened: { blocked: null }, blocked: { blocked: "https://everlit.example/" }, refused },
  },
  repeats: 1,
});

type Past = History<typeof downloadMachine>;
const beginningOf = (history: Past) => {
  const event = history[0]?.event;
  if (event?.type !== "start" || !("input" in event)) throw new Error("Every path has a beginning.");
  return event.input;
};
/** What the script said: only one that has spoken can wake or install. */
const buildsIn = (history: Past): Builds => {
  const told = history.findLast((moment) => answerIn(moment, "readBuilds"));
  return (told && (answerIn(told, "readBuilds")?.output as Builds)) ?? noBuilds;
};
const isHinting = (history: Past) =>
  beginningOf(history).boxed &&
  history.findLast(({ event }) => /^(download|hint)\./.test(event.type))?.event.type === "download.requested";

asksOneAtATime(download, ["readBuilds"]);
asksOneAtATime(download, ["install", "openSite"]);
letsGoWhenTold(download, ["install", "openSite"]);

download.always("asks the script once, and keeps what it says", (moment, history) => {
  const { boxed } = beginningOf(history);
  expect(moment.calls.filter(({ id }) => id === "readBuilds").length).toBe(
    moment.event.type === "start" ? 1 : 0,
  );
  expect({ boxed: moment.state.context.boxed, builds: moment.state.context.builds }).toEqual({
    boxed,
    builds: buildsIn(history),
  });
});

download.always("offers a link to what the browser last refused to open", ({ state }, history) => {
  const last = history.findLast((moment) => answerIn(moment, "openSite"));
  const told = last && (answerIn(last, "openSite")?.output as { blocked: string | null });
  expect(state.context.blocked).toBe(told?.blocked ?? null);
});

download.always(
  "shows a hint in a browser inside another app, and nothing else happens there",
  ({ state }, history) => {
    expect(state.matches({ button: "hinting" })).toBe(isHinting(history));
  },
);

download.always(
  "wakes or installs the app of the device, or opens the provider's page, once a tap",
  (moment, history) => {
    const { event } = moment;
    const taps =
      event.type === "download.requested" &&
      !beginningOf(history).boxed &&
      !wasAsking(history, "install", "openSite");
    const device = taps ? event.device : "android";
    const { url } = buildsIn(history)[device];
    expect(asked(moment).filter(({ id }) => id !== "readBuilds")).toEqual(
      !taps
        ? []
        : url !== ""
          ? [{ id: "install", input: { device, url } }]
          : [{ id: "openSite", input: { device } }],
    );
  },
);

download.always("tells what the script said, and what failed", (moment) => {
  const told = answerIn(moment, "readBuilds");
  const error = errorIn(moment, "install", "openSite");
  expect(moment.emitted).toEqual(
    told ? [{ type: "builds.read", builds: told.output }] : error ? [{ type: "request.failed", error }] : [],
  );
});

test("a script that never answers holds the button for so long, and not for ever", async () => {
  const harness = new Harness(downloadMachine, {
    input: { boxed: false },
    replies: { readBuilds: () => all },
  });
  await harness.advance(0);
  await harness.send({ type: "download.requested", device: "android" });
  const busy = [harness.state.matches({ button: "installing" })];
  await harness.advance(600_000);
  busy.push(harness.state.matches({ button: "installing" }));
  expect(busy).toEqual([true, false]);
});

test("begins with four platforms of which nothing is known", () => {
  const nothing = { date: "", url: "", verison: "" };
  expect(noBuilds).toEqual({ android: nothing, ios: nothing, mac: nothing, windows: nothing });
});

describe("in a browser", () => {
  runOnMachine(downloading);
});
describe("in a browser that opens no windows", () => {
  runOnMachine(downloadBlocked);
});
describe("at another visit", () => {
  runOnMachine(downloadingAgain);
});
describe("in another app", () => {
  runOnMachine(hinted);
});
