/** How what lies over the screen takes it: the focus inside, the page behind inert, and one way out. Questions natively, sheets by themselves (decision 14). */
import { useContext, useEffect, useLayoutEffect, useRef, type RefObject, type SyntheticEvent } from "react";
import { OverContext } from "./over.ts";
import { focusAgain, focusHeading } from "./focus.ts";

/** Already answered; a second Escape asks nothing new. */
const isLeaving = (event: SyntheticEvent<HTMLDialogElement>) =>
  event.currentTarget.hasAttribute("data-leaving");

/** Tells of it while `there`, so that the way back closes it. @returns the latest `onDismiss` */
function useWayBack(onDismiss: () => void, there: boolean) {
  const over = useContext(OverContext);
  const dismiss = useRef(onDismiss);
  useLayoutEffect(() => {
    dismiss.current = onDismiss;
  });
  useEffect(() => (there ? over?.open(() => dismiss.current()) : undefined), [over, there]);
  return dismiss;
}

/**
 * Opens the dialog when its component appears and closes it, giving the focus back, when it goes.
 * @param closes whether the way back means `onDismiss` now, too
 */
export function useModal(ref: RefObject<HTMLDialogElement | null>, onDismiss: () => void, closes: boolean) {
  useWayBack(onDismiss, closes);

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
      // Whoever had it before the dialog came may have gone meanwhile. What came of a wait is told nobody while it stands.
      if (document.activeElement === document.body) focusHeading("[data-news]");
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

/**
 * The same for a sheet, which may stand there before it is open and must not wait for its opening: a modal dialog has the
 * whole page styled and itself laid out before it moves. This one moves, and makes the page inert when it has come to rest.
 */
export function useCover(
  ref: RefObject<HTMLDialogElement | null>,
  onDismiss: () => void,
  open: boolean,
  leaving: boolean,
) {
  const closes = open && !leaving;
  const dismiss = useWayBack(onDismiss, closes);

  useEffect(() => {
    if (!closes) return;
    const hear = (event: KeyboardEvent) => {
      const { target } = event;
      // A question above it has the focus, and its own Escape.
      if (event.key !== "Escape" || !(target === document.body || ref.current?.contains(target as Node)))
        return;
      event.preventDefault();
      dismiss.current();
    };
    document.addEventListener("keydown", hear);
    return () => document.removeEventListener("keydown", hear);
  }, [ref, closes, dismiss]);

  useLayoutEffect(() => {
    const sheet = ref.current;
    const page = document.getElementById("root");
    if (!sheet || !open) return;
    const { activeElement } = document;
    const before =
      activeElement instanceof HTMLElement && activeElement !== document.body ? activeElement : undefined;
    let isOpen = true;
    const rest = () => {
      if (isOpen) page?.toggleAttribute("inert", true);
    };
    const movements = sheet.getAnimations?.() ?? [];
    // A keyboard may go on before the movement ends.
    if (movements.length === 0 || before?.matches(":focus-visible")) rest();
    else void Promise.allSettled(movements.map(({ finished }) => finished)).then(rest);
    sheet.querySelector<HTMLElement>("[data-first-focus]")?.focus({ preventScroll: true });
    return () => {
      isOpen = false;
      page?.toggleAttribute("inert", false);
      focusAgain(before);
    };
  }, [ref, open]);

  return {
    open,
    "aria-modal": true,
    /** The phone's back gesture, where a browser brings that to a sheet. */
    closedby: "closerequest",
    onCancel(event: SyntheticEvent<HTMLDialogElement>) {
      if (event.target !== event.currentTarget) return;
      event.preventDefault();
      if (closes) onDismiss();
    },
  } as const;
}
