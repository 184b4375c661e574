/** A labelled text field, with room for a hint, an error and a control at its end. */
import { useId, type ComponentProps, type KeyboardEvent, type ReactNode } from "react";
import styled, { css } from "styled-components";
import { ChevronDown, CircleAlert, Eye, EyeOff } from "lucide";
import { IconButton } from "./button.tsx";
import { leavesFocus } from "./focus.ts";
import { Icon } from "./icon.tsx";
import { isComposing } from "./keys.ts";

const Frame = styled.div`
  display: grid;
  gap: 8px;
`;

const Label = styled.label`
  justify-self: start;
  font-size: var(--size-14);
  font-weight: 550;
  line-height: 1.4;
  color: var(--soft);

  .icon {
    display: inline-block;
    width: 1.15em;
    height: 1.15em;
    margin-inline-start: 6px;
    vertical-align: -0.2em;
    color: var(--failure);
  }
`;

const Line = styled.div`
  position: relative;
`;

const boxStyle = css`
  display: block;
  width: 100%;
  min-height: var(--control);
  padding: 12px 16px;
  border: 1px solid var(--edge);
  border-radius: var(--radius-small);
  background: var(--card);
  color: var(--ink);
  font-size: max(16px, var(--size-16));
  line-height: 1.5;
  text-align: start;
  transition:
    border-color var(--touch-time) var(--ease),
    box-shadow var(--touch-time) var(--ease);

  [data-trailing] > & {
    padding-inline-end: 56px;
  }
  &:focus,
  &:focus-visible {
    outline: 2px solid transparent;
    border-color: var(--accent);
    box-shadow:
      0 0 0 1px var(--accent),
      0 0 0 4px var(--accent-tint);
  }
  &[aria-invalid="true"] {
    border-color: var(--failure);
    box-shadow: 0 0 0 1px var(--failure);
  }
  &[aria-invalid="true"]:focus {
    box-shadow:
      0 0 0 1px var(--failure),
      0 0 0 4px var(--failure-tint);
  }
  &:disabled,
  &:read-only:not(button) {
    border-color: transparent;
    background: var(--well);
    color: var(--soft);
  }
`;

const Input = styled.input`
  ${boxStyle}
  appearance: none;
  text-overflow: ellipsis;

  &::placeholder {
    color: var(--faint);
    opacity: 1;
  }
  &:-webkit-autofill {
    -webkit-text-fill-color: var(--ink);
    box-shadow: inset 0 0 0 100px var(--card);
    caret-color: var(--ink);
  }
  &[inputmode="numeric"],
  &[inputmode="decimal"] {
    font-variant-numeric: tabular-nums;
  }
`;

const Trailing = styled.div`
  position: absolute;
  inset-block: 0;
  inset-inline-end: 4px;
  display: flex;
  align-items: center;
  color: var(--soft);

  && > * {
    color: inherit;
  }
`;

const Hint = styled.p`
  font-size: var(--size-14);
  line-height: 1.45;
  color: var(--faint);

  /* A link is large enough to tap, in whatever font it is shown. */
  > a {
    display: inline-flex;
    align-items: center;
    min-width: var(--touch);
    min-height: var(--touch);
  }
`;

const ErrorText = styled.p`
  display: flex;
  gap: 6px;
  font-size: var(--size-14);
  line-height: 1.45;
  color: var(--failure);

  .icon {
    width: 1.15em;
    height: 1.15em;
    margin-top: 0.15em;
  }
`;

/** An error message, announced at once. */
export function ErrorMessage({ id, children }: { id?: string | undefined; children: ReactNode }) {
  return (
    <ErrorText role="alert" id={id}>
      <Icon of={CircleAlert} />
      <span>{children}</span>
    </ErrorText>
  );
}

interface Around {
  label: ReactNode;
  hint?: ReactNode;
  /** The error and how to fix it. Marks the field as invalid. */
  error?: ReactNode;
}

interface FrameProps extends Around {
  id: string;
  labelId?: string | undefined;
  errorId?: string | undefined;
  trailing?: ReactNode;
  /** Invalid, with the error shown elsewhere too: an icon marks the field for users who do not see the colour. */
  invalid?: boolean | undefined;
  children: ReactNode;
}

