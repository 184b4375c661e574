/** Asking customer support, as a user meets it. Specification, sections 1, 7 (contact) and 8; Decisions, "Windows opened for the user". */
import { supportMachine } from "../../machines/support.ts";
import { isLate, userWhoSees, userModel, wait } from "../support/user-model.ts";
import { no, ok } from "../support/replies.ts";
import { lost, refused } from "../support/samples.ts";
import { LOST, errorWords } from "../support/error-words.ts";
import type { User } from "../user.ts";

const address = "https://help.example/chat";

const blank = {
  /** The other windows, by where they are. */
  windows: [] as string[],
  busy: false,
  slow: false,
  /** Whether support is a link, because its window was refused. */
  link: false,
  said: [] as string[],
  waiting: [] as string[],
};
type View = typeof blank;

const call = "/api/contact/url";
const { createMachine } = userWhoSees(blank);

const waits = { busy: true, waiting: [call] };
const blankWindow = "about:blank";
const begins = { on: { "asks for support": "waits" } };

const withWindows = createMachine({
  id: "person",
  initial: "begins",
  states: {
    begins,
    waits: {
      meta: { ...waits, windows: [blankWindow] },
      on: {
        "is told where": "talks",
        "is refused": "refused",
        "is not heard": "lost",
        "asks once more": "waits",
        "waits ten seconds": "waitsLong",
      },
    },
    waitsLong: {
      meta: { ...waits, slow: true, windows: [blankWindow] },
      on: { "is told where": "talks", "is not heard": "lost", "stops waiting": "begins" },
    },
    talks: { meta: { windows: [address] }, on: { "asks for support": "waitsForAnother" } },
    waitsForAnother: {
      meta: { ...waits, windows: [address, blankWindow] },
      on: { "is refused": "talksOn" },
    },
    talksOn: { meta: { windows: [address], said: ["No."] } },
    // The window that was opened for nothing is closed.
    refused: { meta: { said: ["No."] }, on: { "asks for support": "waitsOn" } },
    waitsOn: {
      meta: { ...waits, windows: [blankWindow], said: ["No."] },
      on: { "is told where": "talksToo" },
    },
    talksToo: { meta: { windows: [address], said: ["No."] } },
    lost: { meta: { said: [LOST] } },
  },
});

/** The browser opens no windows; a link needs no leave. */
const withoutWindows = createMachine({
  id: "person",
  initial: "begins",
  states: {
    begins,
    waits: {
      meta: waits,
      on: {
        "is told where": "sees",
        "is refused": "refused",
        "is not heard": "lost",
        "waits ten seconds": "waitsLong",
      },
    },
    waitsLong: { meta: { ...waits, slow: true }, on: { "stops waiting": "begins" } },
    sees: { meta: { link: true } },
    refused: { meta: { said: ["No."] } },
    lost: { meta: { said: [LOST] } },
  },
});

const invoke = "openSupport";
const asksForSupport = {
  sends: { type: "support.requested" },
  does: (user: User) => user.tap("button", "Contact customer support"),
} as const;
const actions = (blocked: string | null) => ({
  "asks for support": asksForSupport,
  "is told where": { invoke, output: { blocked }, call, reply: ok([{ contact_url: address }]) },
  "is refused": { invoke, error: refused, call, reply: no("No.") },
  "is not heard": { invoke, error: lost, call },
  "waits ten seconds": { ms: 10_000 },
  "stops waiting": wait.stop,
});

const common = {
  chart: supportMachine,
  defaultView: blank,
  viewOnScreen: async (user: User): Promise<View> => ({
    windows: await user.windows(),
    busy: await user.isBusy("Contact customer support"),
    slow: await isLate(user),
    link:
      (await user.has("link", "The window did not open. Tap here to open support.")) &&
      (await user.isVisible(`a[href="${address}"][target=_blank][rel=noreferrer]`)),
    said: (await user.statusTexts()).filter((words) => ["No.", ...errorWords].includes(words)),
    waiting: user.pendingCalls(),
  }),
};

export const support = userModel({
  ...common,
  person: withWindows,
  actions: {
    ...actions(null),
    "asks once more": { ...asksForSupport, does: (user) => user.press("{Enter}") },
  },
  viewOfChart: (state, { pending }) => ({
    busy: state.hasTag("busy"),
    slow: state.hasTag("slow"),
    link: state.context.blocked !== null,
    waiting: pending.map(() => call),
  }),
});

export const supportBlocked = userModel({
  ...common,
  person: withoutWindows,
  actions: actions(address),
  viewOfChart: (state, { pending }) => ({
    busy: state.hasTag("busy"),
    slow: state.hasTag("slow"),
    link: state.context.blocked === address,
    waiting: pending.map(() => call),
  }),
});
