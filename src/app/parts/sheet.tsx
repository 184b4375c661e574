/** A sheet that rises from the bottom edge, follows the finger down, and leaves on a tap beside it. */
import { useId, useRef, type PointerEvent, type ReactNode, type RefObject } from "react";
import styled, { keyframes } from "styled-components";
import { X } from "lucide-react";
import { IconButton } from "./button.tsx";
import { useLinger } from "./linger.ts";
import { useModal } from "./modal.ts";

const rise = keyframes`from { transform: translateY(100%); }`;
const sink = keyframes`to { transform: translateY(100%); }`;
const fadeIn = keyframes`from { opacity: 0; }`;
const fadeOut = keyframes`to { opacity: 0; }`;

const Surface = styled.dialog`
  position: fixed;
  inset: auto 0 0;
  width: 100%;
  max-width: var(--column);
  height: var(--sheet-height, auto);
  max-height: min(92%, 100% - 24px);
  margin: 0 auto;
  border: 0;
  border-radius: var(--radius-sheet) var(--radius-sheet) 0 0;
  background: var(--card);
  color: var(--ink);
  box-shadow: var(--shadow-floating);
  overflow: hidden;
  transform: translateY(var(--drag, 0px));
  transition: transform var(--move-time) var(--ease);
  animation: ${rise} var(--move-time) var(--ease);

  &[open] {
    display: flex;
    flex-direction: column;
  }
  &[data-dragging] {
    transition: none;
  }
  &::backdrop {
    background: var(--veil, rgb(8 12 22 / 0.5));
    animation: ${fadeIn} var(--move-time, 240ms) ease-out;
  }
  &[data-leaving] {
    animation: ${sink} var(--move-time) var(--ease) forwards;
    pointer-events: none;

    &::backdrop {
      animation: ${fadeOut} var(--move-time, 240ms) ease-out forwards;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    animation-name: ${fadeIn};
    transition: none;

    &[data-leaving] {
      animation-name: ${fadeOut};
    }
  }
`;

const Head = styled.div`
  position: relative;
  display: grid;
  grid-template-columns: var(--touch) 1fr var(--touch);
  align-items: center;
  gap: 4px;
  flex: none;
  padding: 18px 8px 8px;
  touch-action: none;
  cursor: grab;

  &::before {
    content: "";
    position: absolute;
    top: 8px;
    left: 50%;
    width: 36px;
    height: 4px;
    margin-left: -18px;
    border-radius: 2px;
    background: var(--hairline);
  }
`;

const Title = styled.h2`
  grid-column: 2;
  font-size: 1.0625rem;
  font-weight: 620;
  text-align: center;

  &:focus-visible {
    outline: none;
  }
`;

const Content = styled.div`
  flex: 1 1 auto;
  min-height: 0;
  padding: 4px var(--gutter) calc(20px + var(--safe-bottom));
  overflow-y: auto;
  overscroll-behavior: contain;
`;

const Foot = styled.div`
  flex: none;
  padding: 12px var(--gutter) calc(16px + var(--safe-bottom));
  border-top: 1px solid var(--hairline);
`;

/** Beyond this share of its height, or faster than this many pixels a millisecond, the sheet is let go. */
const letGo = { share: 0.3, speed: 0.6 };

export interface SheetProps {
  open: boolean;
  title: ReactNode;
  closeLabel: string;
  /** A tap beside it, Escape, the close button, a pull down. */
  onClose: () => void;
  /** Such as `58%` of the screen; by default as high as its content. */
  height?: string | undefined;
  /** Stays below the scrolling content. */
  foot?: ReactNode;
  children: ReactNode;
}

export function Sheet({ open, ...rest }: SheetProps) {
  const surface = useRef<HTMLDialogElement>(null);
  const { shown, leaving } = useLinger(open ? true : null, surface);
  return shown ? <OpenSheet {...rest} surface={surface} leaving={leaving} /> : null;
}

interface OpenSheetProps extends Omit<SheetProps, "open"> {
  surface: RefObject<HTMLDialogElement | null>;
  leaving: boolean;
}

function OpenSheet({ title, closeLabel, onClose, height, foot, children, surface, leaving }: OpenSheetProps) {
  const titleId = useId();
  const modal = useModal(surface, onClose);
  const drag = useRef<{ from: number; at: number; last: number; speed: number } | null>(null);

  const hold = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.isPrimary || event.button !== 0 || (event.target as Element).closest("button")) return;
    event.currentTarget.setPointerCapture?.(event.pointerId);
    drag.current = { from: event.clientY, at: event.timeStamp, last: event.clientY, speed: 0 };
    surface.current?.setAttribute("data-dragging", "");
  };
  const follow = (event: PointerEvent<HTMLDivElement>) => {
    const held = drag.current;
    if (!held || !surface.current) return;
    const passed = Math.max(1, event.timeStamp - held.at);
    held.speed = (event.clientY - held.last) / passed;
    held.at = event.timeStamp;
    held.last = event.clientY;
    surface.current.style.setProperty("--drag", `${Math.max(0, event.clientY - held.from)}px`);
  };
  const release = () => {
    const held = drag.current;
    drag.current = null;
    if (!held || !surface.current) return;
    surface.current.removeAttribute("data-dragging");
    const far = held.last - held.from > surface.current.offsetHeight * letGo.share;
    if (far || held.speed > letGo.speed) onClose();
    // Leaving goes on from where the finger left it; staying returns.
    const sheet = surface.current;
    requestAnimationFrame(() => {
      if (!sheet.hasAttribute("data-leaving")) sheet.style.removeProperty("--drag");
    });
  };

  return (
    <Surface
      ref={surface}
      {...modal}
      aria-labelledby={titleId}
      data-leaving={leaving ? "" : undefined}
      style={height === undefined ? undefined : { ["--sheet-height" as string]: height }}
      onClick={(event) => {
        if (event.target === event.currentTarget && !leaving) onClose();
      }}
    >
      <Head onPointerDown={hold} onPointerMove={follow} onPointerUp={release} onPointerCancel={release}>
        <Title id={titleId} tabIndex={-1} data-first-focus="">
          {title}
        </Title>
        <IconButton label={closeLabel} onClick={onClose}>
          <X aria-hidden="true" />
        </IconButton>
      </Head>
      <Content>{children}</Content>
      {foot ? <Foot>{foot}</Foot> : null}
    </Surface>
  );
}
