/** The service worker's way in, once the screen is there; where there can be none, the app does without it. */

const register = () => {
  navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" }).catch(() => undefined);
};

export function startWorker(): void {
  // A host without secure addresses has no workers; during development there is nothing to keep.
  if (!("serviceWorker" in navigator) || !import.meta.env.PROD) return;
  // What the screen needs goes first.
  if (document.readyState === "complete") register();
  else window.addEventListener("load", register, { once: true });
}
