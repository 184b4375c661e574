/** Content that could not be loaded, for a screen or a part of one: why, and a retry. */
import { Trans } from "@lingui/react/macro";
import type { CallError } from "../../../machines/call-error.ts";
import { useWords } from "../runtime/hooks.ts";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { Sentence } from "../ui/sentence.tsx";
import { Stack } from "../ui/stack.tsx";
import { StateView } from "../ui/state-view.tsx";
import { Lead, Note } from "../ui/text.tsx";
import picture from "../pictures/offline.svg?no-inline";
import { errorMessage } from "../messages/error-messages.ts";

/** @param part whether the screen shows other content too: then the error is short and has no picture. */
export function LoadError({
  error,
  part = false,
  onAgain,
}: {
  error: CallError | null;
  part?: boolean | undefined;
  onAgain: () => void;
}) {
  const word = useWords();
  // When signed out, the session shows the message and navigates to the login page; a retry would not help.
  if (error?.kind === "signedOut") return null;
  const title = <Trans>We could not load this</Trans>;
  const why = <Sentence>{word(errorMessage(error ?? { kind: "network" }))}</Sentence>;
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
