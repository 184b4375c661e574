/** Leaving a payment asks first: Back, a link, a gesture and closing the tab alike. Specification, section 2 (pay); Decisions, "Leave guard". */
import { msg } from "@lingui/core/macro";
import { useBlocker } from "@tanstack/react-router";
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
  const guarded = () => payment.getSnapshot().hasTag("guarded");
  useBlocker({
    enableBeforeUnload: guarded,
    shouldBlockFn: async () =>
      guarded() &&
      !(await ask({
        title: msg`Leave this payment?`,
        text: loss,
        confirm: msg`Abandon payment`,
        cancel: msg`Continue payment`,
        tone: "danger",
      })),
  });
}
