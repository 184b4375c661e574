/** Changing the password: nothing unsound is sent, nothing twice, and no password is kept. */
import { expect } from "vitest";
import { passwordMachine } from "../../machines/password.ts";
import { password as model } from "../models/password.ts";
import { runOnMachine } from "../support/user-model.ts";
import { invariantsOf } from "../support/invariant-runner.ts";
import {
  answerIn,
  asked,
  endingBy,
  endingTold,
  errorIn,
  keepsNobodyWaiting,
  times,
  formFailed,
} from "../support/invariants.ts";
import { refused, refusedFor, signedOut } from "../support/samples.ts";

const form = (new_password: string, new_password_confirmation: string, old_password = " old ") =>
  ({ type: "form.submitted", old_password, new_password, new_password_confirmation }) as const;
const sound = form("new word", "new word");

const refusedOld = refusedFor("old_password");
const refusedWithoutWords = refusedFor("old_password", "");

const password = invariantsOf(passwordMachine, {
  events: [
    sound,
    form("new wor", "new wor"),
    form("new word", "new wird"),
    form("new wor", "new wir"),
    form("new word", "new word", ""),
    form("new wor", "new wor", ""),
    { type: "form.edited" },
    { type: "secret.toggled" },
    { type: "cancel" },
  ],
  answers: { changePassword: { changed: undefined, refused, refusedOld, refusedWithoutWords, signedOut } },
});

const { isOver, isIdle: isEditing } = endingBy<typeof passwordMachine>("changePassword");
const newOnes = ["new_password", "new_password_confirmation"];
/** Section 5: the two must match, and be eight characters long; and the old one must be there. */
const faultOf = (one: string, other: string, old: string) => {
  const blank = old === "" ? ["old_password"] : [];
  const kind = one !== other ? "different" : one.length < 8 ? "short" : null;
  if (kind) return { kind, fields: [...blank, ...newOnes] };
  return old === "" ? { kind: "missing", fields: blank } : null;
};

keepsNobodyWaiting(password, ["changePassword"]);

password.always("sends what matches and is long enough, once, and nothing else", (moment, history) => {
  const { event } = moment;
  const sent = event === sound && isEditing(history);
  const input = {
    old_password: " old ",
    new_password: "new word",
    new_password_confirmation: "new word",
  };
  expect(asked(moment)).toEqual(sent ? [{ id: "changePassword", input }] : []);
  expect(moment.state.hasTag("busy")).toBe(moment.pending.length === 1 || isOver(history));
});

password.always("names the fault until the form is edited, and keeps nothing else", ({ state }, history) => {
  let formError: object | null = null;
  for (const [index, { event }] of history.entries()) {
    const error = errorIn({ event }, "changePassword");
    if (error === refusedOld.error)
      formError = { kind: "refused", fields: ["old_password"], message: "Not that." };
    else if (error === refused.error) formError = { kind: "refused", fields: [], message: "No." };
    else if (error) formError = null;
    if (!isEditing(history.slice(0, index + 1))) continue;
    if (event.type === "form.edited") formError = null;
    if (event.type === "form.submitted")
      formError = faultOf(event.new_password, event.new_password_confirmation, event.old_password);
  }
  expect(state.context.formError).toEqual(formError);
  expect(Object.keys(state.context)).toEqual(["formError"]);
});

password.always("tells of the change or of its failure, once, and never of a password", (moment) => {
  const error = errorIn(moment, "changePassword");
  expect(moment.emitted).toEqual([
    ...endingTold(moment, "changePassword", "password"),
    ...(answerIn(moment, "changePassword") ? [{ type: "password.changed" }] : []),
    ...(error ? [formFailed(error)] : []),
  ]);
});

password.always("shows the passwords only as often as asked", ({ state }, history) => {
  const toggled = times(history, "secret.toggled") % 2 === 1;
  expect(state.value.secret).toBe(toggled ? "revealed" : "hidden");
});

runOnMachine(model);
