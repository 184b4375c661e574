/** The language of the app: loads and shows the one that was chosen last. Specification, sections 1 and 2 ("Language popup"). */
import { assign, emit, setup, type PromiseActorLogic } from "xstate";
import { requestFailed, type RequestFailed, announceErrorIn } from "./call-error.ts";

export type LanguagePorts = {
  /** Loads the messages and rerenders every view, unless another language was asked for meanwhile. */
  setLocale: PromiseActorLogic<unknown, { language: string }>;
};

type LanguageEvent = { type: "language.chosen"; language: string };

export type LanguageEmitted = { type: "language.changed"; language: string } | RequestFailed;

export const languageMachine = setup({
  types: {
    context: {} as { language: string },
    events: {} as LanguageEvent,
    emitted: {} as LanguageEmitted,
  },
  actors: {} as LanguagePorts,
  actions: {
    keepLanguage: assign({ language: (_, { language }: { language: string }) => language }),
    announceChanged: emit(({ context: { language } }): LanguageEmitted => ({
      type: "language.changed",
      language,
    })),
    announceError: emit(requestFailed),
  },
}).createMachine({
  id: "language",
  context: { language: "" },
  on: {
    // The last choice counts.
    "language.chosen": {
      target: ".changing",
      actions: { type: "keepLanguage", params: ({ event }) => event },
    },
  },
  initial: "resting",
  states: {
    resting: {},
    changing: {
      invoke: {
        id: "setLocale",
        src: "setLocale",
        input: ({ context: { language } }) => ({ language }),
        onDone: { target: "resting", actions: "announceChanged" },
        onError: announceErrorIn("resting"),
      },
    },
  },
});
