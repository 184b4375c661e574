/** Until a screen has what it shows: the shape of that, the way on when it is late, and why it could not be had. Decisions, "Default timeout none". */
import { Trans } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import type { ReactNode } from "react";
import type { AnyActorRef, AnyMachineSnapshot } from "xstate";
import type { Failure } from "../../../machines/failure.ts";
import { Stack } from "../parts/stack.tsx";
import { Failed } from "./failed.tsx";
import { Slow } from "./slow.tsx";

/**
 * @param actor what reads: in the state `during`, then perhaps in `without`. @param part whether the screen shows more than
 * this. @param children skeletons in the shape of what is on its way.
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
    send: (event: { type: "asked.again" }) => void;
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
  const again = () => actor.send({ type: "asked.again" });
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
