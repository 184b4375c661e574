/** What sheets and questions share: opening natively (focus kept inside, the page behind inert) and one way out. */
import { useContext, useEffect, useLayoutEffect, useRef, type RefObject, type SyntheticEvent } from "react";
import { OverContext } from "./over.ts";
import { focusHeading } from "./focus.ts";

/** Already answered; a second Escape asks nothing new. */
const isLeaving = (event: SyntheticEvent<HTMLDialogElement>) =>
  event.currentTarget.hasAttribute("data-leaving");

/**
 * Opens the dialog when its component appears and closes it, giving the focus back, when it goes.
 * @param closes whether the way back means `onDismiss` now, too
 */
export function useModal(ref: RefObject<HTMLDialogElement | null>, onDismiss: () => void, closes: boolean) {
  const over = useContext(OverContext);
  const dismiss = useRef(onDismiss);
  useLayoutEffect(() => {
    dismiss.current = onDismiss;
  });
  useEffect(() => (closes ? over?.open(() => dismiss.current()) : undefined), [over, closes]);

  useLayoutEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    // Browsers without modal dialogs still show the content.
    if (typeof dialog.showModal === "function") dialog.showModal();
    else dialog.setAttribute("open", "");
    dialog.querySelector<HTMLElement>("[data-first-focus]")?.focus();
    return () => {
      if (typeof dialog.close === "function") dialog.close();
      else dialog.removeAttribute("open");
      // Whoever had it before the dialog came may have gone meanwhile.
      if (document.activeElement === document.body) focusHeading();
    };
  }, [ref]);

  return {
    /** Escape and the phone's back gesture ask; the owner decides. */
    onCancel(event: SyntheticEvent<HTMLDialogElement>) {
      if (event.target !== event.currentTarget) return;
      event.preventDefault();
      if (!isLeaving(event)) onDismiss();
    },
    /** A browser may close without asking (Escape pressed twice): then it is told afterwards. */
    onClose(event: SyntheticEvent<HTMLDialogElement>) {
      if (event.target === event.currentTarget && !event.currentTarget.open && !isLeaving(event)) onDismiss();
    },
  };
}
