/** The operator's page on the screen: the session, a list, a change, as an operator meets them; and that every command that it offers has words. */
import { i18n } from "@lingui/core";
import { I18nProvider } from "@lingui/react";
import { createMemoryHistory, RouterProvider } from "@tanstack/react-router";
import { act, cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { AnyMachineSnapshot, AnyStateMachine, InspectionEvent } from "xstate";
import { createConsole } from "../../src/console/runtime.tsx";
import { setLanguage } from "../../src/console/ports/browser.ts";
import { createConsoleRouter } from "../../src/console/router.tsx";
import { ConsoleProvider } from "../../src/console/runtime.tsx";
import { commandWords, entryWords, fieldWords, phraseWords } from "../../src/console/words.ts";
import {
  type AlarmKind,
  alarmKinds,
  consoleCalls,
  MADE,
  ownReasons,
  phrase,
  type PhraseKind,
  type Whoami,
  phrases,
  readPhrase,
  type Today,
} from "../../src/contract/console.ts";
import { commands, table } from "../../src/service/operations/admin/commands.ts";
import {
  change,
  operatorSession,
  operatorSessionByPasskey,
  reading,
  restOfFile,
  saving,
  shown,
  whoami,
} from "../models/console.ts";
import { keepWalk } from "../support/coverage.ts";
import { ok, type Reply } from "../support/replies.ts";
import { pathsOf, performOnScreen, type UserModel } from "../support/user-model.ts";
import type { User } from "../user.ts";

/** In place of a device: what it answers comes when the model says so, null is a question that was closed, and a text the name of what went wrong. */
vi.mock("@simplewebauthn/browser", async () => {
  const { device } = await import("../models/console.ts");
  const answers = (question: string) => async () => {
    const { data } = (await (await fetch(question)).json()) as { data: object | string | null };
    if (data === null) throw new DOMException("Closed.", "NotAllowedError");
    if (typeof data === "string") throw new DOMException("Not here.", data);
    return data;
  };
  return {
    browserSupportsWebAuthn: () => true,
    startAuthentication: answers(device.proves),
    startRegistration: answers(device.makes),
  };
});

/** What was saved, instead of a browser that saves it. */
const saved: { name: string; text: string }[] = [];
vi.mock("../../src/console/ports/browser.ts", async (original) => ({
  ...(await original<object>()),
  saveFile: (name: string, file: Blob) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => saved.push({ name, text: String(reader.result) }));
    reader.readAsText(file);
  },
}));

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const settled = async (happening: () => unknown) => {
  await act(async () => {
    await happening();
    await new Promise((done) => {
      setTimeout(done, 0);
    });
  });
};

const partsIn = (reply: Reply | "real") =>
  (reply as { data?: { made?: (object | string)[] } | null }).data?.made;
async function sendOf(
  { writable }: TransformStream<string, string>,
  parts: readonly (object | string)[],
  isAll = false,
): Promise<void> {
  const writer = writable.getWriter();
  for (const part of parts)
    await writer.write(typeof part === "string" ? part : `${JSON.stringify(part)}\n`).catch(() => undefined);
  if (isAll) await writer.close();
  writer.releaseLock();
}

