/** Placeholder of content that is loading: skeletons, a retry when it is slow, and the error when it failed. Decisions, "Default timeout none". */
import { Trans } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import type { ReactNode } from "react";
import type { AnyActorRef, AnyMachineSnapshot } from "xstate";
import type { CallError } from "../../../machines/call-error.ts";
import { Stack } from "../ui/stack.tsx";
import { LoadError } from "./load-error.tsx";
import { SlowNotice, useSlow } from "./slow-notice.tsx";

/**
 * @param actor the actor that loads: in the state `during`, then `without` if it failed. @param invoked a chart that it
 * invokes and that loads for it: `busy` meanwhile. @param part whether the screen shows other content too.
 * @param children skeletons in the shape of the content. @param known whether they are content that was known before: it
 * stays above the error.
 */
export function AsyncContent({
  actor,
  during = "loading",
  without = "failed",
  invoked,
  part,
  known = false,
  children,
}: {
  actor: Pick<AnyActorRef, "subscribe"> & {
    getSnapshot: () => AnyMachineSnapshot & { context: { error: CallError | null } };
    send: (event: { type: "retry" }) => void;
  };
  during?: string;
  without?: string;
  invoked?: AnyActorRef | undefined;
  part?: boolean;
  known?: boolean;
  children: ReactNode;
}) {
  const own = useSelector(actor, (snapshot) => snapshot.matches(during));
  const invokes = useSelector(invoked, (snapshot) => snapshot?.hasTag("busy") ?? false);
  const loading = own || invokes;
  const slow = useSlow(actor, invoked);
  const failed = useSelector(actor, (snapshot) => snapshot.matches(without));
  const error = useSelector(actor, ({ context }) => context.error);
  const again = () => actor.send({ type: "retry" });
  if (failed) {
    const why = <LoadError error={error} part={part} onAgain={again} />;
    return known ? (
      <Stack>
        {children}
        {why}
      </Stack>
    ) : (
      why
    );
  }
  return loading ? (
    // The notice takes no room before it is shown: what stands below keeps its place.
    <Stack data-gap={slow ? undefined : "none"}>
      <Stack aria-busy="true">{children}</Stack>
      <SlowNotice shown={slow} onGoOn={again}>
        <Trans>Try again</Trans>
      </SlowNotice>
    </Stack>
  ) : null;
}
