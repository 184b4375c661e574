/** What is said of the end of a membership, from the seventh day before it on: pure functions. Decision 31. */
import { DAY } from "../src/contract/durations.ts";
import type { Distance } from "../src/contract/moments.ts";

/** From the seventh, the third and the last day before on, and after the end. */
type EndPhase = "week" | "days" | "day" | "over";

export type MembershipEnd = Pick<Distance, "text" | "days"> & {
  phase: EndPhase;
  /** `todayAt` and `overToday` name the hour. */
  message: "inDays" | "tomorrow" | "today" | "todayAt" | "over" | "overToday";
};

/** Ms after its end in which an ended membership is still mentioned. */
const REMEMBERED = 30 * DAY;

const phases = [
  ["day", 1],
  ["days", 3],
  ["week", 7],
] as const satisfies readonly (readonly [EndPhase, number])[];

function messageOf({ past, days, hasHour }: Distance): MembershipEnd["message"] {
  if (past >= 0) return days === 0 && hasHour ? "overToday" : "over";
  if (days > 1) return "inDays";
  if (days === 1) return "tomorrow";
  return hasHour ? "todayAt" : "today";
}

/**
 * @param isMember whether a membership runs, as the API says
 * @param distance null where the API names no end
 * @returns null where there is nothing to say: no membership, one that runs for longer, or an end long ago
 */
export function endOf(isMember: boolean, distance: Distance | null): MembershipEnd | null {
  if (!distance) return null;
  const { text, past, days } = distance;
  const said = { text, days, message: messageOf(distance) };
  if (past >= 0) return past > REMEMBERED ? null : { ...said, phase: "over" };
  const near = phases.find(([, most]) => days <= most);
  return near && isMember ? { ...said, phase: near[0] } : null;
}
