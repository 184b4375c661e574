/** Page layout of the account area: a bar with a back link, a column of content, and the main action at the bottom. */
import { useEffect, useRef, type ReactNode } from "react";
import styled, { keyframes } from "styled-components";
import { ArrowLeft } from "lucide";
import { IconButton } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { linesStyle } from "./text.tsx";

const appear = keyframes`
  from { opacity: 0.2; }
`;

const untouchable = keyframes`
  from { pointer-events: none; }
`;

const Column = styled.div`
  position: relative;
  display: flex;
  flex-direction: column;
  flex: 1 0 auto;
  width: 100%;
  max-width: var(--column);
  margin-inline: auto;
`;

/** A sentinel of one pixel that leaves the viewport when the page scrolls. */
const Mark = styled.div`
  position: absolute;
  top: 0;
  width: 1px;
  height: 1px;
`;

const Bar = styled.header`
  position: sticky;
  z-index: 10;
  top: 0;
  display: grid;
  grid-template-columns: minmax(var(--touch), 1fr) auto minmax(var(--touch), 1fr);
  align-items: center;
  gap: 8px;
  min-height: calc(var(--bar) + var(--safe-top));
  padding: calc(6px + var(--safe-top)) 8px 6px;
  background: var(--ground);

  &::after {
    content: "";
    position: absolute;
    inset: auto 0 0;
    border-bottom: 1px solid var(--hairline);
    opacity: 0;
    transition: opacity var(--touch-time) var(--ease);
  }
  &[data-scrolled]::after {
    opacity: 1;
  }
`;

const BarTitle = styled.h1`
  grid-column: 2;
  font-size: 1.0625rem;
  font-weight: 620;
  letter-spacing: -0.005em;
  text-align: center;
`;

const Start = styled.div`
  grid-column: 1;
  display: flex;
`;

const End = styled.div`
  grid-column: 3;
  display: flex;
  justify-content: flex-end;
`;

/** Includes the foot, because the main action belongs to the main landmark. */
const Main = styled.main`
  flex: 1 0 auto;
  display: flex;
  flex-direction: column;
`;

const Content = styled.div`
  flex: 1 0 auto;
  display: flex;
  flex-direction: column;
  padding: 8px calc(var(--gutter) + var(--safe-right)) 32px calc(var(--gutter) + var(--safe-left));

  /* Without reduced motion the whole view is animated (\`shell/kept-views.tsx\`). A page that stood before the app stays. */
  @media (prefers-reduced-motion: reduce) {
    html:not([data-takeover]) & {
      animation: ${appear} var(--move-time) ease-out;
    }
  }
`;

const Opening = styled.div`
  display: grid;
  gap: 8px;
  padding: 4px 0 28px;
`;

const LargeTitle = styled.h1`
  font-size: var(--size-26);
  font-weight: 680;
`;

const Lead = styled.p`
  ${linesStyle}
  color: var(--soft);
`;

const Foot = styled.div`
  position: sticky;
  z-index: 9;
  bottom: 0;
  display: grid;
  gap: 8px;
  padding: 20px calc(var(--gutter) + var(--safe-right)) calc(16px + var(--safe-bottom))
    calc(var(--gutter) + var(--safe-left));
  background: linear-gradient(to bottom, transparent, var(--ground) 20px);
  pointer-events: none;

  > * {
    pointer-events: auto;
  }
  /* The second tap of a double tap was meant for the screen before, whose action lay in the same place. */
  [data-direction="forward"] & > * {
    animation: ${untouchable} 1ms 300ms backwards;
  }
  /* Forced colours remove the gradient. */
  @media (forced-colors: active) {
    background: Canvas;
  }
  /* Landscape, or a very large text size: the action scrolls with the content. */
  @media (max-height: 30rem) {
    position: static;
  }
`;

export interface PageProps {
  title: ReactNode;
  /** `large` shows a large title above the content, for screens that begin a task. */
  large?: boolean | undefined;
  /** A line under a large title. */
  lead?: ReactNode;
  onBack?: (() => void) | undefined;
  backLabel?: string | undefined;
  /** A 44 px control at the end of the bar. */
  trailing?: ReactNode;
  /** The main action; stays above the bottom edge of the screen. */
  foot?: ReactNode;
  children?: ReactNode;
}

export function Page({ title, large, lead, onBack, backLabel, trailing, foot, children }: PageProps) {
  const mark = useRef<HTMLDivElement>(null);
  const bar = useRef<HTMLElement>(null);

  useEffect(() => {
    if (!mark.current || typeof IntersectionObserver === "undefined") return;
    const watch = new IntersectionObserver(([entry]) => {
      bar.current?.toggleAttribute("data-scrolled", entry?.isIntersecting === false);
    });
    watch.observe(mark.current);
    return () => watch.disconnect();
  }, []);

  return (
    <Column>
      <Mark ref={mark} />
      <Bar ref={bar}>
        {onBack ? (
          <Start>
            <IconButton label={backLabel ?? ""} onClick={onBack}>
              <Icon of={ArrowLeft} />
            </IconButton>
          </Start>
        ) : null}
        {large ? null : <BarTitle>{title}</BarTitle>}
        {trailing ? <End>{trailing}</End> : null}
      </Bar>
      <Main>
        <Content>
          {large ? (
            <Opening>
              <LargeTitle>{title}</LargeTitle>
              {lead ? <Lead>{lead}</Lead> : null}
            </Opening>
          ) : null}
          {children}
        </Content>
        {foot ? <Foot>{foot}</Foot> : null}
      </Main>
    </Column>
  );
}
