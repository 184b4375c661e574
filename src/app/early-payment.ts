/** What the written page of a payment does besides: it shows the order that this browser kept, before the app is there. Decision 13. */
import { COUNTDOWN_SECONDS, isSameOrder, secondsLeft, type ClaimedOrder } from "../../machines/issued.ts";
import { isTransfer, type KeptOrder, type KeptTransfer } from "../../machines/kept-orders.ts";
import { name, ready, start } from "./early.ts";
import { blankOrder, readKept } from "./early-words.ts";
import { digitsOf, isWarm } from "./parts/clock-face.ts";
import { aheadBy } from "./ports/clock.ts";

const { dataset } = document.documentElement;

/** The order at this address as the API issued it, if this browser kept it for whoever is signed in. The chart of the screen has the last word. */
function findOrder(): KeptTransfer | undefined {
  const [, , , , network, amount, address, orderId] = location.pathname.split("/").map(decodeURIComponent);
  const claimed = { network, amount, address, orderId } as ClaimedOrder;
  const kept = JSON.parse(readKept("orders") ?? "[]") as KeptOrder[];
  return kept.filter(isTransfer).find((order) => order.accountName === name && isSameOrder(claimed, order));
}

/** Puts the order's own words where the page has blanks. @returns false where they do not fit */
function fill(order: KeptTransfer): boolean {
  const { network, amount, address, orderId } = order;
  const root = document.getElementById("root");
  const digits = root?.querySelector("[role=timer]");
  const lamp = root?.querySelector<SVGElement>("[data-filled=share]");
  const blank = blankOrder(network);
  if (!root || !digits || !lamp || address.length !== blank.address.length) return false;

  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  let at = 0;
  for (let text = texts.nextNode() as Text | null; text; text = texts.nextNode() as Text | null) {
    if (text.parentElement?.closest("[data-filled=address]")) {
      text.data = address.slice(at, (at += text.length));
    } else {
      text.data = text.data.replace(blank.amount, () => amount).replace(blank.orderId, () => orderId);
    }
  }

  const ahead = aheadBy(readKept("clock"));
  const left = () => secondsLeft({ issued: order, now: Date.now() + ahead });
  // What is there to say when the time is up, only the app knows.
  if (left() === 0) return false;
  const tick = () => {
    const share = left() / COUNTDOWN_SECONDS;
    digits.textContent = digitsOf(left());
    lamp.style.setProperty("--share", String(share));
    lamp.parentElement?.toggleAttribute("data-warm", isWarm(share));
    if (lamp.isConnected) setTimeout(tick, 1_000);
  };
  tick();
  return true;
}

void ready.then((shown) => {
  try {
    const order = shown ? findOrder() : undefined;
    if (!order || !fill(order)) return start();
    dataset["blank"] = "filled";
  } catch {
    // Nothing that this app has written: the app says what is to be said of it.
    start();
  }
});
