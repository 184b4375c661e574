/** A live service on simulated chains with a member, whose orders in USDT grow old. */
import { rawAddress } from "../../src/contract/address.ts";
import { run } from "../../src/service/operations/admin/commands.ts";
import { removeUnpaidOrders } from "../../src/service/payments/unpaid-orders.ts";
import type { Database, Store } from "../../src/service/store/database.ts";
import { SimulatedChain } from "../support/simulated-chain.ts";
import { chainsOf, freshName, PASSWORD, serve } from "./support.ts";

const DAY = 86_400_000;
/** Days after which an order that was never paid is removed. */
export const DAYS = 365;
const FINAL = 20;
export const PRICE = 3_990_000n;
export const raw = (address: string) => rawAddress("TRC20", address);

/** A live service, a member of it, and its chains. */
export async function unpaidShop(
  store: Store,
  chains = { TRC20: new SimulatedChain(1, FINAL), ERC20: new SimulatedChain(2) },
) {
  const fixture = await serve(store, { sandbox: false, chains: chainsOf(chains) });
  const name = freshName();
  const token = await fixture.member(name);
  await fixture.settle();
  const { clock, ledger } = fixture;
  /** A new log-in: sessions end sooner than orders. */
  async function logIn() {
    const { data } = await fixture.call("/api/login", { body: { account_name: name, password: PASSWORD } });
    return (data as { token: string }).token;
  }
  return {
    ...fixture,
    name,
    token,
    chains,
    make: (headers: Record<string, string> = {}) => fixture.order(token, undefined, headers),
    admin: (command: string, args: string[] = [], options: Record<string, string> = {}) =>
      run(command, { ledger, args, options, actor: "anna" }),
    async pay(address: string, amount = PRICE, network: "TRC20" | "ERC20" = "TRC20") {
      chains[network].mine({ to: raw(address), amount });
      chains[network].grow(FINAL);
      await fixture.settle();
    },
    look: async (id: string) =>
      fixture.call("/api/order/detail", { body: { order_id: id }, token: await logIn() }),
    deletion: async () =>
      fixture.call("/api/user/delete", { body: { password: PASSWORD }, token: await logIn() }),
    /** So many days later. */
    later(days: number) {
      clock.now += days * DAY;
    },
    remove: (db: Database = store.db) => removeUnpaidOrders(db, clock.now, DAYS),
  };
}
