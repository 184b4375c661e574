/** Getting the app on an Android phone, as a user meets it. Specification, sections 1 ("Download buttons by device"), 3 ("Packages store") and 7 ("Download SDK"). */
import { downloadMachine, noBuilds, type Builds } from "../../machines/download.ts";
import { userWhoSees, userModel } from "../support/user-model.ts";
import { ok } from "../support/replies.ts";
import { lost } from "../support/samples.ts";
import type { User } from "../user.ts";

/** What the third-party script is asked for, named as calls are. */
export const asksScript = { packages: "the script: packages", install: "the script: install" };

const elsewhere = "https://everlit.example/download/android";
const blank = {
  /** What helps a browser that may not download. */
  hint: false,
  /** The windows that were opened beside this one. */
  windows: [] as string[],
  toast: null as string | null,
  /** Whether the provider's page is a link, because its window was refused. */
  link: false,
  /** Where the app is, as this browser keeps it. */
  kept: null as string | null,
  waiting: [] as string[],
};
const url = "https://app.example/a.apk";
const loading = { waiting: [asksScript.packages] };
const known = { kept: url };
const helped = { windows: [elsewhere] };

const free = userWhoSees(blank).createMachine({
  id: "free",
  initial: "silent",
  states: {
    silent: {
      meta: loading,
      on: {
        "taps the button": "silentHelped",
        "the script offers the app": "offered",
        "the script has none": "nothing",
        "the script does not come": "absent",
      },
    },
    silentHelped: { meta: { ...loading, ...helped } },
    nothing: { meta: { kept: "" }, on: { "taps the button": "nothingHelped" } },
    nothingHelped: { meta: { kept: "", ...helped } },
    absent: { on: { "taps the button": "absentHelped" } },
    absentHelped: { meta: helped },
    offered: { meta: known, on: { "taps the button": "installing" } },
    installing: {
      meta: { ...known, waiting: [asksScript.install] },
      on: { "taps the button": "installing", "it is installed": "offered", "that fails": "failed" },
    },
    failed: {
      meta: { ...known, toast: "No connection. Check your network and try again." },
      on: { "taps the button": "tryingAgain" },
    },
    tryingAgain: {
      meta: {
        ...known,
        toast: "No connection. Check your network and try again.",
        waiting: [asksScript.install],
      },
    },
  },
});

/** The browser opens no windows; a link needs no leave. */
const walled = userWhoSees(blank).createMachine({
  id: "walled",
  initial: "silent",
  states: {
    silent: { meta: loading, on: { "taps the button": "silentHelped", "the script has none": "nothing" } },
    silentHelped: { meta: { ...loading, link: true } },
    nothing: { meta: { kept: "" }, on: { "taps the button": "nothingHelped" } },
    nothingHelped: { meta: { kept: "", link: true } },
  },
});

/** What was kept of an earlier visit installs nothing by itself. */
const returned = userWhoSees(blank).createMachine({
  id: "returned",
  initial: "silent",
  states: {
    silent: {
      meta: { ...loading, ...known },
      on: {
        "taps the button": "silentHelped",
        "the script offers the app": "offered",
        "the script does not come": "absent",
      },
    },
    silentHelped: { meta: { ...loading, ...known, ...helped } },
    absent: { meta: known, on: { "taps the button": "absentHelped" } },
    absentHelped: { meta: { ...known, ...helped } },
    offered: { meta: known, on: { "taps the button": "installing" } },
    installing: { meta: { ...known, waiting: [asksScript.install] } },
  },
});

const boxed = userWhoSees(blank).createMachine({
  id: "boxed",
  initial: "silent",
  states: {
    silent: {
      meta: loading,
      on: { "taps the button": "hinted", "the script offers the app": "offered" },
    },
    hinted: { meta: { ...loading, hint: true }, on: { "closes the hint": "silent" } },
    offered: { meta: known, on: { "taps the button": "hintedStill" } },
    hintedStill: { meta: { ...known, hint: true }, on: { "closes the hint": "offered" } },
  },
});

/** What the script has for all platforms. */
export const builds: Builds = { ...noBuilds, android: { date: "2026-01-01", url, verison: "1.0" } };
const offers = {
  invoke: "readBuilds",
  output: builds,
  call: asksScript.packages,
  reply: ok(builds),
};
const doesNotCome = { invoke: "readBuilds", error: lost, call: asksScript.packages };
const taps = {
  sends: { type: "download.requested", device: "android" } as const,
  does: (user: User) => user.tap("button", "Download for Android"),
};

const model = {
  chart: downloadMachine,
  immediate: { openSite: () => ({ blocked: null }) },
  defaultView: blank,
  viewOfChart: (state, { emitted, pending }) => ({
    hint: state.matches({ button: "hinting" }),
    link: state.context.blocked === elsewhere,
    kept: emitted.some(({ type }) => type === "builds.read")
      ? state.context.builds.android.url
      : state.context.builds.android.url || null,
    waiting: pending.map(({ id }) => (id === "install" ? asksScript.install : asksScript.packages)),
  }),
  viewOnScreen: async (user) => {
    const kept = await user.stored("packages");
    return {
      hint: await user.hasText(
        "Tap the menu at the top right, then open this page in your browser to download.",
      ),
      windows: await user.windows(),
      link:
        (await user.has("link", "The window did not open. Tap here to download.")) &&
        (await user.isVisible(`a[href="${elsewhere}"][target=_blank]`)),
      toast: (await user.statusTexts())[0] ?? null,
      kept: kept === null ? null : (JSON.parse(kept) as Builds).android.url,
      waiting: user.pendingCalls(),
    };
  },
} satisfies Omit<Parameters<typeof userModel<typeof downloadMachine, typeof blank>>[0], "person" | "actions">;

export const downloading = userModel({
  ...model,
  input: { boxed: false },
  person: free,
  actions: {
    "taps the button": taps,
    "the script offers the app": offers,
    "the script has none": {
      invoke: "readBuilds",
      output: noBuilds,
      call: asksScript.packages,
      reply: ok(noBuilds),
    },
    "the script does not come": doesNotCome,
    "it is installed": { invoke: "install", output: undefined, call: asksScript.install, reply: ok() },
    "that fails": { invoke: "install", error: lost, call: asksScript.install },
  },
});

export const downloadBlocked = userModel({
  ...model,
  immediate: { openSite: () => ({ blocked: elsewhere }) },
  input: { boxed: false },
  person: walled,
  actions: {
    "taps the button": taps,
    "the script has none": {
      invoke: "readBuilds",
      output: noBuilds,
      call: asksScript.packages,
      reply: ok(noBuilds),
    },
  },
});

export const downloadingAgain = userModel({
  ...model,
  input: { boxed: false },
  person: returned,
  // The chart asks anew; what was kept stays where it is.
  viewOfChart: (state, tale) => ({ ...model.viewOfChart(state, tale), kept: url }),
  actions: {
    "taps the button": taps,
    "the script offers the app": offers,
    "the script does not come": doesNotCome,
  },
});

/** In the browser of another app, which blocks downloads. */
export const hinted = userModel({
  ...model,
  input: { boxed: true },
  person: boxed,
  actions: {
    "taps the button": taps,
    "the script offers the app": offers,
    "closes the hint": {
      sends: { type: "hint.dismissed" },
      does: (user) => user.tap("button", "Close"),
    },
  },
});
