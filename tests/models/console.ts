/** The operator's page as an operator meets it: logging in and out, a list that is read, a change that is made. docs/operating.md, "The operator's page". */
import type { SnapshotFrom } from "xstate";
import { consoleChangeMachine, type Done, type GivenCommand } from "../../machines/console-change.ts";
import { operatorSessionMachine, type Operator } from "../../machines/operator-session.ts";
import { CallFailed } from "../../machines/call-error.ts";
import { consoleDownloadMachine } from "../../machines/console-download.ts";
import { consoleReadingMachine } from "../../machines/console-reading.ts";
import { consoleCalls } from "../../src/contract/console.ts";
import { no, ok } from "../support/replies.ts";
import { userModel, userWhoSees } from "../support/user-model.ts";
import type { User } from "../user.ts";

const signedOut = new CallFailed({ kind: "signedOut" });
const tooMany = new CallFailed({ kind: "http", status: 429, path: "/" });
const unknown = new CallFailed({ kind: "network" });
const refused = new CallFailed({ kind: "refused", code: 422, message: "There is no account anna." });

export const eve: Operator = { name: "eve" };
const row = (name: string, args: string[]) => ({
  name,
  args: args.map((each) => ({ name: each, title: each, optional: false, isFlag: false, choices: [] })),
  options: [{ name: "reason", title: "…", optional: false, isFlag: false, choices: [] }],
  noUndo: null,
});
export const whoami = ok({
  ...eve,
  right: "money",
  commands: [row("credit", ["member", "days"]), row("undo", ["id"])],
});

/* The session */

const initialView = {
  at: "waits",
  link: false,
  passkey: false,
  tooMany: false,
  ended: false,
  warned: false,
  busy: false,
  /** Whether a passkey is offered, or was added just now. */
  offered: false,
  added: false,
};
/** What the device does beside the service, named as calls are. */
export const device = { proves: "the device: a proof", makes: "the device: a passkey" };
const enters = { invoke: "enter", call: consoleCalls.enter };
const asks = { invoke: "whoami", call: consoleCalls.whoami };
const leaves = { invoke: "leave", call: consoleCalls.leave };

/** What both logins have in common. */
const atEachLogin = {
  chart: operatorSessionMachine,
  defaultView: initialView,
  viewOfChart: (state: SnapshotFrom<typeof operatorSessionMachine>) => {
    const { why, error, hasNewPasskey } = state.context;
    const isSignedOut = state.matches("signedOut");
    const isSignedIn = state.matches("signedIn") || state.matches("leaving");
    return {
      at: isSignedOut ? "out" : isSignedIn ? "in" : state.matches("unreachable") ? "lost" : "waits",
      link: isSignedOut && why === "link",
      passkey: isSignedOut && why === "passkey",
      tooMany: isSignedOut && why === "tooMany",
      ended: isSignedOut && why === "ended",
      warned: state.matches("signedIn") && error !== null,
      offered: isSignedOut || (isSignedIn && !hasNewPasskey),
      busy: state.matches({ signedIn: "addingPasskey" }) || state.matches("leaving"),
      added: isSignedIn && hasNewPasskey,
    };
  },
  viewOnScreen: async (user: User) => {
    const isSignedOut = await user.has("heading", "You are not in");
    const isLost = await user.has("heading", "The service did not answer");
    const isSignedIn = await user.hasText("eve");
    return {
      at: isSignedOut ? "out" : isLost ? "lost" : isSignedIn ? "in" : "waits",
      link: await user.hasText("This link has been used, or is older than two minutes."),
      tooMany: await user.hasText("Too many wrong tries. Wait a minute, then try again."),
      ended: await user.hasText("Your session is over."),
      passkey: await user.hasText("This passkey does not open the page."),
      warned: isSignedIn && (await user.hasText("The service did not answer.")),
      offered: await user.has("button", isSignedIn ? "Add a passkey" : "Log in with a passkey"),
      busy: await user.isVisible("button[aria-busy=true]"),
      added: await user.hasText("This device can let you in from now on."),
    };
  },
};

