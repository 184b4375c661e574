/** Logging in, as a user meets it. Specification, sections 2, 4 and 5 ("Login"); Decisions, "Default timeout none". */
import { loginMachine } from "../../machines/login.ts";
import { besideForm, blankForm, formOnScreen, looksAt, refuses } from "../support/form-model.ts";
import { userWhoSees, userModel, wait } from "../support/user-model.ts";
import { ok } from "../support/replies.ts";
import { lost } from "../support/samples.ts";
import type { User } from "../user.ts";

const { toast: _, ...form } = blankForm;
const blank = { place: "/login", ...form, revealed: false };

const call = "/api/login";
const missing = "Please enter your account and password";
const wrong = "Wrong account or password.";

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
            "sends it without a name": "nameless",
            "sends it without a password": "wordless",
            "looks at the password": "revealed",
          },
        },
        revealed: { meta: { revealed: true }, on: { "looks away": "unmarked" } },
        blank: {
          meta: { warned: missing, marked: ["account_name", "password"] },
          on: { "sends it": "#person.waits", "sends it without a name": "nameless", edits: "unmarked" },
        },
        nameless: {
          meta: { warned: missing, marked: ["account_name"] },
          on: {
            "sends it": "#person.waits",
            "sends it without a name": "nameless",
            "sends it blank": "blank",
            edits: "unmarked",
          },
        },
        wordless: {
          meta: { warned: missing, marked: ["password"] },
          on: { "sends it": "#person.waits", "sends it without a name": "nameless", edits: "unmarked" },
        },
        // A toast is gone in two seconds; what the API said stays under the form, and marks neither field.
        refused: {
          meta: { warned: wrong },
          on: { "sends it": "#person.waits", "sends it blank": "blank", edits: "unmarked" },
        },
      },
    },
    waits: wait.of(
      { busy: true, waiting: [call] },
      { "is known": "#person.home", "is refused": "#person.form.refused", "is not heard": "#person.form" },
      { "stops waiting": "#person.form" },
    ),
    home: { meta: { place: "/home" } },
  },
});

const sends = (account_name: string, password: string) => ({
  sends: { type: "form.submitted", account_name, password } as const,
  does: async (user: User) => {
    await user.type("Account", account_name);
    await user.type("Password", password);
    await user.tap("button", "Log in");
  },
});

/** The account "anna" exists, with this password. */
export const PASSWORD = "lamplight & harbour 7";

export const login = userModel({
  chart: loginMachine,
  person,
  defaultView: blank,
  actions: {
    "sends it": sends(" anna ", PASSWORD),
    "sends it blank": sends("", ""),
    "sends it without a name": sends("  ", PASSWORD),
    "sends it without a password": sends("anna", ""),
    edits: { sends: { type: "form.edited" }, does: (user) => user.type("Account", "berta") },
    ...looksAt("password"),
    "is known": {
      invoke: "logIn",
      output: { accountName: "anna" },
      call,
      reply: ok({ token: "token1", user: { account_name: "anna" } }),
      real: true,
    },
    "is refused": refuses("logIn", call, wrong),
    "is not heard": { invoke: "logIn", error: lost, call },
    ...wait.actions,
    "stops waiting": wait.stop,
  },
  viewOfChart: (state, { emitted }) => ({
    // Of the form, which is gone once the user is logged in.
    busy: state.hasTag("busy") && !emitted.some(({ type }) => type === "login.succeeded"),
    slow: state.hasTag("slow"),
    ...besideForm(state.context.formError, { missing }),
    revealed: state.matches({ secret: "revealed" }),
  }),
  viewOnScreen: async (user) => {
    const place = await user.path();
    const isHere = place === "/login";
    // A toast is gone in two seconds; this model is about what stays.
    const { toast: _, ...form } = await formOnScreen(user, "Log in", ["account_name", "password"]);
    return {
      place,
      ...form,
      busy: isHere && form.busy,
      revealed: isHere && (await user.isRevealed("Password")),
    };
  },
});
