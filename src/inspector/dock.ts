/** Places the inspector: beside the app if there is room, else in a bottom sheet; above everything, including modal dialogs. */
import type { Recording } from "./record.ts";
import style from "./panel.css?inline";

/** From this width on the panel is beside the app. */
const WIDE = 1_000;
/** The app's minimum width in pixels: a phone's, and initially its widest column. */
const APP_WIDTH = 390;
const APP_COLUMN = 520;
const APP_HEIGHT = 160;
const KEPT_AS = "inspector";

export type Layout = { isOpen: boolean; width: number; height: number };

const start = (): Layout => ({ isOpen: false, width: window.innerWidth - APP_COLUMN, height: 420 });

/** Not as an element: a development build that the service serves has the service's policy. */
function sheetOf(css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  return sheet;
}

/** An element of an SVG. */
function drawn(name: string, attributes: Record<string, string>, ...parts: SVGElement[]): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  element.append(...parts);
  return element;
}

export function openDock(record: Recording): void {
  const host = document.createElement("div");
  host.dataset["inspector"] = "";
  host.popover = "manual";
  host.lang = "en";
  host.setAttribute("translate", "no");
  host.style.cssText =
    "position:fixed;inset:auto 0 0 auto;margin:0;padding:0;border:0;background:none;overflow:visible;color:inherit;z-index:1000";
  const shadow = host.attachShadow({ mode: "open" });
  shadow.adoptedStyleSheets = [sheetOf(style)];
  const frame = document.createElement("div");
  frame.className = "frame";
  const tab = document.createElement("button");
  tab.className = "tab";
  tab.type = "button";
  tab.title = "Inspector (Ctrl+Shift+X)";
  tab.setAttribute("aria-label", "Open the inspector");
  const box = { width: "8", height: "6", rx: "2" };
  tab.append(
    drawn(
      "svg",
      { viewBox: "0 0 24 24", "aria-hidden": "true" },
      drawn("rect", { x: "3", y: "3.5", ...box }),
      drawn("rect", { x: "13", y: "14.5", ...box }),
      drawn("path", { d: "M7 9.5v5a3 3 0 0 0 3 3h3" }),
    ),
  );
  shadow.append(frame, tab);

  /* Makes room in the page. */
  const beside = sheetOf("");
  document.adoptedStyleSheets.push(beside);

  let layout = readLayout();
  let unmount: (() => void) | null = null;

  function place(next: Partial<Layout>): void {
    layout = { ...layout, ...next };
    sessionStorage.setItem(KEPT_AS, JSON.stringify(layout));
    const isWide = window.innerWidth >= WIDE;
    const width = Math.max(360, Math.min(layout.width, window.innerWidth - APP_WIDTH));
    const height = Math.max(200, Math.min(layout.height, window.innerHeight - APP_HEIGHT));
    host.dataset["open"] = String(layout.isOpen);
    frame.dataset["side"] = isWide ? "right" : "bottom";
    frame.style.width = isWide ? `${width}px` : "100vw";
    frame.style.height = isWide ? "100dvh" : `${height}px`;
    frame.hidden = !layout.isOpen;
    tab.hidden = layout.isOpen;
    beside.replaceSync(
      !layout.isOpen
        ? ""
        : isWide
          ? `html{margin-right:${width}px}dialog,[popover]:not([data-inspector]){right:${width}px!important}`
          : `body{padding-bottom:${height}px}`,
    );
  }

  async function open(): Promise<void> {
    place({ isOpen: true });
    if (unmount) return;
    const { mountPanel } = await import("./panel.tsx");
    unmount ??= mountPanel(frame, {
      record,
      resize: (x, y) => place({ width: window.innerWidth - x, height: window.innerHeight - y }),
      close,
    });
  }

  function close(): void {
    place({ isOpen: false });
    unmount?.();
    unmount = null;
    tab.focus();
  }

  tab.addEventListener("click", () => void open());
  window.addEventListener("resize", () => place({}));
  window.addEventListener("keydown", (event) => {
    if (!event.ctrlKey || !event.shiftKey || event.code !== "KeyX") return;
    event.preventDefault();
    if (layout.isOpen) close();
    else void open();
  });
  // Events in the inspector do not reach the app.
  for (const type of [
    "click",
    "keydown",
    "pointerdown",
    "touchstart",
    "touchmove",
    "input",
    "change",
    "cancel",
  ]) {
    host.addEventListener(type, (event) => {
      if (!(event instanceof KeyboardEvent && event.ctrlKey && event.shiftKey)) event.stopPropagation();
    });
  }

  /** A modal dialog makes everything else inert, so the inspector moves into it and out again. */
  function stand(): void {
    const modal = [...document.querySelectorAll("dialog:modal")].at(-1);
    const home = modal ?? document.body;
    if (host.parentElement === home && host.matches(":popover-open")) return;
    if (host.parentElement !== home) home.append(host);
    host.showPopover();
  }
  new MutationObserver(stand).observe(document.documentElement, {
    subtree: true,
    childList: true,
    attributeFilter: ["open"],
  });
  stand();
  place({});
  if (layout.isOpen) void open();
}

function readLayout(): Layout {
  try {
    return { ...start(), ...(JSON.parse(sessionStorage.getItem(KEPT_AS) ?? "{}") as Partial<Layout>) };
  } catch {
    return start();
  }
}
