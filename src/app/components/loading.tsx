/** A breathing flame while a view loads; after ten seconds it says so and offers a retry. Decisions, "Default timeout none". */
import { Trans, useLingui } from "@lingui/react/macro";
import { keyframes, styled } from "styled-components";
import { Flame } from "../ui/flame.tsx";
import { SlowNotice } from "./slow-notice.tsx";

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

/** By CSS alone: the chart that would count the time may itself still be loading. */
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
        <SlowNotice shown onGoOn={() => window.location.reload()}>
          <Trans>Reload the app</Trans>
        </SlowNotice>
      </Late>
    </Middle>
  );
}
