/** Deleting the account, as a user meets it. Decision 32; Decisions, "Default timeout none". */
import { accountDeletionMachine } from "../../machines/account-deletion.ts";
import { besideForm, blankForm, formActions, formOnScreen, refuses, toldIn } from "../support/form-model.ts";
import { userModel, userWhoSees, wait } from "../support/user-model.ts";
import { ok } from "../support/replies.ts";
import type { User } from "../user.ts";

const call = "/api/user/delete";
const missing = "Please enter password";
const wrong = "Not that one.";
const open = "You have an order that can still be paid.";

const blank = {
  ...blankForm,
  place: "/deleteAccount",
  signedIn: true,
};

const again = { "sends it": "#person.waits", edits: "unmarked" };

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
        // Why it has to wait stays to be read.
        ...toldIn("toldWhy", "refused", { warned: open }, again),
        ...toldIn("toldOfField", "refusedField", { warned: wrong, marked: ["password"] }, again),
      },
    },
    waits: wait.of(
      { busy: true, waiting: [call] },
      {
        "it is deleted": "#person.gone",
        "has to settle something first": "#person.form.toldWhy",
        "is refused the password": "#person.form.toldOfField",
      },
      { "stops waiting": "#person.form" },
    ),
    gone: { meta: { place: "/login", toast: "Your account has been deleted", signedIn: false } },
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
