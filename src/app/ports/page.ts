/** The page and its browser: visibility, network, device and scheduling. */

/**
 * Calls back when the page becomes visible or online again, or returns from the back/forward cache. Returns a
 * function to unsubscribe.
 */
export function onPageVisible(seen: () => void): () => void {
  const looked = () => {
    if (document.visibilityState === "visible") seen();
  };
  const restored = ({ persisted }: PageTransitionEvent) => {
    if (persisted) seen();
  };
  document.addEventListener("visibilitychange", looked);
  window.addEventListener("pageshow", restored);
  window.addEventListener("online", seen);
  return () => {
    document.removeEventListener("visibilitychange", looked);
    window.removeEventListener("pageshow", restored);
    window.removeEventListener("online", seen);
  };
}

/** Acts at once on a page that is seen, else when it next is, unless `signal` aborts before. */
export function oncePageVisible(act: () => void, signal: AbortSignal): void {
  if (document.hidden) document.addEventListener("visibilitychange", act, { once: true, signal });
  else act();
}

/** Whether the phone is online, as far as it knows. */
export const isOnline = () => navigator.onLine;

/** Calls back when the phone goes offline (at once if it is) or online. Returns a function to unsubscribe. */
export function onNetwork(lost: () => void, found: () => void): () => void {
  if (!isOnline()) lost();
  window.addEventListener("offline", lost);
  window.addEventListener("online", found);
  return () => {
    window.removeEventListener("offline", lost);
    window.removeEventListener("online", found);
  };
}

/** Whether this is an in-app browser, which blocks downloads and the opening of apps. */
export const isBoxed = ({ userAgent } = navigator) => /micromessenger/i.test(userAgent);

/**
 * "android", "ios" (including an iPad that identifies as a Mac), or null.
 * Specification, section 1 ("Download buttons by device").
 */
export function deviceKind({ userAgent, platform, maxTouchPoints } = navigator): "android" | "ios" | null {
  if (/android/i.test(userAgent)) return "android";
  if (/iphone|ipad|ipod/i.test(userAgent)) return "ios";
  return platform === "MacIntel" && maxTouchPoints > 1 ? "ios" : null;
}

/** The events of a first interaction. */
export const touches = ["pointerdown", "keydown", "focusin", "touchstart"];

/** Yields to the browser, so that it can handle input first: what follows is a new task. */
export const pause = () =>
  new Promise<void>((resolve) => {
    setTimeout(resolve);
  });

/** Runs a callback before the next frame. Returns a function to cancel it. */
export function beforeDrawing(run: () => void): () => void {
  const frame = requestAnimationFrame(run);
  return () => cancelAnimationFrame(frame);
}

/** A signal that aborts after so many ms: `AbortSignal.timeout` for Safari 15 and Chrome before 103. */
export function givingUpAfter(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), ms);
  return controller.signal;
}

/**
 * Whether the site answers within three seconds. A status of 500 or more is a proxy's answer while the service
 * restarts.
 */
export const isReachable = () =>
  fetch("/", { method: "HEAD", cache: "no-store", signal: givingUpAfter(3_000) }).then(
    ({ status }) => status < 500,
    () => false,
  );
