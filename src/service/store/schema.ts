/** The tables. Amounts are whole numbers of USDT's smallest unit (six decimals); instants are UTC. */
import { sql, type SQLWrapper } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgSequence,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { Network } from "../../contract/calls.ts";
import type { Right } from "../../contract/console.ts";
import type { Language } from "../../contract/languages.ts";
import type { Browser, Device } from "../platform/devices.ts";

const instant = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });
const units = (name: string) => bigint(name, { mode: "bigint" });
const network = () => text("network").$type<Network>();

/** The ways an order can be paid: USDT, the card provider, Stripe. */
export type Rail = "usdt" | "card" | "stripe";
/** What is kept of the doors of the service. */
export type SecurityEvent =
  | "registered"
  | "logged in"
  | "log-in refused"
  | "logged out"
  | "password changed"
  | "password refused"
  | "recovered"
  | "recovery refused"
  | "question set"
  | "sessions ended"
  | "account deleted"
  | "webhook refused";
/** Where money can stand in the book: see `movements`. */
export type Balance =
  | "outside"
  | "open"
  | "credited"
  | "surplus"
  | "held"
  | "disputed"
  | "returned"
  | "kept"
  | "address"
  | "swept";
export type MovementKind =
  | "received"
  | "orphaned"
  | "credited"
  | "credit withdrawn"
  | "surplus"
  | "surplus withdrawn"
  | "credited by hand"
  | "returned"
  | "kept"
  | "refunded"
  | "refund withdrawn"
  | "disputed"
  | "dispute won"
  | "dispute lost"
  | "swept"
  | "undone";
const rail = () => text("rail").$type<Rail>().notNull();
const identity = () => bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity();

type Ends = Record<"membershipEndsAt" | "membershipEndAnnounced", SQLWrapper>;
/** Of an account: whether its membership's end was not announced, and whether it was. An index has either, word for word. */
export const endIsUntold = (account: Ends) =>
  sql`${account.membershipEndAnnounced} IS DISTINCT FROM ${account.membershipEndsAt}`;
export const endIsTold = (account: Ends) =>
  sql`${account.membershipEndAnnounced} = ${account.membershipEndsAt}`;

/** `name` is shown as typed; `name_key` is what makes two names one (see account-names.ts). */
export const accounts = pgTable(
  "accounts",
  {
    id: identity(),
    name: text("name").notNull(),
    nameKey: text("name_key").notNull().unique(),
    passwordHash: text("password_hash").notNull(),
    createdAt: instant("created_at").notNull(),
    nickname: text("nickname"),
    sex: text("sex").$type<"man" | "woman">(),
    /** A calendar date, in no time zone. */
    birthDate: date("birth_date", { mode: "string" }),
    /** The id of a question of security-questions.ts, and a hash of the answer; both or neither. */
    securityProblem: text("security_problem"),
    securityAnswerHash: text("security_answer_hash"),
    /** No log-in while it is set. */
    lockedAt: instant("locked_at"),
    /** Since when it is deleted: of its holder nothing is left but a name and a key that say so. See payments/deletion.ts. */
    deletedAt: instant("deleted_at"),
    /** When the membership ends, by its latest entry, and up to which end `membership.ended` was announced. */
    membershipEndsAt: instant("membership_ends_at"),
    membershipEndAnnounced: instant("membership_end_announced"),
    /** Of the latest event that told other systems of the account: see events/outbox.ts. */
    eventSequence: bigint("event_sequence", { mode: "number" }),
  },
  (table) => [
    index("accounts_by_membership_end").on(table.membershipEndsAt),
    // An end that is to be told, or told otherwise, is not looked for among all others: PostgreSQL takes nearly every end for
    // untold, and the index above for as good, but for the order by both columns.
    index("accounts_end_untold").on(table.membershipEndsAt, table.id).where(endIsUntold(table)),
    index("accounts_end_told").on(table.membershipEndsAt, table.id).where(endIsTold(table)),
  ],
);

const account = () =>
  bigint("account_id", { mode: "number" })
    .notNull()
    .references(() => accounts.id);

