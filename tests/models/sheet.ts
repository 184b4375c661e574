/** Choosing the language, as a user meets it. Specification, section 2 ("Language popup") and section 4; Decisions, "Names that outsiders rely on". */
import { sheetMachine } from "../../machines/sheet.ts";
import { userWhoSees, userModel } from "../support/user-model.ts";
import type { User } from "../user.ts";

const blank = {
  headline: "Never-offline VPN",
  title: null as string | null,
  /** The rows of the sheet, by what they are called; the current one is ticked. */
  rows: [] as string[],
  ticked: null as string | null,
  page: "en",
  kept: null as string | null,
};

const rows = ["简体中文", "English"];
const open = { title: "Language", rows, ticked: "English" };
const chinese = { headline: "永不掉线的 VPN", page: "zh-CN", kept: "zh-CN" };
const choices = { "chooses English": "english", "chooses Chinese": "chinese" };

const person = userWhoSees(blank).createMachine({
  id: "person",
  initial: "undecided",
  states: {
    undecided: { on: { "asks for the languages": "choosing" } },
    choosing: { meta: open, on: { ...choices, closes: "undecided" } },
    english: { meta: { kept: "en" }, on: { "asks for the languages": "choosingFromEnglish" } },
    choosingFromEnglish: { meta: { ...open, kept: "en" }, on: { ...choices, closes: "english" } },
    chinese: { meta: chinese, on: { "asks for the languages": "choosingFromChinese" } },
    choosingFromChinese: {
      meta: { ...chinese, title: "语言", rows, ticked: "简体中文" },
      on: { ...choices, closes: "chinese" },
    },
  },
});

const ticked = async (user: User) => {
  if (await user.isVisible('dialog button[lang="en"][aria-pressed="true"] svg')) return "English";
  return (await user.isVisible('dialog button[lang="zh-CN"][aria-pressed="true"] svg')) ? "简体中文" : null;
};
const titleOf = async (user: User) => {
  for (const title of ["Language", "语言"]) if (await user.has("dialog", title)) return title;
  return null;
};

export const sheet = userModel({
  chart: sheetMachine,
  person,
  defaultView: blank,
  actions: {
    "asks for the languages": {
      sends: { type: "sheet.requested" },
      does: (user) => user.tap("button", /^(Change language|切换语言)$/),
    },
    closes: {
      sends: { type: "sheet.dismissed" },
      does: (user) => user.tap("button", /^(Close|关闭)$/),
    },
    "chooses English": {
      sends: { type: "row.chosen", value: "en" },
      does: (user) => user.tap("button", "English"),
    },
    "chooses Chinese": {
      sends: { type: "row.chosen", value: "zh-CN" },
      does: (user) => user.tap("button", "简体中文"),
    },
  },
  viewOfChart: (state, { emitted }) => ({
    rows: state.matches("open") ? rows : [],
    kept: emitted.at(-1)?.value ?? null,
  }),
  viewOnScreen: async (user) => ({
    headline: await user.title(),
    title: await titleOf(user),
    rows: await Promise.all(rows.map(async (row) => ((await user.has("button", row)) ? [row] : []))).then(
      (found) => found.flat(),
    ),
    ticked: await ticked(user),
    page: (await user.isVisible('html[lang="zh-CN"]')) ? "zh-CN" : "en",
    kept: await user.stored("language"),
  }),
});
