/** Deleting the account: with the password, once, and the password is kept nowhere. */
import { expect } from "vitest";
import { accountDeletionMachine } from "../../machines/account-deletion.ts";
import { accountDeletion as model } from "../models/account-deletion.ts";
import { runOnMachine } from "../support/user-model.ts";
import { invariantsOf } from "../support/invariant-runner.ts";
import {
  answerIn,
  asked,
  endingBy,
  endingTold,
  errorIn,
  keepsNobodyWaiting,
  formFailed,
} from "../support/invariants.ts";
import { refused, refusedFor, signedOut } from "../support/samples.ts";

const send = (password: string) => ({ type: "form.submitted", password }) as const;
const refusedPassword = refusedFor("password");

const deletion = invariantsOf(accountDeletionMachine, {
  events: [send(" secret "), send(""), { type: "form.edited" }, { type: "cancel" }],
  answers: { deleteAccount: { deleted: undefined, refused, refusedPassword, signedOut } },
});

const { isOver, isIdle: isConfirming } = endingBy<typeof accountDeletionMachine>("deleteAccount");

keepsNobodyWaiting(deletion, ["deleteAccount"]);

deletion.always("sends the password as it was typed, once, and nothing without one", (moment, history) => {
  const { event } = moment;
  const sent = event.type === "form.submitted" && event.password !== "" && isConfirming(history);
  const input = { password: " secret " };
  expect(asked(moment)).toEqual(sent ? [{ id: "deleteAccount", input }] : []);
  expect(moment.state.hasTag("busy")).toBe(moment.pending.length === 1 || isOver(history));
});

deletion.always("names the fault until the form is edited, and keeps nothing else", ({ state }, history) => {
  let formError: object | null = null;
  for (const [index, { event }] of history.entries()) {
    const error = errorIn({ event }, "deleteAccount");
    if (error === refusedPassword.error)
      formError = { kind: "refused", fields: ["password"], message: "Not that." };
    else if (error === refused.error) formError = { kind: "refused", fields: [], message: "No." };
    else if (error) formError = null;
    if (!isConfirming(history.slice(0, index + 1))) continue;
    if (event.type === "form.edited") formError = null;
    if (event.type === "form.submitted")
      formError = event.password === "" ? { kind: "passwordMissing", fields: ["password"] } : null;
  }
  expect(state.context.formError).toEqual(formError);
  expect(Object.keys(state.context)).toEqual(["formError"]);
});

deletion.always("tells of the end of the account or of what stands in its way, once", (moment) => {
  const error = errorIn(moment, "deleteAccount");
  expect(moment.emitted).toEqual([
    ...endingTold(moment, "deleteAccount", "account"),
    ...(answerIn(moment, "deleteAccount") ? [{ type: "account.deleted" }] : []),
    ...(error ? [formFailed(error)] : []),
  ]);
});

runOnMachine(model);
