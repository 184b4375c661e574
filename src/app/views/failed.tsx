/** Content that could not be had, of a screen or of a part of one: why, and the way to ask again. */
import { Trans } from "@lingui/react/macro";
import type { Failure } from "../../../machines/failure.ts";
import { useWords } from "../app.ts";
import { Button } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { Stack } from "../parts/stack.tsx";
import { StateView } from "../parts/state-view.tsx";
import { Lead, Note } from "../parts/text.tsx";
import picture from "../pictures/offline.svg";
import { wordFailure } from "../wording.ts";

/** @param part of a screen that shows more: said in its place, in few words. Two of the same picture would shout. */
export function Failed({
  failure,
  part = false,
  onAgain,
}: {
  failure: Failure | null;
  part?: boolean | undefined;
  onAgain: () => void;
}) {
  const word = useWords();
  // Of being signed out the session speaks, and leads away: asking again would not help.
  if (failure?.kind === "signedOut") return null;
  const title = <Trans>We could not load this</Trans>;
  const why = word(wordFailure(failure ?? { kind: "network" }));
  const again = (
    <Button tone="secondary" size={part ? "small" : undefined} onClick={onAgain}>
      <Trans>Try again</Trans>
    </Button>
  );
  if (part) {
    return (
      <Card role="alert">
        <Stack data-align="centre">
          <Stack data-gap="tight">
            <Lead>{title}</Lead>
            <Note>{why}</Note>
          </Stack>
          {again}
        </Stack>
      </Card>
    );
  }
  return (
    <StateView
      role="alert"
      picture={<img src={picture} width={200} height={160} alt="" />}
      title={title}
      actions={again}
    >
      {why}
    </StateView>
  );
}
