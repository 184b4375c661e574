/** Deleting the account, as a user meets it. Decision 32; Decisions, "Default timeout none". */
import { accountDeletionMachine } from "../../machines/account-deletion.ts";
import {
  besideForm,
  blankForm,
  endingActions,
  formActions,
  formOnScreen,
  refuses,
  toldIn,
} from "../support/form-model.ts";
import { LOST } from "../support/error-words.ts";
import { userModel, userWhoSees, wait } from "../support/user-model.ts";
import { ok } from "../support/replies.ts";
import { lost } from "../support/samples.ts";
import type { User } from "../user.ts";

const call = "/api/user/delete";
const missing = "Please enter password";
const wrong = "Not that one.";
const howToTell = "You were logged out. If you cannot log in any more, your account has been deleted.";
const open = "You have an order that can still be paid.";

const blank = {
  ...blankForm,
  place: "/deleteAccount",
  signedIn: true,
};

const again = { "sends it": "#person.waits", edits: "unmarked" };
const answers = {
  "it is deleted": "#person.gone",
  "has to settle something first": "#person.form.toldWhy",
  "is refused the password": "#person.form.toldOfField",
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
        unmarked: { on: { "sends it": "#person.waits", "sends it blank": "blank" } },
        blank: {
          meta: { warned: missing, marked: ["password"] },
          on: { "sends it": "#person.waits", edits: "unmarked" },
        },
        // The account may be gone by now.
        cutOff: { meta: { toast: LOST }, on: { "two seconds pass": "unsure" } },
        unsure: { on: { "sends it": "#person.waitsUnsure", "leaves, and returns": "#person.returned" } },
        // Why it has to wait stays to be read.
        ...toldIn("toldWhy", "refused", { warned: open }, again),
        ...toldIn("toldOfField", "refusedField", { warned: wrong, marked: ["password"] }, again),
      },
    },
    waits: wait.of({ busy: true, waiting: [call] }, answers, stops),
    waitsUnsure: wait.of(
      { busy: true, waiting: [call] },
      { ...answers, "is signed out": "#person.perhapsGone" },
      stops,
    ),
    // It may have been done all the same.
    returned: {
      on: { "sends it": "#person.sendsAnew", "is signed out elsewhere": "#person.perhapsGone" },
    },
    sendsAnew: {
      meta: { busy: true, waiting: [call] },
      on: { "is signed out": "#person.perhapsGone" },
    },
    gone: { meta: { ...atLogin, toast: "Your account has been deleted" } },
    // Another device may have ended the session, too.
    perhapsGone: { meta: { ...atLogin, warned: howToTell } },
  },
});

const sends = (password: string) => ({
  sends: { type: "form.submitted", password } as const,
  does: async (user: User) => {
    await user.type("Password", password);
    await user.tap("button", "Delete for good");
  },
});

export const accountDeletion = userModel({
  chart: accountDeletionMachine,
  person,
  defaultView: blank,
  actions: {
    "sends it": sends("my password"),
    "sends it blank": sends(""),
    edits: { sends: { type: "form.edited" }, does: (user) => user.type("Password", "my") },
    ...formActions,
    "it is deleted": { invoke: "deleteAccount", output: undefined, call, reply: ok() },
    "has to settle something first": refuses("deleteAccount", call, open),
    "is refused the password": refuses("deleteAccount", call, wrong, "password"),
    "is not heard": { invoke: "deleteAccount", error: lost, call },
    ...endingActions(call, blank.place),
  },
  viewOfChart: (state, { emitted, pending }) => {
    const isDeleted = emitted.some(({ type }) => type === "account.deleted");
    const { formError } = state.context;
    return {
      place: isDeleted ? "/login" : "/deleteAccount",
      busy: !isDeleted && state.hasTag("busy"),
      slow: state.hasTag("slow"),
      ...besideForm(formError, { passwordMissing: missing }),
      waiting: pending.map(() => call),
    };
  },
  viewOnScreen: async (user) => ({
    place: await user.path(),
    ...(await formOnScreen(user, "Delete for good", ["password"])),
    signedIn: (await user.stored("user_name")) !== null,
  }),
});
