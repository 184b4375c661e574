/** Bootstrap of the prerendered payment page: shows the stored order before the app is there. Decision 13. */
import {
  COUNTDOWN_SECONDS,
  isSameOrder,
  secondsLeft,
  type ClaimedOrder,
} from "../../../machines/issued-order.ts";
import { isTransfer, type KeptTransfer } from "../../../machines/kept-orders.ts";
import { name, ready, start } from "./bootstrap.ts";
import { keepForNewScreen } from "./bootstrap-drawn-anew.ts";
import { blankOrder, readKept } from "./bootstrap-shared.ts";
import { digitsOf, isWarm } from "../ui/clock-face.ts";
import { aheadIn, entryKeys, jsonIn, orderIn } from "../ports/stored-values.ts";

const { dataset } = document.documentElement;
keepForNewScreen();

/** The stored order at this address, if it belongs to the signed-in account. The chart has the last word. */
function findOrder(): KeptTransfer | undefined {
  const [, , , , network, amount, address, orderId] = location.pathname.split("/").map(decodeURIComponent);
  const claimed = { network, amount, address, orderId } as ClaimedOrder;
  const order = jsonIn(readKept(entryKeys.order(claimed.orderId)), orderIn);
  if (order === null || !isTransfer(order)) return undefined;
  return order.accountName === name && isSameOrder(claimed, order) ? order : undefined;
}

/** Fills the page's placeholders with the order. @returns false where they do not fit */
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

  const ahead = aheadIn(readKept("clock")) ?? 0;
  const left = () => secondsLeft({ issued: order, now: Date.now() + ahead });
  // After the deadline, or when payments on the network show late, only the app knows what to show.
  if (left() === 0 || order.networkBehind) return false;
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
    dataset["takeover"] = "replace";
  } catch {
    // Stored by something else: the app decides what to show.
    start();
  }
});
