/** The slim line that says, on every screen, that no real money moves here. */
import type { ReactNode } from "react";
import styled from "styled-components";
import { FlaskConical } from "lucide-react";

const Line = styled.div`
  display: flex;
  align-items: center;
  justify-content: center;
  gap: 6px;
  flex: none;
  view-transition-name: banner;
  padding: calc(6px + var(--safe-top)) 16px 6px;
  background: var(--lamp-tint);
  color: var(--ink);
  font-size: var(--size-12);
  font-weight: 550;
  line-height: 1.4;
  text-align: center;

  .lucide {
    width: 1.25em;
    height: 1.25em;
  }
`;

export interface BannerProps {
  children: ReactNode;
}

export function Banner({ children }: BannerProps) {
  return (
    <Line role="note">
      <FlaskConical aria-hidden="true" />
      <span>{children}</span>
    </Line>
  );
}
