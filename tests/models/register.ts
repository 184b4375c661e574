/** Creating an account, as a user meets it. Specification, sections 2 (register), 4 and 5 ("Register"); Decisions, "Register", "Default timeout none". */
import { registerMachine } from "../../machines/register.ts";
import {
  besideForm,
  blankForm,
  formActions,
  formOnScreen,
  looksAt,
  refuses,
  toldIn,
} from "../support/form-model.ts";
import { userWhoSees, userModel, wait } from "../support/user-model.ts";
import { ok } from "../support/replies.ts";
import { lost } from "../support/samples.ts";
import type { User } from "../user.ts";

const accountShort = "The account length cannot be less than 4 characters";
// The message says 6; the check is 8.
const passwordShort = "Password length cannot be less than 6 digits";
const ready = "Your account is readyLog in with the account name and the password you have just chosen.";
const tooOften = "Too many attempts. Please wait a minute.";
const taken = "That name is taken.";
const noConnection = "No connection. Check your network and try again.";
const forgotten = { warned: "Please agree to the user service agreement first", marked: ["agreement"] };

const blank = {
  ...blankForm,
  place: "/register",
  title: "Create an account",
  shaking: false,
  revealed: false,
  signedIn: false,
};

const paths = { register: "/api/register", logIn: "/api/login" };

const again = { "sends it": "#person.waits", edits: "unmarked" };

const person = userWhoSees(blank).createMachine({
  id: "person",
  initial: "form",
  states: {
    form: {
      initial: "unmarked",
      states: {
        unmarked: {
          on: {
            "sends it": "#person.waits",
            "sends it blank": "blank",
            "sends it with a short name": "accountShort",
            "sends it with a short password": "passwordShort",
            "sends it without agreeing": "shaking",
            "looks at the password": "revealed",
          },
        },
        revealed: { meta: { revealed: true }, on: { "looks away": "unmarked" } },
        blank: {
          meta: { warned: accountShort, marked: ["account_name", "password"] },
          on: {
            "sends it": "#person.waits",
            "sends it with a short name": "accountShort",
            edits: "unmarked",
          },
        },
        accountShort: {
          meta: { warned: accountShort, marked: ["account_name"] },
          on: {
            "sends it": "#person.waits",
            "sends it with a short password": "passwordShort",
            "sends it without agreeing": "shaking",
            edits: "unmarked",
          },
        },
        passwordShort: {
          meta: { warned: passwordShort, marked: ["password"] },
          on: { "sends it with a short name": "accountShort", edits: "unmarked" },
        },
        shaking: {
          meta: { shaking: true, ...forgotten },
          on: { "less than half a second passes": "stillShaking", "sends it": "#person.waits" },
        },
        stillShaking: {
          meta: { shaking: true, ...forgotten },
          on: { "half a second is over": "unticked", "sends it without agreeing": "shaking" },
        },
        // Why it shook stays beside the box.
        unticked: { meta: forgotten, on: { "sends it": "#person.waits", edits: "unmarked" } },
        // The account may be there all the same.
        cutOff: { meta: { toast: noConnection }, on: { "two seconds pass": "noAnswer" } },
        noAnswer: { on: { "sends the same again": "#person.claims" } },
        ...toldIn("toastShown", "refusedWhole", { warned: tooOften }, again),
        // What is wrong with one field stays beside it.
        ...toldIn("toldOfField", "refused", { warned: taken, marked: ["account_name"] }, again),
      },
    },
    waits: wait.of(
      { busy: true, waiting: [paths.register] },
      {
        "the account is made": "#person.waitsAgain",
        "is refused": "#person.form.toastShown",
        "is refused the field": "#person.form.toldOfField",
        "is not heard": "#person.form.cutOff",
      },
      { "stops waiting": "#person.form.noAnswer" },
    ),
    // A user whose first request reached the service has an account by now.
    claims: wait.of(
      { busy: true, waiting: [paths.logIn] },
      { "is let in": "#person.home", "is not let in": "#person.waits" },
      { "stops waiting": "#person.form.noAnswer" },
    ),
    waitsAgain: wait.of(
      { busy: true, waiting: [paths.logIn] },
      { "is logged in": "#person.home", "is not logged in": "#person.welcome" },
      { "stops waiting": "#person.welcome" },
    ),
    home: {
      meta: { place: "/home", title: "Never-offline VPN", toast: "Login succeeded", signedIn: true },
    },
    welcome: { meta: { place: "/registerSuccess", title: "Account created", toast: ready } },
  },
});

