/** The foot of a screen with one action: its button and, after a long wait, a way to cancel. Decisions, "Default timeout none". */
import { Trans } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import type { ReactNode } from "react";
import type { AnyActorRef, AnyMachineSnapshot } from "xstate";
import { Button, type ButtonTone } from "../ui/button.tsx";
import { SlowNotice, useSlow } from "./slow-notice.tsx";

/**
 * @param actor performs the action: `busy` meanwhile, `slow` after ten seconds. @param invoked a chart that it invokes
 * for a part of it. @param children the button's label.
 */
export function ActionFoot({
  actor,
  invoked,
  form,
  tone,
  onGo,
  children,
}: {
  actor: Pick<AnyActorRef, "subscribe"> & {
    getSnapshot: () => AnyMachineSnapshot;
    send: (event: { type: "cancel" }) => void;
  };
  invoked?: AnyActorRef | undefined;
  /** The id of the form that the button submits. */
  form?: string;
  tone?: ButtonTone;
  /** What the button does without a form. */
  onGo?: () => void;
  children: ReactNode;
}) {
  const own = useSelector(actor, (snapshot) => snapshot.hasTag("busy"));
  const invokes = useSelector(invoked, (snapshot) => snapshot?.hasTag("busy") ?? false);
  const slow = useSlow(actor, invoked);
  return (
    <>
      <SlowNotice shown={slow} onGoOn={() => actor.send({ type: "cancel" })}>
        <Trans>Stop waiting</Trans>
      </SlowNotice>
      <Button
        type={form === undefined ? "button" : "submit"}
        tone={tone}
        form={form}
        onClick={onGo}
        busy={own || invokes}
      >
        {children}
      </Button>
    </>
  );
}
