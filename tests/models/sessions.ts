/** Where the account is logged in, and logging out there, as a user meets it. Decision 27; Decisions, "Default timeout none". */
import { sessionsMachine, type Session } from "../../machines/sessions.ts";
import { besideForm, blankForm, formActions, formOnScreen, refuses, toldIn } from "../support/form-model.ts";
import { networkIsBack, userWhoSees, userModel, wait } from "../support/user-model.ts";
import { ok } from "../support/replies.ts";
import { lost, unloaded } from "../support/samples.ts";
import type { User } from "../user.ts";

const missing = "Please enter password";
const wrong = "Not that one.";
const noConnection = "No connection. Check your network and try again.";
const done = "Logged out on the other devices";

const session = (sessionId: string, browser: string, device: string): Session => ({
  sessionId,
  createdAt: "2026-01-01T00:00:00.000Z",
  usedAt: "2026-01-02T00:00:00.000Z",
  network: "192.0.2.1",
  browser,
  device,
  isCurrent: sessionId === "1",
});
const here = session("1", "Safari", "iPhone");
const phone = session("2", "Chrome", "Android");
const desk = session("3", "Firefox", "Windows");
export const everywhere = [here, phone, desk];

/** As the API lists them. */
export const listOf = (list: readonly Session[]) =>
  ok(
    list.map(({ sessionId, createdAt, usedAt, network, browser, device, isCurrent }) => ({
      session_id: sessionId,
      created_at: createdAt,
      used_at: usedAt,
      network,
      browser,
      device,
      current: isCurrent,
    })),
  );
const nameOf = ({ browser, device }: Session) => `${browser} on ${device}`;
const names = everywhere.map(nameOf);
const but = (gone: Session) => names.filter((name) => name !== nameOf(gone));

const blank = {
  ...blankForm,
  loading: false,
  /** The devices that can be read in the list. */
  listed: [] as string[],
  /** Whether it says that there is no other. */
  alone: false,
  /** What the password is asked for. */
  asked: "" as "" | "one" | "others",
};

const paths = {
  list: "/api/user/session_list",
  one: "/api/user/end_session",
  others: "/api/user/end_other_sessions",
};
const loads = { loading: true, waiting: [paths.list] };
const hereAlone = { listed: [nameOf(here)], alone: true };
const askedOne = { asked: "one" } as const;
const askedForAll = { asked: "others" } as const;
const refusedPassword = { warned: wrong, marked: ["password"] };

const person = userWhoSees(blank).createMachine({
  id: "person",
  initial: "loads",
  states: {
    loads: wait.of(
      loads,
      { "has two others": "#person.list", "is alone": "#person.alone", "is not heard": "#person.failed" },
      { "tries again": "#person.loads" },
    ),
    failed: { meta: { warned: unloaded }, on: { "tries again": "loads", "the network is back": "loads" } },
    list: {
      meta: { listed: names },
      on: {
        "chooses one": "one",
        "chooses all others": "others",
        "the network is back": "listBefore",
      },
    },
    // It can be read on meanwhile.
    listBefore: {
      meta: { listed: names, waiting: [paths.list] },
      on: {
        "has two others": "list",
        "is alone": "alone",
        "is not heard": "list",
        "chooses one": "one",
        "the network is back": "listBefore",
      },
    },
    alone: { meta: hereAlone, on: { "the network is back": "aloneBefore" } },
    aloneBefore: {
      meta: { ...hereAlone, waiting: [paths.list] },
      on: { "is alone": "alone", "has two others": "list" },
    },
    one: {
      meta: askedOne,
      initial: "blank",
      states: {
        blank: {
          on: {
            "sends it": "#person.endsOne",
            "sends it blank": "nothing",
            "goes back": "#person.listBefore",
          },
        },
        nothing: {
          meta: { warned: missing, marked: ["password"] },
          on: { "sends it": "#person.endsOne", edits: "typed", "goes back": "#person.listBefore" },
        },
        typed: { on: { "sends it": "#person.endsOne" } },
        ...toldIn("toastShown", "refused", refusedPassword, {
          "sends it": "#person.endsOne",
          edits: "typed",
          "goes back": "#person.listBefore",
        }),
        noAnswer: { meta: { toast: noConnection }, on: { "two seconds pass": "typed" } },
      },
    },
    endsOne: wait.of(
      { ...askedOne, busy: true, waiting: [paths.one] },
      {
        "it is ended": "#person.ended",
        "is refused the password": "#person.one.toastShown",
        "it is lost": "#person.one.noAnswer",
      },
      { "stops waiting": "#person.one.typed", "goes back": "#person.listBefore" },
    ),
    ended: {
      meta: { listed: but(phone), toast: done, waiting: [paths.list] },
      on: { "has one other": "endedAndRead", "is not heard": "endedAndRead" },
    },
    endedAndRead: { meta: { listed: but(phone), toast: done }, on: { "two seconds pass": "rest" } },
    rest: { meta: { listed: but(phone) }, on: { "chooses all others": "others" } },
    others: {
      meta: askedForAll,
      initial: "blank",
      states: {
        blank: { on: { "sends it for all": "#person.endsOthers", "sends it for all blank": "nothing" } },
        nothing: {
          meta: { warned: missing, marked: ["password"] },
          on: { "sends it for all": "#person.endsOthers" },
        },
      },
    },
    endsOthers: wait.of(
      { ...askedForAll, busy: true, waiting: [paths.others] },
      { "they are ended": "#person.allEnded" },
      { "stops waiting": "#person.others.blank" },
    ),
    allEnded: {
      meta: { ...hereAlone, toast: done, waiting: [paths.list] },
      on: { "is alone": "allEndedAndRead" },
    },
    allEndedAndRead: { meta: { ...hereAlone, toast: done }, on: { "two seconds pass": "alone" } },
  },
});

