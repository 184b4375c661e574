/** What stands where something is read: a skeleton, why it could not be, the way to more. */
import { Trans } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import type { ReactNode } from "react";
import { isTooMany, type CallError } from "../../../machines/call-error.ts";
import { Button } from "../../app/ui/button.tsx";
import { ErrorMessage } from "../../app/ui/field.tsx";
import { Skeleton } from "../../app/ui/skeleton.tsx";
import { Stack } from "../../app/ui/stack.tsx";
import { reload } from "../ports/browser.ts";
import type { ReadingRef } from "../runtime.tsx";
import { Buttons } from "./layout.tsx";
import { usePhrases } from "./names.ts";

/** What the service says of a command, in the language in use where it has words. */
export function OfService({ text }: { text: string }) {
  const shown = usePhrases()(text);
  return shown === null ? <span lang="en">{text}</span> : shown;
}

/** Why something failed, in words. */
export function ErrorWords({ error }: { error: CallError | null }) {
  return error === null ? null : (
    <ErrorMessage>
      {error.kind === "refused" ? (
        <OfService text={error.message} />
      ) : error.kind === "signedOut" ? (
        <Trans>Your session is over.</Trans>
      ) : isTooMany(error) ? (
        <Trans>Too many tries. Wait a minute.</Trans>
      ) : (
        <Trans>The service did not answer.</Trans>
      )}
    </ErrorMessage>
  );
}

/** In place of a screen that fails: of an older release, it may be that its files are gone. */
export function BrokenScreen() {
  return (
    <Stack data-gap="tight">
      <ErrorMessage>
        <Trans>This page could not be shown.</Trans>
      </ErrorMessage>
      <Buttons>
        <Button tone="secondary" onClick={reload}>
          <Trans>Load it again</Trans>
        </Button>
      </Buttons>
    </Stack>
  );
}

export function ReadingView({ of: ref, children }: { of: ReadingRef; children: ReactNode }) {
  const isShown = useSelector(ref, (state) => state.hasTag("shown"));
  const isFailed = useSelector(ref, (state) => state.matches("failed"));
  const isStuck = useSelector(ref, (state) => state.matches("stale") || state.matches("addingFailed"));
  const isAdding = useSelector(ref, (state) => state.matches("adding"));
  const hasMore = useSelector(ref, ({ context }) => context.reading.next !== null);
  const error = useSelector(ref, ({ context }) => context.error);
  const again = (
    <Stack data-gap="tight">
      <ErrorWords error={error} />
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
          <Button tone="secondary" busy={isAdding} onClick={() => ref.send({ type: "more.requested" })}>
            <Trans>Show more</Trans>
          </Button>
        </Buttons>
      ) : null}
    </>
  );
}
