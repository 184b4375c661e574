/** The faults that `npm run faults` puts into charts, and how one is put in. */

export interface Fault {
  chart: string;
  /** What is wrong then. */
  words: string;
  /** Where a chart's verbs have a file of their own. */
  file?: string;
  /** Stands once in that source. */
  right: string;
  wrong: string;
}

/** Of the charts that money and sessions hang on: a guard turned round, a transition left out, a delay that is another. */
export const faults: readonly Fault[] = [
  {
    chart: "session",
    words: "a stored name that is the same counts as another's",
    right: "userName === context.userName",
    wrong: "userName !== context.userName",
  },
  {
    chart: "session",
    words: "a changed password does not end the session",
    right: `"sessions.closed": { target: "signedOut", actions: ["announceEnded", "forgetName"] },`,
    wrong: "",
  },
  {
    chart: "session",
    words: "a logout waits for 600 ms",
    right: "logoutDelay: 500",
    wrong: "logoutDelay: 600",
  },
  {
    chart: "register",
    words: "the box must be unticked",
    right: "return agreement ?",
    wrong: "return !agreement ?",
  },
  {
    chart: "register",
    words: "waiting for the account cannot be given up",
    right: `...submitting("editing", "forgetCredentials"),
          entry`,
    wrong: `tags: "busy",
          entry`,
  },
  { chart: "register", words: "the box shakes for 400 ms", right: "shake: 500", wrong: "shake: 400" },
  {
    chart: "order-check",
    words: "the countdown has run out while it runs",
    right: "minute !== null && minute <= 0",
    wrong: "minute !== null && minute > 0",
  },
  {
    chart: "order",
    words: "an open order does not look at the clock when it is seen",
    right: `counting: {
      after: { second: "readingClock" },
      on: { "page.visible": { target: "readingClock", actions: "tellCheck" } },`,
    wrong: `counting: {
      after: { second: "readingClock" },`,
  },
  // It goes into the ten seconds of patience: one that does not makes walks without end.
  { chart: "order", words: "a second is 1.25 s", right: "second: 1_000", wrong: "second: 1_250" },
  {
    chart: "bill",
    file: "order-status",
    words: "every status but 1 is confirmed",
    right: "status === 1",
    wrong: "status !== 1",
  },
  {
    chart: "bill",
    words: "a bill that stopped does not ask when it is seen",
    right: `stopped: { tags: "pending", on: { "page.visible": "asking", retry: "asking" } },`,
    wrong: `stopped: { tags: "pending", on: { retry: "asking" } },`,
  },
  { chart: "bill", words: "asks for eleven minutes", right: "600_000", wrong: "660_000" },
  {
    chart: "card",
    file: "card-setup",
    words: "what the provider calls cancelled is failed, and the reverse",
    right: 'outcome === "cancelled"',
    wrong: 'outcome !== "cancelled"',
  },
  {
    chart: "card",
    words: "a payment without a word cannot be given up",
    right: `on: { cancel: { target: "unpaid.dropped", actions: "leaveUnsettled" } },`,
    wrong: "",
  },
  {
    chart: "card-result",
    words: "asks for 33 s before it hands over",
    right: "30_000",
    wrong: "33_000",
  },
];

/** The source that it is put into, as the project names it. */
export const sourceOf = ({ chart, file = chart }: Fault) => `machines/${file}.ts`;

/** @throws when the source no longer has the text that the fault is about. */
export function misplace(source: string, fault: Fault): string {
  const { words, right, wrong } = fault;
  const [before, after, ...more] = source.split(right);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(`${sourceOf(fault)} has not just one '${right}': '${words}' is a fault of another text.`);
  }
  return before + wrong + after;
}