export const operatorSession = userModel({
  ...atEachLogin,
  input: { link: "token" },
  person: userWhoSees(initialView).createMachine({
    id: "person",
    initial: "comes",
    states: {
      comes: {
        on: {
          "is let in": "in",
          "has a used link": "outByLink",
          "has tried too often": "outByTries",
          "is not heard": "lost",
        },
      },
      lost: { meta: { at: "lost" }, on: { "tries again": "asks" } },
      asks: { on: { "was in": "in", "was not in": "out", "is not heard again": "lost" } },
      in: { meta: { at: "in", offered: true }, on: { "logs out": "goes", "is put out": "outByTime" } },
      goes: {
        meta: { at: "in", offered: true, busy: true },
        on: { "is out": "out", "was out": "out", "is not let out": "stays" },
      },
      stays: { meta: { at: "in", warned: true, offered: true }, on: { "logs out": "goes" } },
      out: { meta: { at: "out", offered: true } },
      outByLink: { meta: { at: "out", offered: true, link: true } },
      outByTries: { meta: { at: "out", offered: true, tooMany: true } },
      outByTime: { meta: { at: "out", offered: true, ended: true } },
    },
  }),
  actions: {
    "is let in": {
      ...enters,
      output: eve,
      does: async (user: User) => {
        await user.answer(consoleCalls.enter, ok());
        await user.answer(consoleCalls.whoami, whoami);
      },
    },
    "has a used link": { ...enters, error: signedOut, reply: 401 },
    "has tried too often": { ...enters, error: tooMany, reply: 429 },
    "is not heard": { ...enters, error: unknown },
    "tries again": { sends: { type: "retry" }, does: (user) => user.tap("button", "Try again") },
    "was in": { ...asks, output: eve, reply: whoami },
    "was not in": { ...asks, error: signedOut, reply: 401 },
    "is not heard again": { ...asks, error: unknown },
    "logs out": { sends: { type: "logout.requested" }, does: (user) => user.tap("button", "Log out") },
    // What the screen asks for finds that the session is over.
    "is put out": { sends: { type: "session.ended" }, call: consoleCalls.today, reply: 401 },
    "is out": { ...leaves, output: undefined, reply: ok() },
    "was out": { ...leaves, error: signedOut, reply: 401 },
    "is not let out": { ...leaves, error: unknown },
  },
});

const proof = { invoke: "enterByPasskey" };
const passkey = { invoke: "addPasskey" };
const wantsProof = (user: User) => user.answer(consoleCalls.proof, ok({ challenge: "a" }));
const wantsPasskey = (user: User) => user.answer(consoleCalls.newPasskey, ok({ challenge: "b" }));

