/** Error boundary view: a view could not be loaded or rendered. Offers a retry that loses nothing. */
import { Trans } from "@lingui/react/macro";
import { useEffect, useTransition } from "react";
import { Button } from "../ui/button.tsx";
import { Page } from "../ui/page.tsx";
import { StateView } from "../ui/state-view.tsx";
import { onNetwork } from "../ports/page.ts";
import picture from "../pictures/offline.svg?no-inline";

/** @param onAgain settles when everything that a retry needs has loaded or failed */
export function ErrorFallback({ onAgain }: { onAgain: () => Promise<void> }) {
  const [busy, start] = useTransition();
  const tryAgain = () => start(onAgain);
  // Retries by itself when the network is back.
  useEffect(() => onNetwork(() => undefined, tryAgain));
  return (
    <Page title={<Trans>Something went wrong</Trans>}>
      <StateView
        role="alert"
        picture={<img src={picture} width={200} height={160} alt="" />}
        title={<Trans>This page did not load</Trans>}
        actions={
          <>
            <Button busy={busy} onClick={tryAgain}>
              <Trans>Try again</Trans>
            </Button>
            <Button tone="quiet" onClick={() => window.location.reload()}>
              <Trans>Reload the app</Trans>
            </Button>
          </>
        }
      >
        <Trans>Your connection may have dropped. Your payments and your account are not affected.</Trans>
      </StateView>
    </Page>
  );
}
