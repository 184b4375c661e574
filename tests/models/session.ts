/** Being signed in and out, as a person meets it. Specification, sections 3 ("User session"), 4 ("Signed in or out", "Code 4001") and 6; Decisions, "Several 4001s at once" and "Two tabs agree". */
import { sessionMachine } from "../../machines/session.ts";
import { userWhoSees, userModel } from "../support/user-model.ts";
import { no, nobody, ok } from "../support/replies.ts";
import { lost } from "../support/samples.ts";
import { PASSWORD } from "./login.ts";

const logout = "/api/logout";
const login = "/api/login";
const packages = "/api/packegs/list";

/** Where the person is, and what stands there: an address alone may still be on its way. */
const atHome = { place: "/home", title: "Never-offline VPN" };
const atLogin = { place: "/login", title: "Welcome back" };
const atSettings = { place: "/setting", title: "Settings" };

const blank = {
  ...atHome,
  /** Whose name this browser keeps, and what stands in the top bar. */
  name: null as string | null,
  bar: null as string | null,
  busy: false,
  told: null as string | null,
  waiting: [] as string[],
};
const anna = { name: "anna" };
const asked = { told: "Please log in first" };
const elsewhere = "You were logged out in another window.";
const atShop = { place: "/buy", title: "Choose a package", waiting: [packages] };
const leaving = { ...anna, ...atSettings, busy: true };

const person = userWhoSees(blank).createMachine({
  id: "person",
  initial: "member",
  states: {
    member: {
      meta: { ...anna, bar: "anna" },
      on: {
        "opens the settings": "settings",
        "opens the packages": "memberAtShop",
        "signs out in another tab": "visitor",
        "signs in as another user in another tab": "berta",
      },
    },
    berta: { meta: { name: "berta", bar: "berta" } },
    settings: {
      meta: { ...anna, ...atSettings },
      on: { "logs out": "leaving", "signs out in another tab": "signedOutElsewhere" },
    },
    leaving: {
      meta: leaving,
      on: {
        "logs out again": "leaving",
        "half a second passes": "farewell",
        "signs out in another tab": "signedOutElsewhere",
      },
    },
    farewell: {
      meta: { ...leaving, waiting: [logout] },
      on: {
        "the service hears of it": "signedOut",
        "the service says no": "signedOut",
        "the service does not hear of it": "signedOut",
        "the service knows of no session": "signedOut",
        // The user is not kept waiting for it.
        "three seconds pass": "signedOutUnheard",
      },
    },
    memberAtShop: { meta: { ...atShop, ...anna }, on: { "is told to log in": "turnedAway" } },
    visitor: { meta: { bar: "Log in" }, on: { "opens the packages": "visitorAtShop" } },
    visitorAtShop: { meta: atShop, on: { "is told to log in": "turnedAway" } },
    turnedAway: {
      meta: { ...atLogin, ...asked },
      on: { "two seconds pass": "signedOut", "opens the packages": "visitorAtShopAgain" },
    },
    // Told anew, however soon it is.
    visitorAtShopAgain: { meta: { ...atShop, ...asked }, on: { "is told to log in": "turnedAway" } },
    signedOutElsewhere: { meta: { ...atLogin, told: elsewhere }, on: { "two seconds pass": "signedOut" } },
    // The service is still to hear of it.
    signedOutUnheard: {
      meta: { ...atLogin, waiting: [logout] },
      on: { "the service hears of it at last": "signedOut" },
    },
    signedOut: { meta: atLogin, on: { "sends the name": "entering" } },
    entering: {
      meta: { ...atLogin, waiting: [login] },
      on: { "is known": "welcome", "is not known": "signedOut" },
    },
    welcome: { meta: { ...anna, bar: "anna", told: "Login succeeded" } },
  },
});

export const session = userModel({
  chart: sessionMachine,
  input: { userName: "anna" },
  person,
  look: blank,
  actions: {
    "opens the settings": { unheard: true, does: (hand) => hand.visit("/setting") },
    "opens the packages": { unheard: true, does: (hand) => hand.visit("/buy") },
    "logs out": { sends: { type: "logout.asked" }, does: (hand) => hand.tap("button", "Log out") },
    "logs out again": { sends: { type: "logout.asked" }, does: (hand) => hand.press("{Enter}") },
    "half a second passes": { ms: 500 },
    "two seconds pass": { ms: 2_000 },
    "three seconds pass": { ms: 3_000 },
    "the service hears of it": { invoke: "logOut", told: undefined, call: logout, reply: ok(), real: true },
    "the service says no": { invoke: "logOut", refused: lost, call: logout, reply: no("No.") },
    "the service does not hear of it": { invoke: "logOut", refused: lost, call: logout },
    "the service knows of no session": { sends: { type: "session.refused" }, call: logout, reply: nobody },
    "the service hears of it at last": { unheard: true, call: logout, reply: ok(), real: true },
    "is told to log in": { sends: { type: "session.refused" }, call: packages, reply: nobody },
    "signs out in another tab": {
      sends: { type: "storage.changed", userName: null },
      does: async (hand) => {
        await hand.storeElsewhere("user_key", null);
        await hand.storeElsewhere("user_name", null);
      },
    },
    "signs in as another user in another tab": {
      sends: { type: "storage.changed", userName: "berta" },
      does: (hand) => hand.storeElsewhere("user_name", "berta"),
    },
    "sends the name": {
      unheard: true,
      does: async (hand) => {
        await hand.type("Account", "anna");
        await hand.type("Password", PASSWORD);
        await hand.tap("button", "Log in");
      },
    },
    "is known": {
      sends: { type: "login.succeeded", accountName: "anna" },
      call: login,
      reply: ok({ token: "token2", user: { account_name: "anna" } }),
      real: true,
    },
    "is not known": { unheard: true, call: login, reply: no("Wrong account or password.") },
  },
  tells: (state) => ({ name: state.context.userName, busy: state.hasTag("busy") }),
  looks: async (hand) => {
    const place = await hand.place();
    const said = await hand.said();
    // One link: in, or to what is one's own.
    const [bar = null] = await hand.texts("header a:not([aria-label])");
    const isWayIn = await hand.shows('header a[aria-label="Log in"]');
    return {
      place,
      title: await hand.title(),
      name: await hand.stored("user_name"),
      bar: isWayIn ? "Log in" : bar,
      busy: place === "/setting" && (await hand.isBusy("Log out")),
      told: [asked.told, elsewhere, "Login succeeded"].find((words) => said.includes(words)) ?? null,
      waiting: hand.waiting(),
    };
  },
});
