/** Choosing the language, as a user meets it. Specification, section 2 ("Language popup") and section 4; Decisions, "Names that outsiders rely on". */
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

const ticked = async (driver: ScreenDriver) => {
  if (await driver.isVisible('dialog button[lang="en"][aria-pressed="true"] svg')) return "English";
  return (await driver.isVisible('dialog button[lang="zh-CN"][aria-pressed="true"] svg')) ? "简体中文" : null;
};
const titleOf = async (driver: ScreenDriver) => {
  for (const title of ["Language", "语言"]) if (await driver.has("dialog", title)) return title;
  return null;
};

export const sheet = userModel({
  chart: sheetMachine,
  person,
  defaultView: blank,
  actions: {
    "asks for the languages": {
      sends: { type: "sheet.requested" },
      does: (driver) => driver.tap("button", /^(Change language|切换语言)$/),
    },
    closes: {
      sends: { type: "sheet.dismissed" },
      does: (driver) => driver.tap("button", /^(Close|关闭)$/),
    },
    "chooses English": {
      sends: { type: "row.chosen", value: "en" },
      does: (driver) => driver.tap("button", "English"),
    },
    "chooses Chinese": {
      sends: { type: "row.chosen", value: "zh-CN" },
      does: (driver) => driver.tap("button", "简体中文"),
    },
  },
  viewOfChart: (state, { emitted }) => ({
    rows: state.matches("open") ? rows : [],
    kept: emitted.at(-1)?.value ?? null,
  }),
  viewOnScreen: async (driver) => ({
    headline: await driver.title(),
    title: await titleOf(driver),
    rows: await Promise.all(rows.map(async (row) => ((await driver.has("button", row)) ? [row] : []))).then(
      (found) => found.flat(),
    ),
    ticked: await ticked(driver),
    page: (await driver.isVisible('html[lang="zh-CN"]')) ? "zh-CN" : "en",
    kept: await driver.stored("language"),
  }),
});
