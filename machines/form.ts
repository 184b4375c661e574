/** A form and its request, for the charts of forms: judged when it is sent, sent once, shown again with what is wrong. A file of its own, so that the first load does without it. */
import { assertEvent, type AnyEventObject } from "xstate";
import { errorOf, isTooMany, type CallError, type RequestFailed } from "./call-error.ts";
import { waiting } from "./slow-request.ts";

/**
 * An error of some of a form's fields or, without `fields`, of the whole form. Unlike a toast it stays visible
 * until the form is edited.
 */
export type FieldError<N extends string> = {
  kind: "refused";
  fields: readonly N[];
  message: string;
};

/** What a user does with a form; `cancel`: the user no longer waits for its request. */
export type FormEvent<Form> =
  ({ type: "form.submitted" } & Form) | { type: "form.edited" } | { type: "cancel" };

/** What `errorOf` gives an action. */
export type Failed = { error: CallError };

/** Guard: no answer, or none that can be read: what was asked may have been done all the same. */
export const mayBeDone = (_: unknown, { error }: Failed): boolean =>
  error.kind !== "refused" && error.kind !== "signedOut" && !isTooMany(error);

/** Whether the API refused in words of its own, which stay beside the form. */
const isWorded = (error: CallError): error is Extract<CallError, { kind: "refused" }> =>
  error.kind === "refused" && error.message !== "";

/** For `params` of the toast: why the invoked port failed. */
const formFailedOf = (from: { event: { error: unknown } }): Omit<RequestFailed, "type"> => {
  const { error } = errorOf(from);
  return { error, ...(isWorded(error) && { inForm: true }) };
};

/**
 * The API's error of a form, or of one of these fields.
 * @returns null when the API did not refuse, or gave no message
 */
export function fieldErrorOf<N extends string>({ error }: Failed, names: readonly N[]): FieldError<N> | null {
  if (!isWorded(error)) return null;
  const { message, field } = error;
  return { kind: "refused", fields: names.filter((name) => name === field), message };
}

/** A form whose password confirms that it is the member, not someone who found an open session. */
export type Confirmation = { password: string };
export type ConfirmationError =
  { kind: "passwordMissing"; fields: readonly ["password"] } | FieldError<"password">;
export const confirmationError = ({ password }: Confirmation): ConfirmationError | null =>
  password === "" ? { kind: "passwordMissing", fields: ["password"] } : null;

const sent = <E>({ event }: { event: E }) => event;

/** `on` of the state in which a form is filled in: a complete one is sent in `target`, another is told what it lacks. */
export const formEvents = <T extends string>(target: T) =>
  ({
    "form.edited": { actions: "clearFormError" },
    "form.submitted": [
      { guard: { type: "isComplete", params: sent }, target, actions: "clearFormError" },
      { actions: { type: "judge", params: sent } },
    ],
  }) as const;

/** For the `input` of its request: the form that was sent. */
export function sentForm<E extends AnyEventObject>({ event }: { event: E }) {
  assertEvent(event, "form.submitted");
  const { type: _, ...form } = event;
  return form;
}

/**
 * The state of its request, with an `invoke`: another tap sends nothing, and a user who cancels is back at `target`,
 * after these actions.
 */
export const submitting = <T extends string, A extends string = never>(target: T, ...actions: readonly A[]) =>
  ({ tags: "busy", ...waiting, on: { cancel: { target, actions } } }) as const;

/** For `onError` of its request: these actions, then back to `target`, the refused fields marked there, and a toast. */
export const showFieldErrorIn = <T extends string, const A extends readonly unknown[]>(
  target: T,
  ...actions: A
) =>
  ({
    target,
    actions: [
      ...actions,
      { type: "keepFieldError", params: errorOf },
      { type: "announceError", params: formFailedOf },
    ],
  }) as const;

/** For `onError` of a request that ends every session: as `showFieldErrorIn`, and tells where it ended none. */
export const showEndingErrorIn = <T extends string>(target: T) =>
  [
    { guard: { type: "mayBeDone", params: errorOf }, ...showFieldErrorIn(target) },
    showFieldErrorIn(target, "announceRefused"),
  ] as const;
