/** Keeps the last tap and choice made before the app replaces the page's screen, and finds their new elements by label or value. Decision 13. */
import { ALIVE } from "./bootstrap-shared.ts";
import { buttons, successor } from "./bootstrap.ts";

const labelOf = (button: HTMLElement) => button.getAttribute("aria-label") ?? button.textContent;

export function keepForNewScreen(): void {
  // The screen may have other buttons than its page, so positions do not match: the label decides.
  successor.of = (button) => buttons().find((each) => labelOf(each) === labelOf(button));

  let picked: HTMLInputElement | undefined;
  document.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLInputElement && target.type === "radio") picked = target;
  });
  // Before the button that was tapped after it.
  addEventListener(
    ALIVE,
    () => {
      if (!picked || picked.isConnected) return;
      for (const radio of document.querySelectorAll<HTMLInputElement>("#root input[type=radio]"))
        if (radio.name === picked.name && radio.value === picked.value) radio.click();
      picked = undefined;
    },
    true,
  );
}