/** The page at an address, its calls answered when the model says so. */
async function openConsole(path: string, link: string | null = null) {
  const waiting: { path: string; answer: (response: Response) => void; fail: (error: Error) => void }[] = [];
  vi.stubGlobal(
    "fetch",
    async (asked: string) =>
      new Promise<Response>((answer, fail) => waiting.push({ path: asked, answer, fail })),
  );
  vi.stubGlobal("scrollTo", () => undefined);
  vi.stubGlobal("isSecureContext", true);
  await setLanguage("en");
  const walked: Record<string, Set<string>> = {};
  const inspect = (event: InspectionEvent) => {
    if (event.type !== "@xstate.snapshot" || !("_nodes" in event.snapshot)) return;
    const { machine, _nodes } = event.snapshot as AnyMachineSnapshot;
    for (const { id } of _nodes) (walked[machine.id] ??= new Set()).add(id);
  };
  const app = createConsole(link, { inspect });
  const router = createConsoleRouter(createMemoryHistory({ initialEntries: [path] }));
  await settled(() =>
    render(
      <I18nProvider i18n={i18n}>
        <ConsoleProvider value={app}>
          <RouterProvider router={router} />
        </ConsoleProvider>
      </I18nProvider>,
    ),
  );
  const person = userEvent.setup();
  let file: TransformStream<string, string> | null = null;
  /** What the service says and sends of a file; it is not at its end. */
  const fileStream = (parts: readonly (object | string)[]) => {
    file = new TransformStream();
    void sendOf(file, parts);
    return file.readable.pipeThrough(new TextEncoderStream());
  };
  const answer = async (to: string, reply: Reply | "real") => {
    if (to === restOfFile) {
      const rest = file;
      if (!rest) throw new Error("No file is on its way.");
      return settled(() => sendOf(rest, partsIn(reply) ?? [], true));
    }
    const at = waiting.findIndex((each) => each.path === to);
    const [call] = waiting.splice(at, 1);
    if (at < 0 || !call) throw new Error(`${to} does not wait: ${waiting.map((each) => each.path).join()}`);
    await settled(() => {
      if (reply === "lost") return call.fail(new TypeError("no network"));
      if (typeof reply === "number")
        return call.answer(Response.json({ refused: "session" }, { status: reply }));
      const { code, message, data } = reply as { code: number; message: string; data: unknown };
      const made = partsIn(reply);
      if (made) return call.answer(new Response(fileStream(made), { headers: { "Content-Type": MADE } }));
      const body = code === 200 ? { data: data ?? null } : { refused: message };
      return call.answer(Response.json(body, { status: code === 200 ? 200 : 422 }));
    });
  };
  const user = {
    tap: async (role, name) => settled(() => person.click(screen.getByRole(role, { name }))),
    type: async (label, text) => {
      const field = screen.getByRole("textbox", { name: label });
      await settled(async () => {
        await person.clear(field);
        await person.type(field, text);
      });
    },
    isBusy: async (name) =>
      screen.queryAllByRole("button", { name }).some((each) => each.getAttribute("aria-busy") === "true"),
    has: async (role, name) => screen.queryAllByRole(role, name === undefined ? {} : { name }).length > 0,
    hasText: async (text) => screen.queryAllByText(text).length > 0,
    isVisible: async (selector) => document.querySelector(selector) !== null,
    // What is done elsewhere on the page has every screen read again.
    returnToPage: async () => settled(() => app.done()),
    answer,
  } satisfies Partial<User>;
  return { user: user as unknown as User, walked, app };
}

function runOnConsole<M extends AnyStateMachine, View extends object>(
  model: UserModel<M, View>,
  open: () => ReturnType<typeof openConsole>,
) {
  describe(`${model.chart.id}, as an operator meets it`, () => {
    for (const { name, perform } of pathsOf(model, "everyStep")) {
      test(`path: ${name}`, async ({ task }) => {
        const { user, walked } = await open();
        await perform(
          (action) => performOnScreen(user, action, false),
          async (view) => expect(await model.viewOnScreen(user)).toEqual(view),
        );
        keepWalk(task, { level: "screen", chart: model.chart.id, states: walked });
      });
    }
  });
}

runOnConsole(operatorSession, () => openConsole("/", "token"));
runOnConsole(operatorSessionByPasskey, () => openConsole("/"));

runOnConsole(reading, async () => {
  const opened = await openConsole("/orders");
  await opened.user.answer(consoleCalls.whoami, whoami);
  return opened;
});

const member = {
  member: {
    name: "anna",
    ends: null,
    isRunning: false,
    isLocked: false,
    hasQuestion: false,
    sessions: 1,
  },
  orders: [],
  earlierOrders: 0,
  moments: [],
  actions: ["credit"],
};
runOnConsole(change, async () => {
  const opened = await openConsole("/member/anna");
  await opened.user.answer(consoleCalls.whoami, whoami);
  await opened.user.answer(consoleCalls.member, ok(member));
  await opened.user.tap("button", "Add days");
  return opened;
});

test("a member's story says how many orders it does not show", async () => {
  const { user } = await openConsole("/member/anna");
  const order = {
    id: "A1",
    member: "anna",
    at: "2026-11-20T08:00:00.000Z",
    amount: "3.99",
    currency: "USDT",
  };
  await user.answer(consoleCalls.whoami, whoami);
  await user.answer(
    consoleCalls.member,
    ok({ ...member, orders: [{ ...order, by: "TRC20", status: "pending", days: 30 }], earlierOrders: 5 }),
  );
  expect(await user.hasText("5 earlier orders are not shown")).toBe(true);
});

