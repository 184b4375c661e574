/** What lies over the screen: the way back closes the uppermost, once for each time it is asked. */
import { expect } from "vitest";
import { overlaysMachine } from "../../machines/overlays.ts";
import { invariantsOf, type History } from "../support/invariant-runner.ts";

const overlays = invariantsOf(overlaysMachine, {
  events: [
    { type: "overlay.opened", id: "sheet" },
    { type: "overlay.opened", id: "question" },
    { type: "overlay.closed", id: "sheet" },
    { type: "overlay.closed", id: "question" },
    { type: "back.requested" },
  ],
  answers: {},
  simple: true,
});

/** The overlays that are open, the lowest first. */
const stack = (history: History<typeof overlaysMachine>) =>
  history.reduce<string[]>((open, { event }) => {
    if (event.type !== "overlay.opened" && event.type !== "overlay.closed") return open;
    const others = open.filter((id) => id !== event.id);
    return event.type === "overlay.opened" ? [...others, event.id] : others;
  }, []);

overlays.always("is covered while anything lies there", ({ state }, history) => {
  expect({ covered: state.hasTag("covered"), open: state.context.open }).toEqual({
    covered: stack(history).length > 0,
    open: stack(history),
  });
});

overlays.always("Back closes the uppermost overlay, and no other", ({ event, emitted }, history) => {
  const top = stack(history).at(-1);
  const told = event.type === "back.requested" && top !== undefined;
  expect(emitted).toEqual(told ? [{ type: "overlay.dismissed", id: top }] : []);
});
