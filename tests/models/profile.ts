/** The member's particulars, as a person meets them: two user models, of the gender and of the date of birth. Specification, sections 2 (personalInformation) and 9; Decisions, "Birth date", "Default timeout none". */
import { profileMachine } from "../../machines/profile.ts";
import { besideForm, blankForm, formActions, formOnScreen, refuses, toldIn } from "../support/form-model.ts";
import { networkIsBack, userWhoSees, userModel, wait, type UserModel } from "../support/user-model.ts";
import { ok } from "../support/replies.ts";
import { lost, unloaded } from "../support/samples.ts";
import type { User } from "../user.ts";

const notNow = "Not now.";
const tooLong = "Too long.";
const select = "Please select";

const blank = {
  ...blankForm,
  place: "/personalInformation",
  loading: false,
  /** What stands in the fields, or "" where there are none. */
  account: "Anna",
  nickname: "Annie",
  gender: "Female",
  born: "March\u00A05, 2001",
  /** The open sheet, and what its wheels stand on. */
  sheet: "",
  stands: "",
};

const paths = { readParticulars: "/api/user/center", saveParticulars: "/api/user/update_info" };
const nowhere = { account: "", nickname: "", gender: "", born: "" };

/** The phone's day in these models. */
const today = { year: 2026, month: 1, day: 1 };

const changed = { nickname: "Nan", gender: "Male" };

const chooser = userWhoSees(blank).createMachine({
  id: "person",
  initial: "loads",
  states: {
    loads: wait.of(
      { ...nowhere, loading: true, waiting: [paths.readParticulars] },
      { "is known": "#person.form", "is not heard": "#person.failed" },
      { "tries again": "#person.loads" },
    ),
    failed: {
      meta: { ...nowhere, warned: unloaded },
      on: { "tries again": "loads", "the network is back": "loads" },
    },
    form: { on: { "asks for the gender": "stands" } },
    stands: {
      meta: { sheet: "Gender", stands: "Female" },
      on: { "takes it": "form", "closes the sheet": "form", "turns the wheel": "turned" },
    },
    turned: {
      meta: { sheet: "Gender", stands: "Male" },
      on: { "takes it": "changed", "closes the sheet": "form", "turns it back": "stands" },
    },
    changed: { meta: { gender: "Male" }, on: { "sends it with another name": "saves" } },
    saves: wait.of(
      { ...changed, busy: true, waiting: [paths.saveParticulars] },
      {
        "is saved": "#person.settings",
        "is refused": "#person.toastShown",
        "is refused the name": "#person.toastOfName",
      },
      { "stops waiting": "#person.kept" },
    ),
    ...toldIn(
      "toastShown",
      "refused",
      { ...changed, warned: notNow },
      { "sends it with another name": "saves" },
    ),
    // What is wrong with one field stays beside it.
    ...toldIn(
      "toastOfName",
      "nameRefused",
      { ...changed, warned: tooLong, marked: ["name"] },
      { "edits the name": "kept" },
    ),
    // Nothing typed or chosen is lost.
    kept: { meta: changed, on: { "sends it with another name": "saves" } },
    settings: { meta: { ...nowhere, place: "/setting", toast: "Modified successfully" } },
  },
});

const sheet = "Date of birth";
const unborn = { nickname: "", gender: select, born: select };

/** For a user of whom nothing is known. */
const born = userWhoSees(blank).createMachine({
  id: "person",
  initial: "form",
  states: {
    form: { meta: unborn, on: { "asks for the date": "stands" } },
    stands: {
      meta: { ...unborn, sheet, stands: "January\u00A01, 2000" },
      on: {
        "takes it": "taken",
        "closes the sheet": "form",
        "turns to the first year": "first",
        "turns to the last year": "last",
      },
    },
    first: {
      meta: { ...unborn, sheet, stands: "January\u00A01, 1670" },
      on: { "takes it": "takenFirst", "closes the sheet": "form", "turns to the last year": "last" },
    },
    last: {
      meta: { ...unborn, sheet, stands: "January\u00A01, 2026" },
      on: { "takes it": "takenLast", "turns to the first year": "first" },
    },
    taken: { meta: { ...unborn, born: "January\u00A01, 2000" } },
    takenFirst: {
      meta: { ...unborn, born: "January\u00A01, 1670" },
      on: { "asks for the date": "standsFirst" },
    },
    // The wheels stand where the choice was.
    standsFirst: {
      meta: { ...unborn, born: "January\u00A01, 1670", sheet, stands: "January\u00A01, 1670" },
      on: { "closes the sheet": "takenFirst", "takes it": "takenFirst" },
    },
    takenLast: { meta: { ...unborn, born: "January\u00A01, 2026" } },
  },
});

const dayOf = (month = "", day: string | number = "", year: string | number = "") =>
  month && `${month}\u00A0${day}, ${year}`;