const backups = { last: null, isOld: false, oldAfter: 26, database: "embedded", actions: ["backup"] };
runOnConsole(saving, async () => {
  const opened = await openConsole("/books");
  await opened.user.answer(consoleCalls.whoami, whoami);
  await opened.user.answer(consoleCalls.backups, ok(backups));
  return opened;
});
test("a file is saved whole, by the name that the service gives it, and half of one is not", async () => {
  expect(new Set(saved.map(({ name, text }) => `${name}: ${text}`))).toEqual(new Set(["everlit.gz: data"]));
});

test("a reconciliation is saved as CSV, in which no cell is a formula and negative numbers are numbers", async () => {
  const { user } = await openConsole("/books");
  await user.answer(consoleCalls.whoami, whoami);
  await user.answer(consoleCalls.backups, ok(backups));
  await user.type("Month", "2026-11");
  await user.tap("button", "Save the reconciliation");
  const rows = [
    { what: "open", amount: "3.99" },
    { what: '=HYPERLINK("x")', amount: 2, of: "a, b\rc" },
    { what: "-1+2", amount: "-0.05", of: -3 },
  ];
  await user.answer(consoleCalls.ask, ok({ rows }));
  await expect
    .poll(() => saved.at(-1))
    .toEqual({
      name: "reconcile-2026-11.csv",
      text: `what,amount,of\nopen,3.99,\n"'=HYPERLINK(""x"")",2,"a, b\rc"\n'-1+2,-0.05,-3`,
    });
});

test("what an operator saved, and what went wrong with it, is gone with their session", async () => {
  const { user, app } = await openConsole("/books");
  await user.answer(consoleCalls.whoami, whoami);
  await user.answer(consoleCalls.backups, ok(backups));
  await user.tap("button", "Make a backup and save it");
  await user.answer(consoleCalls.ask, 401);
  expect(await user.has("heading", "You are not in")).toBe(true);
  const { value, context } = app.downloads.backup.getSnapshot();
  expect([value, context.error]).toEqual(["idle", null]);
});

const quiet: Today = {
  at: "2026-01-01T00:00:00.000Z",
  orders: { pending: 0, confirmed: 0, failed: 0 },
  revenue: [],
  memberships: { running: 0, paidThisWeek: 0, endThisWeek: 0, endedLastWeek: 0 },
  networks: [{ network: "TRC20", head: 9, age: 400, unread: 30, checkedAt: "2026-01-01T00:00:00.000Z" }],
  waiting: { unmatched: 1, partPaid: 1, eventsLate: 1, eventsGivenUp: 1 },
  backup: null,
  alarms: [],
};
const alarmOf = (kind: AlarmKind) => ({
  kind,
  about: kind === "provider silent" ? "Razorpay" : kind.startsWith("network") ? "TRC20" : null,
  what: "",
  since: quiet.at,
});
test.each<[string, readonly AlarmKind[], readonly string[]]>([
  ["no alarm", [], []],
  ["one of each figure", alarmKinds, ["1", "1", "1", "None yet", "6 minutes", "30", "Jan 1, 2026, 12:00 AM"]],
])("with %s, as many figures of the day are marked, whatever they are", async (_, kinds, marked) => {
  const { user } = await openConsole("/");
  await user.answer(consoleCalls.whoami, whoami);
  await user.answer(consoleCalls.today, ok({ ...quiet, alarms: kinds.map(alarmOf) }));
  const marks = document.querySelectorAll('section:not([aria-labelledby="alarms"]) dd [data-tone="failure"]');
  expect(Array.from(marks, ({ textContent }) => textContent)).toEqual(marked);
});

/** jsdom draws no plot: it fails there. */
test("the day without its plot is whole, and a screen that fails says so", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const { user } = await openConsole("/");
  await user.answer(consoleCalls.whoami, whoami);
  await user.answer(
    consoleCalls.today,
    ok({ ...quiet, revenue: [{ day: "2026-01-01", usdt: "3.99", card: "0", stripe: "0" }] }),
  );
  expect(await user.hasText("3.99")).toBe(true);
  await user.returnToPage();
  await user.answer(consoleCalls.today, ok({ at: quiet.at }));
  expect(await user.hasText("This page could not be shown.")).toBe(true);
  expect(await user.has("button", "Load it again")).toBe(true);
});

