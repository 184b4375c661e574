/** Deleting the account, as a user meets it. Decision 32; Decisions, "Default timeout none". */
import { accountDeletionMachine } from "../../machines/account-deletion.ts";
import {
  isLate,
  markedAmong,
  toastText,
  userModel,
  userWhoSees,
  wait,
  type ScreenDriver,
} from "../support/user-model.ts";
import { no, ok } from "../support/replies.ts";
import { refusedFor, refusedWith } from "../support/samples.ts";

const call = "/api/user/delete";
const missing = "Please enter password";
const wrong = "Not that one.";
const open = "You have an order that can still be paid.";

const blank = {
  place: "/deleteAccount",
  busy: false,
  slow: false,
  warned: "",
  marked: [] as string[],
  toast: "",
  signedIn: true,
  waiting: [] as string[],
};

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
        toldWhy: { meta: { toast: open, warned: open }, on: { "two seconds pass": "refused" } },
        refused: { meta: { warned: open }, on: { "sends it": "#person.waits", edits: "unmarked" } },
        toldOfField: {
          meta: { toast: wrong, warned: wrong, marked: ["password"] },
          on: { "two seconds pass": "refusedField" },
        },
        refusedField: {
          meta: { warned: wrong, marked: ["password"] },
          on: { "sends it": "#person.waits", edits: "unmarked" },
        },
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
  does: async (driver: ScreenDriver) => {
    await driver.type("Password", password);
    await driver.tap("button", "Delete for good");
  },
});

export const accountDeletion = userModel({
  chart: accountDeletionMachine,
  person,
  defaultView: blank,
  actions: {
    "sends it": sends("my password"),
    "sends it blank": sends(""),
    edits: { sends: { type: "form.edited" }, does: (driver) => driver.type("Password", "my") },
    "two seconds pass": { ms: 2_000 },
    ...wait.actions,
    "it is deleted": { invoke: "deleteAccount", output: undefined, call, reply: ok() },
    "has to settle something first": {
      invoke: "deleteAccount",
      error: refusedWith(open),
      call,
      reply: no(open),
    },
    "is refused the password": {
      invoke: "deleteAccount",
      error: refusedFor("password", wrong),
      call,
      reply: no(wrong, "password"),
    },
    "stops waiting": wait.stop,
  },
  viewOfChart: (state, { emitted, pending }) => {
    const isDeleted = emitted.some(({ type }) => type === "account.deleted");
    const { formError } = state.context;
    return {
      place: isDeleted ? "/login" : "/deleteAccount",
      busy: !isDeleted && state.hasTag("busy"),
      slow: state.hasTag("slow"),
      warned: formError === null ? "" : formError.kind === "refused" ? formError.message : missing,
      marked: [...(formError?.fields ?? [])],
      waiting: pending.map(() => call),
    };
  },
  viewOnScreen: async (driver) => ({
    place: await driver.path(),
    busy: await driver.isBusy("Delete for good"),
    slow: await isLate(driver),
    warned: (await driver.alertTexts()).join(),
    marked: await markedAmong(driver, ["password"]),
    toast: await toastText(driver),
    signedIn: (await driver.stored("user_name")) !== null,
    waiting: driver.pendingCalls(),
  }),
});
