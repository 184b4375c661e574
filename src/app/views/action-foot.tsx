/** The foot of a screen with one thing to do: its button, and the way out of a wait that has grown long. Decisions, "Default timeout none". */
import { Trans } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import type { ReactNode } from "react";
import type { AnyActorRef, AnyMachineSnapshot } from "xstate";
import { Button } from "../parts/button.tsx";
import { Slow } from "./slow.tsx";

/** @param actor what is told to do it: `busy` meanwhile, `slow` after ten seconds. @param children what the button does. */
export function ActionFoot({
  actor,
  form,
  onGo,
  children,
}: {
  actor: Pick<AnyActorRef, "subscribe"> & {
    getSnapshot: () => AnyMachineSnapshot;
    send: (event: { type: "waiting.dropped" }) => void;
  };
  /** The id of the form that the button sends. */
  form?: string;
  /** What the button does where there is no form. */
  onGo?: () => void;
  children: ReactNode;
}) {
  const busy = useSelector(actor, (snapshot) => snapshot.hasTag("busy"));
  const slow = useSelector(actor, (snapshot) => snapshot.hasTag("slow"));
  return (
    <>
      <Slow shown={slow} onGoOn={() => actor.send({ type: "waiting.dropped" })}>
        <Trans>Stop waiting</Trans>
      </Slow>
      <Button type={form === undefined ? "button" : "submit"} form={form} onClick={onGo} busy={busy}>
        {children}
      </Button>
    </>
  );
}
