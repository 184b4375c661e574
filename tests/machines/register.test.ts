/** Registering: nothing is sent unticked or short; what is registered is logged in with the same words. */
import { expect, test } from "vitest";
import { registerMachine } from "../../machines/register.ts";
import { register as model } from "../models/register.ts";
import { runOnMachine } from "../support/user-model.ts";
import { Harness } from "../support/harness.ts";
import { invariantsOf, type History } from "../support/invariant-runner.ts";
import {
  answerIn,
  asked,
  errorIn,
  keepsNobodyWaiting,
  times,
  wasAsking,
  formFailed,
} from "../support/invariants.ts";
import { refused, refusedFor } from "../support/samples.ts";

const form = {
  type: "form.submitted",
  account_name: " anna ",
  password: "12345678",
  agreement: true,
} as const;

const about = { account_name: refusedFor("account_name"), password: refusedFor("password") };

const register = invariantsOf(registerMachine, {
  events: [
    form,
    { ...form, account_name: "berta" },
    { ...form, agreement: false },
    { ...form, account_name: " ann ", password: "1234567", agreement: false },
    { ...form, password: "1234567" },
    { ...form, account_name: "", password: "" },
    { type: "form.edited" },
    { type: "secret.toggled" },
    { type: "cancel" },
  ],
  answers: {
    register: { made: undefined, refused, ...about },
    logIn: { known: { accountName: "Anna" }, refused },
  },
  repeats: 1,
});

type Past = History<typeof registerMachine>;
/** Editing is possible until the form is sent, and again after an error or without waiting; word of the login ends it. */
const isEditing = (history: Past) =>
  !wasAsking(history, "register", "logIn", "claim") &&
  !history
    .slice(0, -1)
    .some((moment) => answerIn(moment, "logIn", "claim") ?? errorIn(moment, "logIn") !== undefined);
const faultOf = ({ account_name, password }: { account_name: string; password: string }) => {
  const blank = password === "" ? ["password"] : [];
  if (account_name.trim().length < 4) return { kind: "accountShort", fields: ["account_name", ...blank] };
  return password.length < 8 ? { kind: "passwordShort", fields: ["password"] } : null;
};
const unticked = { kind: "unticked", fields: ["agreement"] };

/** The words that were sent last. */
const sentIn = (history: Past) => {
  const sent = history.findLast(
    ({ event }, at) =>
      event.type === "form.submitted" &&
      event.agreement &&
      faultOf(event) === null &&
      isEditing(history.slice(0, at + 1)),
  );
  if (sent?.event.type !== "form.submitted") return null;
  return { account_name: sent.event.account_name.trim(), password: sent.event.password };
};
/** The name that was last asked for, and not refused: its account may have been made. */
const madeIn = (history: Past) => {
  const at = history.findLastIndex(({ calls }) => calls.some(({ id }) => id === "register"));
  const isRefused = history.slice(at).some((moment) => errorIn(moment, "register")?.kind === "refused");
  return at < 0 || isRefused ? null : (sentIn(history.slice(0, at + 1))?.account_name ?? null);
};

keepsNobodyWaiting(register, ["register", "logIn", "claim"]);

register.always(
  "sends nothing unticked, short or twice, and tries a name that may be its own",
  (moment, history) => {
    const { event } = moment;
    const sent =
      event.type === "form.submitted" && event.agreement && faultOf(event) === null && isEditing(history);
    const words = sentIn(history);
    const asks = sent
      ? madeIn(history.slice(0, -1)) === words?.account_name
        ? ["claim"]
        : ["register"]
      : errorIn(moment, "claim")
        ? ["register"]
        : answerIn(moment, "register")
          ? ["logIn"]
          : [];
    expect(asked(moment)).toEqual(asks.map((id) => ({ id, input: words })));
  },
);

register.always("names the first fault until the form is edited or left", ({ state }, history) => {
  let formError: object | null = null;
  for (const [index, { event }] of history.entries()) {
    const error = errorIn({ event }, "register");
    if (error) {
      const fields = Object.entries(about).flatMap(([name, told]) => (told.error === error ? [name] : []));
      const message = fields.length > 0 ? "Not that." : "No.";
      // About the form as a whole, where it names no field; of a call that did not come through there is nothing to keep.
      formError = error.kind === "refused" ? { kind: "refused", fields, message } : null;
    }
    if (!isEditing(history.slice(0, index + 1))) continue;
    if (event.type === "form.edited" || event.type === "cancel") formError = null;
    if (event.type === "form.submitted") formError = faultOf(event) ?? (event.agreement ? null : unticked);
  }
  expect(state.context.formError).toEqual(formError);
});

register.always("shakes the box for half a second when it is not ticked", ({ state, at }, history) => {
  const since = history.findLast(
    ({ event }, index) =>
      event.type === "form.submitted" && faultOf(event) === null && isEditing(history.slice(0, index + 1)),
  );
  const forgotten = since?.event.type === "form.submitted" && !since.event.agreement;
  expect(state.matches({ form: { editing: "shaking" } })).toBe(forgotten && at - since.at < 500);
});

register.always("keeps the password only while it waits", ({ state, pending }, history) => {
  const isDone = history.some(
    (past) => answerIn(past, "logIn", "claim") ?? errorIn(past, "logIn") !== undefined,
  );
  expect(state.hasTag("busy")).toBe(pending.length === 1 || isDone);
  expect(state.context.credentials).toEqual(pending.length === 1 ? sentIn(history) : null);
});

register.always("tells of the login, of an account without one, or of a failure", (moment, history) => {
  const error = errorIn(moment, "register");
  const accountName = sentIn(history)?.account_name;
  const withoutLogin =
    errorIn(moment, "logIn") !== undefined || (moment.event.type === "cancel" && wasAsking(history, "logIn"));
  expect(moment.emitted).toEqual(
    answerIn(moment, "logIn", "claim")
      ? [{ type: "login.succeeded", accountName: "Anna" }]
      : withoutLogin
        ? [{ type: "register.succeeded" }]
        : error
          ? [formFailed(error)]
          : answerIn(moment, "register")
            ? [{ type: "account.created", accountName }]
            : [],
  );
});

register.always("shows the password only as often as asked", ({ state }, history) => {
  const toggled = times(history, "secret.toggled") % 2 === 1;
  expect(state.value.secret).toBe(toggled ? "revealed" : "hidden");
});

test.each([
  ["abc", "12345678", "accountShort"],
  ["abcd", "1234567", "passwordShort"],
  ["abcd", "12345678", null],
  // Characters as a person counts them: a fox is one, though it takes two units.
  ["🦊🦊🦊", "12345678", "accountShort"],
  ["小狐狸们", "🦊🦊🦊🦊🦊🦊🦊🦊", null],
])("measures %s and %s", async (account_name, password, formError) => {
  const harness = new Harness(registerMachine);
  await harness.send({ type: "form.submitted", account_name, password, agreement: true });
  expect({ formError: harness.state.context.formError?.kind ?? null, calls: harness.calls.length }).toEqual({
    formError,
    calls: formError ? 0 : 1,
  });
});

runOnMachine(model);
