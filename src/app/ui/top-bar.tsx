/** The top bar of the landing page: the logo and the visitor's actions. */
import type { ComponentProps, ReactNode } from "react";
import styled from "styled-components";

/** Sticky and in the flow; render it beside the page's content, not inside a box of its own. */
const Bar = styled.header`
  position: sticky;
  z-index: 20;
  top: 0;
  flex: none;
  background: var(--ground);
  border-bottom: 1px solid var(--hairline);
`;

const Inner = styled.div`
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: 12px;
  max-width: 1120px;
  min-height: calc(var(--bar) + var(--safe-top));
  margin-inline: auto;
  padding: calc(6px + var(--safe-top)) calc(8px + var(--safe-right)) 6px calc(8px + var(--safe-left));
`;

const LogoButton = styled.button`
  display: flex;
  align-items: center;
  flex: none;
  min-width: var(--touch);
  min-height: var(--touch);
  padding: 4px 8px;
  border-radius: var(--radius-small);

  img,
  svg {
    height: 28px;
    width: auto;
  }
`;

const Ends = styled.div`
  display: flex;
  align-items: center;
  justify-content: flex-end;
  min-width: 0;
`;

/** The signed-in user's link: an icon and as much of the name as fits. */
export const TopBarAnchor = styled.a`
  display: inline-flex;
  align-items: center;
  gap: 8px;
  min-width: var(--touch);
  min-height: var(--touch);
  padding: 4px 10px;
  border-radius: var(--radius-small);
  color: var(--ink);
  font-size: var(--size-14);
  font-weight: 550;
  text-decoration: none;

  &:active {
    background: var(--well);
  }
  @media (hover: hover) {
    &:hover {
      background: var(--well);
    }
  }
`;

/** A name of any length on one line. */
export const TopBarName = styled.span`
  max-width: min(9em, 28vw);
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
`;

export interface TopBarProps extends ComponentProps<"header"> {
  logo: ReactNode;
  /** The accessible name of the logo's button. */
  logoLabel: string;
  onLogo: () => void;
  /** At the right: icons, a name. */
  children: ReactNode;
}

export function TopBar({ logo, logoLabel, onLogo, children, ...rest }: TopBarProps) {
  return (
    <Bar {...rest}>
      <Inner>
        <LogoButton type="button" aria-label={logoLabel} onClick={onLogo}>
          {logo}
        </LogoButton>
        <Ends>{children}</Ends>
      </Inner>
    </Bar>
  );
}
