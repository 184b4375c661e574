/** Setting the security question, and another one, as a user meets it. Specification, sections 2 (modifyPassword), 4 and 5; Decisions, "Default timeout none". */
import { securityQuestionMachine } from "../../machines/security-question.ts";
import { besideForm, blankForm, formActions, formOnScreen, refuses, toldIn } from "../support/form-model.ts";
import { networkIsBack, userWhoSees, userModel, wait } from "../support/user-model.ts";
import { ok } from "../support/replies.ts";
import { lost, unloaded } from "../support/samples.ts";
import type { User } from "../user.ts";

const faults = {
  problemMissing: "Please select security Question",
  answerMissing: "Please enter the secret answer",
  passwordMissing: "Please enter password",
};
const fields = ["security_problem_value", "password"];
const notNow = "Not now.";
const tooLong = "Too long.";
const wrong = "Not that one.";

const blank = {
  ...blankForm,
  loading: false,
  /** Whether the two fields are there. */
  asked: false,
  /** Whether the question that is set can be read. */
  set: false,
  /** The question is chosen, not typed: it has no name. */
};

const paths = { readQuestion: "/api/user/center", saveQuestion: "/api/user/save_security_problem" };
const loads = { loading: true, waiting: [paths.readQuestion] };

const again = { "sends it": "#person.saves", edits: "chosen" };

const person = userWhoSees(blank).createMachine({
  id: "person",
  initial: "loads",
  states: {
    loads: wait.of(
      loads,
      { "has none": "#person.form", "has one": "#person.set", "is not heard": "#person.failed" },
      { "tries again": "#person.loads" },
    ),
    failed: { meta: { warned: unloaded }, on: { "tries again": "loads" } },
    form: {
      meta: { asked: true },
      initial: "blank",
      states: {
        blank: {
          on: {
            "sends it": "#person.saves",
            "sends it blank": "nothing",
            "sends it without a question": "noQuestion",
            "sends it without an answer": "noAnswer",
            "sends it without the password": "noPassword",
          },
        },
        noPassword: {
          meta: { warned: faults.passwordMissing, marked: ["password"] },
          on: { "sends it": "#person.saves", edits: "chosen" },
        },
        nothing: {
          meta: { warned: faults.problemMissing, marked: fields },
          on: { "sends it": "#person.saves", "sends it without a question": "noQuestion", edits: "blank" },
        },
        noQuestion: {
          meta: { warned: faults.problemMissing },
          on: { "sends it": "#person.saves", "sends it without an answer": "noAnswer", edits: "blank" },
        },
        noAnswer: {
          meta: { warned: faults.answerMissing, marked: ["security_problem_value"] },
          on: { "sends it": "#person.saves", edits: "chosen" },
        },
        chosen: { on: { "sends it": "#person.saves" } },
        toastShown: {
          meta: { toast: notNow, warned: notNow, waiting: [paths.readQuestion] },
          on: { "has one": "#person.setAllTheSame", "has none": "toldAlone", "is not heard": "toldAlone" },
        },
        ...toldIn("toldAlone", "refused", { warned: notNow }, again),
        // What is wrong with the answer stays beside it.
        toldOfAnswer: {
          meta: {
            toast: tooLong,
            warned: tooLong,
            marked: ["security_problem_value"],
            waiting: [paths.readQuestion],
          },
          on: { "has none": "toldOfAnswerAlone" },
        },
        ...toldIn(
          "toldOfAnswerAlone",
          "answerRefused",
          { warned: tooLong, marked: ["security_problem_value"] },
          again,
        ),
      },
    },
    saves: wait.of(
      { asked: true, busy: true, waiting: [paths.saveQuestion] },
      {
        "is saved": "#person.saved",
        "is refused": "#person.form.toastShown",
        "is refused the answer": "#person.form.toldOfAnswer",
      },
      { "stops waiting": "#person.form.chosen" },
    ),
    // The service has the last word on what is set.
    saved: {
      meta: { ...loads, toast: "Modified successfully" },
      on: { "has one": "savedAndSet" },
    },
    savedAndSet: {
      meta: { set: true, toast: "Modified successfully" },
      on: { "two seconds pass": "set" },
    },
    // Saved by the one that was not heard, or in another tab.
    setAllTheSame: { meta: { set: true, toast: notNow }, on: { "two seconds pass": "set" } },
    set: {
      meta: { set: true },
      on: { "the network is back": "setBefore", "chooses another": "another" },
    },
    another: {
      meta: { asked: true },
      initial: "blank",
      states: {
        blank: { on: { "sends it": "#person.savesAnother" } },
        toastShown: {
          meta: { toast: wrong, warned: wrong, marked: ["password"], waiting: [paths.readQuestion] },
          on: { "has one": "toldAlone", "is not heard": "toldAlone" },
        },
        ...toldIn(
          "toldAlone",
          "refused",
          { warned: wrong, marked: ["password"] },
          { "sends it": "#person.savesAnother" },
        ),
      },
    },
    savesAnother: wait.of(
      { asked: true, busy: true, waiting: [paths.saveQuestion] },
      { "is saved": "#person.saved", "is refused the password": "#person.another.toastShown" },
      { "stops waiting": "#person.another.blank" },
    ),
    // It can be read on meanwhile.
    setBefore: {
      meta: { set: true, waiting: [paths.readQuestion] },
      on: { "has one": "set", "is not heard": "set", "has none": "form" },
    },
  },
});

