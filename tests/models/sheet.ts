/** Choosing the language, as a person meets it. Specification, section 2 ("Language popup") and section 4; Decisions, "Names that outsiders rely on". */
import { sheetMachine } from "../../machines/sheet.ts";
import { userWhoSees, userModel, type ScreenDriver } from "../support/user-model.ts";

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

const ticked = async (hand: ScreenDriver) => {
  if (await hand.shows('dialog button[lang="en"][aria-pressed="true"] svg')) return "English";
  return (await hand.shows('dialog button[lang="zh-CN"][aria-pressed="true"] svg')) ? "简体中文" : null;
};
const titleOf = async (hand: ScreenDriver) => {
  for (const title of ["Language", "语言"]) if (await hand.has("dialog", title)) return title;
  return null;
};

export const sheet = userModel({
  chart: sheetMachine,
  person,
  look: blank,
  actions: {
    "asks for the languages": {
      sends: { type: "sheet.asked" },
      does: (hand) => hand.tap("button", /^(Change language|切换语言)$/),
    },
    closes: {
      sends: { type: "sheet.dismissed" },
      does: (hand) => hand.tap("button", /^(Close|关闭)$/),
    },
    "chooses English": {
      sends: { type: "row.chosen", value: "en" },
      does: (hand) => hand.tap("button", "English"),
    },
    "chooses Chinese": {
      sends: { type: "row.chosen", value: "zh-CN" },
      does: (hand) => hand.tap("button", "简体中文"),
    },
  },
  tells: (state, { emitted }) => ({
    rows: state.matches("open") ? rows : [],
    kept: emitted.at(-1)?.value ?? null,
  }),
  looks: async (hand) => ({
    headline: await hand.title(),
    title: await titleOf(hand),
    rows: await Promise.all(rows.map(async (row) => ((await hand.has("button", row)) ? [row] : []))).then(
      (found) => found.flat(),
    ),
    ticked: await ticked(hand),
    page: (await hand.shows('html[lang="zh-CN"]')) ? "zh-CN" : "en",
    kept: await hand.stored("language"),
  }),
});
