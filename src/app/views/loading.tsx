/** A flame that breathes while a view is on its way; after ten seconds it says so and offers a way on. Decisions, "Default timeout none". */
import { Trans, useLingui } from "@lingui/react/macro";
import { keyframes, styled } from "styled-components";
import { Flame } from "../parts/flame.tsx";
import { Slow } from "./slow.tsx";

const Middle = styled.div`
  display: grid;
  place-items: center;
  align-content: center;
  gap: 24px;
  min-height: 70dvh;
`;

const appear = keyframes`
  from { visibility: hidden; }
  to { visibility: visible; }
`;

/** By the style sheet alone: what a chart would need to count may be what is late. */
const Late = styled.div`
  visibility: hidden;
  animation: ${appear} 1ms 10s forwards;
`;

export function Loading() {
  const { t } = useLingui();
  return (
    <Middle role="status" aria-label={t`Loading`}>
      <Flame size={40} />
      <Late>
        <Slow shown onGoOn={() => window.location.reload()}>
          <Trans>Reload the app</Trans>
        </Slow>
      </Late>
    </Middle>
  );
}
