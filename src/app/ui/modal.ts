/** Modal behaviour of overlays: focus inside, the page inert, one way to close. Dialogs use the browser's own, sheets do it themselves (decision 14). */
import { useContext, useEffect, useLayoutEffect, useRef, type RefObject, type SyntheticEvent } from "react";
import { OverlayContext } from "./overlay-context.ts";
import { isComposing } from "./keys.ts";
import { announceAgain, focusAgain, focusHeading } from "./focus.ts";

/** Already answered, so a second Escape is ignored. */
const isLeaving = (event: SyntheticEvent<HTMLDialogElement>) =>
  event.currentTarget.hasAttribute("data-leaving");

/**
 * Registers the overlay, or what replaces the page as one does, while `there`, so that going back closes it. @returns
 * the latest `onDismiss`
 */
export function useWayBack(onDismiss: () => void, there: boolean) {
  const over = useContext(OverlayContext);
  const dismiss = useRef(onDismiss);
  useLayoutEffect(() => {
    dismiss.current = onDismiss;
  });
  useEffect(() => (there ? over?.open(() => dismiss.current()) : undefined), [over, there]);
  return dismiss;
}

/**
 * Opens the dialog on mount; on unmount closes it and returns the focus. @param closes whether going back calls
 * `onDismiss` now
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
      announceAgain();
      // The element that had the focus may be gone, or the closed dialog still has it. Results that appeared while the
      // dialog was open were not announced, so they get the focus.
      const { activeElement } = document;
      if (activeElement === document.body || dialog.contains(activeElement)) focusHeading("[data-news]");
    };
  }, [ref]);

  return {
    /** Escape and the phone's back gesture ask to close; the owner decides. */
    onCancel(event: SyntheticEvent<HTMLDialogElement>) {
      if (event.target !== event.currentTarget) return;
      event.preventDefault();
      if (!isLeaving(event)) onDismiss();
    },
    /** A browser may close the dialog without asking (Escape pressed twice); the owner is told afterwards. */
    onClose(event: SyntheticEvent<HTMLDialogElement>) {
      if (event.target === event.currentTarget && !event.currentTarget.open && !isLeaving(event)) onDismiss();
    },
  };
}

/**
 * The same for a sheet, which is rendered before it opens and must open without delay. A modal dialog costs a style
 * recalculation and layout of the page first, so the sheet makes the page inert only after its animation.
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
      if (isComposing(event)) return;
      // A dialog above the sheet has the focus and handles its own Escape.
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
    // A keyboard user may continue before the animation ends.
    if (movements.length === 0 || before?.matches(":focus-visible")) rest();
    else void Promise.allSettled(movements.map(({ finished }) => finished)).then(rest);
    sheet.querySelector<HTMLElement>("[data-first-focus]")?.focus({ preventScroll: true });
    return () => {
      isOpen = false;
      page?.toggleAttribute("inert", false);
      announceAgain();
      focusAgain(before);
    };
  }, [ref, open]);

  return {
    open,
    "aria-modal": true,
    /** The phone's back gesture, in browsers that report it to a sheet. */
    closedby: "closerequest",
    onCancel(event: SyntheticEvent<HTMLDialogElement>) {
      if (event.target !== event.currentTarget) return;
      event.preventDefault();
      if (closes) onDismiss();
    },
  } as const;
}
