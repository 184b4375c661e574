/** A bottom sheet: follows a drag down and closes on a tap beside it. */
import {
  createContext,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type PointerEvent,
  type ReactNode,
  type RefObject,
} from "react";
import { createPortal } from "react-dom";
import styled, { keyframes } from "styled-components";
import { X } from "lucide";
import { IconButton } from "./button.tsx";
import { edgeStyle } from "./edge.ts";
import { fadeIn, fadeOut } from "./fade.ts";
import { Icon } from "./icon.tsx";
import { usePresence } from "./use-presence.ts";
import { useCover } from "./modal.ts";
import { OverlayContext } from "./overlay-context.ts";
import { useIdle } from "./use-idle.ts";

const rise = keyframes`from { transform: translateY(100%); }`;
const sink = keyframes`to { transform: translateY(100%); }`;

const Veil = styled.div`
  position: fixed;
  z-index: 70;
  inset: 0;
  background: var(--veil);
  touch-action: pinch-zoom;
  visibility: hidden;

  &[data-open] {
    visibility: visible;
    animation: ${fadeIn} var(--move-time) ease-out;
  }
  &[data-leaving] {
    animation: ${fadeOut} var(--move-time) ease-out forwards;
  }
`;

/** Laid out invisibly before it opens. All props go to the element, because styled-components does not know `closedby`. */
const Surface = styled.dialog.withConfig({ shouldForwardProp: () => true })`
  position: fixed;
  z-index: 70;
  inset: auto 0 0;
  display: flex;
  flex-direction: column;
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
  ${edgeStyle}
  overflow: hidden;
  visibility: hidden;

  &[open] {
    visibility: visible;
    transition: transform var(--move-time) var(--ease);
    animation: ${rise} var(--move-time) var(--ease);
    will-change: transform;
  }
  &[data-dragging] {
    transition: none;
  }
  &[data-leaving] {
    animation: ${sink} var(--move-time) var(--ease) forwards;
    pointer-events: none;
  }
  @media (prefers-reduced-motion: reduce) {
    &[open] {
      animation-name: ${fadeIn};
      transition: none;
    }
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
  touch-action: pinch-zoom;
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

  /* Nothing to scroll: the whole sheet can be dragged. */
  [data-whole] > & {
    touch-action: pinch-zoom;
  }
`;

const Foot = styled.div`
  flex: none;
  padding: 12px var(--gutter) calc(16px + var(--safe-bottom));
  border-top: 1px solid var(--hairline);
`;

export interface SheetProps {
  open: boolean;
  title: ReactNode;
  closeLabel: string;
  /** By a tap beside it, Escape, the close button or a drag down. */
  onClose: () => void;
  /** Such as `58%` of the screen; by default the height of the content. */
  height?: string | undefined;
  /** Stays below the scrolling content. */
  foot?: ReactNode;
  children: ReactNode;
}

/** Whether the content is visible: a sheet's content is rendered before the sheet opens. */
export const SeenContext = createContext(true);

/** Rendered and laid out before it opens, so that the tap only has to show it. */
export function Sheet({ open, ...rest }: SheetProps) {
  const surface = useRef<HTMLDialogElement>(null);
  const { shown, leaving } = usePresence(open ? true : null, surface);
  const isShown = shown !== null;
  // A new key for each opening resets scroll positions and wheels.
  const [opening, setOpening] = useState({ isShown, count: 0 });
  if (isShown !== opening.isShown) setOpening({ isShown, count: opening.count + (isShown ? 0 : 1) });
  return <DrawnSheet key={opening.count} {...rest} surface={surface} isShown={isShown} leaving={leaving} />;
}

interface DrawnSheetProps extends Omit<SheetProps, "open"> {
  surface: RefObject<HTMLDialogElement | null>;
  isShown: boolean;
  leaving: boolean;
}

function DrawnSheet(props: DrawnSheetProps) {
  const rested = useIdle();
  return rested || props.isShown ? (
    <SeenContext value={props.isShown}>{createPortal(<SheetItself {...props} />, document.body)}</SeenContext>
  ) : null;
}

