/** Registers the service worker once the screen is shown; without one the app works all the same. */

import { trusted } from "./trusted-types.ts";

const register = () => {
  navigator.serviceWorker
    .register(trusted.createScriptURL("/sw.js"), { updateViaCache: "none" })
    .catch(() => undefined);
};

export function startWorker(): void {
  // Service workers need a secure context. During development there is nothing to cache.
  if (!("serviceWorker" in navigator) || !import.meta.env.PROD) return;
  // After the screen's own requests.
  if (document.readyState === "complete") register();
  else window.addEventListener("load", register, { once: true });
}