/** Where a device keeps a passkey for the page, or gets one. */
export const operatorSessionByPasskey = userModel({
  ...atEachLogin,
  input: { link: null },
  person: userWhoSees(initialView).createMachine({
    id: "person",
    initial: "asks",
    states: {
      asks: { on: { "was in": "in", "was not in": "out" } },
      out: { meta: { at: "out", offered: true }, on: { "shows a passkey": "proves" } },
      proves: {
        on: {
          "is let in": "in",
          "closes the question": "out",
          "is not known": "outByPasskey",
          "has a device that cannot": "outByPasskey",
          "has tried too often": "outByTries",
          "is not heard": "lost",
        },
      },
      lost: { meta: { at: "lost" } },
      outByPasskey: {
        meta: { at: "out", passkey: true, offered: true },
        on: { "shows a passkey": "proves" },
      },
      outByTries: { meta: { at: "out", tooMany: true, offered: true } },
      in: { meta: { at: "in", offered: true }, on: { "wants a passkey": "adds" } },
      adds: {
        meta: { at: "in", offered: true, busy: true },
        on: {
          "has one": "added",
          "has had one": "added",
          "closes that question": "in",
          "has none heard": "stays",
        },
      },
      stays: { meta: { at: "in", warned: true, offered: true }, on: { "wants a passkey": "adds" } },
      added: { meta: { at: "in", added: true }, on: { "is put out": "outByTime" } },
      outByTime: { meta: { at: "out", ended: true, offered: true } },
    },
  }),
  actions: {
    "was in": { ...asks, output: eve, reply: whoami },
    "was not in": { ...asks, error: signedOut, reply: 401 },
    "shows a passkey": {
      sends: { type: "passkey.used" },
      does: (user) => user.tap("button", "Log in with a passkey"),
    },
    "is let in": {
      ...proof,
      output: eve,
      does: async (user: User) => {
        await wantsProof(user);
        await user.answer(device.proves, ok({ id: "1" }));
        await user.answer(consoleCalls.enterByPasskey, ok());
        await user.answer(consoleCalls.whoami, whoami);
      },
    },
    "closes the question": {
      ...proof,
      output: null,
      does: async (user: User) => {
        await wantsProof(user);
        await user.answer(device.proves, ok(null));
      },
    },
    "is not known": {
      ...proof,
      error: signedOut,
      does: async (user: User) => {
        await wantsProof(user);
        await user.answer(device.proves, ok({ id: "1" }));
        await user.answer(consoleCalls.enterByPasskey, 401);
      },
    },
    "has a device that cannot": {
      ...proof,
      error: new CallFailed({ kind: "refused", code: 0, message: "Not here." }),
      does: async (user: User) => {
        await wantsProof(user);
        await user.answer(device.proves, ok("SecurityError"));
      },
    },
    "has tried too often": { ...proof, error: tooMany, call: consoleCalls.proof, reply: 429 },
    "is not heard": { ...proof, error: unknown, call: consoleCalls.proof },
    "wants a passkey": {
      sends: { type: "passkey.requested" },
      does: (user) => user.tap("button", "Add a passkey"),
    },
    "has one": {
      ...passkey,
      output: true,
      does: async (user: User) => {
        await wantsPasskey(user);
        await user.answer(device.makes, ok({ id: "1" }));
        await user.answer(consoleCalls.addPasskey, ok());
      },
    },
    // The device makes no second one, and has no need to.
    "has had one": {
      ...passkey,
      output: true,
      does: async (user: User) => {
        await wantsPasskey(user);
        await user.answer(device.makes, ok("InvalidStateError"));
      },
    },
    "closes that question": {
      ...passkey,
      output: false,
      does: async (user: User) => {
        await wantsPasskey(user);
        await user.answer(device.makes, ok(null));
      },
    },
    "has none heard": { ...passkey, error: unknown, call: consoleCalls.newPasskey },
    "is put out": { sends: { type: "session.ended" }, call: consoleCalls.today, reply: 401 },
  },
});

/* A list */

export const order = (id: string) => ({
  id,
  member: "anna",
  at: "2026-01-01T00:00:00.000Z",
  amount: "3.99",
  currency: "USDT",
  by: "TRC20",
  status: "pending",
  days: 30,
});
const firstPage = { items: [order("A2"), order("A1")], next: "1.A1" };
const wholePage = { items: [order("B1")], next: null };
const secondPage = { items: [order("A0")], next: null };
const pageOf = ({ items, next }: { items: unknown[]; next: string | null }) => ok({ rows: items, next });
const list = consoleCalls.list;

