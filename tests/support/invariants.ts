/** What the specification promises of every chart that asks and waits. */
import { expect } from "vitest";
import type { AnyMachineSnapshot, AnyStateMachine, InputFrom } from "xstate";
import type { CallFailed, CallError } from "../../machines/call-error.ts";
import type { History, Moment, InvariantRunner } from "./invariant-runner.ts";

/** Decisions, "Default timeout none": after ten seconds a waiting screen says so. */
export const PATIENCE = 10_000;

/** `ids`: the invokes that a person waits for. */
export function tellsWhenSlow<M extends AnyStateMachine>(
  invariants: InvariantRunner<M>,
  ids: readonly string[],
): void {
  invariants.always("tells, from the tenth second on, that an answer is late", ({ state, pending, at }) => {
    const late = pending.some((call) => ids.includes(call.id) && at - call.at >= PATIENCE);
    expect((state as AnyMachineSnapshot).hasTag("slow")).toBe(late);
  });
}

/** Decisions, "Default timeout none": the user is not kept waiting. `ids`: the invokes that a person may turn away from, and how. */
export function letsGoWhenTold<M extends AnyStateMachine>(
  invariants: InvariantRunner<M>,
  ids: readonly string[],
  how = "cancel",
): void {
  invariants.always("waits no longer once it is told so", ({ event, pending }) => {
    const { type }: { type: string } = event;
    if (type === how) expect(pending.filter(({ id }) => ids.includes(id))).toEqual([]);
  });
}

/** `ids`: the invokes of which one may be under way at a time. */
export function asksOneAtATime<M extends AnyStateMachine>(
  invariants: InvariantRunner<M>,
  ids?: readonly string[],
): void {
  const which = ids ? ` (${ids.join(", ")})` : "";
  invariants.always(`has one question under way at most${which}`, ({ pending }) => {
    expect(pending.filter(({ id }) => ids?.includes(id) ?? true).length).toBeLessThan(2);
  });
}

/** All three, of a chart that asks for one thing in one place. */
export function keepsNobodyWaiting<M extends AnyStateMachine>(
  invariants: InvariantRunner<M>,
  ids: readonly string[],
  how?: string,
): void {
  asksOneAtATime(invariants);
  tellsWhenSlow(invariants, ids);
  letsGoWhenTold(invariants, ids, how);
}

/** What the chart of a history was started with. */
export function inputIn<M extends AnyStateMachine>([start]: History<M>): InputFrom<M> {
  const event: object | undefined = start?.event;
  if (!event || !("input" in event)) throw new Error("A history has a start.");
  return event.input as InputFrom<M>;
}

/** The questions of a moment, without their time. */
export const asked = ({ calls }: Pick<Moment<AnyStateMachine>, "calls">) =>
  calls.map(({ id, input }) => ({ id, input }));

/** The error that a moment brought, if it was one of these invokes. */
export function errorIn({ event }: { event: object }, ...ids: string[]): CallError | undefined {
  return "error" in event && "id" in event && ids.includes(String(event.id))
    ? (event.error as CallFailed).error
    : undefined;
}

/** The answer that a moment brought, if it was one of these invokes. */
export function answerIn({ event }: { event: object }, ...ids: string[]): { output: unknown } | undefined {
  return "output" in event && "id" in event && ids.includes(String(event.id)) ? event : undefined;
}

/** Whether one of these invokes was under way just before. */
export const wasAsking = <M extends AnyStateMachine>(history: History<M>, ...ids: string[]): boolean =>
  history.at(-2)?.pending.some(({ id }) => ids.includes(id)) ?? false;

/** Of a request that ends the session: whether it is over, and whether a form can be sent. */
export function endingBy<M extends AnyStateMachine>(id: string) {
  const isOver = (history: History<M>): boolean => history.some((moment) => answerIn(moment, id));
  const isIdle = (history: History<M>): boolean => !wasAsking(history, id) && !isOver(history.slice(0, -1));
  return { isOver, isIdle };
}

/** What is told of a request that ends the session: that it was sent, and that it was answered and ended nothing. */
export const endingTold = <M extends AnyStateMachine>(
  moment: Moment<M>,
  id: string,
  ending: "password" | "account",
): object[] => {
  if (moment.calls.length > 0) return [{ type: "ending.sent", ending }];
  const error = errorIn(moment, id);
  return error && error.kind !== "network" ? [{ type: "ending.refused" }] : [];
};

/** What a chart of a form tells of a failed request: the API's own words stand in the form, too. */
export const formFailed = (error: CallError) => ({
  type: "request.failed",
  error,
  ...(error.kind === "refused" && error.message !== "" && { inForm: true }),
});

/** How often something has happened. */
export const times = <M extends AnyStateMachine>(history: History<M>, type: string): number =>
  history.filter(({ event }) => event.type === type).length;

/** What a form keeps of the API's refusal: its message, and the field that it names. */
export const besideForm = (error: CallError) =>
  error.kind === "refused"
    ? { kind: "refused", fields: error.field === undefined ? [] : [error.field], message: error.message }
    : null;
