/** Leaving a payment asks first: Back, a link, a gesture and closing the tab alike. Specification, section 2 (pay); Decisions, "Leave guard". */
import { msg } from "@lingui/core/macro";
import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import type { Words } from "../../../machines/notice.ts";
import { useApp } from "../app.ts";

/**
 * Asks while the chart says that leaving is guarded.
 * @param loss what leaving costs, in words
 */
export function useLeaveGuard(
  payment: { getSnapshot: () => { hasTag: (tag: "guarded") => boolean } },
  loss: Words,
) {
  const { ask } = useApp();
  const { history } = useRouter();
  useEffect(() => {
    const guarded = () => payment.getSnapshot().hasTag("guarded");
    return history.block({
      enableBeforeUnload: guarded,
      // Stays at once and goes later: while the question stands, the address bar names the screen it stands on, and a
      // second way back is an answer to the question.
      blockerFn: ({ currentLocation, nextLocation, action }) => {
        if (!guarded()) return false;
        const by = nextLocation.state.__TSR_index - currentLocation.state.__TSR_index;
        const unasked = { ignoreBlocker: true };
        void ask({
          title: msg`Leave this payment?`,
          text: loss,
          confirm: msg`Abandon payment`,
          cancel: msg`Continue payment`,
          tone: "danger",
        }).then((leaves) => {
          if (!leaves) return;
          if (action === "PUSH") history.push(nextLocation.href, nextLocation.state, unasked);
          else if (action === "REPLACE") history.replace(nextLocation.href, nextLocation.state, unasked);
          else history.go(by, unasked);
        });
        return true;
      },
    });
  }, [ask, history, loss, payment]);
}
