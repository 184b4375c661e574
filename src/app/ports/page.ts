/** The page itself: seen again, online again, and what it is shown in. */

/** Calls back when the page becomes visible or online again. Returns the way to stop. */
export function onPageSeen(seen: () => void): () => void {
  const looked = () => {
    if (document.visibilityState === "visible") seen();
  };
  document.addEventListener("visibilitychange", looked);
  window.addEventListener("online", seen);
  return () => {
    document.removeEventListener("visibilitychange", looked);
    window.removeEventListener("online", seen);
  };
}

/** Whether the phone has a network, as far as it knows. */
export const isOnline = () => navigator.onLine;

/** Calls back when the phone loses its network (at once where it has none), or finds one. Returns the way to stop. */
export function onNetwork(lost: () => void, found: () => void): () => void {
  if (!isOnline()) lost();
  window.addEventListener("offline", lost);
  window.addEventListener("online", found);
  return () => {
    window.removeEventListener("offline", lost);
    window.removeEventListener("online", found);
  };
}

/** Whether this is a browser inside another app, which blocks downloads and the opening of apps. */
export const isBoxed = ({ userAgent } = navigator) => /micromessenger/i.test(userAgent);

/** "android", "ios" (an iPad that calls itself a Mac included), or null. Specification, section 1 ("Download buttons by device"). */
export function deviceKind({ userAgent, platform, maxTouchPoints } = navigator): "android" | "ios" | null {
  if (/android/i.test(userAgent)) return "android";
  if (/iphone|ipad|ipod/i.test(userAgent)) return "ios";
  return platform === "MacIntel" && maxTouchPoints > 1 ? "ios" : null;
}

/** What tells that somebody is there, before anything has been asked for. */
export const touches = ["pointerdown", "keydown", "focusin", "touchstart"];

/** In ms: so long nothing stirs after a finger. */
const AT_REST = 500;

/**
 * Calls back, once, when somebody has touched the page and it has come to rest again, so that what is done then holds up
 * no movement; at once where they step through the history.
 */
export function afterFirstTouch(then: () => void): void {
  const over = new AbortController();
  let rest: ReturnType<typeof setTimeout>;
  const finish = () => {
    over.abort();
    clearTimeout(rest);
    then();
  };
  const stir = () => {
    clearTimeout(rest);
    rest = setTimeout(finish, AT_REST);
  };
  const how = { capture: true, passive: true, signal: over.signal };
  for (const type of [...touches, "pointermove", "pointerup"]) window.addEventListener(type, stir, how);
  window.addEventListener("popstate", finish, how);
}

/** Leads to an address in a document of its own. */
export const openDocument = (address: string, replace = false) =>
  window.location[replace ? "replace" : "assign"](address);

/** Lets the page answer whoever touches it meanwhile: what comes next is a task of its own. */
export const pause = () =>
  new Promise<void>((resolve) => {
    setTimeout(resolve);
  });

/** Does something before the page is drawn next. Returns the way to leave it undone. */
export function beforeDrawing(run: () => void): () => void {
  const frame = requestAnimationFrame(run);
  return () => cancelAnimationFrame(frame);
}

/** Gives up after so many ms: `AbortSignal.timeout`, which Safari 15 and Chrome before 103 do not have. */
export function givingUpAfter(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), ms);
  return controller.signal;
}

/** Whether the site answers, within three seconds. What stands before one that is being started again answers in its stead. */
export const isReachable = () =>
  fetch("/", { method: "HEAD", cache: "no-store", signal: givingUpAfter(3_000) }).then(
    ({ status }) => status < 500,
    () => false,
  );
