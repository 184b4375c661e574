/** Radio cards side by side, of which one is selected. */
import type { ComponentProps, ReactNode } from "react";
import styled from "styled-components";
import { radioFaceStyle, RadioInput, RadioLabel } from "./radio-card.ts";
import { RadioMark } from "./radio-mark.tsx";

const Legend = styled.legend`
  padding: 0 0 8px;
  font-size: var(--size-14);
  font-weight: 550;
  line-height: 1.4;
  color: var(--soft);
`;

const Grid = styled.div`
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 9em), 1fr));
  gap: 12px;

  &[data-layout="list"] {
    grid-template-columns: 1fr;
  }
`;

const Face = styled.span`
  ${radioFaceStyle}
  --chosen: var(--ink);
  --mark-colour: var(--ink);
  --mark-ink: var(--ground);
  display: flex;
  align-items: flex-start;
  gap: 12px;
  height: 100%;
  min-height: 60px;
  padding: 16px;

  [data-layout="list"] & {
    align-items: center;
  }
`;

const Main = styled.span`
  flex: 1;
  display: grid;
  gap: 2px;
  min-width: 0;
`;

const Title = styled.span`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 4px 8px;
  font-weight: 620;
  line-height: 1.5;
`;

const Description = styled.span`
  font-size: var(--size-14);
  line-height: 1.4;
  color: var(--soft);
`;

const Icon = styled.span`
  display: grid;
  color: var(--soft);
`;

export interface ChoicesProps extends ComponentProps<"fieldset"> {
  legend: ReactNode;
  /** `grid`: side by side while there is room. `list`: stacked. */
  layout?: "grid" | "list" | undefined;
}

export function Choices({ legend, layout = "grid", children, ...fieldset }: ChoicesProps) {
  return (
    <fieldset {...fieldset}>
      <Legend>{legend}</Legend>
      <Grid data-layout={layout}>{children}</Grid>
    </fieldset>
  );
}

export interface ChoiceProps extends Omit<ComponentProps<"input">, "title" | "type"> {
  title: ReactNode;
  description?: ReactNode;
  /** Beside the title, such as a `Badge`. */
  badge?: ReactNode;
  icon?: ReactNode;
}

/** Takes `name`, `value`, `checked`, `onChange` and the other attributes of a native radio. */
export function Choice({ title, description, badge, icon, ...input }: ChoiceProps) {
  return (
    <RadioLabel>
      <RadioInput {...input} />
      <Face>
        {icon ? <Icon>{icon}</Icon> : null}
        <Main>
          <Title>
            {title}
            {badge}
          </Title>
          {description ? <Description>{description}</Description> : null}
        </Main>
        <RadioMark />
      </Face>
    </RadioLabel>
  );
}
