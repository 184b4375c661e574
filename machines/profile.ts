/** The member's profile: nickname, gender and date of birth. Specification, sections 2 (personalInformation) and 3 ("User"). */
import { assign, emit, setup, type PromiseActorLogic } from "xstate";
import { clampDay, readDay, turnDay, writeDay, type Day, type DayPart, type DaySpan } from "./dates.ts";
import {
  type CallError,
  type RequestFailed,
  loadFailed,
  requestFailed,
  showErrorIn,
  keepOutputIn,
} from "./call-error.ts";
import {
  type Failed,
  fieldErrorOf,
  type FieldError,
  type FormEvent,
  sentForm,
  showFieldErrorIn,
  submitting,
} from "./form.ts";
import { loading, waitingDelays } from "./slow-request.ts";

export type Sex = "man" | "woman";

/** `birth_date` begins with YYYY-MM-DD. */
export type Particulars = {
  account_name: string;
  name: string | null;
  sex: Sex | null;
  birth_date: string | null;
};

export type ProfilePorts = {
  readParticulars: PromiseActorLogic<Particulars>;
  /** An empty `name` deletes the nickname; an empty `sex` or `birth_date` leaves the value unchanged. */
  saveParticulars: PromiseActorLogic<void, { name: string; sex: Sex | ""; birth_date: string }>;
};

/** `today` in the phone's time zone, the latest possible birth date. */
export type ProfileInput = { today: Day };

/** The earliest date of the calendar. Specification, section 9. */
const FIRST_DAY: Day = { year: 1670, month: 1, day: 1 };
/** Where the date wheels start when no birth date is set. */
const USUAL_DAY: Day = { year: 2000, month: 1, day: 1 };

type ProfileEvent =
  | FormEvent<{ name: string }>
  | { type: "sex.requested" }
  | { type: "sex.turned"; sex: Sex }
  | { type: "date.requested" }
  | { type: "date.turned"; part: DayPart; to: number }
  | { type: "sheet.confirmed" }
  | { type: "sheet.dismissed" }
  | { type: "screen.activated" }
  | { type: "retry" };

export type ProfileEmitted = { type: "profile.saved" } | RequestFailed;

type ProfileContext = {
  particulars: Particulars | null;
  sex: Sex | null;
  /** YYYY-MM-DD. */
  birthDate: string | null;
  /** The values on the wheels while a sheet is open. */
  draft: { sex: Sex; date: Day };
  span: DaySpan;
  /** The API's error of the form. */
  formError: FieldError<"name" | "sex" | "birth_date"> | null;
  error: CallError | null;
};

/** The date in the API's value, or null when it has none. */
function dayOf(text: string | null): string | null {
  const day = readDay(text ?? "");
  return day && writeDay(day);
}

export const profileMachine = setup({
  types: {
    context: {} as ProfileContext,
    input: {} as ProfileInput,
    events: {} as ProfileEvent,
    emitted: {} as ProfileEmitted,
    tags: {} as "busy" | "slow",
  },
  actors: {} as ProfilePorts,
  delays: waitingDelays,
  actions: {
    keepParticulars: assign((_, particulars: Particulars) => ({
      particulars,
      sex: particulars.sex,
      // An invalid date is not sent back.
      birthDate: dayOf(particulars.birth_date),
      error: null,
    })),
    beginDraft: assign({
      draft: ({ context: { sex, birthDate, span } }) => ({
        sex: sex ?? "man",
        date: clampDay(readDay(birthDate ?? "") ?? USUAL_DAY, span),
      }),
    }),
    turnSex: assign({ draft: ({ context }, { sex }: { sex: Sex }) => ({ ...context.draft, sex }) }),
    turnDate: assign({
      draft: ({ context: { draft, span } }, { part, to }: { part: DayPart; to: number }) => ({
        ...draft,
        date: turnDay(draft.date, part, to, span),
      }),
    }),
    keepSex: assign({ sex: ({ context }) => context.draft.sex }),
    keepDate: assign({ birthDate: ({ context }) => writeDay(context.draft.date) }),
    keepFieldError: assign({
      formError: (_, failed: Failed) => fieldErrorOf(failed, ["name", "sex", "birth_date"]),
    }),
    clearFormError: assign({ formError: null }),
    keepError: assign({ error: (_, { error }: { error: CallError }) => error }),
    announceSaved: emit({ type: "profile.saved" }),
    announceError: emit(requestFailed),
  },
}).createMachine({
  id: "profile",
  context: ({ input }) => ({
    particulars: null,
    sex: null,
    birthDate: null,
    draft: { sex: "man", date: USUAL_DAY },
    span: { min: FIRST_DAY, max: input.today },
    formError: null,
    error: null,
  }),
  initial: "loading",
  states: {
    loading: {
      ...loading,
      invoke: {
        id: "readParticulars",
        src: "readParticulars",
        onDone: keepOutputIn("editing", "keepParticulars"),
        onError: showErrorIn("failed"),
      },
    },
    failed: loadFailed,
    editing: {
      // The sheets are rendered ahead, so the wheels are set before one opens.
      entry: "beginDraft",
      initial: "resting",
      on: {
        "form.edited": { actions: "clearFormError" },
        "form.submitted": { target: "saving", actions: "clearFormError" },
      },
      states: {
        resting: { on: { "sex.requested": "choosingSex", "date.requested": "choosingDate" } },
        choosingSex: {
          entry: "beginDraft",
          on: {
            "sex.turned": { actions: { type: "turnSex", params: ({ event }) => event } },
            "sheet.confirmed": { target: "resting", actions: ["keepSex", "clearFormError"] },
            "sheet.dismissed": "resting",
          },
        },
        choosingDate: {
          entry: "beginDraft",
          on: {
            "date.turned": { actions: { type: "turnDate", params: ({ event }) => event } },
            "sheet.confirmed": { target: "resting", actions: ["keepDate", "clearFormError"] },
            "sheet.dismissed": "resting",
          },
        },
      },
    },
    saving: {
      ...submitting("editing"),
      invoke: {
        id: "saveParticulars",
        src: "saveParticulars",
        input: ({ context: { sex, birthDate }, event }) => ({
          name: sentForm({ event }).name.trim(),
          sex: sex ?? "",
          birth_date: birthDate ?? "",
        }),
        onDone: { target: "editing", actions: "announceSaved" },
        onError: showFieldErrorIn("editing"),
      },
    },
  },
});
