/** What a screen of the operator's page reads: lists go on where they ended, and are read again after something was done. */
import { expect } from "vitest";
import { consoleReadingMachine } from "../../machines/console-reading.ts";
import { reading } from "../models/console.ts";
import { invariantsOf } from "../support/invariant-runner.ts";
import { answerIn, asked, asksOneAtATime, errorIn } from "../support/invariants.ts";
import { runOnMachine } from "../support/user-model.ts";

const pages = { first: { items: ["a"], next: "1.a" }, last: { items: ["b"], next: null } };
const history = invariantsOf(consoleReadingMachine, {
  inputs: [{ question: "orders" }],
  events: [{ type: "retry" }, { type: "more.requested" }, { type: "refresh.requested" }],
  answers: { read: pages },
  repeats: 1,
  distinguish: ({ reading: { items, next }, error }) => [items.length > 1, next, error],
});
asksOneAtATime(history);
history.always(
  "goes on where the page before ended, and from the beginning, as far as it had come, after something was done",
  (moment, past) => {
    const before = past.at(-2)?.state.context.reading;
    for (const call of asked(moment))
      expect(call.input).toEqual({
        question: "orders",
        cursor: call.id === "readMore" ? before?.next : null,
        atLeast: call.id === "readAgain" ? before?.items.length : 0,
      });
  },
);
history.always("shows what was read last, and adds what was read more", (moment, past) => {
  const before = past.at(-2)?.state.context.reading.items ?? [];
  const read = answerIn(moment, "read") ?? answerIn(moment, "readAgain");
  const more = answerIn(moment, "readMore");
  const page = (read ?? more)?.output as { items: string[] } | undefined;
  const expected = page ? [...(more ? before : []), ...page.items] : before;
  expect(moment.state.context.reading.items).toEqual(expected);
});
history.always(
  "reads anew whenever something was done, and more only where there is more",
  (moment, past) => {
    if (moment.event.type === "refresh.requested") expect(asked(moment)).toHaveLength(1);
    if (asked(moment).some(({ id }) => id === "readMore"))
      expect(past.at(-2)?.state.context.reading.next).not.toBe(null);
  },
);
history.always("is busy while it reads, and shows what was once read", ({ state, pending }, past) => {
  expect({ busy: state.hasTag("busy"), shown: state.hasTag("shown") }).toEqual({
    busy: pending.length > 0,
    shown: past.some((each) => answerIn(each, "read")),
  });
});
history.always("says what failed last, until something was read", ({ state }, past) => {
  const reads = ["read", "readAgain", "readMore"];
  const last = past.findLast((each) => answerIn(each, ...reads) ?? errorIn(each, ...reads));
  expect(state.context.error).toEqual((last && errorIn(last, ...reads)) ?? null);
});
runOnMachine(reading);
