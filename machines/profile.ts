/** The member's own particulars: nickname, gender, date of birth. Specification, sections 2 (personalInformation) and 3 ("User"). */
import { assertEvent, assign, emit, setup, type PromiseActorLogic } from "xstate";
import { clampDay, readDay, turnDay, writeDay, type Day, type DayPart, type DaySpan } from "./dates.ts";
import { failureMet, failureOf, type Failure, type FailureMet } from "./failure.ts";
import { waiting, waitingDelays } from "./waiting.ts";

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
  /** An empty `name` is taken away; an empty `sex` or `birth_date` is left as it is. */
  saveParticulars: PromiseActorLogic<void, { name: string; sex: Sex | ""; birth_date: string }>;
};

/** `today` on the phone's own calendar: nobody is born later. */
export type ProfileInput = { today: Day };

/** The calendar begins here. Specification, section 9. */
const FIRST_DAY: Day = { year: 1670, month: 1, day: 1 };
/** Where the wheels stand for somebody who has not said. */
const USUAL_DAY: Day = { year: 2000, month: 1, day: 1 };

type ProfileEvent =
  | { type: "form.submitted"; name: string }
  | { type: "sex.asked" }
  | { type: "sex.turned"; sex: Sex }
  | { type: "date.asked" }
  | { type: "date.turned"; part: DayPart; to: number }
  | { type: "sheet.confirmed" }
  | { type: "sheet.dismissed" }
  | { type: "page.shown" }
  | { type: "asked.again" }
  | { type: "waiting.dropped" };

export type ProfileEmitted = { type: "profile.saved" } | FailureMet;

type ProfileContext = {
  particulars: Particulars | null;
  sex: Sex | null;
  /** YYYY-MM-DD. */
  birthDate: string | null;
  /** What the wheels stand on while a sheet is open. */
  draft: { sex: Sex; date: Day };
  span: DaySpan;
  failure: Failure | null;
};

/** The day in what the API says, or null where it says none. */
function dayOf(said: string | null): string | null {
  const day = readDay(said ?? "");
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
    keepParticulars: assign((_, { particulars }: { particulars: Particulars }) => ({
      particulars,
      sex: particulars.sex,
      // What no calendar has is nothing to send back.
      birthDate: dayOf(particulars.birth_date),
      failure: null,
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
    keepFailure: assign({ failure: (_, { failure }: { failure: Failure }) => failure }),
    announceSaved: emit({ type: "profile.saved" }),
    announceFailure: emit(failureMet),
  },
}).createMachine({
  id: "profile",
  context: ({ input }) => ({
    particulars: null,
    sex: null,
    birthDate: null,
    draft: { sex: "man", date: USUAL_DAY },
    span: { min: FIRST_DAY, max: input.today },
    failure: null,
  }),
  initial: "loading",
  states: {
    loading: {
      invoke: {
        id: "readParticulars",
        src: "readParticulars",
        onDone: {
          target: "editing",
          actions: { type: "keepParticulars", params: ({ event }) => ({ particulars: event.output }) },
        },
        onError: {
          target: "failed",
          actions: { type: "keepFailure", params: ({ event }) => ({ failure: failureOf(event.error) }) },
        },
      },
      ...waiting,
      on: { "asked.again": { target: "loading", reenter: true } },
    },
    failed: { on: { "asked.again": "loading", "page.shown": "loading" } },
    editing: {
      // The wheels stand where they belong before anybody asks for them.
      entry: "beginDraft",
      initial: "resting",
      on: { "form.submitted": "saving" },
      states: {
        resting: { on: { "sex.asked": "choosingSex", "date.asked": "choosingDate" } },
        choosingSex: {
          entry: "beginDraft",
          on: {
            "sex.turned": { actions: { type: "turnSex", params: ({ event }) => event } },
            "sheet.confirmed": { target: "resting", actions: "keepSex" },
            "sheet.dismissed": "resting",
          },
        },
        choosingDate: {
          entry: "beginDraft",
          on: {
            "date.turned": { actions: { type: "turnDate", params: ({ event }) => event } },
            "sheet.confirmed": { target: "resting", actions: "keepDate" },
            "sheet.dismissed": "resting",
          },
        },
      },
    },
    saving: {
      tags: "busy",
      invoke: {
        id: "saveParticulars",
        src: "saveParticulars",
        input: ({ context: { sex, birthDate }, event }) => {
          assertEvent(event, "form.submitted");
          return { name: event.name.trim(), sex: sex ?? "", birth_date: birthDate ?? "" };
        },
        onDone: { target: "editing", actions: "announceSaved" },
        onError: {
          target: "editing",
          actions: { type: "announceFailure", params: ({ event }) => ({ failure: failureOf(event.error) }) },
        },
      },
      ...waiting,
      on: { "waiting.dropped": "editing" },
    },
  },
});
