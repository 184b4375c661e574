/** Changing the password, as a user meets it. Specification, sections 2 (changePassword), 4 and 5; Decisions, "Default timeout none". */
import { passwordMachine } from "../../machines/password.ts";
import {
  besideForm,
  blankForm,
  endingActions,
  formActions,
  formOnScreen,
  looksAt,
  refuses,
  toldIn,
} from "../support/form-model.ts";
import { LOST } from "../support/error-words.ts";
import { userWhoSees, userModel, wait } from "../support/user-model.ts";
import { ok } from "../support/replies.ts";
import { lost } from "../support/samples.ts";
import type { User } from "../user.ts";

const short = "Password length cannot be less than 8 digits";
const different = "The passwords entered twice do not match, Please re-enter";
const missing = "Please enter password";
const tooOften = "Too many attempts. Please wait a minute.";
const either = "Log in again: with the new password or, if that fails, with the old one.";
const wrong = "The old password is wrong.";

const blank = {
  ...blankForm,
  place: "/changePassword",
  /** How many of the three passwords can be read. */
  revealed: 0,
  signedIn: true,
};

const names = ["old_password", "new_password", "new_password_confirmation"];
const [, ...newOnes] = names;

const call = "/api/user/change_password";

const again = { "sends it": "#person.waits", edits: "unmarked" };
const answers = {
  "it is changed": "#person.login",
  "is refused": "#person.form.toastShown",
  "is refused the field": "#person.form.toldOfField",
  "is not heard": "#person.form.cutOff",
};
const stops = { "stops waiting": "#person.form.unsure", "leaves, and returns": "#person.returned" };
const atLogin = { place: "/login", signedIn: false };

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
            "sends it without the old one": "oldless",
            "sends it without its repetition": "once",
            "sends a short one": "short",
            "sends two different ones": "different",
            "looks at the passwords": "revealed",
          },
        },
        revealed: { meta: { revealed: 3 }, on: { "looks away": "unmarked" } },
        short: {
          meta: { warned: short, marked: newOnes },
          on: { "sends it": "#person.waits", "sends two different ones": "different", edits: "unmarked" },
        },
        different: {
          meta: { warned: different, marked: newOnes },
          on: { "sends it": "#person.waits", "sends a short one": "short", edits: "unmarked" },
        },
        blank: {
          meta: { warned: short, marked: names },
          on: { "sends it without the old one": "oldless", edits: "unmarked" },
        },
        oldless: {
          meta: { warned: missing, marked: ["old_password"] },
          on: { "sends it": "#person.waits", "sends it blank": "blank", edits: "unmarked" },
        },
        once: {
          meta: { warned: different, marked: ["new_password_confirmation"] },
          on: { "sends it": "#person.waits", edits: "unmarked" },
        },
        ...toldIn("toastShown", "refusedWhole", { warned: tooOften }, again),
        // The password may be changed by now.
        cutOff: { meta: { toast: LOST }, on: { "two seconds pass": "unsure" } },
        unsure: { on: { "sends it": "#person.waitsUnsure", "leaves, and returns": "#person.returned" } },
        // What is wrong with one field stays beside it.
        ...toldIn("toldOfField", "refused", { warned: wrong, marked: ["old_password"] }, again),
      },
    },
    waits: wait.of({ busy: true, waiting: [call] }, answers, stops),
    waitsUnsure: wait.of(
      { busy: true, waiting: [call] },
      { ...answers, "is signed out": "#person.loginUnsure" },
      stops,
    ),
    // It may have been done all the same.
    returned: {
      on: { "sends it": "#person.sendsAnew", "is signed out elsewhere": "#person.loginUnsure" },
    },
    sendsAnew: {
      meta: { busy: true, waiting: [call] },
      on: { "is signed out": "#person.loginUnsure" },
    },
    login: { meta: { ...atLogin, toast: "Password changed successfully, please log in again" } },
    // Another device may have ended the session, too.
    loginUnsure: { meta: { ...atLogin, warned: either } },
  },
});

const labels = ["Old password", "New password", "Confirm the new password"];
const sends = (new_password: string, new_password_confirmation: string, old_password = "old word") => ({
  sends: {
    type: "form.submitted",
    old_password,
    new_password,
    new_password_confirmation,
  } as const,
  does: async (user: User) => {
    const words = [old_password, new_password, new_password_confirmation];
    for (const [index, label] of labels.entries()) await user.type(label, words[index] ?? "");
    await user.tap("button", "Change Password");
  },
});

export const password = userModel({
  chart: passwordMachine,
  person,
  defaultView: blank,
  actions: {
    "sends it": sends("new word", "new word"),
    "sends it blank": sends("", "", ""),
    "sends it without the old one": sends("new word", "new word", ""),
    "sends it without its repetition": sends("new word", ""),
    "sends a short one": sends("new wor", "new wor"),
    // That one of them is short is not said yet.
    "sends two different ones": sends("new wor", "new wird"),
    edits: {
      sends: { type: "form.edited" },
      does: (user) => user.type("Confirm the new password", "new word"),
    },
    ...looksAt("passwords", 0, 2),
    ...formActions,
    "it is changed": { invoke: "changePassword", output: undefined, call, reply: ok() },
    "is refused": refuses("changePassword", call, tooOften),
    "is refused the field": refuses("changePassword", call, wrong, "old_password"),
    "is not heard": { invoke: "changePassword", error: lost, call },
    ...endingActions(call, blank.place),
  },
  viewOfChart: (state, { emitted, pending }) => {
    const isChanged = emitted.some(({ type }) => type === "password.changed");
    const { formError } = state.context;
    return {
      place: isChanged ? "/login" : "/changePassword",
      busy: !isChanged && state.hasTag("busy"),
      slow: state.hasTag("slow"),
      ...besideForm(formError, { missing, short, different }),
      revealed: state.matches({ secret: "revealed" }) ? 3 : 0,
      waiting: pending.map(({ id }) => (id === "changePassword" ? call : id)),
    };
  },
  viewOnScreen: async (user) => {
    const place = await user.path();
    const isHere = place === "/changePassword";
    const revealed = isHere ? await Promise.all(labels.map((label) => user.isRevealed(label))) : [];
    return {
      place,
      ...(await formOnScreen(user, "Change Password", names)),
      revealed: revealed.filter(Boolean).length,
      signedIn: (await user.stored("user_name")) !== null,
    };
  },
});
