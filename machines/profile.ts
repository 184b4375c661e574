/** The member's own particulars: nickname, gender, date of birth. Specification, sections 2 (personalInformation) and 3 ("User"). */
import { assertEvent, assign, emit, setup, type PromiseActorLogic } from "xstate";
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
  /** An empty `sex` or `birth_date` is left as it is. */
  saveParticulars: PromiseActorLogic<void, { name: string; sex: Sex | ""; birth_date: string }>;
};

type ProfileEvent =
  | { type: "form.submitted"; name: string }
  | { type: "sex.asked" }
  | { type: "sex.chosen"; sex: Sex }
  | { type: "date.asked" }
  | { type: "date.chosen"; date: string }
  | { type: "sheet.dismissed" }
  | { type: "asked.again" }
  | { type: "waiting.dropped" };

export type ProfileEmitted = { type: "profile.saved" } | FailureMet;

type ProfileContext = {
  particulars: Particulars | null;
  sex: Sex | null;
  /** YYYY-MM-DD. */
  birthDate: string | null;
  failure: Failure | null;
};

export const profileMachine = setup({
  types: {
    context: {} as ProfileContext,
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
      birthDate: particulars.birth_date === null ? null : particulars.birth_date.slice(0, 10),
      failure: null,
    })),
    keepSex: assign({ sex: (_, { sex }: { sex: Sex }) => sex }),
    keepDate: assign({ birthDate: (_, { date }: { date: string }) => date }),
    keepFailure: assign({ failure: (_, { failure }: { failure: Failure }) => failure }),
    announceSaved: emit({ type: "profile.saved" }),
    announceFailure: emit(failureMet),
  },
}).createMachine({
  id: "profile",
  context: { particulars: null, sex: null, birthDate: null, failure: null },
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
    failed: { on: { "asked.again": "loading" } },
    editing: {
      initial: "resting",
      on: { "form.submitted": "saving" },
      states: {
        resting: { on: { "sex.asked": "choosingSex", "date.asked": "choosingDate" } },
        choosingSex: {
          on: {
            "sex.chosen": { target: "resting", actions: { type: "keepSex", params: ({ event }) => event } },
            "sheet.dismissed": "resting",
          },
        },
        choosingDate: {
          on: {
            "date.chosen": { target: "resting", actions: { type: "keepDate", params: ({ event }) => event } },
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
