/** A field whose text comes back formatted while it is typed: the caret stays beside what a person edits. */
import { useLayoutEffect, useReducer, useRef, type ChangeEvent } from "react";
import { Field, type FieldProps } from "./field.tsx";

/** What was typed, not formatted yet. `caret`: where it stands in `text`. `ahead`: what was deleted stood behind it. */
export type FieldEdit = { text: string; caret: number; ahead: boolean };

export interface FormattedFieldProps extends Omit<FieldProps, "value" | "onChange"> {
  value: string;
  onEdit: (edit: FieldEdit) => void;
}

const digitsIn = (text: string) => text.replace(/\D/g, "").length;

/** Where the caret goes: as many digits stay on this side of it, because the edit changed nothing there. */
type Wish = { side: "left" | "right" | "end"; digits: number };

function placeIn(text: string, { side, digits }: Wish): number {
  if (side === "end") return text.length;
  const left = side === "left" ? digits : digitsIn(text) - digits;
  return new RegExp(`^(\\D*\\d){${left}}`).exec(text)?.[0].length ?? text.length;
}

export function FormattedField({ value, onEdit, ...field }: FormattedFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const wish = useRef<Wish>(null);
  // Whatever came of the edit, and be it nothing: React has put back the text, and its caret at the end.
  const [, drawAnew] = useReducer((times: number) => times + 1, 0);

  // Once the formatted text is there: until then React has the caret at its end.
  useLayoutEffect(() => {
    if (wish.current && input.current && input.current === document.activeElement) {
      const at = placeIn(input.current.value, wish.current);
      input.current.setSelectionRange(at, at);
    }
    wish.current = null;
  });

  function change({ target, nativeEvent }: ChangeEvent<HTMLInputElement>) {
    const text = target.value;
    const caret = target.selectionStart ?? text.length;
    const ahead = nativeEvent instanceof InputEvent && nativeEvent.inputType.endsWith("Forward");
    if (caret === text.length) wish.current = { side: "end", digits: 0 };
    else if (ahead) wish.current = { side: "left", digits: digitsIn(text.slice(0, caret)) };
    // What was typed before the caret may not be taken, and who deletes a separator loses a digit there as well.
    else wish.current = { side: "right", digits: digitsIn(text.slice(caret)) };
    onEdit({ text, caret, ahead });
    drawAnew();
  }

  return <Field {...field} ref={input} value={value} onChange={change} />;
}
