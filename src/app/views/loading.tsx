/** A flame that breathes while a view is on its way. */
import { useLingui } from "@lingui/react/macro";
import { styled } from "styled-components";
import { Flame } from "../parts/flame.tsx";

const Middle = styled.div`
  display: grid;
  place-items: center;
  min-height: 70dvh;
`;

export function Loading() {
  const { t } = useLingui();
  return (
    <Middle role="status" aria-label={t`Loading`}>
      <Flame size={40} />
    </Middle>
  );
}
