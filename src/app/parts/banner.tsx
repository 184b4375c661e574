/** A slim line above every screen: that no real money moves here, that there is no network. */
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

  /* The accent is too faint on the lamp's own tint. */
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
  /** What it is about, for whoever goes from part to part of the page. */
  label: string;
  /** Before the words. */
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
