/** A link to the provider's payment page, for when its window was blocked or closed. Decisions, "Windows opened for the user". */
import { Trans, useLingui } from "@lingui/react/macro";
import { clipboardMachine } from "../../../machines/clipboard.ts";
import { useChart } from "../runtime/hooks.ts";
import { ButtonAnchor } from "../ui/button.tsx";
import { Row, Rows } from "../ui/rows.tsx";
import { Stack } from "../ui/stack.tsx";
import { CopyValue } from "./copy-value.tsx";

/** Opens in this window, because in-app browsers open no other. @param address already checked as safe */
export function PayLink({ address, tone }: { address: string; tone: "primary" | "secondary" }) {
  const { t } = useLingui();
  const copying = useChart(clipboardMachine);
  return (
    <Stack data-gap="tight">
      <ButtonAnchor data-tone={tone} href={address} rel="noreferrer">
        <Trans>Open the payment page</Trans>
      </ButtonAnchor>
      <Rows>
        <Row>
          <CopyValue
            copying={copying}
            copyable={{ what: "payUrl", text: address }}
            label={<Trans>Or copy its address</Trans>}
            size="long"
            copyLabel={t`Copy the payment page’s address`}
            copiedLabel={t`Payment page’s address copied`}
          >
            {address}
          </CopyValue>
        </Row>
      </Rows>
    </Stack>
  );
}
