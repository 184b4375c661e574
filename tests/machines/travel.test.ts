/** Going from place to place before the router is there: nobody's way is lost, and none is led twice. */
import { expect } from "vitest";
import { CallFailed } from "../../machines/failure.ts";
import { travelMachine, type Way } from "../../machines/travel.ts";
import { travelling } from "../models/travel.ts";
import { rehearse } from "../support/play.ts";
import { answerIn, asked, asksOneAtATime, failureIn } from "../support/promises.ts";
import { lost } from "../support/samples.ts";
import { study, type History, type Moment } from "../support/study.ts";

const on: Way = { to: "/buy" };
const back: Way = { to: "/home", back: true };
const gone = new CallFailed({ kind: "outdated" });

const travel = study(travelMachine, {
  events: [
    { type: "page.touched" },
    { type: "way.asked", way: on },
    { type: "way.asked", way: back },
    { type: "network.found" },
  ],
  answers: { fetchRouter: { here: undefined, lost, gone } },
  simple: true,
});

asksOneAtATime(travel);

type Seen = Moment<typeof travelMachine>;
const cameIn = (moment: Seen) => answerIn(moment, "fetchRouter") !== undefined;

/** What was asked for last, as long as nobody has been led there. */
function wishOf(history: History<typeof travelMachine>): Way | null {
  let wish: Way | null = null;
  let here = false;
  for (const moment of history) {
    const isGone = failureIn(moment, "fetchRouter")?.kind === "outdated";
    if (moment.event.type === "way.asked" && !here) wish = moment.event.way;
    if (cameIn(moment) || isGone) wish = null;
    here ||= cameIn(moment);
  }
  return wish;
}

travel.always(
  "asks for the router with the first sign of a person, and never when it is here",
  (moment, history) => {
    const before = history.at(-2);
    const idle = before !== undefined && before.pending.length === 0 && !history.slice(0, -1).some(cameIn);
    const { type } = moment.event;
    const wants =
      type === "way.asked" ||
      (type === "page.touched" && wishOf(history) === null) ||
      (type === "network.found" && wishOf(history) !== null);
    expect(asked(moment).map(({ id }) => id)).toEqual(idle && wants ? ["fetchRouter"] : []);
  },
);

travel.always("leads to what was asked for last, once, as soon as it can", (moment, history) => {
  const here = history.some(cameIn);
  const waited = wishOf(history.slice(0, -1));
  const led = moment.event.type === "way.asked" && here ? moment.event.way : cameIn(moment) ? waited : null;
  const leads = moment.emitted.filter(({ type }) => type === "way.led");
  expect(leads).toEqual(led ? [{ type: "way.led", way: led }] : []);
});

travel.always("says that it has begun to whoever waits, and what came of it", (moment, history) => {
  const here = history.some(cameIn);
  const waited = wishOf(history.slice(0, -1));
  const failure = failureIn(moment, "fetchRouter")?.kind;
  const begins =
    (moment.event.type === "way.asked" && !here) ||
    (moment.event.type === "network.found" && asked(moment).length > 0);
  const said = moment.emitted.filter(({ type }) => type !== "way.led");
  expect(said).toEqual([
    ...(begins ? [{ type: "way.begun" }] : []),
    ...(failure === "network" && waited ? [{ type: "way.missed" }] : []),
    ...(failure === "outdated" && waited ? [{ type: "document.asked", way: waited }] : []),
  ]);
});

rehearse(travelling);
