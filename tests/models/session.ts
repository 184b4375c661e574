/** Being signed in and out, as a user meets it. Specification, sections 3 ("User session"), 4 ("Signed in or out", "Code 4001") and 6; Decisions, "Several 4001s at once" and "Two tabs agree". */
import { sessionMachine } from "../../machines/session.ts";
import { userWhoSees, userModel } from "../support/user-model.ts";
import { no, notSignedIn, ok } from "../support/replies.ts";
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
  toast: null as string | null,
  waiting: [] as string[],
};
const anna = { name: "anna" };
const asked = { toast: "Please log in first" };
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
        // The user is not kept waiting for the service.
        "half a second passes": "signedOutUnheard",
        "signs out in another tab": "signedOutElsewhere",
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
    signedOutElsewhere: { meta: { ...atLogin, toast: elsewhere }, on: { "two seconds pass": "signedOut" } },
    // The service is still to hear of it.
    signedOutUnheard: {
      meta: { ...atLogin, waiting: [logout] },
      on: {
        "the service hears of it": "signedOut",
        "the service says no": "signedOut",
        "the service does not hear of it": "signedOut",
        "the service knows of no session": "signedOut",
      },
    },
    signedOut: { meta: atLogin, on: { "sends the name": "entering" } },
    entering: {
      meta: { ...atLogin, waiting: [login] },
      on: { "is known": "welcome", "is not known": "signedOut" },
    },
    welcome: { meta: { ...anna, bar: "anna", toast: "Login succeeded" } },
  },
});

export const session = userModel({
  chart: sessionMachine,
  input: { userName: "anna" },
  person,
  defaultView: blank,
  actions: {
    "opens the settings": { outsideChart: true, does: (user) => user.visit("/setting") },
    "opens the packages": { outsideChart: true, does: (user) => user.visit("/buy") },
    "logs out": { sends: { type: "logout.requested" }, does: (user) => user.tap("button", "Log out") },
    "logs out again": { sends: { type: "logout.requested" }, does: (user) => user.press("{Enter}") },
    "half a second passes": { ms: 500 },
    "two seconds pass": { ms: 2_000 },
    "the service hears of it": { outsideChart: true, call: logout, reply: ok(), real: true },
    "the service says no": { outsideChart: true, call: logout, reply: no("No.") },
    "the service does not hear of it": { outsideChart: true, call: logout },
    "the service knows of no session": { outsideChart: true, call: logout, reply: notSignedIn },
    "is told to log in": { sends: { type: "session.refused" }, call: packages, reply: notSignedIn },
    "signs out in another tab": {
      sends: { type: "storage.changed", userName: null },
      does: async (user) => {
        await user.storeElsewhere("user_key", null);
        await user.storeElsewhere("user_name", null);
      },
    },
    "signs in as another user in another tab": {
      sends: { type: "storage.changed", userName: "berta" },
      does: (user) => user.storeElsewhere("user_name", "berta"),
    },
    "sends the name": {
      outsideChart: true,
      does: async (user) => {
        await user.type("Account", "anna");
        await user.type("Password", PASSWORD);
        await user.tap("button", "Log in");
      },
    },
    "is known": {
      sends: { type: "login.succeeded", accountName: "anna" },
      call: login,
      reply: ok({ token: "token2", user: { account_name: "anna" } }),
      real: true,
    },
    "is not known": { outsideChart: true, call: login, reply: no("Wrong account or password.") },
  },
  viewOfChart: (state) => ({ name: state.context.userName, busy: state.hasTag("busy") }),
  viewOnScreen: async (user) => {
    const place = await user.path();
    const said = await user.statusTexts();
    // One link: in, or to what is one's own.
    const [bar = null] = await user.texts("header a:not([aria-label])");
    const isWayIn = await user.isVisible('header a[aria-label="Log in"]');
    return {
      place,
      title: await user.title(),
      name: await user.stored("user_name"),
      bar: isWayIn ? "Log in" : bar,
      busy: place === "/setting" && (await user.isBusy("Log out")),
      toast: [asked.toast, elsewhere, "Login succeeded"].find((words) => said.includes(words)) ?? null,
      waiting: user.pendingCalls(),
    };
  },
});
