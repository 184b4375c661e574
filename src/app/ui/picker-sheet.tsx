/** A sheet with one or more wheels, and a button that accepts the selected values. */
import { useState, type KeyboardEvent, type ReactNode } from "react";
import styled from "styled-components";
import { Button } from "./button.tsx";
import { isComposing } from "./keys.ts";
import { Sheet } from "./sheet.tsx";
import type { WheelTurning } from "./wheel-turning.ts";
import { TurningWheels } from "./wheel.tsx";

const Middle = styled.div`
  display: grid;
  align-content: center;
  min-height: 100%;
`;

/** The height that the wheel, the title and the button need on a low screen. */
const least = "28rem";

export interface PickerSheetProps {
  open: boolean;
  title: ReactNode;
  /** The accessible name of the close button; a tap beside the sheet, Escape and a drag down also cancel. */
  cancelLabel: string;
  confirmLabel: ReactNode;
  /** The draft is discarded. */
  onCancel: () => void;
  /** By then every wheel has stopped and reported its value. */
  onConfirm: () => void;
  /** Such as `58%` of the screen, or more if the wheel does not fit; by default the height of the content. */
  height?: string | undefined;
  /** A `Wheel`, or `DateWheels`. */
  children: ReactNode;
}

export function PickerSheet(props: PickerSheetProps) {
  const { open, title, cancelLabel, confirmLabel, onCancel, onConfirm, height, children } = props;
  const [wheels] = useState(() => new Set<WheelTurning>());
  const confirm = () => {
    for (const wheel of wheels) wheel.settle();
    onConfirm();
  };
  const cancel = () => {
    for (const wheel of wheels) wheel.end();
    onCancel();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === "Enter" && (event.target as Element).getAttribute("role") === "slider") confirm();
  };
  return (
    <Sheet
      open={open}
      title={title}
      closeLabel={cancelLabel}
      onClose={cancel}
      height={height === undefined ? undefined : `max(${height}, ${least})`}
      foot={<Button onClick={confirm}>{confirmLabel}</Button>}
    >
      <Middle onKeyDown={onKeyDown}>
        <TurningWheels value={wheels}>{children}</TurningWheels>
      </Middle>
    </Sheet>
  );
}