function FieldFrame({
  id,
  labelId,
  label,
  hint,
  error,
  invalid = false,
  errorId = `${id}-error`,
  trailing,
  children,
}: FrameProps) {
  return (
    <Frame>
      <Label htmlFor={id} id={labelId}>
        {label}
        {invalid && !error ? <Icon of={CircleAlert} /> : null}
      </Label>
      <Line data-trailing={trailing ? "" : undefined}>
        {children}
        {trailing ? <Trailing>{trailing}</Trailing> : null}
      </Line>
      {error ? <ErrorMessage id={errorId}>{error}</ErrorMessage> : null}
      {hint ? <Hint id={`${id}-hint`}>{hint}</Hint> : null}
    </Frame>
  );
}

const describedBy = (id: string, { hint, error, errorId }: Pick<FieldProps, "hint" | "error" | "errorId">) =>
  [errorId ?? (error ? `${id}-error` : ""), hint ? `${id}-hint` : ""].filter(Boolean).join(" ") || undefined;

export interface FieldProps extends ComponentProps<"input">, Around {
  /** A control at the end of the field, 44 px wide. */
  trailing?: ReactNode;
  /** Marks the field as invalid when the error is shown elsewhere (the card form has one for all fields). */
  invalid?: boolean | undefined;
  /** The id of an error that is about several fields; each of them gets it. */
  errorId?: string | undefined;
}

/** The keyboard's "next" key focuses the next empty field. An iPhone would submit the incomplete form. */
function leadOn(event: KeyboardEvent<HTMLInputElement>): void {
  const { currentTarget, key, nativeEvent } = event;
  if (key !== "Enter" || isComposing(nativeEvent) || currentTarget.getAttribute("enterkeyhint") !== "next")
    return;
  const fields = [
    ...(currentTarget.form?.querySelectorAll<HTMLInputElement>("input:not([hidden], [type=checkbox])") ?? []),
  ];
  const empty = fields.slice(fields.indexOf(currentTarget) + 1).find(({ value }) => value === "");
  if (!empty) return;
  event.preventDefault();
  empty.focus();
}

export function Field({ label, hint, error, errorId, trailing, invalid, id, ...input }: FieldProps) {
  const ownId = useId();
  const inputId = id ?? ownId;
  return (
    <FieldFrame
      id={inputId}
      label={label}
      hint={hint}
      error={error}
      errorId={errorId}
      trailing={trailing}
      invalid={invalid}
    >
      <Input
        ref={leavesFocus}
        id={inputId}
        aria-invalid={error || invalid ? true : undefined}
        aria-describedby={describedBy(inputId, { hint, error, errorId })}
        onKeyDown={leadOn}
        {...input}
      />
    </FieldFrame>
  );
}

export interface PasswordFieldProps extends Omit<FieldProps, "type" | "trailing"> {
  revealed: boolean;
  onReveal: () => void;
  /** The toggle's accessible name: show or hide the password. */
  revealLabel: string;
}

export function PasswordField({ revealed, onReveal, revealLabel, ...field }: PasswordFieldProps) {
  return (
    <Field
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      required
      {...field}
      type={revealed ? "text" : "password"}
      trailing={
        <IconButton label={revealLabel} onClick={onReveal}>
          <Icon of={revealed ? EyeOff : Eye} />
        </IconButton>
      }
    />
  );
}

const Pick = styled.button`
  ${boxStyle}
  position: relative;
  padding-inline-end: 48px;

  &[data-empty] {
    color: var(--faint);
  }
  .icon {
    position: absolute;
    inset-inline-end: 14px;
    top: 50%;
    width: 1.25rem;
    height: 1.25rem;
    transform: translateY(-50%);
    color: var(--soft);
  }
`;

export interface PickFieldProps extends Omit<ComponentProps<"button">, "value">, Around {
  /** The selected value as text, or null. */
  value: ReactNode;
  placeholder?: ReactNode;
}

/** A button that looks like a field and opens a sheet: gender, birth date, security question. */
export function PickField({ label, hint, error, value, placeholder, id, ...button }: PickFieldProps) {
  const ownId = useId();
  const buttonId = id ?? ownId;
  const empty = value === null || value === undefined || value === "";
  return (
    <FieldFrame id={buttonId} labelId={`${buttonId}-label`} label={label} hint={hint} error={error}>
      <Pick
        ref={leavesFocus}
        type="button"
        aria-haspopup="dialog"
        {...button}
        id={buttonId}
        data-empty={empty ? "" : undefined}
        aria-labelledby={`${buttonId}-label ${buttonId}`}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(buttonId, { hint, error })}
      >
        <span>{empty ? placeholder : value}</span>
        <Icon of={ChevronDown} />
      </Pick>
    </FieldFrame>
  );
}
