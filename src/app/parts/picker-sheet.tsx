/** A sheet with one wheel or several to choose by, and one button to take what stands in the light. */
import { useState, type KeyboardEvent, type ReactNode } from "react";
import styled from "styled-components";
import { Button } from "./button.tsx";
import { Sheet } from "./sheet.tsx";
import type { WheelTurning } from "./wheel-turning.ts";
import { TurningWheels } from "./wheel.tsx";

const Middle = styled.div`
  display: grid;
  align-content: center;
  min-height: 100%;
`;

/** What the wheel, the title and the button need, so that a share of a low screen is not too little. */
const least = "28rem";

export interface PickerSheetProps {
  open: boolean;
  title: ReactNode;
  /** Of the round button in the corner; a tap beside the sheet, Escape and a pull down do the same. */
  cancelLabel: string;
  confirmLabel: ReactNode;
  /** What was drafted is not wanted. */
  onCancel: () => void;
  /** Every wheel has been stopped and has told its value by then. */
  onConfirm: () => void;
  /** Such as `58%` of the screen, and more where that cannot hold the wheel; by default as high as its content. */
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
