/** Validation of stored values, by key: pure functions, shared by `storage.ts` and the scripts of a prerendered page. Invalid values count as absent. Decisions, "Anything stored that cannot be used counts as absent". */
import type { KeptOrder, PaidOrder } from "../../../machines/kept-orders.ts";
import { toUnits, USDT_DECIMALS } from "../../contract/money.ts";
import type { Network } from "../../../machines/issued-order.ts";

/** In milliseconds: the largest plausible clock offset, and the greatest age of an order. */
export const TEN_YEARS = 3_652.5 * 24 * 60 * 60 * 1000;

/** Whether two times are at most so many milliseconds apart; NaN and infinity never are. */
export const isWithin = (most: number, one: number, other: number) => Math.abs(one - other) <= most;

const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== "";

/** A name with visible characters. */
export const nameIn = (value: unknown): string | null =>
  typeof value === "string" && /[^\s\p{C}\p{DI}\u2800]/u.test(value) ? value : null;

/** A token that an `Authorization` header can carry: visible ASCII, within the header length of servers. */
export const tokenIn = (value: unknown): string | null =>
  typeof value === "string" && /^[!-~]{1,8000}$/.test(value) ? value : null;

/** How far the API's clock is ahead of the phone's, in milliseconds. */
export function aheadIn(value: string | null): number | null {
  const ahead = isText(value) ? Number(value) : NaN;
  return isWithin(TEN_YEARS, ahead, 0) ? ahead : null;
}

/** The properties of an object; none for other values. */
const entriesOf = (value: unknown) => Object(value) as Record<string, unknown>;

export function accountIn(value: unknown): { account_name: string } | null {
  const account_name = nameIn(entriesOf(value)["account_name"]);
  return account_name === null ? null : { account_name };
}

/** What is shown of a chosen package. The app reads all of it (`storage.ts`). */
export function chosenIn(value: unknown): { product_id: string; name: string; buy_price: string } | null {
  const { product_id, name, buy_price } = entriesOf(value);
  return isText(product_id) && isText(name) && isText(buy_price) ? { product_id, name, buy_price } : null;
}

/** The membership that an account was last seen to have, in the API's words. `ends` in milliseconds since 1970, by the phone's clock. */
export type KeptMembership = { accountName: string; pack_name: string; pack_exp_date: string; ends: number };

/** Null once it has ended: only the API knows the membership then. */
export function membershipIn(value: unknown): KeptMembership | null {
  const { accountName, pack_name, pack_exp_date, ends } = entriesOf(value);
  return Number(ends) > Date.now() && [accountName, pack_name, pack_exp_date].every(isText)
    ? (value as KeptMembership)
    : null;
}

/** By pattern only. The checksums were verified before storing, and their code loads later. */
const addresses: Readonly<Record<Network, RegExp>> = {
  TRC20: /^T[1-9A-HJ-NP-Za-km-z]{33}$/,
  ERC20: /^0x[\da-fA-F]{40}$/,
};
export const isNetwork = (value: unknown): value is Network => value === "TRC20" || value === "ERC20";

/** The fields of every order. */
export function paidOrderIn(value: unknown): PaidOrder | null {
  const { orderId, amount, accountName, packName } = entriesOf(value);
  if (!isText(orderId) || !isText(amount) || !toUnits(amount, USDT_DECIMALS)) return null;
  if (nameIn(accountName) === null || typeof packName !== "string") return null;
  return { orderId, amount, accountName: accountName as string, packName };
}

export function orderIn(value: unknown): KeptOrder | null {
  const entries = entriesOf(value);
  const { packId, productId, network, address, deadline, networkBehind, superseded } = entries;
  const { payUrl, visit, reportedFailed, putAway } = entries;
  const payment = paidOrderIn(value);
  if (payment === null) return null;
  // A transfer with missing fields must not be read as a provider's payment.
  if (network === undefined && address === undefined && deadline === undefined) {
    if (productId !== undefined && !isText(productId)) return null;
    return {
      ...payment,
      ...(productId === undefined ? {} : { productId }),
      ...(isText(payUrl) ? { payUrl } : {}),
      ...(isText(visit) ? { visit } : {}),
      ...(reportedFailed === true ? { reportedFailed } : {}),
      ...(putAway === true ? { putAway } : {}),
    };
  }
  if (!isText(packId) || !isText(productId)) return null;
  if (!isNetwork(network) || typeof address !== "string" || !addresses[network].test(address)) return null;
  if (typeof deadline !== "number" || !isWithin(TEN_YEARS, deadline, Date.now())) return null;
  return {
    ...payment,
    network,
    address,
    deadline,
    packId,
    productId,
    ...(networkBehind === true ? { networkBehind } : {}),
    ...(superseded === true ? { superseded } : {}),
  };
}

/** A list without its invalid entries. */
export const listIn = <T>(value: unknown, read: (value: unknown) => T | null): T[] | null =>
  Array.isArray(value) ? value.map(read).filter((entry) => entry !== null) : null;

/** The key of an order that is stored by itself. */
export const entryKeys = {
  order: (orderId: string) => `order:${orderId}`,
  paid: (orderId: string) => `paid:${orderId}`,
};

/** An order that is stored by itself, and when, in milliseconds since 1970 by the phone's clock. */
export type Entry<T> = { keptAt: number; order: T };

export function entryIn<T>(value: unknown, read: (value: unknown) => T | null): Entry<T> | null {
  const { keptAt } = entriesOf(value);
  const order = read(value);
  return order === null ? null : { keptAt: Number.isSafeInteger(keptAt) ? (keptAt as number) : 0, order };
}

/** The JSON text as read by `read`; null when it is not JSON. */
export function jsonIn<T>(text: string | null, read: (value: unknown) => T | null): T | null {
  try {
    return read(JSON.parse(text ?? "null"));
  } catch {
    return null;
  }
}