const sends = (password: string, button: string) => ({
  sends: { type: "form.submitted", password } as const,
  does: async (user: User) => {
    await user.type("Password", password);
    await user.tap("button", button);
  },
});
const reads = (list: readonly Session[]) => ({
  invoke: "readSessions",
  output: list,
  call: paths.list,
  reply: listOf(list),
});

export const sessions = userModel({
  chart: sessionsMachine,
  person,
  defaultView: blank,
  actions: {
    "has two others": reads(everywhere),
    "has one other": reads([here, desk]),
    "is alone": reads([here]),
    "is not heard": { invoke: "readSessions", error: lost, call: paths.list },
    "tries again": { sends: { type: "retry" }, does: (user) => user.tap("button", "Try again") },
    "the network is back": networkIsBack,
    "chooses one": {
      sends: { type: "ending.requested", sessionId: "2" },
      does: (user) => user.tap("button", /^Chrome on Android/),
    },
    "chooses all others": {
      sends: { type: "ending.requested", sessionId: null },
      does: (user) => user.tap("button", "Log out elsewhere"),
    },
    "goes back": { sends: { type: "ending.dismissed" }, does: (user) => user.tap("button", "Back") },
    "sends it": sends("secret", "Log it out"),
    "sends it blank": sends("", "Log it out"),
    "sends it for all": sends("secret", "Log out elsewhere"),
    "sends it for all blank": sends("", "Log out elsewhere"),
    edits: { sends: { type: "form.edited" }, does: (user) => user.type("Password", "secre") },
    "it is ended": { invoke: "endSessions", output: undefined, call: paths.one, reply: ok() },
    "they are ended": { invoke: "endSessions", output: undefined, call: paths.others, reply: ok() },
    "is refused the password": refuses("endSessions", paths.one, wrong, "password"),
    "it is lost": { invoke: "endSessions", error: lost, call: paths.one },
    ...formActions,
  },
  viewOfChart: (state, { pending }) => {
    const { formError, error, ended } = state.context;
    const asked = ended.sessionId === null ? "others" : "one";
    const listed = state.matches("listing") ? state.context.sessions.map(nameOf) : [];
    return {
      loading: state.matches("loading"),
      listed,
      alone: listed.length === 1,
      asked: state.matches("confirming") || state.matches("ending") ? asked : "",
      busy: state.hasTag("busy"),
      slow: state.hasTag("slow"),
      ...besideForm(formError, { passwordMissing: missing }),
      ...(state.matches("failed") && error?.kind === "network" && { warned: unloaded }),
      waiting: pending.map(({ id }) => (id === "readSessions" ? paths.list : paths[asked])),
    };
  },
  viewOnScreen: async (user) => {
    const isList = await user.has("heading", "Logged-in devices");
    const listed: string[] = [];
    for (const name of isList ? names : []) if (await user.hasText(name)) listed.push(name);
    const one = await user.has("heading", "Log this device out?");
    const others = await user.has("heading", "Log out elsewhere?");
    return {
      loading: await user.isVisible("[aria-busy=true]:not(button)"),
      listed,
      alone: await user.hasText("You are logged in on this device only."),
      asked: one ? "one" : others ? "others" : "",
      ...(await formOnScreen(user, one ? "Log it out" : "Log out elsewhere", ["password"])),
      busy: (one || others) && (await user.isBusy(one ? "Log it out" : "Log out elsewhere")),
    };
  },
});
