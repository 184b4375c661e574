/** The member's particulars: read, turned on wheels, saved; days by their first ten characters, from 1670 to today. */
import { expect, test } from "vitest";
import { profileMachine, type Particulars, type Sex } from "../../machines/profile.ts";
import { birthDate, profile as model } from "../models/profile.ts";
import { runOnMachine } from "../support/user-model.ts";
import { Harness } from "../support/harness.ts";
import { invariantsOf, type History } from "../support/invariant-runner.ts";
import {
  answerIn,
  asked,
  asksOneAtATime,
  errorIn,
  tellsWhenSlow,
  formFailed,
} from "../support/invariants.ts";
import { refused, refusedFor } from "../support/samples.ts";

const unknown: Particulars = { account_name: "ann", name: null, sex: null, birth_date: null };
const known: Particulars = {
  account_name: "ann",
  name: "Annie",
  sex: "woman",
  birth_date: "1999-12-31 00:00:00",
};
const today = { year: 2026, month: 11, day: 20 };

const refusedFields = {
  name: refusedFor("name"),
  sex: refusedFor("sex"),
  birth_date: refusedFor("birth_date"),
};

const profile = invariantsOf(profileMachine, {
  inputs: [{ today }],
  events: [
    { type: "form.submitted", name: " Nan " },
    { type: "form.edited" },
    { type: "sex.requested" },
    { type: "sex.turned", sex: "woman" },
    { type: "date.requested" },
    { type: "date.turned", part: "year", to: 2001 },
    { type: "sheet.confirmed" },
    { type: "sheet.dismissed" },
    { type: "screen.activated" },
    { type: "retry" },
    { type: "cancel" },
  ],
  answers: {
    readParticulars: { known, unknown },
    saveParticulars: { saved: undefined, refused, ...refusedFields },
  },
  repeats: 1,
});

type Past = History<typeof profileMachine>;
type Screen = {
  at: "loading" | "failed" | "resting" | "choosingSex" | "choosingDate" | "saving";
  particulars: Particulars | null;
  sex: Sex | null;
  birthDate: string | null;
  /** What the open wheels stand on. */
  draft: string;
  /** The fields that the API refused, or none of them; null where it refused nothing. */
  refused: readonly string[] | null;
  asks: "readParticulars" | "saveParticulars" | null;
  says: readonly object[];
};

/** Section 2 (personalInformation) in a few words. */
function next(before: Screen, moment: Past[number]): Screen {
  const { event } = moment;
  const quiet: Screen = { ...before, asks: null, says: [] };
  const { at, draft } = quiet;
  const read: Screen = { ...quiet, at: "loading", asks: "readParticulars" };
  if (event.type === "start") return read;
  const told = answerIn(moment, "readParticulars")?.output as Particulars | undefined;
  if (told) {
    const birthDate = told === known ? "1999-12-31" : null;
    return { ...quiet, at: "resting", particulars: told, sex: told.sex, birthDate };
  }
  if (errorIn(moment, "readParticulars")) return { ...quiet, at: "failed" };
  if (answerIn(moment, "saveParticulars"))
    return { ...quiet, at: "resting", says: [{ type: "profile.saved" }] };
  const error = errorIn(moment, "saveParticulars");
  if (error) {
    const [field] = Object.entries(refusedFields).find(([, told]) => told.error === error) ?? [];
    const fields = field !== undefined ? [field] : error === refused.error ? [] : null;
    return { ...quiet, at: "resting", refused: fields, says: [formFailed(error)] };
  }
  const choosing = at === "choosingSex" || at === "choosingDate";
  switch (event.type) {
    case "form.submitted":
      return at === "resting" || choosing
        ? { ...quiet, at: "saving", refused: null, asks: "saveParticulars" }
        : quiet;
    case "form.edited":
      return at === "resting" || choosing ? { ...quiet, refused: null } : quiet;
    case "sex.requested":
      return at === "resting" ? { ...quiet, at: "choosingSex", draft: quiet.sex ?? "man" } : quiet;
    case "date.requested":
      return at === "resting"
        ? { ...quiet, at: "choosingDate", draft: quiet.birthDate ?? "2000-01-01" }
        : quiet;
    case "sex.turned":
      return at === "choosingSex" ? { ...quiet, draft: event.sex } : quiet;
    case "date.turned":
      return at === "choosingDate" ? { ...quiet, draft: `2001${draft.slice(4)}` } : quiet;
    case "sheet.confirmed":
      if (at === "choosingSex") return { ...quiet, at: "resting", sex: draft as Sex, refused: null };
      return at === "choosingDate" ? { ...quiet, at: "resting", birthDate: draft, refused: null } : quiet;
    case "sheet.dismissed":
      return choosing ? { ...quiet, at: "resting" } : quiet;
    case "screen.activated":
      return at === "failed" ? read : quiet;
    case "retry":
      return at === "loading" || at === "failed" ? read : quiet;
    case "cancel":
      return at === "saving" ? { ...quiet, at: "resting" } : quiet;
    case "wait":
    default:
      return quiet;
  }
}
const screenOf = (history: Past) =>
  history.reduce<Screen>(next, {
    at: "loading",
    particulars: null,
    sex: null,
    birthDate: null,
    draft: "",
    refused: null,
    asks: null,
    says: [],
  });

