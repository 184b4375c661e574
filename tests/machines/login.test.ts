/** Logging in: nothing incomplete is sent, nothing twice, and the password is not kept. */
import { expect } from "vitest";
import { loginMachine } from "../../machines/login.ts";
import { login as model } from "../models/login.ts";
import { runOnMachine } from "../support/user-model.ts";
import { invariantsOf } from "../support/invariant-runner.ts";
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

const about = { account_name: refusedFor("account_name"), password: refusedFor("password") };

const login = invariantsOf(loginMachine, {
  events: [
    { type: "form.submitted", account_name: " ann ", password: " pass word " },
    { type: "form.submitted", account_name: "  ", password: "secret" },
    { type: "form.submitted", account_name: "ann", password: "" },
    { type: "form.submitted", account_name: "", password: "" },
    { type: "form.edited" },
    { type: "secret.toggled" },
    { type: "cancel" },
  ],
  answers: { logIn: { known: { accountName: "Ann" }, refused, ...about } },
});

const isOver = (history: readonly { event: object }[]) =>
  history.slice(0, -1).some((moment) => answerIn(moment, "logIn"));

keepsNobodyWaiting(login, ["logIn"]);

login.always("sends a complete form once, and nothing else", (moment, history) => {
  const { event } = moment;
  const sent =
    event.type === "form.submitted" &&
    event.account_name.trim() !== "" &&
    event.password !== "" &&
    !wasAsking(history, "logIn") &&
    !isOver(history);
  // Blanks around a name are slips of the thumb; in a password they may be meant.
  const form = { account_name: "ann", password: " pass word " };
  expect(asked(moment)).toEqual(sent ? [{ id: "logIn", input: form }] : []);
});

login.always("keeps what is wrong until the form is edited, complete or left", ({ state }, history) => {
  let formError: object | null = null;
  for (const [index, { event }] of history.entries()) {
    const before = history.slice(0, index + 1);
    const error = errorIn({ event }, "logIn");
    if (error) {
      const fields = Object.entries(about).flatMap(([name, told]) => (told.error === error ? [name] : []));
      const message = fields.length > 0 ? "Not that." : "No.";
      // Of the whole form, where it names no field.
      formError = error.kind === "refused" ? { kind: "refused", fields, message } : null;
    }
    if (wasAsking(before, "logIn") || isOver(before)) continue;
    if (event.type === "form.edited" || event.type === "cancel") formError = null;
    if (event.type === "form.submitted") {
      const fields = (["account_name", "password"] as const).filter((name) =>
        name === "password" ? event[name] === "" : event[name].trim() === "",
      );
      formError = fields.length > 0 ? { kind: "missing", fields } : null;
    }
  }
  expect(state.context).toEqual({ formError });
});

login.always("is busy while it waits, and until the next screen is shown", (moment, history) => {
  const isDone = history.some((past) => answerIn(past, "logIn"));
  expect(moment.state.hasTag("busy")).toBe(moment.pending.length === 1 || isDone);
});

login.always("tells of the login or of its failure, once", (moment) => {
  const error = errorIn(moment, "logIn");
  const told = answerIn(moment, "logIn")
    ? [{ type: "login.succeeded", accountName: "Ann" }]
    : error
      ? [formFailed(error)]
      : [];
  expect(moment.emitted).toEqual(told);
});

login.always("shows the password only as often as asked", ({ state }, history) => {
  const toggled = times(history, "secret.toggled") % 2 === 1;
  expect(state.value.secret).toBe(toggled ? "revealed" : "hidden");
});

runOnMachine(model);
