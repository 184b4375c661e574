/** Slow-request notice: after ten seconds it says so and offers a way on. Decisions, "Default timeout none". */
import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import { Stack } from "../ui/stack.tsx";
import { Note } from "../ui/text.tsx";

/** @param children the button's label. */
export function SlowNotice({
  shown,
  onGoOn,
  why,
  children,
}: {
  shown: boolean;
  /** The likely cause; by default the connection. */
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
