/** Leaving a payment asks first: Back, a link, a gesture and closing the tab alike. Specification, section 2 (pay); Decisions, "Leave guard". */
import { msg } from "@lingui/core/macro";
import { useEffect, useEffectEvent } from "react";
import type { Words } from "../../../machines/notifications.ts";
import { useApp } from "../runtime/hooks.ts";

/**
 * Asks while the chart says that leaving is guarded. When it no longer does, or the screen is left for another reason, an
 * open question closes: it would cover the payment's result.
 * @param loss what leaving costs, in words
 */
export function useLeaveGuard(
  payment: {
    getSnapshot: () => { hasTag: (tag: "guarded") => boolean };
    subscribe: (heard: () => void) => { unsubscribe: () => void };
  },
  loss: Words,
) {
  const { confirm, navigation } = useApp();
  const askToLeave = useEffectEvent((signal: AbortSignal) =>
    confirm(
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
    const letGo = navigation.block(guarded, () => {
      question = new AbortController();
      return askToLeave(question.signal);
    });
    return () => {
      letGo();
      watching.unsubscribe();
      question.abort();
    };
  }, [navigation, payment]);
}
