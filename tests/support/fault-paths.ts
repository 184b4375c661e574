/** Every path of a user model with a fault in it: wherever the service's answer is awaited, what arrives is damaged. The screen must show what the model says of an unheard answer, and lead on when the fault is over. */
import { describe, expect, test } from "vitest";
import { getInitialSnapshot, type AnyMachineSnapshot, type AnyStateMachine } from "xstate";
import { BAD_GATEWAY, LOST, UNREADABLE } from "./error-words.ts";
import type { FaultName } from "./faults.ts";
import type { Envelope } from "./replies.ts";
import {
  performOnScreen,
  expectedView,
  serializeState,
  stepsFrom,
  type Action,
  type Step,
  type UserModel,
} from "./user-model.ts";
import type { User } from "../user.ts";

/** Those that an app can tell from a lost connection, and what it says of them. */
const said = {
  "half a body": UNREADABLE,
  "bad gateway": BAD_GATEWAY,
  "HTML instead of JSON": UNREADABLE,
  "wrong types": UNREADABLE,
} as const satisfies Partial<Record<FaultName, string>>;
type Damage = keyof typeof said;
const damages = Object.keys(said) as Damage[];

/** `npm run fault-paths` takes every fault in every place; otherwise each place takes one, in turn. */
const isWhole = process.env["FAULT_PATHS"] === "all";

type Place = {
  /** The steps to the wait. */
  way: Step[];
  call: string;
  /** What the service would have answered. */
  answer: Envelope;
  /** Where the person is when the answer comes, and when it is not heard. */
  answered: AnyMachineSnapshot;
  unheard: AnyMachineSnapshot;
  /** How the person comes to an answer in the end. */
  on: Step[];
};

const envelopeIn = (action: Action<AnyStateMachine> | undefined): Envelope | null =>
  typeof action?.reply === "object" && "code" in action.reply && action.reply.code === 200
    ? action.reply
    : null;

function placesOf({ person, actions }: Pick<UserModel, "person" | "actions">): Place[] {
  const events = (state: AnyMachineSnapshot) =>
    person.events.map((type) => ({ type: String(type) })).filter((event) => state.can(event as never));
  const nexts = (state: AnyMachineSnapshot) => stepsFrom(person, { events, serializeState }, state);
  const actionOf = ({ event }: Step) => actions[event.type];
  /** The shortest way from a state to an answer that the service gives. */
  const wayToAnswer = (from: AnyMachineSnapshot): Step[] => {
    const seen = new Set([serializeState(from)]);
    const queue: { state: AnyMachineSnapshot; way: Step[] }[] = [{ state: from, way: [] }];
    for (const { state, way } of queue) {
      for (const next of nexts(state)) {
        if (envelopeIn(actionOf(next))) return [...way, next];
        const id = serializeState(next.state);
        if (seen.has(id)) continue;
        seen.add(id);
        queue.push({ state: next.state, way: [...way, next] });
      }
    }
    return [];
  };
  /** The shortest way to every state. */
  const start = getInitialSnapshot(person);
  const ways = new Map([[serializeState(start), { state: start, way: [] as Step[] }]]);
  for (const { state, way } of ways.values()) {
    for (const next of nexts(state)) {
      const id = serializeState(next.state);
      if (!ways.has(id)) ways.set(id, { state: next.state, way: [...way, next] });
    }
  }
  return [...ways.values()].flatMap(({ state, way }): Place[] => {
    const steps = nexts(state);
    return steps.flatMap((step): Place[] => {
      const action = actionOf(step);
      // Scripts and files come another way.
      if (!action?.call?.startsWith("/api/") || (action.reply !== undefined && action.reply !== "lost"))
        return [];
      const answered = steps.find((one) => actionOf(one)?.call === action.call && envelopeIn(actionOf(one)));
      const answer = answered && envelopeIn(actionOf(answered));
      if (!answered || !answer) return [];
      return [
        {
          way,
          call: action.call,
          answer,
          answered: answered.state,
          unheard: step.state,
          on: wayToAnswer(step.state),
        },
      ];
    });
  });
}

/** An expected view, with what is said of a lost connection replaced. */
const saying = <View extends object>(view: View, words: string): View =>
  JSON.parse(JSON.stringify(view).replaceAll(LOST, words)) as View;

/** Declares one test a place and fault, where `open` shows the screen. */
export function runWithFaults<M extends AnyStateMachine, View extends object>(
  model: UserModel<M, View>,
  open: () => Promise<{ user: User }>,
): void {
  const places = placesOf(model);
  if (places.length === 0) return;
  let turn = 0;
  describe(`${model.chart.id}, on a faulty network`, () => {
    for (const { way, call, answer, answered, unheard, on } of places) {
      const chosen = isWhole ? damages : damages.filter((_, at) => at === turn % damages.length);
      turn += 1;
      for (const fault of chosen) {
        const name = way.map(({ event }) => event.type).join(" → ") || "begins";
        test(`${fault}: ${name} → ${call}`, async () => {
          const { user } = await open();
          const go = async (steps: readonly Step[]) => {
            for (const { event } of steps)
              await performOnScreen(
                user,
                model.actions[event.type] as unknown as Action<AnyStateMachine>,
                false,
              );
          };
          await go(way);
          await user.answer(call, { fault, of: answer });
          const seen = await model.viewOnScreen(user);
          // An answer without data has no types to be wrong.
          const isHarmless = fault === "wrong types" && (answer.data ?? null) === null;
          expect(seen).toEqual(
            saying(expectedView(model.defaultView, isHarmless ? answered : unheard), said[fault]),
          );
          const rest = isHarmless ? [] : on;
          await go(rest);
          const last = rest.at(-1);
          expect(await model.viewOnScreen(user)).toEqual(
            last ? expectedView(model.defaultView, last.state) : seen,
          );
        });
      }
    }
  });
}
