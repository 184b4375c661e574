/** The network that was chosen in this tab, in session storage: a reload does not send money on another one. */
import type { Network } from "../../../machines/issued-order.ts";
import { isNetwork } from "./stored-values.ts";

const KEY = "network";

/** TRC20 until another was chosen. */
export function readNetwork(): Network {
  try {
    const kept = window.sessionStorage.getItem(KEY);
    return isNetwork(kept) ? kept : "TRC20";
  } catch {
    return "TRC20";
  }
}

export function writeNetwork(network: Network): void {
  try {
    window.sessionStorage.setItem(KEY, network);
  } catch {
    // It is chosen again after a reload.
  }
}