function SheetItself(props: DrawnSheetProps) {
  const { title, closeLabel, onClose, height, foot, children, surface, isShown, leaving } = props;
  const titleId = useId();
  const cover = useCover(surface, onClose, isShown, leaving);
  const both = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const over = useContext(OverlayContext);
  const [grip] = useState(() => over?.newDragHandle() ?? null);
  const from = useRef({ x: 0, y: 0 });
  /** A touch that dragged the sheet does not click when it ends. */
  const pulled = useRef(false);

  // The sheet is a portal outside its view, and must be hidden with it. React does that from 19.3 on.
  useLayoutEffect(() => {
    const node = both.current;
    node?.toggleAttribute("hidden", false);
    return () => void node?.toggleAttribute("hidden", true);
  }, []);

  // After each render, because the content may only have loaded now.
  useLayoutEffect(() => {
    if (!isShown) return;
    const { scrollHeight = 0, clientHeight = 0 } = content.current ?? {};
    surface.current?.toggleAttribute("data-whole", scrollHeight <= clientHeight);
  });

  // A drag may outlast the render in which it began.
  const close = useRef(onClose);
  useLayoutEffect(() => {
    close.current = onClose;
  });
  useEffect(
    () =>
      grip?.watch(
        (distance) => {
          if (!surface.current || surface.current.hasAttribute("data-leaving")) return;
          surface.current.toggleAttribute("data-dragging", grip.isFollowing());
          surface.current.style.transform = distance === 0 ? "" : `translate3d(0, ${distance}px, 0)`;
        },
        () => close.current(),
      ),
    [grip, surface],
  );

  const hold = (event: PointerEvent<HTMLDialogElement>) => {
    pulled.current = false;
    const { target } = event;
    if (!grip || !event.isPrimary || event.button !== 0 || !(target instanceof Element)) return;
    // On a zoomed page the touch pans.
    if ((window.visualViewport?.scale ?? 1) > 1) return;
    // Touches on scrolling, turning and text elements are theirs.
    const whole = event.currentTarget.hasAttribute("data-whole");
    if (target === event.currentTarget || target.closest("[role=slider], input, textarea")) return;
    if (!whole && content.current?.contains(target)) return;
    from.current = { x: event.clientX, y: event.clientY };
    grip.hold(event.timeStamp);
  };
  const follow = (event: PointerEvent<HTMLDialogElement>) => {
    if (!grip || !event.isPrimary) return;
    const { x, y } = from.current;
    grip.follow({ down: event.clientY - y, across: event.clientX - x, at: event.timeStamp });
    if (!grip.isFollowing() || pulled.current) return;
    pulled.current = true;
    // Not earlier: a captured pointer would take the clicks from the buttons.
    event.currentTarget.setPointerCapture?.(event.pointerId);
  };
  const release = (event: PointerEvent<HTMLDialogElement>) => {
    if (event.isPrimary) grip?.release({ at: event.timeStamp, height: event.currentTarget.offsetHeight });
  };

  return (
    <div ref={both}>
      <Veil
        data-open={isShown ? "" : undefined}
        data-leaving={leaving ? "" : undefined}
        onClick={leaving ? undefined : onClose}
      />
      <Surface
        ref={surface}
        {...cover}
        aria-labelledby={titleId}
        data-leaving={leaving ? "" : undefined}
        style={height === undefined ? undefined : { ["--sheet-height" as string]: height }}
        onPointerDown={hold}
        onPointerMove={follow}
        onPointerUp={release}
        onPointerCancel={() => grip?.lose()}
        onClickCapture={(event) => {
          if (!pulled.current) return;
          pulled.current = false;
          event.stopPropagation();
        }}
      >
        <Head>
          <Title id={titleId} tabIndex={-1} data-first-focus="">
            {title}
          </Title>
          <IconButton label={closeLabel} onClick={onClose}>
            <Icon of={X} />
          </IconButton>
        </Head>
        <Content ref={content}>{children}</Content>
        {foot ? <Foot>{foot}</Foot> : null}
      </Surface>
    </div>
  );
}
