/** Recovering an account, as a user meets it. Specification, sections 2 (forgetPassword…), 4 and 5; Decisions, "A password never enters a URL", "Default timeout none". */
import { recoveryMachine } from "../../machines/recovery.ts";
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
import type { User } from "../user.ts";

const faults = {
  accountMissing: "Please enter your account",
  missing: "Please enter password",
  short: "Password length cannot be less than 8 digits",
  different: "The passwords entered twice do not match, Please re-enter",
  problemMissing: "Please select security Question",
  answerMissing: "Please enter the secret answer",
};
const fields = {
  account: "account_name",
  one: "new_password",
  other: "new_password_confirmation",
  answer: "security_problem_value",
};
const noMatch = "That did not match.";

/** Whose account it is, what they answer, and the password they choose. */
export const forgetful = { name: "clara", answer: "Harbourtown", password: "lantern & seaway 9" };

const accountPlace = "/forgetPasswordUserName";
const passwordPlace = `/forgetPasswordInfo/${forgetful.name}`;
const answerPlace = `/forgetPassword/…/${forgetful.name}`;

const blank = {
  ...blankForm,
  place: accountPlace,
  title: "Forgot your password?",
  /** The question is chosen, not typed: it has no name. */
  /** How many of the two passwords can be read. */
  revealed: 0,
  /** Whether the password stands in the address. */
  exposed: false,
};

const call = "/api/problem_change_password";
const choosing = { place: passwordPlace, title: "Choose a new password" };
const answering = { place: answerPlace, title: "Your security question" };

const person = userWhoSees(blank).createMachine({
  id: "person",
  initial: "account",
  states: {
    account: {
      initial: "unmarked",
      states: {
        unmarked: { on: { "gives a name": "#person.password", "gives no name": "missing" } },
        missing: {
          meta: { warned: faults.accountMissing, marked: [fields.account] },
          on: { "gives a name": "#person.password", "edits the name": "unmarked" },
        },
      },
    },
    password: {
      meta: choosing,
      initial: "unmarked",
      states: {
        unmarked: {
          on: {
            "gives a password": "#person.answer",
            "gives none": "blank",
            "gives it once only": "missing",
            "gives a short one": "short",
            "gives a repetition that is short": "shortRepetition",
            "gives two different ones": "different",
            "looks at the passwords": "revealed",
            "goes back": "#person.account",
          },
        },
        revealed: { meta: { revealed: 2 }, on: { "looks away": "unmarked" } },
        blank: {
          meta: { warned: faults.missing, marked: [fields.one, fields.other] },
          on: { "edits the password": "unmarked", "gives it once only": "missing" },
        },
        missing: {
          meta: { warned: faults.missing, marked: [fields.other] },
          on: { "edits the password": "unmarked", "gives a short one": "short" },
        },
        short: {
          meta: { warned: faults.short, marked: [fields.one, fields.other] },
          on: { "edits the password": "unmarked", "gives two different ones": "different" },
        },
        shortRepetition: {
          meta: { warned: faults.short, marked: [fields.other] },
          on: { "edits the password": "unmarked" },
        },
        different: {
          meta: { warned: faults.different, marked: [fields.one, fields.other] },
          on: {
            "edits the password": "unmarked",
            "gives it once only": "missing",
            "gives a password": "#person.answer",
          },
        },
      },
    },
    answer: {
      meta: answering,
      initial: "blank",
      states: {
        blank: {
          on: {
            answers: "#person.waits",
            "answers nothing": "nothing",
            "chooses no question": "noQuestion",
            "gives no answer": "noAnswer",
            "goes back": "#person.password",
          },
        },
        nothing: {
          meta: { warned: faults.problemMissing, marked: [fields.answer] },
          on: { answers: "#person.waits", "chooses no question": "noQuestion", "edits the answer": "blank" },
        },
        noQuestion: {
          meta: { warned: faults.problemMissing },
          on: { answers: "#person.waits", "gives no answer": "noAnswer", "edits the answer": "blank" },
        },
        noAnswer: {
          meta: { warned: faults.answerMissing, marked: [fields.answer] },
          on: { answers: "#person.waits", "edits the answer": "chosen" },
        },
        chosen: { on: { "goes back": "#person.password" } },
        // The user is not told which of the three does not fit.
        ...toldIn(
          "toastShown",
          "refused",
          { warned: noMatch },
          {
            answers: "#person.waits",
            "gives no answer": "noAnswer",
            "edits the answer": "chosen",
          },
        ),
      },
    },
    waits: wait.of(
      { ...answering, busy: true, waiting: [call] },
      {
        "is believed": "#person.login",
        "is refused": "#person.answer.toastShown",
        "goes back": "#person.password",
      },
      { "stops waiting": "#person.answer.chosen" },
    ),
    login: {
      meta: {
        place: "/login",
        title: "Welcome back",
        toast: "Password changed successfully, please log in again",
      },
    },
  },
});

