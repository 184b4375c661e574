/** Recovering an account: three screens, nothing incomplete sent, and a password that is seen by one call alone. */
import { expect, test } from "vitest";
import { recoveryMachine } from "../../machines/recovery.ts";
import { recovery as model } from "../models/recovery.ts";
import { runOnMachine } from "../support/user-model.ts";
import { Harness } from "../support/harness.ts";
import { invariantsOf, type History } from "../support/invariant-runner.ts";
import {
  answerIn,
  asked,
  asksOneAtATime,
  errorIn,
  tellsWhenSlow,
  times,
  wasAsking,
  formFailed,
} from "../support/invariants.ts";
import { refused, refusedFor } from "../support/samples.ts";

const password = (new_password: string, new_password_confirmation: string, handle = "handle1") =>
  ({
    type: "password.submitted",
    account_name: "Ann",
    handle,
    new_password,
    new_password_confirmation,
  }) as const;
const answer = (security_problem: string, security_problem_value: string) =>
  ({ type: "answer.submitted", security_problem, security_problem_value }) as const;

const sound = password("new word", "new word");
const again = password("hen weird", "hen weird", "handle2");
/** The same, tapped twice: the view makes a handle for each tap. */
const repeated = password("new word", "new word", "handle3");
const answered = answer("First pet?", "Fox");

/** The API may have something against a field of any of the three screens. */
const refusedPassword = refusedFor("new_password");

const recovery = invariantsOf(recoveryMachine, {
  events: [
    { type: "account.submitted", account_name: " Ann " },
    { type: "account.submitted", account_name: "  " },
    sound,
    again,
    repeated,
    password("", ""),
    password("new wor", "new wor"),
    password("new word", "new wird"),
    answered,
    answer("", "Fox"),
    answer("First pet?", "  "),
    answer("", ""),
    { type: "form.edited" },
    { type: "secret.toggled" },
    { type: "cancel" },
    { type: "account.changed" },
  ],
  answers: { resetPassword: { reset: undefined, refused, refusedPassword } },
  repeats: 1,
});

type Password = Omit<typeof sound, "account_name"> & { account_name: string };
type Past = History<typeof recoveryMachine>;
type Screen = { formError: object | null; kept: Password | null; says: readonly object[] };

/** Section 5 in a few words, screen by screen. */
function next(screen: Screen, moment: Past[number], waits: boolean): Screen {
  const { event } = moment;
  const quiet = { ...screen, says: [] };
  const error = errorIn(moment, "resetPassword");
  if (error) {
    const formError =
      error.kind === "refused"
        ? {
            kind: "refused",
            // Which of the account, its question and the answer does not fit, the API does not say.
            fields: error.field === undefined ? [] : ["new_password"],
            message: error.message,
          }
        : null;
    return { ...quiet, formError, says: [formFailed(error)] };
  }
  if (answerIn(moment, "resetPassword")) {
    return { formError: null, kept: null, says: [{ type: "recovery.succeeded" }] };
  }
  if (event.type === "account.changed") return { formError: null, kept: null, says: [] };
  if (waits) return quiet;
  switch (event.type) {
    case "account.submitted":
      return event.account_name.trim() === ""
        ? { ...quiet, formError: { kind: "accountMissing", fields: ["account_name"] } }
        : { formError: null, kept: null, says: [{ type: "recovery.named", accountName: "Ann" }] };
    case "password.submitted": {
      if (event === sound || event === again || event === repeated) {
        const kept = screen.kept?.new_password === event.new_password ? screen.kept : event;
        const { handle } = kept;
        return {
          formError: null,
          kept,
          says: [{ type: "recovery.passwordKept", accountName: "Ann", handle }],
        };
      }
      return {
        ...quiet,
        // In both of them, each time.
        formError: {
          kind:
            event.new_password === ""
              ? "missing"
              : event.new_password === event.new_password_confirmation
                ? "short"
                : "different",
          fields: ["new_password", "new_password_confirmation"],
        },
      };
    }
    case "answer.submitted": {
      if (event === answered) return { ...quiet, formError: null };
      const kind = event.security_problem === "" ? "problemMissing" : "answerMissing";
      const names = ["security_problem", "security_problem_value"] as const;
      return { ...quiet, formError: { kind, fields: names.filter((name) => event[name].trim() === "") } };
    }
    case "form.edited":
      return { ...quiet, formError: null };
    case "secret.toggled":
    case "cancel":
    case "start":
    case "wait":
    default:
      return quiet;
  }
}
const screenOf = (history: Past) =>
  history.reduce<Screen>(
    (screen, moment, index) => next(screen, moment, wasAsking(history.slice(0, index + 1), "resetPassword")),
    { formError: null, kept: null, says: [] },
  );

asksOneAtATime(recovery);
tellsWhenSlow(recovery, ["resetPassword"]);

recovery.always("names what is wrong with the screen at hand, until it is edited", ({ state }, history) => {
  expect(state.context.formError).toEqual(screenOf(history).formError);
});

recovery.always(
  "keeps a sound password under its handle, until the recovery is over",
  ({ state }, history) => {
    const { kept } = screenOf(history);
    const { type: _, ...words } = kept ?? { type: "" };
    expect(state.context.kept).toEqual(kept ? words : null);
  },
);

recovery.always("keeps the secret answer only while it is sent", ({ state, pending }) => {
  const { type: _, ...words } = answered;
  expect(state.context.answer).toEqual(pending.length === 1 ? words : null);
  expect(state.hasTag("busy")).toBe(pending.length === 1);
});

recovery.always("sends a complete answer to a kept password, once, and nothing else", (moment, history) => {
  const { kept } = screenOf(history.slice(0, -1));
  const sent = moment.event === answered && kept !== null && !wasAsking(history, "resetPassword");
  const input = {
    account_name: "Ann",
    new_password: kept?.new_password,
    new_password_confirmation: kept?.new_password,
    security_problem: "First pet?",
    security_problem_value: "Fox",
  };
  expect(asked(moment)).toEqual(sent ? [{ id: "resetPassword", input }] : []);
});

recovery.always(
  "says whose account, under which handle, what came of it, and never a secret",
  (moment, history) => {
    expect(moment.emitted).toEqual(screenOf(history).says);
    for (const secret of ["new w", "hen w", "Fox"])
      expect(JSON.stringify(moment.emitted)).not.toContain(secret);
  },
);

recovery.always("shows the password only as often as asked", ({ state }, history) => {
  // Hidden again for the next user.
  const since = history.findLastIndex(({ event }) =>
    ["account.changed", "account.submitted"].includes(event.type),
  );
  const toggled = times(history.slice(since + 1), "secret.toggled") % 2 === 1;
  expect(state.value.secret).toBe(toggled ? "revealed" : "hidden");
});

test.each([
  ["", "", "missing"],
  ["12345678", "", "missing"],
  ["1234567", "1234567", "short"],
  ["12345678", "1234567", "short"],
  ["12345678", "87654321", "different"],
  ["12345678", "12345678", null],
])("of the new password '%s' and '%s' is told: %s", async (one, other, formError) => {
  const harness = new Harness(recoveryMachine);
  await harness.send(password(one, other));
  expect({
    formError: harness.state.context.formError?.kind ?? null,
    emitted: harness.emitted.length,
  }).toEqual({
    formError,
    emitted: formError === null ? 1 : 0,
  });
});

runOnMachine(model);
