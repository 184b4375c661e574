/** Buttons: the primary action of a screen, the secondary ones and the round icon buttons. */
import type { ComponentProps, ReactNode } from "react";
import styled from "styled-components";
import { Flame } from "./flame.tsx";
import { leavesFocus } from "./focus.ts";

const Plain = styled.button`
  --face-colour: var(--primary);
  --text-colour: var(--on-primary);
  --pressed-colour: var(--primary-pressed);
  --edge-colour: transparent;
  display: inline-flex;
  align-items: center;
  justify-content: center;
  gap: 8px;
  width: 100%;
  min-height: var(--control);
  padding: 10px 20px;
  border: 1px solid var(--edge-colour);
  border-radius: var(--radius-small);
  background: var(--face-colour);
  color: var(--text-colour);
  font-size: var(--size-16);
  font-weight: 600;
  line-height: 1.3;
  text-align: center;
  text-decoration: none;
  text-wrap: balance;
  cursor: pointer;
  user-select: none;
  -webkit-user-select: none;
  touch-action: manipulation;
  transition:
    background-color var(--touch-time) var(--ease),
    transform var(--touch-time) var(--ease);

  &[data-tone="secondary"] {
    --face-colour: var(--card);
    --text-colour: var(--ink);
    --pressed-colour: var(--well);
    --edge-colour: var(--edge);
  }
  &[data-tone="quiet"] {
    --face-colour: transparent;
    --text-colour: var(--ink);
    --pressed-colour: var(--well);
  }
  &[data-tone="danger"] {
    --face-colour: transparent;
    --text-colour: var(--failure);
    --pressed-colour: var(--failure-tint);
  }
  &[data-tone="text"] {
    --face-colour: transparent;
    --text-colour: var(--accent);
    --pressed-colour: var(--accent-tint);
    width: auto;
    min-height: var(--touch);
    padding: 8px 12px;
    font-size: var(--size-14);
  }
  &[data-size="small"] {
    width: auto;
    min-height: var(--touch);
    padding: 8px 16px;
    font-size: var(--size-14);
  }
  .icon {
    width: 1.25em;
    height: 1.25em;
  }
  @media (hover: hover) {
    &:hover:not(:disabled) {
      background: var(--pressed-colour);
    }
  }
  &:active:not(:disabled) {
    background: var(--pressed-colour);
    transform: scale(0.985);
  }
  &:disabled:not([data-busy]) {
    --face-colour: var(--well);
    --text-colour: var(--faint);
    --edge-colour: transparent;
    cursor: default;
  }
  &[data-tone="quiet"],
  &[data-tone="danger"],
  &[data-tone="text"] {
    &:disabled:not([data-busy]) {
      --face-colour: transparent;
    }
  }
  &[data-busy] {
    cursor: progress;
  }
  @media (prefers-reduced-motion: reduce) {
    &&:active {
      transform: none;
    }
  }
  /* In dark mode the button has the lamp's colour, so the flame must be dark. */
  @media (prefers-color-scheme: dark) {
    &[data-tone="primary"] {
      --flame-colour: var(--on-primary);
    }
  }
`;

/** A link that looks like a button (`data-tone`, `data-size`); pass it to `linkWith`. */
export const ButtonAnchor = (props: ComponentProps<"a">) => <Plain as="a" {...props} />;

export type ButtonTone = "primary" | "secondary" | "quiet" | "danger" | "text";

export interface ButtonProps extends ComponentProps<"button"> {
  tone?: ButtonTone | undefined;
  /** `small`: as wide as its label, 44 px high. */
  size?: "full" | "small" | undefined;
  /** A request is pending: the label stays, a flame breathes beside it, taps are ignored. */
  busy?: boolean | undefined;
  icon?: ReactNode;
}

export function Button({ tone = "primary", size, busy, icon, children, onClick, ...rest }: ButtonProps) {
  return (
    <Plain
      type="button"
      ref={leavesFocus}
      {...rest}
      data-tone={tone}
      data-size={size}
      data-busy={busy ? "" : undefined}
      aria-busy={busy ? true : undefined}
      aria-disabled={busy ? true : undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {busy ? <Flame /> : icon}
      <span>{children}</span>
    </Plain>
  );
}

const PlainIconButton = styled.button`
  display: inline-grid;
  place-items: center;
  flex: none;
  min-width: var(--touch);
  min-height: var(--touch);
  border-radius: var(--radius-small);
  color: var(--ink);
  cursor: pointer;
  touch-action: manipulation;
  transition:
    background-color var(--touch-time) var(--ease),
    color var(--touch-time) var(--ease);

  @media (hover: hover) {
    &:hover:not(:disabled) {
      background: var(--well);
    }
  }
  &:active:not(:disabled) {
    background: var(--well);
  }
  &:disabled {
    color: var(--faint);
    cursor: default;
  }
`;

/** A link that looks like an icon button; needs an `aria-label`. */
export const IconAnchor = (props: ComponentProps<"a">) => <PlainIconButton as="a" {...props} />;

export interface IconButtonProps extends ComponentProps<"button"> {
  /** The accessible name. */
  label: string;
}

export function IconButton({ label, children, ...rest }: IconButtonProps) {
  return (
    <PlainIconButton type="button" ref={leavesFocus} aria-label={label} {...rest}>
      {children}
    </PlainIconButton>
  );
}
