/** What orders are placed and looked at with. */
import type { Network } from "../../contract/calls.ts";
import type { Language } from "../../contract/languages.ts";
import type { Catalogue } from "../catalogue.ts";
import type { Log } from "../platform/log.ts";
import type { Database } from "../store/database.ts";
import type { Ledger } from "./ledger.ts";
import type { Rail, RailKey } from "./rails.ts";
import type { NetworkFacts } from "./usdt.ts";

export interface Shop {
  db: Database;
  settings: {
    payments: "sandbox" | "live";
    openOrdersPerHour: number;
    /** Seconds between two questions to a provider about one order. */
    refreshSeconds: number;
  };
  catalogue: Catalogue;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  /** What orders are paid by, and `networks`, what people see of the networks of USDT. A rail that is absent is closed. */
  rails: Partial<Record<RailKey, Rail>>;
  networks: Readonly<Record<Network, NetworkFacts>>;
  ledger: Ledger;
  log: Log;
}

/** Who places an order. */
export interface Buyer {
  accountId: number;
  language: Language;
  /** The Idempotency-Key of the request, as it came. */
  key: string | null;
  /** Called before a new order is written, in its transaction. @throws ApiError where there may be no more of them */
  admit: (tx: Database) => Promise<void>;
}