const fresh = { count: 0 };
const sends = (account_name: string, password: string, agreement: boolean) => ({
  sends: { type: "form.submitted", account_name, password, agreement } as const,
  does: async (user: User) => {
    await user.type("Account", account_name);
    await user.type("Password", password);
    if ((await user.isChecked("checkbox", /agree/)) !== agreement) await user.tap("checkbox", /agree/);
    await user.tap("button", "Create account");
  },
});
const complete = sends(" anna ", "lamplight & harbour 7", true);

export const register = userModel({
  chart: registerMachine,
  person,
  defaultView: blank,
  actions: {
    "sends it": {
      ...complete,
      // A name is given once.
      does: (user) => sends(` visitor ${(fresh.count += 1)} `, complete.sends.password, true).does(user),
    },
    "sends the same again": { ...complete, does: (user) => user.tap("button", "Create account") },
    "sends it blank": sends("", "", false),
    "sends it with a short name": sends(" ann ", "1234567", false),
    "sends it with a short password": sends(" anna ", "1234567", false),
    "sends it without agreeing": sends("anna", "12345678", false),
    edits: { sends: { type: "form.edited" }, does: (user) => user.type("Account", "berta") },
    ...looksAt("password"),
    "less than half a second passes": { ms: 400 },
    "half a second is over": { ms: 100 },
    ...formActions,
    "the account is made": {
      invoke: "register",
      output: undefined,
      call: paths.register,
      reply: ok(),
      real: true,
    },
    "is refused": refuses("register", paths.register, tooOften),
    "is refused the field": refuses("register", paths.register, taken, "account_name"),
    "is logged in": {
      invoke: "logIn",
      output: { accountName: "anna" },
      call: paths.logIn,
      reply: ok({ token: "token1", user: { account_name: "anna" } }),
      real: true,
    },
    "is not heard": { invoke: "register", error: lost, call: paths.register },
    "is let in": {
      invoke: "claim",
      output: { accountName: "anna" },
      call: paths.logIn,
      reply: ok({ token: "token1", user: { account_name: "anna" } }),
    },
    "is not let in": refuses("claim", paths.logIn, "No."),
    "is not logged in": { invoke: "logIn", error: lost, call: paths.logIn },
  },
  viewOfChart: (state, { emitted, pending }) => {
    const end = emitted.find(({ type }) => type === "login.succeeded" || type === "register.succeeded")?.type;
    const { formError } = state.context;
    return {
      place:
        end === "login.succeeded" ? "/home" : end === "register.succeeded" ? "/registerSuccess" : "/register",
      busy: !end && state.hasTag("busy"),
      slow: state.hasTag("slow"),
      ...besideForm(formError, { accountShort, passwordShort, unticked: forgotten.warned }),
      shaking: state.matches({ form: { editing: "shaking" } }),
      revealed: state.matches({ secret: "revealed" }),
      waiting: pending.map(({ id }) => paths[id === "claim" ? "logIn" : (id as keyof typeof paths)]),
    };
  },
  viewOnScreen: async (user) => {
    const place = await user.path();
    const isHere = place === "/register";
    return {
      place,
      title: await user.title(),
      ...(await formOnScreen(user, "Create account", ["account_name", "password", "agreement"])),
      shaking: await user.isVisible("[data-shaking]"),
      revealed: isHere && (await user.isRevealed("Password")),
      signedIn: (await user.stored("user_name")) !== null,
    };
  },
});