/** Who is signed in. Only a hash of the token is kept, so that a stolen table opens no account. */
export const sessions = pgTable(
  "sessions",
  {
    tokenHash: text("token_hash").primaryKey(),
    /** What the session is called to its account: neither the token nor its hash leaves the service. */
    id: uuid("id").notNull().unique().defaultRandom(),
    accountId: account(),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    /** The network that it was opened from; null for sessions of earlier releases. */
    network: text("network"),
    /** To the hour. */
    usedAt: instant("used_at").notNull(),
    /** Names of devices.ts, never what a browser says of itself; null where it says nothing that is known. */
    browser: text("browser").$type<Browser>(),
    device: text("device").$type<Device>(),
  },
  (table) => [
    index("sessions_by_expiry").on(table.expiresAt),
    index("sessions_by_account").on(table.accountId),
  ],
);

/**
 * The package is copied into the order, because the operator may edit the catalogue before the money arrives.
 * What it is paid to: in USDT `network` and `address`, else `third_reference_id`, the provider's identifier, and `pay_url`.
 * All of these are null until the rail has opened the order. `address_series` and `address_index` are the address's path
 * below the account key whose BIP32 fingerprint is `key_fingerprint`; orders of earlier releases lack them.
 */
export const orders = pgTable(
  "orders",
  {
    id: text("id").primaryKey(),
    accountId: account(),
    packId: text("pack_id").notNull(),
    productId: text("product_id").notNull(),
    packName: jsonb("pack_name").$type<Record<Language, string>>().notNull(),
    days: integer("days").notNull(),
    rail: rail().default("usdt"),
    network: network(),
    address: text("address"),
    /** The address's 20 bytes in hexadecimal digits, as both networks write it into a transfer. */
    rawAddress: text("raw_address"),
    addressSeries: integer("address_series"),
    addressIndex: integer("address_index"),
    keyFingerprint: text("key_fingerprint"),
    thirdReferenceId: text("third_reference_id"),
    /** The provider's account that knows the reference, by its public key; null for orders of earlier releases and of Stripe. */
    providerAccount: text("provider_account"),
    payUrl: text("pay_url"),
    amount: units("amount").notNull(),
    currency: text("currency").$type<"USDT" | "USD">().notNull().default("USDT"),
    /** The language of the request that placed it; null for orders of earlier releases. */
    language: text("language").$type<Language>(),
    /** Whether real money pays it. */
    live: boolean("live").notNull().default(false),
    status: smallint("status").notNull(),
    /** Whether a cent or more came for it, and not enough: as the book has it whenever the order is settled. */
    partPaid: boolean("part_paid").notNull().default(false),
    idempotencyKey: text("idempotency_key"),
    /** The latest of the keys by which the order was gone on with: see `placeOrder`. */
    furtherKeys: text("further_keys").array().notNull().default([]),
    createdAt: instant("created_at").notNull(),
    confirmedAt: instant("confirmed_at"),
    /** When order detail first said that it is confirmed; null: its account does not know yet. */
    toldAt: instant("told_at"),
    /** When the provider was last asked for its status. */
    refreshedAt: instant("refreshed_at"),
  },
  (table) => [
    unique("one_order_per_key").on(table.accountId, table.idempotencyKey),
    unique("one_order_per_address").on(table.network, table.address),
    unique("one_order_per_reference").on(table.rail, table.thirdReferenceId),
    index("orders_by_account").on(table.accountId, table.createdAt),
    index("orders_by_time").on(table.createdAt),
    index("orders_by_raw_address").on(table.rawAddress),
    index("orders_by_series").on(table.addressSeries, table.addressIndex),
    index("orders_pending")
      .on(table.createdAt)
      .where(sql`${table.status} = 0`),
    index("orders_unpaid")
      .on(table.createdAt)
      .where(sql`${table.status} <> 1 AND ${table.rail} <> 'card'`),
    index("orders_failed")
      .on(table.createdAt, table.id)
      .where(sql`${table.status} = 9`),
    index("orders_part_paid")
      .on(table.createdAt, table.id)
      .where(sql`${table.partPaid}`),
    index("orders_by_confirmation")
      .on(table.confirmedAt)
      .where(sql`${table.confirmedAt} IS NOT NULL`),
    check("orders_status", sql`${table.status} IN (0, 1, 9)`),
    check("orders_rail", sql`${table.rail} IN ('usdt', 'card', 'stripe')`),
    check(
      "orders_network",
      sql`(${table.rail} = 'usdt') = (${table.network} IS NOT NULL AND ${table.network} IN ('TRC20', 'ERC20'))`,
    ),
    check("orders_amount", sql`${table.amount} > 0`),
  ],
);

