/** A confirmation dialog in the middle of the screen. */
import { useId, type ReactNode } from "react";
import styled, { keyframes } from "styled-components";
import { Button } from "./button.tsx";
import { edgeStyle } from "./edge.ts";
import { fadeIn, fadeOut, rise } from "./fade.ts";
import { lingering, type Lingering } from "./use-presence.ts";
import { useModal } from "./modal.ts";
import { linesStyle } from "./text.tsx";

const leave = keyframes`to { opacity: 0; transform: scale(0.985); }`;

const Surface = styled.dialog`
  position: fixed;
  inset: 0;
  width: min(360px, 100% - 48px);
  height: fit-content;
  max-height: calc(100% - 48px);
  margin: auto;
  padding: 28px 20px 16px;
  border: 0;
  border-radius: var(--radius-sheet);
  background: var(--card);
  color: var(--ink);
  box-shadow: var(--shadow-floating);
  ${edgeStyle}
  overflow-y: auto;
  overscroll-behavior: contain;
  animation: ${rise} var(--move-time) var(--ease);

  &::backdrop {
    background: var(--veil, rgb(8 12 22 / 0.5));
    animation: ${fadeIn} var(--move-time, 240ms) ease-out;
  }
  &[data-leaving] {
    animation: ${leave} var(--touch-time) ease-in forwards;
    pointer-events: none;

    &::backdrop {
      animation: ${fadeOut} var(--touch-time, 120ms) ease-in forwards;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    animation-name: ${fadeIn};

    &[data-leaving] {
      animation-name: ${fadeOut};
    }
  }
`;

const Title = styled.h2`
  font-size: var(--size-20);
  text-align: center;
`;

const Words = styled.div`
  ${linesStyle}
  margin-top: 8px;
  color: var(--soft);
  text-align: center;
`;

const Answers = styled.div`
  display: grid;
  gap: 8px;
  margin-top: 24px;
`;

export interface DialogProps {
  title: ReactNode;
  /** What each answer does. */
  children?: ReactNode;
  confirmLabel: ReactNode;
  cancelLabel: ReactNode;
  onConfirm: () => void;
  /** The secondary answer. */
  onCancel: () => void;
  /** Escape and the back gesture, when they mean neither answer. */
  onDismiss?: (() => void) | undefined;
  /** `danger` when confirming loses something: the focus then starts on the other button. */
  tone?: "plain" | "danger" | undefined;
}

export const Dialog = lingering(OpenDialog);

function OpenDialog(props: DialogProps & Lingering) {
  const { title, children, confirmLabel, cancelLabel, onConfirm, onCancel, tone, surface, leaving } = props;
  const id = useId();
  const modal = useModal(surface, props.onDismiss ?? onCancel, !leaving);
  const danger = tone === "danger";

  const confirm = (
    <Button
      key="confirm"
      tone={danger ? "danger" : "primary"}
      onClick={onConfirm}
      data-first-focus={danger ? undefined : ""}
    >
      {confirmLabel}
    </Button>
  );
  const cancel = (
    <Button
      key="cancel"
      tone={danger ? "primary" : "quiet"}
      onClick={onCancel}
      data-first-focus={danger ? "" : undefined}
    >
      {cancelLabel}
    </Button>
  );

  return (
    <Surface
      ref={surface}
      {...modal}
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={children ? `${id}-words` : undefined}
      data-leaving={leaving ? "" : undefined}
    >
      <Title id={`${id}-title`}>{title}</Title>
      {children ? <Words id={`${id}-words`}>{children}</Words> : null}
      <Answers>{danger ? [cancel, confirm] : [confirm, cancel]}</Answers>
    </Surface>
  );
}