test.each([
  ["may", ["replay-events", "announce-members"], true],
  ["may not", ["undo"], false],
])("an operator who %s deliver events is offered it accordingly", async (_, names, isOffered) => {
  const { user } = await openConsole("/events");
  const event = { id: "1", type: "membership.extended", at: quiet.at, attempts: 1, next: null, error: null };
  await user.answer(
    consoleCalls.whoami,
    ok({ name: "eve", right: "look", commands: names.map((name) => ({ name })) }),
  );
  await user.answer(consoleCalls.list, ok({ rows: [event], next: null }));
  expect(await user.hasText("membership.extended")).toBe(true);
  for (const name of ["Deliver all that wait or were given up", "Announce all members", "Deliver again"])
    expect(await user.has("button", name), name).toBe(isOffered);
});

test("every command that the page offers about a thing has words, and so has all that it takes", () => {
  const byName = new Set(["replay-events", "announce-members", "undo"]);
  const offered = table("money").filter(({ name }) => commands[name]?.offer || byName.has(name));
  expect(offered.filter(({ name }) => !(name in commandWords)).map(({ name }) => name)).toEqual([]);
  const fields = offered
    .flatMap(({ args, options }) => [...args.slice(1), ...options])
    .map(({ name }) => name);
  expect(fields.filter((name) => name !== "ticket" && !(name in fieldWords))).toEqual([]);
  // A backup has a panel of its own.
  const forGood = offered.flatMap(({ name, noUndo }) => (name === "backup" ? [] : (noUndo ?? [])));
  expect(forGood.filter((text) => readPhrase(text) === null)).toEqual([]);
});

test("what the audit calls a change has words, though it was made on the machine", () => {
  const called = Object.entries(commands)
    .filter(([name, { changes }]) => changes !== "nothing" || name === "backup")
    .map(([name]) => (name === "skip" ? "skip blocks" : name.replaceAll("-", " ")));
  expect(called.filter((name) => !(name in entryWords))).toEqual([]);
});

/** Fills in the change that is open, agrees to its preview, and has it done. */
async function doIt(user: User): Promise<void> {
  await user.type("Reason", "Ticket 7");
  await user.tap("button", "Show what would change");
  await user.answer(consoleCalls.preview, ok({ change: shown.preview.details }));
  await user.type("To do it, type anna", "anna");
  await user.tap("button", "Do it");
  await user.answer(consoleCalls.perform, ok({ entry: 17, rows: [] }));
}

test("a row that is settled stays with what was done until that is closed, though the list has it no more", async () => {
  const { user } = await openConsole("/unmatched");
  const { data } = whoami as { data: Whoami };
  const settle = { ...data.commands[0]!, name: "unmatched-resolve", args: [] };
  await user.answer(consoleCalls.whoami, ok({ ...data, commands: [...data.commands, settle] }));
  const row = {
    id: 3,
    at: "2026-01-01T00:00:00.000Z",
    reason: "no order",
    amount: "3.99",
    currency: "USDT",
    order: null,
    rail: "usdt",
    payment: "0xab",
    reference: "TXYZ",
    path: "28339200/0 of 1a2b",
    resolution: null,
    actions: ["unmatched-resolve"],
  };
  await user.answer(consoleCalls.list, ok({ rows: [row], next: null }));
  for (const text of ["0xab", "TXYZ", "28339200/0 of 1a2b"]) expect(await user.hasText(text)).toBe(true);
  await user.tap("button", "Settle");
  await doIt(user);
  await user.answer(consoleCalls.list, ok({ rows: [], next: null }));
  expect([
    await user.hasText("Audit entry 17"),
    await user.hasText("Settled"),
    await user.hasText("Open"),
  ]).toEqual([
    true,
    true,
    // The filter's.
    true,
  ]);
  await user.tap("button", "Close");
  expect([await user.hasText("Audit entry 17"), await user.hasText("Nothing here.")]).toEqual([false, true]);
});

