/** Opens customer support in its own window, or shows a link when the browser blocks it. Specification, section 1. */
import { Trans } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import { Headset } from "lucide";
import { supportMachine } from "../../../machines/support.ts";
import { useChart } from "../runtime/hooks.ts";
import { Button, ButtonAnchor } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Stack } from "../ui/stack.tsx";
import { SlowNotice } from "./slow-notice.tsx";

export function SupportLink() {
  const support = useChart(supportMachine);
  const blocked = useSelector(support, ({ context }) => context.blocked);
  const busy = useSelector(support, (snapshot) => snapshot.hasTag("busy"));
  const slow = useSelector(support, (snapshot) => snapshot.hasTag("slow"));
  return blocked === null ? (
    <Stack data-gap="none">
      <SlowNotice shown={slow} onGoOn={() => support.send({ type: "cancel" })}>
        <Trans>Stop waiting</Trans>
      </SlowNotice>
      <Button
        tone="text"
        busy={busy}
        icon={<Icon of={Headset} />}
        onClick={() => support.send({ type: "support.requested" })}
      >
        <Trans>Contact customer support</Trans>
      </Button>
    </Stack>
  ) : (
    <ButtonAnchor data-tone="text" href={blocked} target="_blank" rel="noreferrer">
      <Trans>The window did not open. Tap here to open support.</Trans>
    </ButtonAnchor>
  );
}