/** The series of receiving addresses that were opened, one by each process: see payments/addresses.ts. */
export const addressSeries = pgTable("address_series", {
  series: integer("series").primaryKey(),
  openedAt: instant("opened_at").notNull(),
});

/**
 * Addresses that a series has given out or will give out soon, so that money there is known for ours although no order has
 * the address: a database that was put back may have lost the order (see payments/look-ahead.ts), or it was removed unpaid
 * (see payments/unpaid-orders.ts). Of a removed order, `order_id` and `account_id` say whose it was. No row is ever removed.
 */
export const receivingAddresses = pgTable(
  "receiving_addresses",
  {
    fingerprint: text("fingerprint").notNull(),
    series: integer("series").notNull(),
    index: integer("index").notNull(),
    raw: text("raw").notNull(),
    orderId: text("order_id"),
    accountId: bigint("account_id", { mode: "number" }).references(() => accounts.id),
  },
  (table) => [
    primaryKey({ columns: [table.fingerprint, table.series, table.index] }),
    uniqueIndex("receiving_addresses_by_raw").on(table.raw),
    index("receiving_addresses_by_order")
      .on(table.orderId)
      .where(sql`${table.orderId} IS NOT NULL`),
    index("receiving_addresses_by_account")
      .on(table.accountId)
      .where(sql`${table.accountId} IS NOT NULL`),
  ],
);

/** What earlier releases counted their addresses with. One that still runs beside this one takes no order without them. */
export const trc20Index = pgSequence("address_index_trc20", { startWith: 0, minValue: 0 });
export const erc20Index = pgSequence("address_index_erc20", { startWith: 0, minValue: 0 });

/**
 * Transfers of USDT to an address of ours. A log's index counts over its block and changes when the transaction is mined
 * again, so a transfer is known by its block and index, and is orphaned together with its block.
 * `order_id` is null when no order has the address, or when the operator sent it from another address of ours.
 */
export const transfers = pgTable(
  "transfers",
  {
    network: network().notNull(),
    blockHash: text("block_hash").notNull(),
    logIndex: integer("log_index").notNull(),
    blockNumber: bigint("block_number", { mode: "number" }).notNull(),
    txHash: text("tx_hash").notNull(),
    contract: text("contract").notNull(),
    sender: text("sender").notNull(),
    /** 20 bytes in hexadecimal digits. */
    recipient: text("recipient").notNull(),
    orderId: text("order_id").references(() => orders.id),
    amount: units("amount").notNull(),
    state: text("state").$type<"seen" | "final" | "orphaned">().notNull(),
    /** Why it is not credited by itself and waits for the operator; null: it is credited once final. From an address of ours it is no payment, and waits for no one. */
    heldFor: text("held_for").$type<
      "late" | "network" | "no order" | "account deleted" | "own address" | "refunded"
    >(),
    seenAt: instant("seen_at").notNull(),
    finalAt: instant("final_at"),
  },
  (table) => [
    primaryKey({ columns: [table.network, table.blockHash, table.logIndex] }),
    index("transfers_by_order").on(table.orderId),
    index("transfers_by_recipient").on(table.recipient),
    index("transfers_by_transaction").on(table.txHash),
    index("transfers_by_finality").on(table.finalAt),
    index("transfers_not_final")
      .on(table.network, table.blockNumber)
      .where(sql`${table.state} = 'seen'`),
    check("transfers_state", sql`${table.state} IN ('seen', 'final', 'orphaned')`),
    check("transfers_amount", sql`${table.amount} > 0`),
  ],
);

/**
 * Transfers of USDT from an address of ours: the operator moved the money on. Known by block and index as `transfers` are, and
 * orphaned with their block.
 */
