/** A value to copy: shown in full, selectable, and copied with one tap. */
import type { ReactNode } from "react";
import styled, { keyframes } from "styled-components";
import { Check, Copy } from "lucide";
import { IconButton } from "./button.tsx";
import { fadeIn } from "./fade.ts";
import { Icon } from "./icon.tsx";

const settle = keyframes`from { opacity: 0; transform: scale(0.6); }`;

const Line = styled.div`
  display: grid;
  grid-template-columns: 1fr auto;
  align-items: center;
  column-gap: 8px;
  min-height: 64px;
  padding: 12px 6px 12px 16px;

  &[data-size="long"] {
    padding-block: 6px 12px;
  }
`;

const Label = styled.span`
  align-self: center;
  font-size: var(--size-14);
  line-height: 1.4;
  color: var(--soft);
`;

const Value = styled.div`
  grid-column: 1;
  min-width: 0;
  font-size: var(--size-16);
  font-weight: 550;
  line-height: 1.45;
  font-variant-numeric: tabular-nums;
  overflow-wrap: anywhere;
  user-select: all;
  -webkit-user-select: all;

  &[data-size="large"] {
    font-size: var(--size-26);
    font-weight: 680;
    line-height: 1.25;
    letter-spacing: -0.01em;
  }
  /* A long value takes a whole line below its name and the button. */
  &[data-size="long"] {
    grid-column: 1 / -1;
    padding-inline-end: 10px;
  }
`;

const Taking = styled.div`
  grid-column: 2;
  grid-row: 1 / span 2;

  &[data-size="long"] {
    grid-row: 1;
  }
  .icon {
    width: 1.375rem;
    height: 1.375rem;
    animation: ${settle} var(--move-time) var(--ease);
  }
  [data-copied] {
    color: var(--success);
  }
  @media (prefers-reduced-motion: reduce) {
    .icon {
      animation-name: ${fadeIn};
    }
  }
`;

export interface CopyRowProps {
  label: ReactNode;
  /** The value itself, or an `Address` of it. */
  children: ReactNode;
  /** `large` for the amount to pay, `long` for an address. */
  size?: "normal" | "large" | "long" | undefined;
  copied: boolean;
  onCopy: () => void;
  /** The button's accessible name: `Copy the address`. */
  copyLabel: string;
  /** The confirmation after copying: `Address copied`. */
  copiedLabel?: string | undefined;
}

export function CopyRow({ label, children, size, copied, onCopy, copyLabel, copiedLabel }: CopyRowProps) {
  return (
    <Line data-size={size}>
      <Label>{label}</Label>
      <Value translate="no" dir="ltr" data-size={size}>
        {children}
      </Value>
      <Taking data-size={size}>
        <IconButton
          label={copied ? (copiedLabel ?? copyLabel) : copyLabel}
          onClick={onCopy}
          data-copied={copied ? "" : undefined}
        >
          {copied ? <Icon key="done" of={Check} /> : <Icon key="copy" of={Copy} />}
        </IconButton>
      </Taking>
    </Line>
  );
}
