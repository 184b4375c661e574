ALTER TABLE "keepsakes" RENAME TO "settings";--> statement-breakpoint
ALTER TABLE "settings" RENAME CONSTRAINT "keepsakes_pkey" TO "settings_pkey";--> statement-breakpoint
ALTER TABLE "notices" RENAME TO "webhook_events";--> statement-breakpoint
ALTER TABLE "webhook_events" RENAME COLUMN "heard_at" TO "processed_at";--> statement-breakpoint
ALTER TABLE "webhook_events" RENAME CONSTRAINT "notices_rail_event_id_pk" TO "webhook_events_rail_event_id_pk";--> statement-breakpoint
ALTER TABLE "sandbox_notices" RENAME TO "sandbox_webhooks";--> statement-breakpoint
ALTER INDEX "sandbox_notices_due" RENAME TO "sandbox_webhooks_due";--> statement-breakpoint
ALTER TABLE "sandbox_webhooks" RENAME CONSTRAINT "sandbox_notices_pkey" TO "sandbox_webhooks_pkey";--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "locked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "membership_ends_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "membership_end_announced" timestamp with time zone;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "accounts_by_membership_end" ON "accounts" USING btree ("membership_ends_at");--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "raw_address" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "key_fingerprint" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "pay_url" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "currency" text DEFAULT 'USDT' NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "live" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "refreshed_at" timestamp with time zone;--> statement-breakpoint
UPDATE "orders" SET "currency" = 'USD' WHERE "rail" <> 'usdt';--> statement-breakpoint
UPDATE "orders" SET "raw_address" = lower(substr("address", 3)) WHERE "network" = 'ERC20';--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "orders_by_raw_address" ON "orders" USING btree ("raw_address");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "orders_pending" ON "orders" USING btree ("created_at") WHERE "orders"."status" = 0;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_status" CHECK ("orders"."status" IN (0, 1, 9));--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_rail" CHECK ("orders"."rail" IN ('usdt', 'card', 'stripe'));--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_network" CHECK (("orders"."rail" = 'usdt') = ("orders"."network" IS NOT NULL AND "orders"."network" IN ('TRC20', 'ERC20')));--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_amount" CHECK ("orders"."amount" > 0);--> statement-breakpoint
CREATE TABLE "sandbox_transfers" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sandbox_transfers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"network" text NOT NULL,
	"tx_hash" text NOT NULL,
	"recipient" text NOT NULL,
	"amount" bigint NOT NULL,
	"block_number" bigint NOT NULL,
	"sent_at" timestamp with time zone NOT NULL,
	CONSTRAINT "one_sandbox_transfer_per_block" UNIQUE("network","block_number")
);
--> statement-breakpoint
DROP INDEX "transfers_due";--> statement-breakpoint
ALTER TABLE "transfers" DROP CONSTRAINT "transfers_network_tx_hash_log_index_pk";--> statement-breakpoint
ALTER TABLE "transfers" RENAME COLUMN "confirmed_at" TO "final_at";--> statement-breakpoint
ALTER TABLE "transfers" ALTER COLUMN "order_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "transfers" ADD COLUMN "block_hash" text;--> statement-breakpoint
ALTER TABLE "transfers" ADD COLUMN "block_number" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "transfers" ALTER COLUMN "block_number" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "transfers" ADD COLUMN "contract" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "transfers" ALTER COLUMN "contract" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "transfers" ADD COLUMN "sender" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "transfers" ALTER COLUMN "sender" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "transfers" ADD COLUMN "recipient" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "transfers" ALTER COLUMN "recipient" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "transfers" ADD COLUMN "state" text;--> statement-breakpoint
ALTER TABLE "transfers" ADD COLUMN "held_for" text;--> statement-breakpoint
UPDATE "transfers" SET "block_hash" = "tx_hash", "state" = 'final', "final_at" = coalesce("final_at", "due_at", "seen_at");--> statement-breakpoint
DELETE FROM "transfers" WHERE "amount" <= 0;--> statement-breakpoint
ALTER TABLE "transfers" ALTER COLUMN "block_hash" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "transfers" ALTER COLUMN "state" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "transfers" DROP COLUMN "due_at";--> statement-breakpoint
ALTER TABLE "transfers" DROP COLUMN "address";--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_network_block_hash_log_index_pk" PRIMARY KEY("network","block_hash","log_index");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "transfers_by_transaction" ON "transfers" USING btree ("tx_hash");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "transfers_by_finality" ON "transfers" USING btree ("final_at");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "payments_by_time" ON "payments" USING btree ("taken_at");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "transfers_not_final" ON "transfers" USING btree ("network","block_number") WHERE "transfers"."state" = 'seen';--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_state" CHECK ("transfers"."state" IN ('seen', 'final', 'orphaned'));--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_amount" CHECK ("transfers"."amount" > 0);--> statement-breakpoint
CREATE TABLE "chain_positions" (
	"network" text PRIMARY KEY NOT NULL,
	"number" bigint NOT NULL,
	"hash" text NOT NULL,
	"final_number" bigint NOT NULL,
	"holder" text,
	"lease_until" timestamp with time zone,
	"checked_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "chain_blocks" (
	"network" text NOT NULL,
	"number" bigint NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "chain_blocks_network_number_pk" PRIMARY KEY("network","number")
);
--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "refunded" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "disputed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_amount" CHECK ("payments"."amount" > 0);--> statement-breakpoint
ALTER TABLE "unmatched_payments" ADD COLUMN "order_id" text;--> statement-breakpoint
ALTER TABLE "unmatched_payments" ADD COLUMN "resolution" text;--> statement-breakpoint
ALTER TABLE "unmatched_payments" ADD CONSTRAINT "unmatched_payments_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "unmatched_open" ON "unmatched_payments" USING btree ("received_at") WHERE "unmatched_payments"."resolved_at" is null;--> statement-breakpoint
CREATE TABLE "membership_entries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "membership_entries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" bigint NOT NULL,
	"order_id" text,
	"ordinal" smallint,
	"reason" text NOT NULL,
	"days" integer NOT NULL,
	"begins_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"pack_name" jsonb,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "membership_entries" ADD CONSTRAINT "membership_entries_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "membership_entries" ADD CONSTRAINT "membership_entries_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS "membership_once_per_order" ON "membership_entries" USING btree ("order_id","ordinal");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "membership_entries_by_account" ON "membership_entries" USING btree ("account_id","id");--> statement-breakpoint