export const sweeps = pgTable(
  "sweeps",
  {
    network: network().notNull(),
    blockHash: text("block_hash").notNull(),
    logIndex: integer("log_index").notNull(),
    blockNumber: bigint("block_number", { mode: "number" }).notNull(),
    txHash: text("tx_hash").notNull(),
    contract: text("contract").notNull(),
    /** Our address, 20 bytes in hexadecimal digits. */
    sender: text("sender").notNull(),
    recipient: text("recipient").notNull(),
    amount: units("amount").notNull(),
    state: text("state").$type<"seen" | "final" | "orphaned">().notNull(),
    seenAt: instant("seen_at").notNull(),
    finalAt: instant("final_at"),
  },
  (table) => [
    primaryKey({ columns: [table.network, table.blockHash, table.logIndex] }),
    index("sweeps_by_sender").on(table.sender),
    index("sweeps_by_transaction").on(table.txHash),
    index("sweeps_not_final")
      .on(table.network, table.blockNumber)
      .where(sql`${table.state} = 'seen'`),
    check("sweeps_state", sql`${table.state} IN ('seen', 'final', 'orphaned')`),
    check("sweeps_amount", sql`${table.amount} > 0`),
  ],
);

/**
 * The book: every movement of money, append-only, from one balance to another. A correction is a movement of its own.
 * Balances of an order: `open` (received, not enough yet), `credited`, `surplus`, `held` (waits for the operator),
 * `disputed` (a bank contests it), `returned`, `kept` (ours, for no order). `outside` is where money comes from,
 * `address` and `swept` where it lies. See payments/book.ts.
 */
export const movements = pgTable(
  "movements",
  {
    id: identity(),
    at: instant("at").notNull(),
    kind: text("kind").$type<MovementKind>().notNull(),
    from: text("from_balance").$type<Balance>().notNull(),
    to: text("to_balance").$type<Balance>().notNull(),
    /** Smallest units of USDT; a cent is 10,000 of them. */
    amount: units("amount").notNull(),
    currency: text("currency").$type<"USDT" | "USD">().notNull(),
    rail: rail(),
    network: network(),
    orderId: text("order_id").references(() => orders.id),
    accountId: bigint("account_id", { mode: "number" }).references(() => accounts.id),
    /** What moved: a transfer as `network:block:index`, a provider's payment as `rail:number`, or the order itself. */
    cause: text("cause").notNull(),
    /** For people: the transaction, or the provider's number. */
    reference: text("reference"),
    /** The movement that it takes back. */
    undoes: bigint("undoes", { mode: "number" }),
    /** The operator's audit entry that caused it. */
    auditId: bigint("audit_id", { mode: "number" }),
  },
  (table) => [
    index("movements_by_order").on(table.orderId),
    index("movements_by_cause").on(table.cause),
    index("movements_by_time").on(table.at, table.id),
    index("movements_by_audit")
      .on(table.auditId)
      .where(sql`${table.auditId} IS NOT NULL`),
    check("movements_amount", sql`${table.amount} > 0`),
    check("movements_balances", sql`${table.from} <> ${table.to}`),
  ],
);

/**
 * How far each network has been read, written in the transaction of what was found there. `holder` is the process that
 * reads it until `lease_until`; another one takes over after that.
 */
export const chainPositions = pgTable("chain_positions", {
  network: network().primaryKey(),
  number: bigint("number", { mode: "number" }).notNull(),
  hash: text("hash").notNull(),
  /** The last block that can no longer change, as far as it has been read. */
  finalNumber: bigint("final_number", { mode: "number" }).notNull(),
  holder: text("holder"),
  leaseUntil: instant("lease_until"),
  /** When a node last answered. */
  checkedAt: instant("checked_at"),
  /** The newest block that a node showed, and when that was made. */
  headNumber: bigint("head_number", { mode: "number" }),
  headAt: instant("head_at"),
  /** Blocks that were final when they were first read are looked at once more from then on; null: none. */
  againFrom: bigint("again_from", { mode: "number" }),
  againTo: bigint("again_to", { mode: "number" }),
  againAt: instant("again_at"),
});

/** The blocks that were read and may still be replaced, by which a reorganisation is noticed. */
export const chainBlocks = pgTable(
  "chain_blocks",
  {
    network: network().notNull(),
    number: bigint("number", { mode: "number" }).notNull(),
    hash: text("hash").notNull(),
  },
  (table) => [primaryKey({ columns: [table.network, table.number] })],
);

