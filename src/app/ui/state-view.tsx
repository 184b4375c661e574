/** The state of a screen, or part of one, that has nothing to show: why, and what to do next. */
import type { ReactNode } from "react";
import styled from "styled-components";
import { linesStyle } from "./text.tsx";

const Frame = styled.div`
  flex: 1 0 auto;
  display: flex;
  flex-direction: column;
  align-items: center;
  justify-content: center;
  padding: 32px 8px;
  text-align: center;
`;

const Picture = styled.div`
  display: grid;
  place-items: center;
  min-height: 160px;
  margin-bottom: 20px;

  img {
    width: 200px;
    height: 160px;
    object-fit: contain;
  }
`;

const Title = styled.h2`
  font-size: var(--size-20);
`;

const Words = styled.div`
  ${linesStyle}
  max-width: 22em;
  margin-top: 8px;
  color: var(--soft);
`;

const Actions = styled.div`
  display: grid;
  justify-items: center;
  gap: 8px;
  width: 100%;
  max-width: 320px;
  margin-top: 28px;
`;

export interface StateViewProps {
  /** An `img` (200 × 160) or a drawing; decorative, so without alternative text. */
  picture?: ReactNode;
  title: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  /** Announced when it appears: `alert` at once, `status` politely. */
  role?: "alert" | "status" | undefined;
}

export function StateView({ picture, title, children, actions, role }: StateViewProps) {
  return (
    <Frame role={role}>
      {picture ? <Picture>{picture}</Picture> : null}
      <Title>{title}</Title>
      {children ? <Words>{children}</Words> : null}
      {actions ? <Actions>{actions}</Actions> : null}
    </Frame>
  );
}
