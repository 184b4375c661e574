/** A field that is formatted while the user types; the caret stays where the user edits. */
import { useLayoutEffect, useReducer, useRef, useState } from "react";
import { Field, type FieldProps } from "./field.tsx";
import { leavesFocus } from "./focus.ts";

/** The typed text before formatting. `caret` is its position in `text`; `ahead`: the deleted character was after it. */
export type FieldEdit = { text: string; caret: number; ahead: boolean };

export interface FormattedFieldProps extends Omit<FieldProps, "value" | "onChange"> {
  value: string;
  onEdit: (edit: FieldEdit) => void;
}

/** Digits of any script. */
const digitsIn = (text: string) => (text.match(/\p{Nd}/gu) ?? []).length;

/**
 * Where the caret goes: the number of digits on one side of it stays the same, because the edit did not change that
 * side.
 */
type Wish = { side: "left" | "right" | "end"; digits: number };

function placeIn(text: string, { side, digits }: Wish): number {
  if (side === "end") return text.length;
  const left = side === "left" ? digits : digitsIn(text) - digits;
  return new RegExp(`^(\\D*\\d){${left}}`).exec(text)?.[0].length ?? text.length;
}

export function FormattedField({ value, onEdit, ...field }: FormattedFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const wish = useRef<Wish>(null);
  // Rerenders after every edit, even one without effect: React resets the text and moves the caret to the end.
  const [, drawAnew] = useReducer((times: number) => times + 1, 0);
  // Text under composition is left alone: if it were reformatted, the input method would insert it twice.
  const composing = useRef(false);
  const [draft, setDraft] = useState<string | null>(null);

  // After the formatted text is rendered, because React then moves the caret to the end.
  useLayoutEffect(() => {
    if (wish.current && input.current && input.current === document.activeElement) {
      const at = placeIn(input.current.value, wish.current);
      input.current.setSelectionRange(at, at);
    }
    wish.current = null;
  });

  function take(target: HTMLInputElement, nativeEvent: Event) {
    const text = target.value;
    const caret = target.selectionStart ?? text.length;
    const ahead = nativeEvent instanceof InputEvent && nativeEvent.inputType.endsWith("Forward");
    if (caret === text.length) wish.current = { side: "end", digits: 0 };
    else if (ahead) wish.current = { side: "left", digits: digitsIn(text.slice(0, caret)) };
    // Text typed before the caret may be rejected, and deleting a separator deletes a digit there, so the digits
    // after the caret are counted.
    else wish.current = { side: "right", digits: digitsIn(text.slice(caret)) };
    onEdit({ text, caret, ahead });
    drawAnew();
  }

  return (
    <Field
      autoCorrect="off"
      spellCheck={false}
      {...field}
      ref={(element) => {
        input.current = element;
        return leavesFocus(element);
      }}
      value={draft ?? value}
      onChange={({ target, nativeEvent }) => {
        if (composing.current) setDraft(target.value);
        else take(target, nativeEvent);
      }}
      onCompositionStart={() => {
        composing.current = true;
      }}
      onCompositionEnd={({ currentTarget, nativeEvent }) => {
        composing.current = false;
        setDraft(null);
        take(currentTarget, nativeEvent);
      }}
    />
  );
}