/** What the card provider and Stripe took in, by their own number of the payment: said twice, it counts once. */
export const payments = pgTable(
  "payments",
  {
    rail: rail(),
    paymentId: text("payment_id").notNull(),
    orderId: text("order_id")
      .notNull()
      .references(() => orders.id),
    amount: units("amount").notNull(),
    takenAt: instant("taken_at").notNull(),
    /** What went back, in smallest units. A payment that went back whole pays nothing. */
    refunded: units("refunded")
      .notNull()
      .default(sql`0`),
    /** Set while a bank contests it, and after that was lost: it pays nothing until it is won. */
    disputedAt: instant("disputed_at"),
  },
  (table) => [
    primaryKey({ columns: [table.rail, table.paymentId] }),
    index("payments_by_order").on(table.orderId),
    index("payments_by_time").on(table.takenAt),
    check("payments_amount", sql`${table.amount} > 0`),
  ],
);

/**
 * Refunds and disputes of `payments`, by the provider's own number of each. One may come before its payment does, so that
 * `payment_id` refers to no row. The columns `refunded` and `disputed_at` of a payment follow from these rows.
 */
export const reversals = pgTable(
  "reversals",
  {
    rail: rail(),
    reversalId: text("reversal_id").notNull(),
    paymentId: text("payment_id").notNull(),
    /** `total`: all that went back of the payment so far. */
    kind: text("kind").$type<"refund" | "total" | "dispute">().notNull(),
    amount: units("amount").notNull(),
    /** Of those that are `closed` or `void`, nothing went back. */
    state: text("state").$type<"open" | "done" | "lost" | "closed" | "void">().notNull(),
    /** When the provider said so. */
    asOf: instant("as_of").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.rail, table.reversalId] }),
    index("reversals_by_payment").on(table.rail, table.paymentId),
    check("reversals_amount", sql`${table.amount} >= 0`),
  ],
);

/**
 * How far each list of a provider has been read, for the payments, refunds and disputes whose webhook event was lost. `due_at` is when
 * it is read next, or until when a process reads it.
 */
