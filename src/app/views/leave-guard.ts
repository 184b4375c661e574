/** Leaving a payment asks first: Back, a link, a gesture and closing the tab alike. Specification, section 2 (pay); Decisions, "Leave guard". */
import { msg } from "@lingui/core/macro";
import { useRouter } from "@tanstack/react-router";
import { useEffect, useEffectEvent } from "react";
import type { Words } from "../../../machines/notice.ts";
import { useApp } from "../app.ts";

/**
 * Asks while the chart says that leaving is guarded. Where it says so no more, or the screen is left for another reason,
 * an open question goes: it would stand over what came of the payment.
 * @param loss what leaving costs, in words
 */
export function useLeaveGuard(
  payment: {
    getSnapshot: () => { hasTag: (tag: "guarded") => boolean };
    subscribe: (heard: () => void) => { unsubscribe: () => void };
  },
  loss: Words,
) {
  const { ask } = useApp();
  const { history } = useRouter();
  const askToLeave = useEffectEvent((signal: AbortSignal) =>
    ask(
      {
        title: msg`Leave this payment?`,
        text: loss,
        confirm: msg`Abandon payment`,
        cancel: msg`Continue payment`,
        tone: "danger",
      },
      signal,
    ),
  );
  useEffect(() => {
    const guarded = () => payment.getSnapshot().hasTag("guarded");
    let question = new AbortController();
    const watching = payment.subscribe(() => {
      if (!guarded()) question.abort();
    });
    const unblock = history.block({
      enableBeforeUnload: guarded,
      // Stays at once and goes later: while the question stands, the address bar names the screen it stands on, and a
      // second way back is an answer to the question.
      blockerFn: ({ currentLocation, nextLocation, action }) => {
        if (!guarded()) return false;
        const by = nextLocation.state.__TSR_index - currentLocation.state.__TSR_index;
        const unasked = { ignoreBlocker: true };
        question = new AbortController();
        void askToLeave(question.signal).then((leaves) => {
          if (!leaves) return;
          if (action === "PUSH") history.push(nextLocation.href, nextLocation.state, unasked);
          else if (action === "REPLACE") history.replace(nextLocation.href, nextLocation.state, unasked);
          else history.go(by, unasked);
        });
        return true;
      },
    });
    return () => {
      unblock();
      watching.unsubscribe();
      question.abort();
    };
  }, [history, payment]);
}
