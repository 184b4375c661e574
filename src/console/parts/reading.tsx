/** What stands where something is read: a skeleton, why it could not be, the way to more. */
import { Trans } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import type { ReactNode } from "react";
import type { ConsoleFailure } from "../../../machines/console-failure.ts";
import { Button } from "../../app/ui/button.tsx";
import { Fault } from "../../app/ui/field.tsx";
import { Skeleton } from "../../app/ui/skeleton.tsx";
import { Stack } from "../../app/ui/stack.tsx";
import type { ReadingRef } from "../runtime.tsx";
import { Buttons } from "./layout.tsx";

/** Why something failed, in words. A command's own are English. */
export function FailureWords({ failure }: { failure: ConsoleFailure | null }) {
  switch (failure?.kind) {
    case "refused":
      return (
        <Fault>
          <span lang="en">{failure.words}</span>
        </Fault>
      );
    case "tooMany":
      return (
        <Fault>
          <Trans>Too many tries. Wait a minute.</Trans>
        </Fault>
      );
    case "signedOut":
      return (
        <Fault>
          <Trans>Your session is over.</Trans>
        </Fault>
      );
    case "unknown":
      return (
        <Fault>
          <Trans>The service did not answer.</Trans>
        </Fault>
      );
    case undefined:
    default:
      return null;
  }
}

export function ReadingView({ of: ref, children }: { of: ReadingRef; children: ReactNode }) {
  const isShown = useSelector(ref, (state) => state.hasTag("shown"));
  const isFailed = useSelector(ref, (state) => state.matches("failed"));
  const isStuck = useSelector(ref, (state) => state.matches("stale") || state.matches("addingFailed"));
  const isAdding = useSelector(ref, (state) => state.matches("adding"));
  const hasMore = useSelector(ref, ({ context }) => context.reading.next !== null);
  const failure = useSelector(ref, ({ context }) => context.failure);
  const again = (
    <Stack data-gap="tight">
      <FailureWords failure={failure} />
      <Buttons>
        <Button tone="secondary" onClick={() => ref.send({ type: "retry" })}>
          <Trans>Try again</Trans>
        </Button>
      </Buttons>
    </Stack>
  );
  if (isFailed) return again;
  if (!isShown) {
    return (
      <Stack aria-busy="true">
        <Skeleton height="96px" />
        <Skeleton height="96px" />
      </Stack>
    );
  }
  return (
    <>
      {children}
      {isStuck ? again : null}
      {hasMore && !isStuck ? (
        <Buttons>
          <Button tone="secondary" busy={isAdding} onClick={() => ref.send({ type: "more.asked" })}>
            <Trans>Show more</Trans>
          </Button>
        </Buttons>
      ) : null}
    </>
  );
}