export const providerPositions = pgTable(
  "provider_positions",
  {
    rail: rail(),
    list: text("list").notNull(),
    /** What came before is read. */
    readUntil: instant("read_until").notNull(),
    /** Of a reading that has not come to its end: up to when it reads, and after which page. */
    windowEnd: instant("window_end"),
    cursor: text("cursor"),
    dueAt: instant("due_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.rail, table.list] })],
);

/** The webhook events of the providers that were processed: each is sent again until it is answered, and sometimes after. Also what a provider was asked about once, as `order of <payment>`. */
export const webhookEvents = pgTable(
  "webhook_events",
  {
    rail: rail(),
    eventId: text("event_id").notNull(),
    processedAt: instant("processed_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.rail, table.eventId] })],
);

/**
 * Money that no rule settles, until it does or the operator has seen to it: one row a payment. `amount` and `currency` of
 * a provider are as they were sent, the amount in the smallest unit of its currency; of USDT they are smallest units.
 */
export const unmatchedPayments = pgTable(
  "unmatched_payments",
  {
    id: identity(),
    rail: rail(),
    /** The webhook event, or the transfer as `network:block:index`, or what the row is about, as `surplus:order`. */
    eventId: text("event_id").notNull(),
    paymentId: text("payment_id"),
    /** The provider's identifier of its order or session, or the address. */
    reference: text("reference"),
    orderId: text("order_id").references(() => orders.id),
    amount: text("amount"),
    currency: text("currency"),
    reason: text("reason")
      .$type<
        | "unreadable"
        | "incomplete"
        | "currency"
        | "order unknown"
        | "late"
        | "network"
        | "no order"
        | "account deleted"
        | "surplus"
        /** Of releases before the book. */
        | "orphaned"
        | "partly refunded"
        | "refund unreadable"
        | "not captured"
        | "amount differs"
        | "disputed after refund"
        | "kept went back"
        | "kept came back"
        | "inquiry"
      >()
      .notNull(),
    body: text("body").notNull(),
    receivedAt: instant("received_at").notNull(),
    resolvedAt: instant("resolved_at"),
    resolution: text("resolution"),
    /** How it was settled; null for rows of earlier releases, and for those that settled themselves. */
    resolvedAs: text("resolved_as").$type<"credited" | "returned" | "kept">(),
    /** The operator's audit entry that settled it. */
    auditId: bigint("audit_id", { mode: "number" }),
  },
  (table) => [
    unique("unmatched_once_per_event").on(table.rail, table.eventId),
    unique("unmatched_once_per_payment").on(table.rail, table.paymentId),
    index("unmatched_by_order").on(table.orderId),
    index("unmatched_by_reference").on(table.reference),
    index("unmatched_by_time").on(table.receivedAt),
    index("unmatched_open")
      .on(table.receivedAt)
      .where(sql`${table.resolvedAt} is null`),
  ],
);

/** The sandbox's card provider and Stripe: the orders and checkout sessions that were opened there. */
export const sandboxOrders = pgTable(
  "sandbox_orders",
  {
    id: text("id").primaryKey(),
    rail: rail(),
    /** In cents. */
    amount: bigint("amount", { mode: "number" }).notNull(),
    currency: text("currency").notNull(),
    /** The shop's own number of it: Razorpay's `receipt`, Stripe's `client_reference_id`. */
    receipt: text("receipt"),
    /** Razorpay's `notes`, Stripe's `metadata`. */
    notes: jsonb("notes").$type<Record<string, string>>().notNull().default({}),
    title: text("title"),
    language: text("language").$type<Language>(),
    idempotencyKey: text("idempotency_key"),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    unique("one_sandbox_order_per_key").on(table.rail, table.idempotencyKey),
    index("sandbox_orders_by_receipt").on(table.rail, table.receipt),
  ],
);

/** The sandbox's side of the card provider and Stripe: what they know of a payment. Of a card, the last four digits. */
export const sandboxPayments = pgTable(
  "sandbox_payments",
  {
    id: text("id").primaryKey(),
    rail: rail(),
    reference: text("reference").notNull(),
    status: text("status").$type<"open" | "authorized" | "captured" | "declined" | "cancelled">().notNull(),
    lastFour: text("last_four"),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [index("sandbox_payments_by_reference").on(table.reference)],
);

/** What the sandbox's providers have yet to tell the service, and have told it. */
export const sandboxWebhooks = pgTable(
  "sandbox_webhooks",
  {
    id: text("id").primaryKey(),
    rail: rail(),
    body: text("body").notNull(),
    dueAt: instant("due_at").notNull(),
    deliveredAt: instant("delivered_at"),
  },
  (table) => [
    index("sandbox_webhooks_due")
      .on(table.dueAt)
      .where(sql`${table.deliveredAt} is null`),
  ],
);

/** The sandbox's USDT networks: what its wallet sent, and in which block. Blocks without a transfer follow from the times. */
export const sandboxTransfers = pgTable(
  "sandbox_transfers",
  {
    id: identity(),
    network: network().notNull(),
    txHash: text("tx_hash").notNull(),
    /** 20 bytes in hexadecimal digits. */
    recipient: text("recipient").notNull(),
    amount: units("amount").notNull(),
    blockNumber: bigint("block_number", { mode: "number" }).notNull(),
    sentAt: instant("sent_at").notNull(),
  },
  (table) => [unique("one_sandbox_transfer_per_block").on(table.network, table.blockNumber)],
);

/**
 * Every change of a membership, append-only. `ends_at` and `pack_name` are those of the membership after the entry.
 * `days` is negative where days were taken back. `ordinal` counts the entries of one order: odd ones grant, even ones
 * revoke, and its uniqueness makes a payment count once.
 */
export const membershipEntries = pgTable(
  "membership_entries",
  {
    id: identity(),
    accountId: account(),
    orderId: text("order_id").references(() => orders.id),
    ordinal: smallint("ordinal"),
    reason: text("reason")
      .$type<"order" | "credit" | "refund" | "dispute" | "reorganisation" | "revoked">()
      .notNull(),
    days: integer("days").notNull(),
    beginsAt: instant("begins_at").notNull(),
    endsAt: instant("ends_at").notNull(),
    packName: jsonb("pack_name").$type<Record<Language, string>>(),
    createdAt: instant("created_at").notNull(),
    /** Ms by which the end moved, negative where time was taken; null for entries of earlier releases. */
    length: bigint("length", { mode: "number" }),
    /** The entry that it takes back, or gives back. */
    undoes: bigint("undoes", { mode: "number" }),
    /** The operator's audit entry that caused it; null: money did. */
    auditId: bigint("audit_id", { mode: "number" }),
  },
  (table) => [
    uniqueIndex("membership_once_per_order").on(table.orderId, table.ordinal),
    index("membership_entries_by_account").on(table.accountId, table.id),
    index("membership_entries_by_audit")
      .on(table.auditId)
      .where(sql`${table.auditId} IS NOT NULL`),
  ],
);

/** Events for other systems, written in the transaction of what they tell of and delivered afterwards: see events/outbox.ts. */
export const outboxEvents = pgTable(
  "outbox_events",
  {
    id: text("id").primaryKey(),
    type: text("type").notNull(),
    /** The body as it is sent and signed. */
    body: text("body").notNull(),
    createdAt: instant("created_at").notNull(),
    attempts: integer("attempts").notNull().default(0),
    /** Null: delivered, or given up. */
    nextAttemptAt: instant("next_attempt_at"),
    deliveredAt: instant("delivered_at"),
    lastError: text("last_error"),
  },
  (table) => [
    index("outbox_due")
      .on(table.nextAttemptAt)
      .where(sql`${table.nextAttemptAt} is not null`),
    index("outbox_given_up")
      .on(table.createdAt)
      .where(sql`${table.nextAttemptAt} is null and ${table.deliveredAt} is null`),
    index("outbox_undelivered")
      .on(table.createdAt)
      .where(sql`${table.deliveredAt} is null`),
    index("outbox_settled")
      .on(table.createdAt)
      .where(sql`${table.nextAttemptAt} is null`),
  ],
);

/** What operators did: who, when, to what, why. Append-only. */
export const auditEntries = pgTable(
  "audit_entries",
  {
    id: identity(),
    at: instant("at").notNull(),
    actor: text("actor").notNull(),
    action: text("action").notNull(),
    subject: text("subject").notNull(),
    reason: text("reason").notNull(),
    details: jsonb("details").$type<Record<string, unknown>>().notNull().default({}),
    /** The operator's own key of the change, taken once. */
    ticket: text("ticket").unique("audit_once_per_ticket"),
    /** The entry whose change this one undid. */
    undoes: bigint("undoes", { mode: "number" }).unique("audit_undone_once"),
  },
  (table) => [index("audit_by_subject").on(table.subject, table.id)],
);

/** How often something was tried at a key until `expires_at`: see limits/attempt-limits.ts. A key says what is limited, and a hash of at what. */
export const attempts = pgTable(
  "attempts",
  {
    key: text("key").primaryKey(),
    count: integer("count").notNull(),
    most: integer("most").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [index("attempts_by_expiry").on(table.expiresAt)],
);

/** Of a security event: who caused it knew the account's password, or its security answer. */
export const knewThePassword = sql`event IN ('registered', 'logged in', 'password changed', 'recovered')`;

/** What happened to accounts and at the doors of the service, kept for a while. No secrets: see http/security-events.ts. */
export const securityEvents = pgTable(
  "security_events",
  {
    id: identity(),
    at: instant("at").notNull(),
    event: text("event").$type<SecurityEvent>().notNull(),
    /** Null where no account is concerned, or none has the name. */
    accountId: bigint("account_id", { mode: "number" }).references(() => accounts.id),
    network: text("network").notNull(),
    /** The request's id in the log. */
    request: text("request").notNull(),
  },
  (table) => [
    index("security_events_by_account").on(table.accountId, table.id),
    // Not along all the wrong guesses of a stranger.
    index("security_events_of_member").on(table.accountId, table.network).where(knewThePassword),
    index("security_events_by_time").on(table.at),
  ],
);

/** What the service made up for itself and must find again, such as the sandbox's public key; and whether its payments are live. */
export const storedSettings = pgTable("settings", {
  key: text("key").primaryKey(),
  value: text("value").notNull(),
});

/**
 * What operators put on sale, append-only: the newest version overrides the catalogue's file. `content` is a list of packages
 * as the file holds it; null: the file's are on sale again. See catalogue-versions.ts.
 */
export const catalogueVersions = pgTable("catalogue_versions", {
  id: identity(),
  at: instant("at").notNull(),
  content: jsonb("content").$type<unknown[]>(),
  /** The operator's audit entry that made it. */
  auditId: bigint("audit_id", { mode: "number" }).notNull(),
});

/** Who may come in to the operator's page, and what they may do there. Names are in small letters. */
export const operators = pgTable(
  "operators",
  {
    id: identity(),
    name: text("name").notNull().unique(),
    right: text("right").$type<Right>().notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [check("operators_right", sql`${table.right} IN ('look', 'support', 'money')`)],
);

const operator = () =>
  bigint("operator_id", { mode: "number" })
    .notNull()
    .references(() => operators.id, { onDelete: "cascade" });

/** Links that let an operator in once, by hashes of their tokens. */
export const operatorLinks = pgTable("operator_links", {
  tokenHash: text("token_hash").primaryKey(),
  operatorId: operator(),
  expiresAt: instant("expires_at").notNull(),
});

/** Passkeys of operators, by the device's own number: what is signed by one lets its operator in. See accounts/passkeys.ts. */
export const operatorPasskeys = pgTable(
  "operator_passkeys",
  {
    id: text("id").primaryKey(),
    operatorId: operator(),
    /** COSE, in base64url. */
    publicKey: text("public_key").notNull(),
    /** How often the device has signed, by its own count; 0: it does not count. */
    counter: bigint("counter", { mode: "number" }).notNull(),
    createdAt: instant("created_at").notNull(),
    usedAt: instant("used_at"),
  },
  (table) => [index("operator_passkeys_by_operator").on(table.operatorId)],
);

/** Challenges that a device signs, by their hashes, for one use: to make a passkey for an operator, or (null) to come in by one. */
export const operatorChallenges = pgTable("operator_challenges", {
  tokenHash: text("token_hash").primaryKey(),
  operatorId: bigint("operator_id", { mode: "number" }).references(() => operators.id, {
    onDelete: "cascade",
  }),
  expiresAt: instant("expires_at").notNull(),
});

/** Operators who are in, by hashes of their cookies. A session ends at `expires_at`, however much it is used. */
export const operatorSessions = pgTable("operator_sessions", {
  tokenHash: text("token_hash").primaryKey(),
  operatorId: operator(),
  createdAt: instant("created_at").notNull(),
  expiresAt: instant("expires_at").notNull(),
});

/** What was wrong, or still is: see operations/alerts/alarms.ts. One row for each thing that can be, by its latest time. */
export const alarms = pgTable(
  "alarms",
  {
    key: text("key").primaryKey(),
    /** As operators are told. */
    what: text("what").notNull(),
    begunAt: instant("begun_at").notNull(),
    /** Null: it is not over. */
    endedAt: instant("ended_at"),
    /** False: it began while no way to tell of it was set. */
    isTold: boolean("is_told").notNull().default(true),
    /** When the latest of its causes came, as it was last told; null: it has one cause. */
    latest: instant("latest"),
    /** When a process saw it last; null: an earlier release began it. */
    seenAt: instant("seen_at"),
  },
  (table) => [
    index("alarms_open")
      .on(table.begunAt)
      .where(sql`${table.endedAt} is null`),
  ],
);

/** Messages to operators, one for each channel: see operations/alerts/messages.ts. */
export const alertMessages = pgTable(
  "alert_messages",
  {
    id: identity(),
    channel: text("channel").$type<"mail" | "telegram" | "ntfy">().notNull(),
    title: text("title").notNull(),
    text: text("text").notNull(),
    createdAt: instant("created_at").notNull(),
    attempts: integer("attempts").notNull().default(0),
    /** Null: it was taken, or given up. */
    nextAttemptAt: instant("next_attempt_at"),
    deliveredAt: instant("delivered_at"),
    lastError: text("last_error"),
  },
  (table) => [
    index("alert_messages_due")
      .on(table.nextAttemptAt)
      .where(sql`${table.nextAttemptAt} is not null`),
    index("alert_messages_by_time").on(table.createdAt),
  ],
);