const names = (account_name: string) => ({
  sends: { type: "account.submitted", account_name } as const,
  does: async (user: User) => {
    await user.type("Account", account_name);
    await user.tap("button", "Next step");
  },
});
const chooses = (new_password: string, new_password_confirmation: string) => ({
  sends: {
    type: "password.submitted",
    account_name: forgetful.name,
    handle: "handle1",
    new_password,
    new_password_confirmation,
  } as const,
  does: async (user: User) => {
    await user.type("New password", new_password);
    await user.type("Confirm the new password", new_password_confirmation);
    await user.tap("button", "Next step");
  },
});
const answers = (security_problem: string, security_problem_value: string) => ({
  sends: { type: "answer.submitted", security_problem, security_problem_value } as const,
  does: async (user: User) => {
    if (security_problem !== "") {
      await user.tap("button", /^Security question/);
      // The wheel stands on the first one.
      await user.tap("button", "Confirm");
    }
    await user.type("Secret answer", security_problem_value);
    await user.tap("button", "Set the new password");
  },
});
const { name, answer, password } = forgetful;

export const recovery = userModel({
  chart: recoveryMachine,
  person,
  defaultView: blank,
  actions: {
    "gives a name": names(` ${name} `),
    "gives no name": names("  "),
    "edits the name": { sends: { type: "form.edited" }, does: (user) => user.type("Account", "cla") },
    "gives a password": chooses(password, password),
    "gives none": chooses("", ""),
    "gives it once only": chooses(password, ""),
    "gives a short one": chooses("new wor", "new wor"),
    "gives a repetition that is short": chooses(password, "new wor"),
    "gives two different ones": chooses(password, `${password}!`),
    "edits the password": {
      sends: { type: "form.edited" },
      does: (user) => user.type("New password", password),
    },
    ...looksAt("passwords", 1, 0),
    answers: answers("First pet?", ` ${answer} `),
    "answers nothing": answers("", ""),
    "chooses no question": answers("", answer),
    "gives no answer": answers("First pet?", "  "),
    "edits the answer": {
      sends: { type: "form.edited" },
      does: (user) => user.type("Secret answer", "Fo"),
    },
    // What is on its way then is given up.
    "goes back": { sends: { type: "cancel" }, does: (user) => user.tap("button", "Back") },
    ...formActions,
    "is believed": { invoke: "resetPassword", output: undefined, call, reply: ok(), real: true },
    "is refused": refuses("resetPassword", call, noMatch),
  },
  viewOfChart: (state, { pending }) => ({
    warned: besideForm(state.context.formError, faults).warned,
    marked: (state.context.formError?.fields ?? []).filter((name) => name !== "security_problem"),
    revealed: state.matches({ secret: "revealed" }) ? 2 : 0,
    waiting: pending.map(({ id }) => (id === "resetPassword" ? call : id)),
  }),
  viewOnScreen: async (user) => {
    const place = await user.path();
    const shown =
      place === passwordPlace
        ? await Promise.all(["New password", "Confirm the new password"].map((each) => user.isRevealed(each)))
        : [];
    return {
      // What stands there instead of the password is of no interest, as long as it is not the password.
      place: place.replace(/^(\/forgetPassword)\/[^/]+\//, "$1/…/"),
      title: await user.title(),
      ...(await formOnScreen(user, "Set the new password", Object.values(fields))),
      revealed: shown.filter(Boolean).length,
      exposed: place.includes(password),
    };
  },
});
