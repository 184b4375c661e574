/** Slow-request notice: after ten seconds it says so and offers a way on. Decisions, "Default timeout none". */
import { Trans } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import type { ReactNode } from "react";
import type { AnyActorRef, AnyMachineSnapshot } from "xstate";
import { Button } from "../ui/button.tsx";
import { Stack } from "../ui/stack.tsx";
import { Note } from "../ui/text.tsx";

/** Whether an actor, or the chart that it invokes, has been waiting for ten seconds. */
export function useSlow(
  actor: Pick<AnyActorRef, "subscribe"> & { getSnapshot: () => AnyMachineSnapshot },
  invoked: AnyActorRef | undefined,
): boolean {
  const own = useSelector(actor, (snapshot) => snapshot.hasTag("slow"));
  const invokes = useSelector(invoked, (snapshot) => snapshot?.hasTag("slow") ?? false);
  return own || invokes;
}

/** @param children the likely cause; by default the connection. */
export const SlowNote = ({ children }: { children?: ReactNode }) => (
  <Note>{children ?? <Trans>This is taking longer than usual. Your connection may be slow.</Trans>}</Note>
);

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
          <SlowNote>{why}</SlowNote>
          <Button tone="text" onClick={onGoOn}>
            {children}
          </Button>
        </Stack>
      ) : null}
    </div>
  );
}
