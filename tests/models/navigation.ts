/** The way from one screen to another, as a user meets it. Specification, sections 2 ("On every navigation …") and 3 ("Cached views"). */
import { setup } from "xstate";
import { navigationMachine } from "../../machines/navigation.ts";
import { userModel } from "../support/user-model.ts";
import { ok } from "../support/replies.ts";

const visitOf = (name: string, noCache = false) => ({
  name,
  key: name,
  noCache,
  params: {},
  step: 0,
  entry: "",
  returns: false,
});
const arrives = (name: string, noCache?: boolean) =>
  ({ type: "navigation.finished", visit: visitOf(name, noCache), moves: false }) as const;
const setsOut = { type: "navigation.started" } as const;

const titles: Readonly<Record<string, string>> = {
  "/login": "Welcome back",
  "/service": "User service agreement",
  "/forgetPasswordInfo/$userName": "Choose a new password",
};

/* The bar at the top. */

const road = {
  title: "Welcome back",
  /** How much of the bar there is: a third at least, never all of it before the end. */
  bar: "none" as "none" | "least" | "more" | "whole",
};
const there = { title: "User service agreement" };

const traveller = setup({ types: { meta: {} as Partial<typeof road> } }).createMachine({
  id: "traveller",
  initial: "here",
  states: {
    here: { on: { "sets out": "underWay" } },
    underWay: {
      meta: { bar: "least" },
      on: { "a moment passes": "further", "the screen comes": "there", "turns back": "back" },
    },
    further: {
      meta: { bar: "more" },
      on: { "minutes pass": "longUnderWay", "the screen comes": "there", "turns back": "back" },
    },
    longUnderWay: { meta: { bar: "more" }, on: { "the screen comes": "there" } },
    there: {
      meta: { ...there, bar: "whole" },
      on: { "half a second passes": "settled", "turns back": "back" },
    },
    settled: { meta: there, on: { "turns back": "back" } },
    back: { meta: { bar: "whole" }, on: { "half a second passes": "here" } },
  },
});

const barOf = (value: number): (typeof road)["bar"] => {
  if (value === 0) return "none";
  if (value === 1) return "whole";
  return value === 0.3 ? "least" : "more";
};

/** Begins once the first screen has been there for a while. */
export const travelling = userModel({
  chart: navigationMachine,
  person: traveller,
  defaultView: road,
  actions: {
    "sets out": { sends: setsOut, does: (user) => user.visit("/service") },
    "a moment passes": { ms: 200 },
    "minutes pass": { ms: 300_000 },
    "half a second passes": { ms: 500 },
    "the screen comes": { sends: arrives("/service"), call: "/service", reply: ok() },
    "turns back": { sends: [setsOut, arrives("/login")], does: (user) => user.back() },
  },
  viewOfChart: ({ context }) => ({ bar: barOf(context.progress) }),
  viewOnScreen: async (user) => {
    let bar: (typeof road)["bar"] = (await user.isVisible("[data-visible]")) ? "more" : "none";
    if (await user.isVisible('[data-visible][style*="--value: 0.3;"]')) bar = "least";
    if (await user.isVisible('[data-visible][style*="--value: 1;"]')) bar = "whole";
    return { title: await user.title(), bar };
  },
});

/* What is kept of the screens that were left. */

const desk = { title: "Welcome back", typed: "" as string | null };
const agreement = { title: "User service agreement", typed: null };

const returner = setup({ types: { meta: {} as Partial<typeof desk> } }).createMachine({
  id: "returner",
  initial: "atLogin",
  states: {
    atLogin: { on: { "types a name": "named" } },
    named: {
      meta: { typed: "anna" },
      on: { "reads the agreement": "reading", "makes a new password": "atPassword" },
    },
    reading: {
      meta: agreement,
      on: { "goes to the login": "named", "a user logs in beside": "readingAsAnother" },
    },
    // What was typed was another user's.
    readingAsAnother: { meta: agreement, on: { "goes to the login": "anothers" } },
    anothers: {},
    atPassword: {
      meta: { title: "Choose a new password" },
      on: { "types a password": "passworded" },
    },
    passworded: {
      meta: { title: "Choose a new password", typed: "lamplight" },
      on: { "goes to the login": "namedAgain" },
    },
    namedAgain: { meta: { typed: "anna" }, on: { "makes a new password": "atPasswordAgain" } },
    // This view is thrown away when it is left.
    atPasswordAgain: { meta: { title: "Choose a new password" } },
  },
});

const goes = (name: string, place: string, noCache?: boolean) => ({
  sends: [setsOut, arrives(name, noCache)],
  does: (user: { visit: (place: string) => Promise<void> }) => user.visit(place),
});

export const returning = userModel({
  chart: navigationMachine,
  person: returner,
  defaultView: desk,
  actions: {
    "types a name": { outsideChart: true, does: (user) => user.type("Account", "anna") },
    "types a password": { outsideChart: true, does: (user) => user.type("New password", "lamplight") },
    "reads the agreement": goes("/service", "/service"),
    "goes to the login": goes("/login", "/login"),
    "makes a new password": goes("/forgetPasswordInfo/$userName", "/forgetPasswordInfo/anna", true),
    "a user logs in beside": {
      sends: { type: "views.dropped" },
      does: (user) => user.storeElsewhere("user_name", "berta"),
    },
  },
  viewOfChart: ({ context }) => (context.current ? { title: titles[context.current.name] ?? "" } : {}),
  viewOnScreen: async (user) => {
    const title = await user.title();
    const labels: Readonly<Record<string, string>> = {
      "Welcome back": "Account",
      "Choose a new password": "New password",
    };
    const label = labels[title];
    return { title, typed: label === undefined ? null : await user.value(label) };
  },
});
