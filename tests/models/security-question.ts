/** Setting the security question, and another one, as a user meets it. Specification, sections 2 (modifyPassword), 4 and 5; Decisions, "Default timeout none". */
import { securityQuestionMachine } from "../../machines/security-question.ts";
import {
  isLate,
  markedAmong,
  networkIsBack,
  userWhoSees,
  userModel,
  toastText,
  wait,
  type ScreenDriver,
} from "../support/user-model.ts";
import { no, ok } from "../support/replies.ts";
import { lost, refusedFor, refusedWith, unloaded } from "../support/samples.ts";

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
  loading: false,
  /** Whether the two fields are there. */
  asked: false,
  /** Whether the question that is set can be read. */
  set: false,
  busy: false,
  slow: false,
  warned: "",
  /** The question is chosen, not typed: it has no name. */
  marked: [] as string[],
  toast: "",
  waiting: [] as string[],
};

const paths = { readQuestion: "/api/user/center", saveQuestion: "/api/user/save_security_problem" };
const loads = { loading: true, waiting: [paths.readQuestion] };

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
        toldAlone: { meta: { toast: notNow, warned: notNow }, on: { "two seconds pass": "refused" } },
        refused: { meta: { warned: notNow }, on: { "sends it": "#person.saves", edits: "chosen" } },
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
        toldOfAnswerAlone: {
          meta: { toast: tooLong, warned: tooLong, marked: ["security_problem_value"] },
          on: { "two seconds pass": "answerRefused" },
        },
        answerRefused: {
          meta: { warned: tooLong, marked: ["security_problem_value"] },
          on: { "sends it": "#person.saves", edits: "chosen" },
        },
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
        toldAlone: {
          meta: { toast: wrong, warned: wrong, marked: ["password"] },
          on: { "two seconds pass": "refused" },
        },
        refused: {
          meta: { warned: wrong, marked: ["password"] },
          on: { "sends it": "#person.savesAnother" },
        },
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
  does: async (driver: ScreenDriver) => {
    if (security_problem !== "") {
      await driver.tap("button", /^Security question/);
      await driver.tap("button", "Confirm");
    }
    await driver.type("Secret answer", security_problem_value);
    await driver.type("Password", password);
    await driver.tap("button", "Set the question");
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
    "tries again": { sends: { type: "retry" }, does: (driver) => driver.tap("button", "Try again") },
    "sends it": sends(question, " Fox "),
    "sends it blank": sends("", "", ""),
    "sends it without a question": sends("", "Fox"),
    "sends it without an answer": sends(question, "  "),
    "sends it without the password": sends(question, "Fox", ""),
    "chooses another": {
      sends: { type: "question.replaced" },
      does: (driver) => driver.tap("button", "Choose another question"),
    },
    edits: { sends: { type: "form.edited" }, does: (driver) => driver.type("Secret answer", "Fo") },
    "is saved": { invoke: "saveQuestion", output: undefined, call: paths.saveQuestion, reply: ok() },
    "is refused": {
      invoke: "saveQuestion",
      error: refusedWith(notNow),
      call: paths.saveQuestion,
      reply: no(notNow),
    },
    "is refused the answer": {
      invoke: "saveQuestion",
      error: refusedFor("security_problem_value", tooLong),
      call: paths.saveQuestion,
      reply: no(tooLong, "security_problem_value"),
    },
    "is refused the password": {
      invoke: "saveQuestion",
      error: refusedFor("password", wrong),
      call: paths.saveQuestion,
      reply: no(wrong, "password"),
    },
    "the network is back": networkIsBack,
    "stops waiting": wait.stop,
    "two seconds pass": { ms: 2_000 },
    ...wait.actions,
  },
  viewOfChart: (state, { pending }) => {
    const { formError, error } = state.context;
    return {
      loading: state.matches("loading"),
      asked: state.matches("editing") || state.matches("saving"),
      set: state.matches("settled") && state.context.question === question,
      busy: state.hasTag("busy"),
      slow: state.hasTag("slow"),
      warned:
        state.matches("failed") && error?.kind === "network"
          ? unloaded
          : formError === null
            ? ""
            : formError.kind === "refused"
              ? formError.message
              : faults[formError.kind],
      marked: [...(formError?.fields ?? [])].filter((name) => name !== "security_problem"),
      waiting: pending.map(({ id }) => paths[id as keyof typeof paths]),
    };
  },
  viewOnScreen: async (driver) => {
    const asked = await driver.has("button", /^Security question/);
    return {
      loading: await driver.isVisible("[aria-busy=true]:not(button)"),
      asked,
      set: !asked && (await driver.hasText(question)),
      busy: asked && (await driver.isBusy("Set the question")),
      slow: await isLate(driver),
      warned: (await driver.alertTexts()).join(),
      marked: await markedAmong(driver, fields),
      toast: await toastText(driver),
      waiting: driver.pendingCalls(),
    };
  },
});