async function viewOnScreen(user: User): Promise<typeof blank> {
  const [gender = "", day = ""] = await user.texts("button[aria-haspopup=dialog]");
  const isThere = gender !== "";
  const wheels = ["Gender", "Month", "Day", "Year"].map((label) => user.wheelValue(label));
  const [sex, month, date, year] = await Promise.all(wheels);
  const isOpen = await Promise.all(["Gender", sheet].map((name) => user.has("dialog", name)));
  return {
    place: await user.path(),
    loading: await user.isVisible("[aria-busy=true]:not(button)"),
    account: isThere ? await user.value("Account number") : "",
    nickname: isThere ? await user.value("Nickname") : "",
    gender,
    born: day,
    sheet: ["Gender", sheet].filter((_, index) => isOpen[index]).join(),
    stands: sex || dayOf(month, date, year),
    ...(await formOnScreen(user, "Confirm", ["name"])),
  };
}

const months = ["January", "February", "March"];
const wordDay = (year: number, month: number, day: number) => dayOf(months[month - 1], day, year);

const viewOfChart: UserModel<typeof profileMachine, typeof blank>["viewOfChart"] = (
  state,
  { emitted, pending },
) => {
  const { particulars, sex, birthDate, draft, formError, error } = state.context;
  const isSaved = emitted.some(({ type }) => type === "profile.saved");
  const isThere = particulars !== null && !isSaved;
  const genders = { man: "Male", woman: "Female" };
  const [year = 0, month = 0, day = 0] = (birthDate ?? "").split("-").map(Number);
  const { date } = draft;
  return {
    place: isSaved ? "/setting" : "/personalInformation",
    loading: state.matches("loading"),
    account: isThere ? "Anna" : "",
    gender: !isThere ? "" : sex === null ? select : genders[sex],
    born: !isThere ? "" : birthDate === null ? select : wordDay(year, month, day),
    ...(state.matches({ editing: "choosingSex" })
      ? { sheet: "Gender", stands: genders[draft.sex] }
      : state.matches({ editing: "choosingDate" })
        ? { sheet, stands: wordDay(date.year, date.month, date.day) }
        : { sheet: "", stands: "" }),
    busy: state.hasTag("busy"),
    slow: state.hasTag("slow"),
    ...besideForm(formError, {}),
    ...(state.matches("failed") && error?.kind === "network" && { warned: unloaded }),
    waiting: pending.map(({ id }) => paths[id as keyof typeof paths]),
  };
};

/** What the service knows of her, and of a user whose profile is empty. */
const known = {
  account_name: "Anna",
  name: "Annie",
  sex: "woman",
  birth_date: "2001-03-05 00:00:00",
} as const;
export const unknown = { account_name: "Anna", name: null, sex: null, birth_date: null };

const onSheet = {
  "takes it": {
    sends: { type: "sheet.confirmed" } as const,
    does: (user: User) => user.tap("button", "Confirm"),
  },
  "closes the sheet": {
    sends: { type: "sheet.dismissed" } as const,
    does: (user: User) => user.tap("button", "Close"),
  },
};

export const profile = userModel({
  chart: profileMachine,
  input: { today },
  person: chooser,
  defaultView: blank,
  actions: {
    ...onSheet,
    "is known": {
      invoke: "readParticulars",
      output: known,
      call: paths.readParticulars,
      reply: ok({ user: known }),
    },
    "is not heard": { invoke: "readParticulars", error: lost, call: paths.readParticulars },
    "tries again": { sends: { type: "retry" }, does: (user) => user.tap("button", "Try again") },
    "the network is back": networkIsBack,
    "asks for the gender": {
      sends: { type: "sex.requested" },
      does: (user) => user.tap("button", /^Gender/),
    },
    "turns the wheel": {
      sends: { type: "sex.turned", sex: "man" },
      does: (user) => user.turn("Gender", "{ArrowUp}"),
    },
    "turns it back": {
      sends: { type: "sex.turned", sex: "woman" },
      does: (user) => user.turn("Gender", "{ArrowDown}"),
    },
    "sends it with another name": {
      sends: { type: "form.submitted", name: "Nan" },
      does: async (user) => {
        await user.type("Nickname", "Nan");
        await user.tap("button", "Confirm");
      },
    },
    "is saved": { invoke: "saveParticulars", output: undefined, call: paths.saveParticulars, reply: ok() },
    "edits the name": {
      sends: { type: "form.edited" },
      does: (user) => user.type("Nickname", "Nan"),
    },
    "is refused": refuses("saveParticulars", paths.saveParticulars, notNow),
    "is refused the name": refuses("saveParticulars", paths.saveParticulars, tooLong, "name"),
    ...formActions,
  },
  viewOfChart,
  viewOnScreen,
});

/** The service answers at once, with a user whose profile is empty. */
export const birthDate = userModel({
  chart: profileMachine,
  input: { today },
  immediate: { readParticulars: () => unknown },
  person: born,
  defaultView: blank,
  actions: {
    ...onSheet,
    "asks for the date": {
      sends: { type: "date.requested" },
      does: (user) => user.tap("button", /^Date of birth/),
    },
    "turns to the first year": {
      sends: { type: "date.turned", part: "year", to: 0 },
      does: (user) => user.turn("Year", "{Home}"),
    },
    "turns to the last year": {
      sends: { type: "date.turned", part: "year", to: 9999 },
      does: (user) => user.turn("Year", "{End}"),
    },
  },
  viewOfChart,
  viewOnScreen,
});