test("after a change, as many rows are read again as were shown", async () => {
  const { user } = await openConsole("/audit");
  await user.answer(consoleCalls.whoami, whoami);
  const entry = (id: number, canUndo: boolean) => ({
    id,
    at: "2026-01-01T00:00:00.000Z",
    actor: "bo",
    action: "credit",
    subject: `member m${id}`,
    reason: "Ticket 7",
    undoes: null,
    canUndo,
  });
  await user.answer(consoleCalls.list, ok({ rows: [entry(9, false)], next: "1" }));
  await user.tap("button", "Show more");
  await user.answer(consoleCalls.list, ok({ rows: [entry(8, true)], next: "2" }));
  await user.tap("button", "Undo");
  await doIt(user);
  await user.answer(consoleCalls.list, ok({ rows: [entry(17, true)], next: "3" }));
  await user.answer(consoleCalls.list, ok({ rows: [entry(9, false), entry(8, false)], next: "2" }));
  for (const text of ["member m17", "member m9", "member m8"]) expect(await user.hasText(text)).toBe(true);
});

test("what a preview says besides is said in the page's language, and what has no words there as the service says it", async () => {
  const reference = "0x12.34 (of {at}).";
  const notes = [
    phrase("sessions", { count: 3 }),
    phrase("sessions for good", { count: 1 }),
    phrase("questions", {}),
    phrase("events", { count: 12 }),
    phrase("members", { count: 40 }),
    phrase("went back", { reference }),
    phrase("undoes", {
      action: "set end",
      at: "2026-01-01T08:30:00.000Z",
      actor: "bo",
      reason: "She: asked",
    }),
    phrase("ends now", { at: "2026-01-01T08:30:00.000Z" }),
    "Something of a later release.",
  ];
  const warnings = [
    phrase("same done", { at: "2026-01-01T08:30:00.000Z", actor: "bo", entry: 7 }),
    phrase("another's money", { row: 3, member: "anna" }),
    phrase("price doubles", {}),
    phrase("price halves", {}),
    phrase("nothing on sale", {}),
  ];
  const { user } = await openConsole("/audit");
  await user.answer(consoleCalls.whoami, whoami);
  const entry = { id: 7, at: "2026-01-01T00:00:00.000Z", actor: "bo", action: "undo", subject: "database" };
  const rows = [{ ...entry, reason: "", undoes: null, canUndo: true }];
  await user.answer(consoleCalls.list, ok({ rows, next: null }));
  await user.tap("button", "Undo");
  await user.type("Reason", "Ticket 7");
  await user.tap("button", "Show what would change");
  const { details } = shown.preview;
  const rowOf = (resolvedAt: string | null, ends: string) => ({
    unmatched: [{ row: 3, reason: "late", amount: "3.99 USDT", resolvedAt, resolvedAs: null }],
    members: details.before.members.map((each) => ({ ...each, lockedAt: resolvedAt, ends })),
    orders: [],
  });
  const before = rowOf("2026-01-01T00:00:00.000Z", "2026-01-01T20:30:00.000Z");
  const after = rowOf(null, "2026-01-01T08:30:00.000Z");
  await user.answer(consoleCalls.preview, ok({ change: { ...details, before, after, notes, warnings } }));
  const said = () =>
    [...notes, ...warnings].map(
      (_, at) => [...document.querySelectorAll("dl ~ p, dl ~ div > p")][at]?.textContent,
    );
  expect(said().slice(0, 8)).toEqual([
    ...notes.slice(0, 6),
    "Undoes what bo did on Jan 1, 2026, 8:30 AM: Last day set. Reason: She: asked",
    "The membership ends at once, on Jan 1, 2026, 8:30 AM (UTC).",
  ]);
  await settled(() => setLanguage("zh-CN"));
  expect(said()).toEqual([
    "将退出登录：3 台设备。",
    "将永久退出登录：1 台设备。",
    "所有会员都需要重新设置密保问题。",
    "将重新发送的通知：12 条。",
    "将重新通知状态的会员：40 位。",
    `款项已通过 ${reference} 退回。`,
    "撤销 bo 于 2026年1月1日 08:30 的操作：修改到期日。原因：She: asked",
    "会员将立即结束：2026年1月1日 08:30（UTC）。",
    "Something of a later release.",
    "请再确认： bo 已于 2026年1月1日 08:30 做过同样的操作（操作记录 7）。",
    "请再确认： 这笔款项来自 anna，而该订单属于另一位会员。",
    "请再确认： 价格将上涨一倍以上。",
    "请再确认： 价格将降至原价的一半以下。",
    "请再确认： 此后将没有任何在售套餐。",
  ]);
  // Two times of one day; one English word, of an account and of a row.
  expect([...document.querySelectorAll("dd")].map(({ textContent }) => textContent)).toEqual([
    "2026年1月1日 20:30 → 2026年1月1日 08:30",
    "已锁定 → 正常",
    "待处理",
  ]);
  expect(screen.getByText("Something of a later release.").lang).toBe("en");
});

