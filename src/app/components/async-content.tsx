/** Placeholder of content that is loading: skeletons, a retry when it is slow, and the error when it failed. Decisions, "Default timeout none". */
import { Trans } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import type { ReactNode } from "react";
import type { AnyActorRef, AnyMachineSnapshot } from "xstate";
import type { Failure } from "../../../machines/failure.ts";
import { Stack } from "../ui/stack.tsx";
import { Failed } from "./load-error.tsx";
import { Slow } from "./slow-notice.tsx";

/**
 * @param actor the actor that loads: in the state `during`, then `without` if it failed. @param part whether the
 * screen shows other content too. @param children skeletons in the shape of the content.
 */
export function Reading({
  actor,
  during = "loading",
  without = "failed",
  part,
  children,
}: {
  actor: Pick<AnyActorRef, "subscribe"> & {
    getSnapshot: () => AnyMachineSnapshot & { context: { failure: Failure | null } };
    send: (event: { type: "retry" }) => void;
  };
  during?: string;
  without?: string;
  part?: boolean;
  children: ReactNode;
}) {
  const loading = useSelector(actor, (snapshot) => snapshot.matches(during));
  const slow = useSelector(actor, (snapshot) => snapshot.hasTag("slow"));
  const failed = useSelector(actor, (snapshot) => snapshot.matches(without));
  const failure = useSelector(actor, ({ context }) => context.failure);
  const again = () => actor.send({ type: "retry" });
  if (failed) return <Failed failure={failure} part={part} onAgain={again} />;
  return loading ? (
    <Stack>
      <Stack aria-busy="true">{children}</Stack>
      <Slow shown={slow} onGoOn={again}>
        <Trans>Try again</Trans>
      </Slow>
    </Stack>
  ) : null;
}
