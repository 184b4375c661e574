/** A view that could not be loaded or drawn: a clear word, and a way on that loses nothing. */
import { Trans } from "@lingui/react/macro";
import { useEffect, useTransition } from "react";
import { Button } from "../parts/button.tsx";
import { Page } from "../parts/page.tsx";
import { StateView } from "../parts/state-view.tsx";
import { onNetwork } from "../ports/page.ts";
import picture from "../pictures/offline.svg";

/** @param onAgain settles when all is here that a new try needs, or cannot be had */
export function Broken({ onAgain }: { onAgain: () => Promise<void> }) {
  const [busy, start] = useTransition();
  const tryAgain = () => start(onAgain);
  // With the network back, nobody has to ask for it.
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
