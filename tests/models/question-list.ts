/** Choosing a security question, as a user meets it. Specification, sections 2 (forgetPassword) and 7; Decisions, "Default timeout none". */
import { questionListMachine } from "../../machines/question-list.ts";
import { isLate, userWhoSees, userModel, toastText, wait } from "../support/user-model.ts";
import { ok } from "../support/replies.ts";
import { lost } from "../support/samples.ts";

const first = "First pet?";
const second = "First school?";
const nothing = "Choose a question";

const blank = {
  /** What the field reads. */
  question: nothing,
  busy: false,
  slow: false,
  open: false,
  /** What the wheel stands on. */
  stands: "",
  toast: "",
  waiting: [] as string[],
};

const call = "/api/security_problem_list";
const waits = { question: "Loading", busy: true, waiting: [call] };
const opened = { open: true, stands: first };
const chosen = { question: second };

const person = userWhoSees(blank).createMachine({
  id: "person",
  initial: "blank",
  states: {
    blank: { on: { "asks for the questions": "waits" } },
    waits: wait.of(
      waits,
      {
        "is told them": "#person.stands",
        "is not heard": "#person.toastShown",
        "goes on to the answer": "#person.types",
      },
      { "stops waiting": "#person.blank" },
    ),
    // Typing is not interrupted; the questions are there at the next tap.
    types: {
      meta: { waiting: [call] },
      on: { "is told them": "knows", "is not heard": "blank", "asks for the questions": "waits" },
    },
    knows: { on: { "asks for the questions": "stands" } },
    toastShown: {
      meta: { toast: "No connection. Check your network and try again." },
      on: { "two seconds pass": "blank" },
    },
    stands: {
      meta: opened,
      on: { "takes it": "chosenFirst", "closes the sheet": "blank", "turns the wheel": "turned" },
    },
    turned: {
      meta: { ...opened, stands: second },
      on: { "takes it": "chosen", "closes the sheet": "blank", "turns it back": "stands" },
    },
    chosenFirst: { meta: { question: first } },
    chosen: { meta: chosen, on: { "asks for the questions": "waitsAgain" } },
    waitsAgain: {
      meta: { ...waits, ...chosen },
      on: { "is told them": "standsAgain" },
    },
    // The wheel stands where the choice was.
    standsAgain: {
      meta: { ...opened, ...chosen, stands: second },
      on: { "closes the sheet": "chosen", "turns it back": "turnedAgain" },
    },
    turnedAgain: {
      meta: { ...opened, ...chosen },
      on: { "takes it": "chosenFirst", "closes the sheet": "chosen" },
    },
  },
});

export const questionList = userModel({
  chart: questionListMachine,
  person,
  defaultView: blank,
  actions: {
    "asks for the questions": {
      sends: { type: "sheet.requested" },
      does: (user) => user.tap("button", /^Security question/),
    },
    "is told them": {
      invoke: "readQuestions",
      output: [first, second],
      call,
      reply: ok([first, second]),
    },
    "is not heard": { invoke: "readQuestions", error: lost, call },
    "turns the wheel": {
      sends: { type: "question.turned", question: second },
      does: (user) => user.turn("Security question", "{ArrowDown}"),
    },
    "turns it back": {
      sends: { type: "question.turned", question: first },
      does: (user) => user.turn("Security question", "{ArrowUp}"),
    },
    "takes it": { sends: { type: "sheet.confirmed" }, does: (user) => user.tap("button", "Confirm") },
    "closes the sheet": {
      sends: { type: "sheet.dismissed" },
      does: (user) => user.tap("button", "Close"),
    },
    "goes on to the answer": {
      sends: { type: "field.entered" },
      does: (user) => user.type("Secret answer", "Rex"),
    },
    "stops waiting": {
      sends: { type: "sheet.dismissed" },
      does: (user) => user.tap("button", "Stop waiting"),
    },
    "two seconds pass": { ms: 2_000 },
    ...wait.actions,
  },
  viewOfChart: (state, { pending }) => {
    const busy = state.hasTag("busy");
    const open = state.matches("open");
    const { draft, chosen: taken } = state.context;
    return {
      question: taken ?? (busy ? "Loading" : nothing),
      busy,
      slow: state.hasTag("slow"),
      open,
      stands: open ? (draft ?? "") : "",
      waiting: pending.map(({ id }) => (id === "readQuestions" ? call : id)),
    };
  },
  viewOnScreen: async (user) => ({
    question: (await user.texts("button[aria-haspopup=dialog]")).join(),
    busy: await user.isBusy(/^Security question/),
    slow: await isLate(user),
    open: await user.has("dialog", "Security question"),
    stands: await user.wheelValue("Security question"),
    toast: await toastText(user),
    waiting: user.pendingCalls(),
  }),
});