const question = "First pet?";
const sends = (security_problem: string, security_problem_value: string, password = "secret") => ({
  sends: { type: "form.submitted", security_problem, security_problem_value, password } as const,
  does: async (user: User) => {
    if (security_problem !== "") {
      await user.tap("button", /^Security question/);
      await user.tap("button", "Confirm");
    }
    await user.type("Secret answer", security_problem_value);
    await user.type("Password", password);
    await user.tap("button", "Set the question");
  },
});
const centre = (security_problem: string | null) => ok({ user: { account_name: "Anna", security_problem } });

/** The list of questions answers at once. */
export const securityQuestion = userModel({
  chart: securityQuestionMachine,
  person,
  defaultView: blank,
  actions: {
    "has none": { invoke: "readQuestion", output: null, call: paths.readQuestion, reply: centre(null) },
    "has one": {
      invoke: "readQuestion",
      output: question,
      call: paths.readQuestion,
      reply: centre(question),
    },
    "is not heard": { invoke: "readQuestion", error: lost, call: paths.readQuestion },
    "tries again": { sends: { type: "retry" }, does: (user) => user.tap("button", "Try again") },
    "sends it": sends(question, " Fox "),
    "sends it blank": sends("", "", ""),
    "sends it without a question": sends("", "Fox"),
    "sends it without an answer": sends(question, "  "),
    "sends it without the password": sends(question, "Fox", ""),
    "chooses another": {
      sends: { type: "question.replaced" },
      does: (user) => user.tap("button", "Choose another question"),
    },
    edits: { sends: { type: "form.edited" }, does: (user) => user.type("Secret answer", "Fo") },
    "is saved": { invoke: "saveQuestion", output: undefined, call: paths.saveQuestion, reply: ok() },
    "is refused": refuses("saveQuestion", paths.saveQuestion, notNow),
    "is refused the answer": refuses("saveQuestion", paths.saveQuestion, tooLong, "security_problem_value"),
    "is refused the password": refuses("saveQuestion", paths.saveQuestion, wrong, "password"),
    "the network is back": networkIsBack,
    ...formActions,
  },
  viewOfChart: (state, { pending }) => {
    const { formError, error } = state.context;
    const { warned, marked } = besideForm(formError, faults);
    return {
      loading: state.matches("loading"),
      asked: state.matches("editing") || state.matches("saving"),
      set: state.matches("settled") && state.context.question === question,
      busy: state.hasTag("busy"),
      slow: state.hasTag("slow"),
      warned: state.matches("failed") && error?.kind === "network" ? unloaded : warned,
      marked: marked.filter((name) => name !== "security_problem"),
      waiting: pending.map(({ id }) => paths[id as keyof typeof paths]),
    };
  },
  viewOnScreen: async (user) => {
    const asked = await user.has("button", /^Security question/);
    return {
      loading: await user.isVisible("[aria-busy=true]:not(button)"),
      asked,
      set: !asked && (await user.hasText(question)),
      ...(await formOnScreen(user, "Set the question", fields)),
    };
  },
});