const unread = { waits: false, rows: [] as string[], more: false, warned: false };
export const reading = userModel({
  chart: consoleReadingMachine,
  input: { question: { call: "list", list: "orders", filter: "all" } },
  person: userWhoSees(unread).createMachine({
    id: "person",
    initial: "waits",
    states: {
      waits: { meta: { waits: true }, on: { "has a page": "some", "is not heard": "failed" } },
      failed: { meta: { warned: true }, on: { "tries again": "waits" } },
      some: {
        meta: { rows: ["A2", "A1"], more: true },
        on: { "wants more": "adds", "does something": "again" },
      },
      again: {
        meta: { rows: ["A2", "A1"], more: true },
        on: { "has another page": "other", "is not heard again": "old" },
      },
      // What may be old says so, and is read again.
      old: { meta: { rows: ["A2", "A1"], warned: true }, on: { "tries again": "again" } },
      other: { meta: { rows: ["B1"] } },
      adds: {
        meta: { rows: ["A2", "A1"], more: true },
        on: { "has the rest": "all", "has no more heard": "stuck" },
      },
      stuck: { meta: { rows: ["A2", "A1"], warned: true }, on: { "tries again": "adds" } },
      all: { meta: { rows: ["A2", "A1", "A0"] } },
    },
  }),
  defaultView: unread,
  actions: {
    "has a page": { invoke: "read", output: firstPage, call: list, reply: pageOf(firstPage) },
    "is not heard": { invoke: "read", error: unknown, call: list },
    "tries again": { sends: { type: "retry" }, does: (user) => user.tap("button", "Try again") },
    "wants more": { sends: { type: "more.requested" }, does: (user) => user.tap("button", "Show more") },
    "does something": { sends: { type: "refresh.requested" }, does: (user) => user.returnToPage() },
    "has another page": { invoke: "readAgain", output: wholePage, call: list, reply: pageOf(wholePage) },
    "is not heard again": { invoke: "readAgain", error: unknown, call: list },
    "has the rest": { invoke: "readMore", output: secondPage, call: list, reply: pageOf(secondPage) },
    "has no more heard": { invoke: "readMore", error: unknown, call: list },
  },
  viewOfChart: (state) => {
    const { items, next } = state.context.reading;
    const isStuck = state.matches("stale") || state.matches("addingFailed");
    return {
      waits: state.matches("loading"),
      rows: (items as { id: string }[]).map(({ id }) => id),
      more: next !== null && !isStuck,
      warned: isStuck || state.matches("failed"),
    };
  },
  viewOnScreen: async (user) => {
    const rows: string[] = [];
    for (const id of ["A2", "A1", "A0", "B1"]) if (await user.has("link", id)) rows.push(id);
    return {
      waits: await user.isVisible("[aria-busy=true]:not(button)"),
      rows,
      more: await user.has("button", "Show more"),
      warned: await user.hasText("The service did not answer."),
    };
  },
});

/* A change */

const given: GivenCommand = { command: "credit", args: ["anna"], options: {} };
const filled: GivenCommand = { command: "credit", args: ["anna", "7"], options: { reason: "Ticket 7" } };
const state = (ends: string) => ({
  members: [{ id: 1, member: "anna", ends, lockedAt: null, hasQuestion: false }],
  orders: [],
  unmatched: [],
});
const details = {
  command: "credit",
  subject: "account 1",
  before: state("2026-01-01T00:00:00.000Z"),
  after: state("2026-01-08T00:00:00.000Z"),
  notes: [],
  warnings: [],
  confirm: "anna",
  digest: "digest",
};
export const shown = { preview: { confirm: "anna", digest: "digest", details } };
const answered: Done = { entry: 17, answer: [] };
export const done: { done: Done } = { done: answered };
const doneReply = { entry: 17, rows: [] };
const { preview, perform } = consoleCalls;

