/** A screen whose content could not be had: why, and the way to ask again. */
import { Trans } from "@lingui/react/macro";
import type { Failure } from "../../../machines/failure.ts";
import { useWords } from "../app.ts";
import { Button } from "../parts/button.tsx";
import { StateView } from "../parts/state-view.tsx";
import picture from "../pictures/offline.svg";
import { wordFailure } from "../wording.ts";

export function Failed({ failure, onAgain }: { failure: Failure | null; onAgain: () => void }) {
  const word = useWords();
  // Of being signed out the session speaks, and leads away: asking again would not help.
  if (failure?.kind === "signedOut") return null;
  return (
    <StateView
      role="alert"
      picture={<img src={picture} width={200} height={160} alt="" />}
      title={<Trans>We could not load this</Trans>}
      actions={
        <Button tone="secondary" onClick={onAgain}>
          <Trans>Try again</Trans>
        </Button>
      }
    >
      {word(wordFailure(failure ?? { kind: "network" }))}
    </StateView>
  );
}
