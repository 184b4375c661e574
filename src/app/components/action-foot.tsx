/** The foot of a screen with one action: its button and, after a long wait, a way to cancel. Decisions, "Default timeout none". */
import { Trans } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import type { ReactNode } from "react";
import type { AnyActorRef, AnyMachineSnapshot } from "xstate";
import { Button } from "../ui/button.tsx";
import { SlowNotice } from "./slow-notice.tsx";

/** @param actor performs the action: `busy` meanwhile, `slow` after ten seconds. @param children the button's label. */
export function ActionFoot({
  actor,
  form,
  onGo,
  children,
}: {
  actor: Pick<AnyActorRef, "subscribe"> & {
    getSnapshot: () => AnyMachineSnapshot;
    send: (event: { type: "cancel" }) => void;
  };
  /** The id of the form that the button submits. */
  form?: string;
  /** What the button does without a form. */
  onGo?: () => void;
  children: ReactNode;
}) {
  const busy = useSelector(actor, (snapshot) => snapshot.hasTag("busy"));
  const slow = useSelector(actor, (snapshot) => snapshot.hasTag("slow"));
  return (
    <>
      <SlowNotice shown={slow} onGoOn={() => actor.send({ type: "cancel" })}>
        <Trans>Stop waiting</Trans>
      </SlowNotice>
      <Button type={form === undefined ? "button" : "submit"} form={form} onClick={onGo} busy={busy}>
        {children}
      </Button>
    </>
  );
}
