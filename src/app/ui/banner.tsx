/** A slim banner above every screen, for the sandbox and for a lost network. */
import type { ComponentProps, ReactNode } from "react";
import styled from "styled-components";

const Line = styled.aside`
  flex: none;
  padding: calc(6px + var(--safe-top)) 16px 6px;
  background: var(--lamp-tint);
  color: var(--ink);
  font-size: var(--size-12);
  font-weight: 550;
  line-height: 1.4;
  text-align: center;

  /* The accent colour has too little contrast on this background. */
  a {
    color: inherit;
    white-space: nowrap;
  }
  .icon {
    width: 1.25em;
    height: 1.25em;
    display: inline-block;
    margin-inline-end: 6px;
    vertical-align: -0.27em;
  }
`;

export interface BannerProps extends ComponentProps<"aside"> {
  /** Names the landmark for screen readers. */
  label: string;
  /** Before the text. */
  icon: ReactNode;
  children: ReactNode;
}

export function Banner({ label, icon, children, ...rest }: BannerProps) {
  return (
    <Line {...rest} aria-label={label}>
      {icon}
      {children}
    </Line>
  );
}
