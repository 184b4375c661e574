/** After ten seconds of waiting: says so, and offers a way on. Decisions, "Default timeout none". */
import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { Button } from "../parts/button.tsx";
import { Stack } from "../parts/stack.tsx";
import { Note } from "../parts/text.tsx";

/** @param children what the way on is called. */
export function Slow({
  shown,
  onGoOn,
  why,
  children,
}: {
  shown: boolean;
  /** What it may be waiting for; by default the connection. */
  why?: ReactNode;
  onGoOn: () => void;
  children: ReactNode;
}) {
  return (
    <div role="status">
      {shown ? (
        <Stack data-gap="tight" data-align="centre">
          <Note>{why ?? <Trans>This is taking longer than usual. Your connection may be slow.</Trans>}</Note>
          <Button tone="text" onClick={onGoOn}>
            {children}
          </Button>
        </Stack>
      ) : null}
    </div>
  );
}
