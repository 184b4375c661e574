/** The stored part of the screens' chart inputs: screens pass it on and read no storage themselves. */
import type { CardInput } from "../../../machines/card-setup.ts";
import type { CatalogueInput } from "../../../machines/catalogue.ts";
import type { MembershipInput } from "../../../machines/membership.ts";
import type { PurchaseInput } from "../../../machines/purchase.ts";
import { todayBy } from "../ports/clock.ts";
import { readSession } from "../ports/session-values.ts";
import { isNetwork } from "../ports/stored-values.ts";
import type { Dependencies } from "./dependencies.ts";
import type { PayOnce } from "./pay-once.ts";

export function createInputs({ storage, clock, randomWord }: Dependencies, payOnce: PayOnce) {
  /** The package to be paid for. */
  const chosen = () => {
    const offer = storage.readJson("selectedItem");
    if (!offer) throw new Error("The route requires a chosen package.");
    return { offer, visit: randomWord() };
  };
  return {
    /** On the network that was chosen in this tab: a reload does not ask for money on another. */
    purchaseInput: (): PurchaseInput => {
      const network = readSession("network");
      return { ...chosen(), network: isNetwork(network) ? network : "TRC20" };
    },
    cardInput: (): CardInput => ({ ...chosen(), today: todayBy(clock), ignoredIds: payOnce.paidOrders() }),
    /** Shows what was last known of the account's membership, until the API answers. */
    membershipInput: (userName: string): MembershipInput => {
      const kept = storage.readJson("membership");
      return { quiet: false, lastKnown: kept?.accountName === userName ? kept : null };
    },
    /** Restores the selection after a login in between; a package named in the URL takes precedence. */
    catalogueInput: (wanted: string | null): Omit<CatalogueInput, "knownOffers"> => ({
      wanted,
      picked: wanted === null ? (storage.readJson("selectedItem")?.product_id ?? null) : null,
    }),
  };
}
