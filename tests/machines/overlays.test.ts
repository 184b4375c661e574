/** What lies over the screen: the way back closes the uppermost, once for each time it is asked. */
import { expect } from "vitest";
import { overlaysMachine } from "../../machines/overlays.ts";
import { invariantsOf, type History } from "../support/invariant-runner.ts";

const layers = invariantsOf(overlaysMachine, {
  events: [
    { type: "layer.opened", id: "sheet" },
    { type: "layer.opened", id: "question" },
    { type: "layer.closed", id: "sheet" },
    { type: "layer.closed", id: "question" },
    { type: "back.requested" },
  ],
  answers: {},
  simple: true,
});

/** Which layers lie there after all that happened, the lowest first. */
const pile = (history: History<typeof overlaysMachine>) =>
  history.reduce<string[]>((open, { event }) => {
    if (event.type !== "layer.opened" && event.type !== "layer.closed") return open;
    const others = open.filter((id) => id !== event.id);
    return event.type === "layer.opened" ? [...others, event.id] : others;
  }, []);

layers.always("is covered while anything lies there", ({ state }, history) => {
  expect({ covered: state.hasTag("covered"), open: state.context.open }).toEqual({
    covered: pile(history).length > 0,
    open: pile(history),
  });
});

layers.always("Back closes the uppermost overlay, and no other", ({ event, emitted }, history) => {
  const top = pile(history).at(-1);
  const told = event.type === "back.requested" && top !== undefined;
  expect(emitted).toEqual(told ? [{ type: "layer.dismissed", id: top }] : []);
});
