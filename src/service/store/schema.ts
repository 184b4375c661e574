/** The tables. Amounts are whole numbers of USDT's smallest unit (six decimals); instants are UTC. */
import { sql } from "drizzle-orm";
import {
  bigint,
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
} from "drizzle-orm/pg-core";
import type { Network } from "../../contract/calls.ts";
import type { Language } from "../../contract/languages.ts";

const instant = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });
const units = (name: string) => bigint(name, { mode: "bigint" });
const network = () => text("network").$type<Network>();

/** The ways an order can be paid: USDT, the card provider, Stripe. */
export type Rail = "usdt" | "card" | "stripe";
const rail = () => text("rail").$type<Rail>().notNull();

/** `name` is shown as typed; `name_key` is what makes two names one (see names.ts). */
export const accounts = pgTable("accounts", {
  id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  name: text("name").notNull(),
  nameKey: text("name_key").notNull().unique(),
  passwordHash: text("password_hash").notNull(),
  createdAt: instant("created_at").notNull(),
  nickname: text("nickname"),
  sex: text("sex").$type<"man" | "woman">(),
  /** A calendar date, in no time zone. */
  birthDate: date("birth_date", { mode: "string" }),
  /** The id of a question of questions.ts, and a hash of the answer; both or neither. */
  securityProblem: text("security_problem"),
  securityAnswerHash: text("security_answer_hash"),
});

const account = () =>
  bigint("account_id", { mode: "number" })
    .notNull()
    .references(() => accounts.id);

/** Who is signed in. Only a hash of the token is kept, so that a stolen table opens no account. */
export const sessions = pgTable(
  "sessions",
  {
    tokenHash: text("token_hash").primaryKey(),
    accountId: account(),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    index("sessions_by_expiry").on(table.expiresAt),
    index("sessions_by_account").on(table.accountId),
  ],
);

/**
 * The package is copied into the order, because the operator may edit the catalogue before the money arrives.
 * What it is to be paid to: in USDT `network` and `address`, else `third_reference_id`, the provider's own number of it.
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
    thirdReferenceId: text("third_reference_id"),
    amount: units("amount").notNull(),
    status: smallint("status").notNull(),
    idempotencyKey: text("idempotency_key"),
    createdAt: instant("created_at").notNull(),
    confirmedAt: instant("confirmed_at"),
  },
  (table) => [
    unique("one_order_per_key").on(table.accountId, table.idempotencyKey),
    unique("one_order_per_address").on(table.network, table.address),
    unique("one_order_per_reference").on(table.rail, table.thirdReferenceId),
    index("orders_by_account").on(table.accountId, table.createdAt),
  ],
);

/** Every receiving address is used once: the next index of each network. */
export const trc20Index = pgSequence("address_index_trc20", { startWith: 0, minValue: 0 });
export const erc20Index = pgSequence("address_index_erc20", { startWith: 0, minValue: 0 });

/** What the networks paid in. One transaction can pay several times, hence the log index in the key. */
export const transfers = pgTable(
  "transfers",
  {
    network: network().notNull(),
    txHash: text("tx_hash").notNull(),
    logIndex: integer("log_index").notNull(),
    orderId: text("order_id")
      .notNull()
      .references(() => orders.id),
    address: text("address").notNull(),
    amount: units("amount").notNull(),
    seenAt: instant("seen_at").notNull(),
    /** When the network will call it final, where that is known beforehand. */
    dueAt: instant("due_at"),
    confirmedAt: instant("confirmed_at"),
  },
  (table) => [
    primaryKey({ columns: [table.network, table.txHash, table.logIndex] }),
    index("transfers_by_order").on(table.orderId),
    index("transfers_due")
      .on(table.dueAt)
      .where(sql`${table.confirmedAt} is null`),
  ],
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
  },
  (table) => [
    primaryKey({ columns: [table.rail, table.paymentId] }),
    index("payments_by_order").on(table.orderId),
  ],
);

/** The notices of the providers that were acted upon: each is sent again until it is answered, and sometimes after. */
export const notices = pgTable(
  "notices",
  {
    rail: rail(),
    eventId: text("event_id").notNull(),
    heardAt: instant("heard_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.rail, table.eventId] })],
);

/** The sandbox's side of the card provider and Stripe: what they know of a payment. Of a card, the last four digits. */
export const sandboxPayments = pgTable(
  "sandbox_payments",
  {
    id: text("id").primaryKey(),
    rail: rail(),
    reference: text("reference").notNull(),
    status: text("status").$type<"open" | "captured" | "declined" | "cancelled">().notNull(),
    lastFour: text("last_four"),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [index("sandbox_payments_by_reference").on(table.reference)],
);

/** What the sandbox's providers have yet to tell the service, and have told it. */
export const sandboxNotices = pgTable(
  "sandbox_notices",
  {
    id: text("id").primaryKey(),
    rail: rail(),
    body: text("body").notNull(),
    dueAt: instant("due_at").notNull(),
    deliveredAt: instant("delivered_at"),
  },
  (table) => [
    index("sandbox_notices_due")
      .on(table.dueAt)
      .where(sql`${table.deliveredAt} is null`),
  ],
);

/** Membership, one row for each paid order: the primary key is what makes a payment count once. */
export const memberships = pgTable(
  "memberships",
  {
    orderId: text("order_id")
      .primaryKey()
      .references(() => orders.id),
    accountId: account(),
    beginsAt: instant("begins_at").notNull(),
    endsAt: instant("ends_at").notNull(),
  },
  (table) => [index("memberships_by_account").on(table.accountId, table.endsAt)],
);

/** What the service made up for itself and must find again, such as the sandbox's public key. */
export const keepsakes = pgTable("keepsakes", {
  key: text("key").primaryKey(),
  value: text("value").notNull(),
});