const blank = {
  form: false,
  preview: false,
  can: false,
  unsure: false,
  done: false,
  /** Whether what stands there, or is done, takes a change back. */
  undo: false,
  warned: false,
};
export const change = userModel({
  chart: consoleChangeMachine,
  input: { given },
  person: userWhoSees(blank).createMachine({
    id: "person",
    initial: "fills",
    states: {
      fills: { meta: { form: true }, on: { "asks what would change": "looks" } },
      looks: {
        meta: { form: true },
        on: { "is shown it": "sees", "is refused a look": "refused", "did it before": "has" },
      },
      refused: { meta: { form: true, warned: true }, on: { "asks what would change": "looks" } },
      sees: {
        meta: { preview: true },
        on: { "types something else": "sees", "types the word": "agrees", "goes back": "fills" },
      },
      agrees: { meta: { preview: true, can: true }, on: { "does it": "does" } },
      does: {
        meta: { preview: true, can: true },
        on: { "is done": "has", "is refused": "refused", "is not heard": "doubts" },
      },
      // The same ticket: it is not done twice.
      doubts: { meta: { preview: true, unsure: true }, on: { "asks again": "does2" } },
      does2: {
        meta: { preview: true, can: true },
        on: { "is done": "has", "is refused": "refused", "is asked too often": "doubts" },
      },
      has: { meta: { done: true }, on: { "undoes it": "undoes" } },
      undoes: {
        meta: { undo: true },
        on: { "is shown it": "seesUndo", "is refused a look": "hasStill" },
      },
      seesUndo: {
        meta: { preview: true, undo: true },
        on: { "goes back": "has", "types the word": "agreesUndo" },
      },
      agreesUndo: { meta: { preview: true, can: true, undo: true }, on: { "does it": "doesUndo" } },
      doesUndo: {
        meta: { preview: true, can: true, undo: true },
        on: { "is done": "hasUndone", "is refused": "hasStill" },
      },
      hasUndone: { meta: { done: true, undo: true } },
      hasStill: { meta: { done: true, warned: true } },
    },
  }),
  defaultView: blank,
  actions: {
    "asks what would change": {
      sends: { type: "form.submitted", given: filled },
      does: async (user: User) => {
        await user.type("Days", "7");
        await user.type("Reason", "Ticket 7");
        await user.tap("button", "Show what would change");
      },
    },
    "is shown it": { invoke: "preview", output: shown, call: preview, reply: ok({ change: details }) },
    "did it before": { invoke: "preview", output: done, call: preview, reply: ok({ done: doneReply }) },
    "is refused a look": {
      invoke: "preview",
      error: refused,
      call: preview,
      reply: no("There is no account anna."),
    },
    "types something else": {
      sends: { type: "confirmation.typed", text: "bob" },
      does: (user) => user.type("To do it, type anna", "bob"),
    },
    "types the word": {
      sends: { type: "confirmation.typed", text: " ANNA" },
      does: (user) => user.type("To do it, type anna", " ANNA"),
    },
    "does it": { sends: { type: "change.confirmed" }, does: (user) => user.tap("button", "Do it") },
    "goes back": { sends: { type: "preview.dismissed" }, does: (user) => user.tap("button", "Back") },
    "is done": { invoke: "perform", output: answered, call: perform, reply: ok(doneReply) },
    "is refused": {
      invoke: "perform",
      error: refused,
      call: perform,
      reply: no("There is no account anna."),
    },
    "is not heard": { invoke: "perform", error: unknown, call: perform },
    "is asked too often": { invoke: "perform", error: tooMany, call: perform, reply: 429 },
    "asks again": { sends: { type: "retry" }, does: (user) => user.tap("button", "Ask again") },
    "undoes it": {
      sends: { type: "undo.requested", ticket: "t2", reason: "again" },
      does: (user) => user.tap("button", "Undo"),
    },
  },
  viewOfChart: (at) => {
    const { isUndo, error } = at.context;
    return {
      form: at.matches("filling") || (at.matches("previewing") && !isUndo),
      preview: at.matches("shown") || at.matches("performing") || at.matches("unsure"),
      can: at.can({ type: "change.confirmed" }) || at.matches("performing"),
      unsure: at.matches("unsure"),
      done: at.matches("done"),
      undo: isUndo,
      warned: error?.kind === "refused",
    };
  },
  viewOnScreen: async (user) => ({
    form: await user.has("button", "Show what would change"),
    preview: await user.hasText("Membership of anna"),
    can: await user.isVisible("form button[type=submit]:not(:disabled):is([data-agree])"),
    unsure: await user.has("button", "Ask again"),
    done: await user.hasText("Audit entry 17"),
    undo: await user.hasText(/^Undo: /),
    warned: await user.hasText("There is no account anna."),
  }),
});