test("the service's phrases are read back with their facts, and the page's own words name no others", () => {
  const factsIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, fact = ""]) => fact);
  const value = "a (b). `c` $& {at}, d";
  for (const kind of Object.keys(phrases) as PhraseKind[]) {
    const facts = Object.fromEntries(factsIn(phrases[kind]).map((fact) => [fact, value]));
    expect(readPhrase(phrase(kind, facts as Parameters<typeof phrase<typeof kind>>[1]))).toEqual({
      kind,
      facts,
    });
    const words = factsIn(phraseWords[kind].message ?? "");
    expect({ kind, unknown: words.filter((fact) => !(fact in facts)) }).toEqual({ kind, unknown: [] });
  }
  expect(readPhrase("There is no such thing.")).toBe(null);
});

test.each([
  [phrase("no account", { name: "anna" }), "没有账号 anna。", ""],
  [phrase("row resolved", { row: 3, resolution: "" }), "第 3 条已处理：", ""],
  [phrase("never credited", { why: "surplus" }), "此类款项不能入账：多付了。请退回，或为会员增加天数。", ""],
  ["Something of a later release.", "Something of a later release.", "en"],
])("why a command is refused is said in the page's language: %s", async (message, said, lang) => {
  const { user } = await openConsole("/audit");
  await user.answer(consoleCalls.whoami, whoami);
  await user.answer(consoleCalls.list, { code: 400, message, data: null });
  await settled(() => setLanguage("zh-CN"));
  const shown = screen.getByRole("alert");
  expect(shown.textContent).toBe(said);
  expect(shown.querySelector("[lang]")?.getAttribute("lang") ?? "").toBe(lang);
});

test("what an entry is about and why is said in the page's language, and an operator's reason as typed", async () => {
  const about = [
    "account 7",
    "all accounts",
    "database",
    "event 3",
    "event *",
    "operator anna",
    "order 7K2",
    "package monthly",
    "packages",
    "series 2",
    "unmatched 3",
    "TRC20 to block 5",
    "TRC20 1-5",
  ];
  const reasons: string[] = [...Object.values(ownReasons), "She asked for it.", "constructor"];
  const rows = [
    ...about.map((subject) => ({ subject, reason: "" })),
    ...reasons.map((reason) => ({ subject: "", reason })),
  ].map((each, id) => ({
    ...each,
    id,
    at: "2026-01-01T00:00:00.000Z",
    actor: "bo",
    action: "undo",
    undoes: null,
    canUndo: false,
  }));
  const { user } = await openConsole("/audit");
  await user.answer(consoleCalls.whoami, whoami);
  await user.answer(consoleCalls.list, ok({ rows, next: null }));
  const shown = () => [
    ...screen
      .getAllByRole("listitem")
      .slice(0, about.length)
      .map((line) => line.querySelector("span")?.textContent),
    ...screen
      .getAllByRole("listitem")
      .slice(about.length)
      .map((line) => line.querySelector("div")?.lastElementChild?.textContent),
  ];
  expect(shown()).toEqual([
    ...about.map((subject) => ({ "event *": "all events", "unmatched 3": "row 3" })[subject] ?? subject),
    "To open the page.",
    "On the page.",
    "Saved by this page.",
    "She asked for it.",
    "constructor",
  ]);
  await settled(() => setLanguage("zh-CN"));
  expect(shown()).toEqual([
    "账号 7",
    "所有账号",
    "数据库",
    "通知 3",
    "所有通知",
    "管理员 anna",
    "订单 7K2",
    "套餐 monthly",
    "所有套餐",
    "收款地址序列 2",
    "第 3 条",
    "TRC20 至区块 5",
    "TRC20 1-5",
    "用于打开本页面。",
    "在本页面上添加。",
    "由本页面保存。",
    "She asked for it.",
    "constructor",
  ]);
});