INSERT INTO "membership_entries" ("account_id", "order_id", "ordinal", "reason", "days", "begins_at", "ends_at", "pack_name", "created_at")
SELECT m."account_id", m."order_id", 1, 'order', o."days", m."begins_at", m."ends_at", o."pack_name", coalesce(o."confirmed_at", m."begins_at")
FROM "memberships" m JOIN "orders" o ON o."id" = m."order_id" ORDER BY m."account_id", m."ends_at";--> statement-breakpoint
UPDATE "accounts" a SET "membership_ends_at" = e."ends_at", "membership_end_announced" = CASE WHEN e."ends_at" <= now() THEN e."ends_at" END
FROM (SELECT "account_id", max("ends_at") AS "ends_at" FROM "memberships" GROUP BY "account_id") e WHERE e."account_id" = a."id";--> statement-breakpoint
DROP TABLE "memberships";--> statement-breakpoint
CREATE TABLE "outbox_events" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"body" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone,
	"delivered_at" timestamp with time zone,
	"last_error" text
);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "outbox_due" ON "outbox_events" USING btree ("next_attempt_at") WHERE "outbox_events"."next_attempt_at" is not null;--> statement-breakpoint
CREATE TABLE "audit_entries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_entries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone NOT NULL,
	"actor" text NOT NULL,
	"action" text NOT NULL,
	"subject" text NOT NULL,
	"reason" text NOT NULL,
	"details" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "audit_by_subject" ON "audit_entries" USING btree ("subject","id");
