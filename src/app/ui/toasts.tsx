/** Messages above everything: a toast below the middle, a notification at the top. */
import { useLayoutEffect, useRef, type ReactNode } from "react";
import styled, { keyframes } from "styled-components";
import { edgeStyle } from "./edge.ts";
import { CircleAlert, CircleCheck } from "lucide";
import { fadeIn, fadeOut, rise } from "./fade.ts";
import { Icon } from "./icon.tsx";
import { usePresence } from "./use-presence.ts";

const drop = keyframes`from { opacity: 0; transform: translateY(-100%); }`;
const lift = keyframes`to { opacity: 0; transform: translateY(-100%); }`;

/**
 * Always in the DOM, so that screen readers announce changes. It is a popover, where supported, to stay above modal
 * dialogs.
 */
const Layer = styled.div`
  position: fixed;
  z-index: 100;
  inset: 0;
  width: auto;
  height: auto;
  border: 0;
  background: none;
  color: inherit;
  overflow: visible;
  pointer-events: none;
`;

/** Below the middle, where screens have free space: titles and selections are above, actions at the bottom. */
const Middle = styled.div`
  position: absolute;
  inset: 55% 0 auto;
  height: 30%;
  display: grid;
  place-items: center;
  padding-inline: 24px;
`;

const Pill = styled.div`
  display: flex;
  align-items: center;
  gap: 10px;
  max-width: min(100%, 340px);
  padding: 12px 20px;
  border-radius: 24px;
  background: var(--inverse);
  color: var(--on-inverse);
  box-shadow: var(--shadow-floating);
  ${edgeStyle}
  font-size: 0.9375rem;
  font-weight: 500;
  line-height: 1.45;
  animation: ${rise} var(--move-time) var(--ease);

  .icon {
    width: 1.25rem;
    height: 1.25rem;
  }
  &[data-leaving] {
    animation: ${fadeOut} var(--touch-time) ease-in forwards;
  }
  &[data-tone="success"] .icon {
    color: var(--inverse-success);
  }
  &[data-tone="failure"] .icon {
    color: var(--inverse-failure);
  }
  @media (prefers-reduced-motion: reduce) {
    animation-name: ${fadeIn};
  }
`;

const Top = styled.div`
  position: absolute;
  inset: 0 0 auto;
`;

const Strip = styled.div`
  display: flex;
  align-items: flex-start;
  justify-content: center;
  gap: 8px;
  padding: calc(14px + var(--safe-top)) 20px 14px;
  background: var(--failure-fill);
  color: var(--on-failure);
  box-shadow: var(--shadow-floating);
  ${edgeStyle}
  font-size: 0.9375rem;
  font-weight: 550;
  line-height: 1.45;
  animation: ${drop} var(--move-time) var(--ease);

  .icon {
    width: 1.25rem;
    height: 1.25rem;
    margin-top: 0.1em;
  }
  &[data-leaving] {
    animation: ${lift} var(--move-time) var(--ease) forwards;
  }
  @media (prefers-reduced-motion: reduce) {
    animation-name: ${fadeIn};

    &[data-leaving] {
      animation-name: ${fadeOut};
    }
  }
`;

export interface Toast {
  text: ReactNode;
  tone?: "plain" | "success" | "failure" | undefined;
  /** Only to be seen. */
  silent?: boolean | undefined;
}

export interface ToastsProps {
  /** Announced politely, below the middle. */
  toast: Toast | null;
  /** Announced at once, at the top. */
  notify: ReactNode | null;
}

export function Toasts({ toast, notify }: ToastsProps) {
  const layer = useRef<HTMLDivElement>(null);
  const pill = useRef<HTMLDivElement>(null);
  const strip = useRef<HTMLDivElement>(null);
  const presence = usePresence(toast, pill);
  const warned = usePresence(notify, strip);

  useLayoutEffect(() => {
    const node = layer.current;
    if (!node || (toast === null && notify === null)) return;
    // Only above a modal dialog, where `z-index` does not help: showing a popover takes a slow phone longer than a
    // frame.
    if (typeof node.showPopover === "function" && document.querySelector("dialog:modal")) {
      node.popover = "manual";
      // Shown again for each message, to be above dialogs that opened since.
      if (node.matches(":popover-open")) node.hidePopover();
      node.showPopover();
    }
    // An iPhone's keyboard covers the lower part of what is fixed, and may move the rest out at the top.
    const visible = window.visualViewport;
    if (!visible) return;
    const place = () => {
      node.style.top = `${visible.offsetTop}px`;
      node.style.height = `${visible.height}px`;
    };
    const changes = ["resize", "scroll"];
    place();
    for (const change of changes) visible.addEventListener(change, place);
    return () => {
      for (const change of changes) visible.removeEventListener(change, place);
    };
  }, [toast, notify]);

  return (
    <Layer ref={layer}>
      <Top role="alert">
        {warned.shown === null ? null : (
          <Strip ref={strip} data-leaving={warned.leaving ? "" : undefined}>
            <Icon of={CircleAlert} />
            <span data-message="">{warned.shown}</span>
          </Strip>
        )}
      </Top>
      <Middle role="status">
        {presence.shown === null ? null : (
          <Pill
            ref={pill}
            aria-hidden={presence.shown.silent}
            data-tone={presence.shown.tone}
            data-leaving={presence.leaving ? "" : undefined}
          >
            {presence.shown.tone === "success" ? <Icon of={CircleCheck} /> : null}
            {presence.shown.tone === "failure" ? <Icon of={CircleAlert} /> : null}
            <span data-message="">{presence.shown.text}</span>
          </Pill>
        )}
      </Middle>
    </Layer>
  );
}