/* A backup that is saved */

/** What the service says of a file, and sends of it; the rest comes by its own name. */
export const fileOf = (...made: (object | string)[]) => ok({ made });
export const restOfFile = "the file: what is left of it";
const { ask, backupReceived } = consoleCalls;
const sized = { file: "everlit.gz", bytes: 4, entry: 17 };

const noFile = { rows: "", saved: false, unnoted: false, can: true, warned: null as string | null };
export const saving = userModel({
  chart: consoleDownloadMachine,
  person: userWhoSees(noFile).createMachine({
    id: "person",
    initial: "looks",
    states: {
      looks: { on: { "wants a backup": "waits" } },
      waits: {
        meta: { can: false, rows: "0" },
        on: { "is told how far it is": "hears", "is refused": "refused", "is not heard": "lost" },
      },
      hears: {
        meta: { can: false, rows: "1,200" },
        on: { "has all of it": "notes", "has half of it": "lost", stops: "looks" },
      },
      refused: { meta: { warned: "refused" }, on: { "wants a backup": "waits" } },
      lost: { meta: { warned: "network" } },
      notes: { meta: { saved: true, can: false }, on: { "is noted": "has", "is not noted": "doubts" } },
      doubts: { meta: { unnoted: true, warned: "network" }, on: { "notes it": "notes" } },
      has: { meta: { saved: true }, on: { "wants a backup": "waits" } },
    },
  }),
  defaultView: noFile,
  actions: {
    "wants a backup": {
      sends: { type: "file.requested", wanted: { command: "backup", args: [] } },
      does: (user) => user.tap("button", "Make a backup and save it"),
    },
    "is told how far it is": {
      sends: { type: "file.progressed", progress: { rows: 1200 } },
      call: ask,
      reply: fileOf({ rows: 1200 }),
    },
    "is refused": {
      invoke: "download",
      error: refused,
      call: ask,
      reply: fileOf({ refused: "There is no account anna." }),
    },
    "is not heard": { invoke: "download", error: unknown, call: ask },
    "has all of it": {
      invoke: "download",
      output: { entry: 17 },
      call: restOfFile,
      reply: fileOf(sized, "da", "ta"),
    },
    "has half of it": { invoke: "download", error: unknown, call: restOfFile, reply: fileOf(sized, "da") },
    stops: { sends: { type: "cancel" }, does: (user) => user.tap("button", "Stop") },
    "is noted": { invoke: "confirm", output: undefined, call: backupReceived, reply: ok() },
    "is not noted": { invoke: "confirm", error: unknown, call: backupReceived },
    "notes it": { sends: { type: "retry" }, does: (user) => user.tap("button", "Note it now") },
  },
  viewOfChart: (at) => {
    const { progress, error } = at.context;
    return {
      rows: !at.matches("loading") ? "" : progress !== null && "rows" in progress ? "1,200" : "0",
      saved: at.hasTag("saved") && !at.matches("unconfirmed"),
      unnoted: at.matches("unconfirmed"),
      can: at.can({ type: "file.requested", wanted: { command: "", args: [] } }),
      warned: error?.kind ?? null,
    };
  },
  viewOnScreen: async (user) => {
    const rows: string[] = [];
    for (const each of ["0", "1,200"])
      if (await user.hasText(`Being made: ${each} rows so far`)) rows.push(each);
    const isRefused = await user.hasText("There is no account anna.");
    return {
      rows: rows.join(),
      saved: await user.hasText("Saved. See that the file is among your downloads."),
      unnoted: await user.has("button", "Note it now"),
      can:
        (await user.has("button", "Make a backup and save it")) &&
        !(await user.isBusy("Make a backup and save it")),
      warned: isRefused ? "refused" : (await user.hasText("The service did not answer.")) ? "network" : null,
    };
  },
});