asksOneAtATime(profile);
tellsWhenSlow(profile, ["readParticulars", "saveParticulars"]);

profile.always(
  "shows what was read, and what was confirmed since, one picker at a time",
  ({ state }, history) => {
    const { at, particulars, sex, birthDate } = screenOf(history);
    const places = {
      loading: state.matches("loading"),
      failed: state.matches("failed"),
      resting: state.matches({ editing: "resting" }),
      choosingSex: state.matches({ editing: "choosingSex" }),
      choosingDate: state.matches({ editing: "choosingDate" }),
      saving: state.matches("saving"),
    };
    const { context } = state;
    expect({
      at: Object.entries(places).flatMap(([place, isThere]) => (isThere ? [place] : [])),
      particulars: context.particulars,
      sex: context.sex,
      birthDate: context.birthDate,
      busy: state.hasTag("busy"),
    }).toEqual({ at: [at], particulars, sex, birthDate, busy: at === "saving" });
  },
);

profile.always(
  "begins the wheels at what is known, and turns them until they are confirmed",
  (moment, history) => {
    const { at, draft } = screenOf(history);
    const { sex, date } = moment.state.context.draft;
    // They stand there before they are asked for: nothing turns as a sheet rises.
    const read = answerIn(moment, "readParticulars")?.output as Particulars | undefined;
    if (read) expect(sex).toBe(read.sex ?? "man");
    if (at === "choosingSex") expect(sex).toBe(draft);
    const [year = 0, month = 0, day = 0] = draft.split("-").map(Number);
    if (at === "choosingDate") expect(date).toEqual({ year, month, day });
  },
);

profile.always("saves the nickname, man or woman, and the day, as the API takes them", (moment, history) => {
  const { asks, sex, birthDate } = screenOf(history);
  const input =
    asks === "saveParticulars" ? { name: "Nan", sex: sex ?? "", birth_date: birthDate ?? "" } : undefined;
  expect(asked(moment)).toEqual(asks ? [{ id: asks, input }] : []);
});

profile.always(
  "keeps what the API refused, of a field or of all, until it is edited",
  ({ state }, history) => {
    const { refused: fields } = screenOf(history);
    expect(state.context.formError?.fields ?? null).toEqual(fields);
  },
);

profile.always("tells what came of saving", (moment, history) => {
  expect(moment.emitted).toEqual(screenOf(history).says);
});

profile.always("says why the particulars could not be read", (moment) => {
  const error = errorIn(moment, "readParticulars");
  if (error) expect(moment.state.context.error).toEqual(error);
});

test.each([
  [1670, "1670-12-31"],
  [1669, "1670-01-01"],
  [2026, "2026-11-20"],
  [2027, "2026-11-20"],
])("a birth year turned to %d is kept as %s: not before 1670, not after today", async (to, kept) => {
  const harness = new Harness(profileMachine, {
    input: { today },
    replies: { readParticulars: () => known },
  });
  await harness.advance(0);
  await harness.send({ type: "date.requested" });
  await harness.send({ type: "date.turned", part: "year", to });
  await harness.send({ type: "sheet.confirmed" });
  expect(harness.state.context.birthDate).toBe(kept);
});

runOnMachine(model);
test.each([
  ["0000-00-00", ""],
  ["", ""],
  ["1999-02-30", ""],
  ["1999-12-31T23:00:00Z", "1999-12-31"],
])("a date of birth that the API tells as %j is sent back as %j", async (told, sent) => {
  const particulars = { ...unknown, birth_date: told };
  const harness = new Harness(profileMachine, {
    input: { today },
    replies: { readParticulars: () => particulars },
  });
  await harness.advance(0);
  await harness.send({ type: "form.submitted", name: "Nan" });
  expect(harness.pending.map(({ input }) => input)).toEqual([{ name: "Nan", sex: "", birth_date: sent }]);
});

runOnMachine(birthDate);
