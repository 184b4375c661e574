/** Changing the password, as a user meets it. Specification, sections 2 (changePassword), 4 and 5; Decisions, "Default timeout none". */
import { passwordMachine } from "../../machines/password.ts";
import {
  isLate,
  markedAmong,
  userWhoSees,
  userModel,
  toastText,
  wait,
  type ScreenDriver,
} from "../support/user-model.ts";
import { no, ok } from "../support/replies.ts";
import { refusedFor, refusedWith } from "../support/samples.ts";

const short = "Password length cannot be less than 8 digits";
const different = "The passwords entered twice do not match, Please re-enter";
const missing = "Please enter password";
const tooOften = "Too many attempts. Please wait a minute.";
const wrong = "The old password is wrong.";

const blank = {
  place: "/changePassword",
  busy: false,
  slow: false,
  warned: "",
  marked: [] as string[],
  toast: "",
  /** How many of the three passwords can be read. */
  revealed: 0,
  signedIn: true,
  waiting: [] as string[],
};

const names = ["old_password", "new_password", "new_password_confirmation"];
const [, ...newOnes] = names;

const call = "/api/user/change_password";

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
        toastShown: {
          meta: { toast: tooOften, warned: tooOften },
          on: { "two seconds pass": "refusedWhole" },
        },
        refusedWhole: {
          meta: { warned: tooOften },
          on: { "sends it": "#person.waits", edits: "unmarked" },
        },
        // What is wrong with one field stays beside it.
        toldOfField: {
          meta: { toast: wrong, warned: wrong, marked: ["old_password"] },
          on: { "two seconds pass": "refused" },
        },
        refused: {
          meta: { warned: wrong, marked: ["old_password"] },
          on: { "sends it": "#person.waits", edits: "unmarked" },
        },
      },
    },
    waits: wait.of(
      { busy: true, waiting: [call] },
      {
        "it is changed": "#person.login",
        "is refused": "#person.form.toastShown",
        "is refused the field": "#person.form.toldOfField",
      },
      { "stops waiting": "#person.form" },
    ),
    login: {
      meta: {
        place: "/login",
        toast: "Password changed successfully, please log in again",
        signedIn: false,
      },
    },
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
  does: async (driver: ScreenDriver) => {
    const words = [old_password, new_password, new_password_confirmation];
    for (const [index, label] of labels.entries()) await driver.type(label, words[index] ?? "");
    await driver.tap("button", "Change Password");
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
      does: (driver) => driver.type("Confirm the new password", "new word"),
    },
    "looks at the passwords": {
      sends: { type: "secret.toggled" },
      does: (driver) => driver.tap("button", "Show the password", 0),
    },
    "looks away": {
      sends: { type: "secret.toggled" },
      does: (driver) => driver.tap("button", "Hide the password", 2),
    },
    "two seconds pass": { ms: 2_000 },
    ...wait.actions,
    "it is changed": { invoke: "changePassword", output: undefined, call, reply: ok() },
    "is refused": { invoke: "changePassword", error: refusedWith(tooOften), call, reply: no(tooOften) },
    "is refused the field": {
      invoke: "changePassword",
      error: refusedFor("old_password", wrong),
      call,
      reply: no(wrong, "old_password"),
    },
    "stops waiting": wait.stop,
  },
  viewOfChart: (state, { emitted, pending }) => {
    const isChanged = emitted.some(({ type }) => type === "password.changed");
    const { formError } = state.context;
    return {
      place: isChanged ? "/login" : "/changePassword",
      busy: !isChanged && state.hasTag("busy"),
      slow: state.hasTag("slow"),
      warned:
        formError === null
          ? ""
          : formError.kind === "refused"
            ? formError.message
            : { missing, short, different }[formError.kind],
      marked: [...(formError?.fields ?? [])],
      revealed: state.matches({ secret: "revealed" }) ? 3 : 0,
      waiting: pending.map(({ id }) => (id === "changePassword" ? call : id)),
    };
  },
  viewOnScreen: async (driver) => {
    const place = await driver.path();
    const isHere = place === "/changePassword";
    const revealed = isHere ? await Promise.all(labels.map((label) => driver.isRevealed(label))) : [];
    return {
      place,
      busy: await driver.isBusy("Change Password"),
      slow: await isLate(driver),
      warned: (await driver.alertTexts()).join(),
      marked: await markedAmong(driver, names),
      toast: await toastText(driver),
      revealed: revealed.filter(Boolean).length,
      signedIn: (await driver.stored("user_name")) !== null,
      waiting: driver.pendingCalls(),
    };
  },
});
