/** A bottom sheet with a list of options, one of them current. Specification, section 2 ("Language popup") and section 4. */
import { emit, setup } from "xstate";

type SheetEvent =
  { type: "sheet.requested" } | { type: "sheet.dismissed" } | { type: "row.chosen"; value: string };

export type SheetEmitted = { type: "sheet.chosen"; value: string };

export const sheetMachine = setup({
  types: { events: {} as SheetEvent, emitted: {} as SheetEmitted },
  actions: {
    announceChoice: emit((_, { value }: { value: string }) => ({ type: "sheet.chosen" as const, value })),
  },
}).createMachine({
  id: "sheet",
  initial: "closed",
  states: {
    closed: { on: { "sheet.requested": "open" } },
    open: {
      on: {
        "sheet.dismissed": "closed",
        "row.chosen": { target: "closed", actions: { type: "announceChoice", params: ({ event }) => event } },
      },
    },
  },
});
