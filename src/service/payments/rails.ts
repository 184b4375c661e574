/** The one interface of every way to pay. A rail sends its requests outside of database transactions, and writes the answers into the ledger. */
import { networks } from "../../contract/calls.ts";
import type { Order } from "./ledger.ts";

/** What an order is paid to: the columns that `open` fills in. */
export type Payable = Partial<
  Pick<
    Order,
    | "address"
    | "rawAddress"
    | "addressSeries"
    | "addressIndex"
    | "keyFingerprint"
    | "thirdReferenceId"
    | "providerAccount"
    | "payUrl"
  >
>;

/** What a rail depends on did not answer, or not as it should. The message is for the log and holds no secret. */
export class RailFailed extends Error {
  readonly isOfOne: boolean;

  /** @param isOfOne the outside answered, and refused this question alone: another may succeed */
  constructor(message: string, isOfOne = false) {
    super(message);
    this.isOfOne = isOfOne;
  }
}

/** Whether an HTTP status refuses one question alone: not the keys, not the number of questions, and no failure of the provider. */
export const isRefusalOfOne = (status: number | undefined): boolean =>
  status !== undefined && status >= 400 && status < 500 && ![401, 403, 429].includes(status);

export interface RailStatus {
  /** Whether it takes orders. */
  open: boolean;
  /** Whether what is paid now is found later than usual. Absent: it is not. */
  isBehind?: boolean;
}

export interface Rail {
  /**
   * Makes a committed order payable. Safe to repeat, also after a crash: a provider gets the order's id as its idempotency
   * key and in its metadata.
   * @param isRepeated whether an earlier attempt may have reached the outside already
   * @throws RailFailed when the outside does not answer
   */
  open(order: Order, isRepeated: boolean): Promise<Payable>;
  /** The account at the provider that its orders belong to: another account does not know them. */
  providerAccount?: string;
  /** What an order can be paid to, where that needs no question to the outside; null: it does. */
  prepare?(): Payable | null;
  /** Takes back what was prepared and no order took. */
  giveBack?(payable: Payable): void;
  /** Whether a look at an order has the outside asked. Absent: every few seconds at most, while the order is open. */
  isRefreshDue?(): boolean;
  /** Asks the provider or the network for the order's status and writes the answer into the ledger, in case a webhook was lost. */
  refresh(order: Order): Promise<void>;
  /** Does what happens by itself. @returns what stops it */
  start(): () => Promise<void>;
  status(): RailStatus;
}

/** The key of a rail: each network of USDT is one, so that the trouble of one does not close the other. */
export const railKeys = [...networks, "card", "stripe"] as const;
export type RailKey = (typeof railKeys)[number];

export const railKeyOf = (order: Pick<Order, "rail" | "network">): RailKey =>
  order.rail === "usdt" ? (order.network ?? "TRC20") : order.rail;
