CREATE TABLE "movements" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "movements_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone NOT NULL,
	"kind" text NOT NULL,
	"from_balance" text NOT NULL,
	"to_balance" text NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"rail" text NOT NULL,
	"network" text,
	"order_id" text,
	"account_id" bigint,
	"cause" text NOT NULL,
	"reference" text,
	"undoes" bigint,
	"audit_id" bigint,
	CONSTRAINT "movements_amount" CHECK ("movements"."amount" > 0),
	CONSTRAINT "movements_balances" CHECK ("movements"."from_balance" <> "movements"."to_balance")
);
--> statement-breakpoint
CREATE TABLE "sweeps" (
	"network" text NOT NULL,
	"block_hash" text NOT NULL,
	"log_index" integer NOT NULL,
	"block_number" bigint NOT NULL,
	"tx_hash" text NOT NULL,
	"contract" text NOT NULL,
	"sender" text NOT NULL,
	"recipient" text NOT NULL,
	"amount" bigint NOT NULL,
	"state" text NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	"final_at" timestamp with time zone,
	CONSTRAINT "sweeps_network_block_hash_log_index_pk" PRIMARY KEY("network","block_hash","log_index"),
	CONSTRAINT "sweeps_state" CHECK ("sweeps"."state" IN ('seen', 'final', 'orphaned')),
	CONSTRAINT "sweeps_amount" CHECK ("sweeps"."amount" > 0)
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "event_sequence" bigint;--> statement-breakpoint
ALTER TABLE "audit_entries" ADD COLUMN "ticket" text;--> statement-breakpoint
ALTER TABLE "audit_entries" ADD COLUMN "undoes" bigint;--> statement-breakpoint
ALTER TABLE "membership_entries" ADD COLUMN "length" bigint;--> statement-breakpoint
ALTER TABLE "membership_entries" ADD COLUMN "undoes" bigint;--> statement-breakpoint
ALTER TABLE "membership_entries" ADD COLUMN "audit_id" bigint;--> statement-breakpoint
ALTER TABLE "unmatched_payments" ADD COLUMN "resolved_as" text;--> statement-breakpoint
ALTER TABLE "unmatched_payments" ADD COLUMN "audit_id" bigint;--> statement-breakpoint
ALTER TABLE "movements" ADD CONSTRAINT "movements_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "movements" ADD CONSTRAINT "movements_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "movements_by_order" ON "movements" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "movements_by_cause" ON "movements" USING btree ("cause");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "movements_by_time" ON "movements" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "movements_by_audit" ON "movements" USING btree ("audit_id") WHERE "movements"."audit_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "sweeps_by_sender" ON "sweeps" USING btree ("sender");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "sweeps_by_transaction" ON "sweeps" USING btree ("tx_hash");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "sweeps_not_final" ON "sweeps" USING btree ("network","block_number") WHERE "sweeps"."state" = 'seen';--> statement-breakpoint
ALTER TABLE "audit_entries" ADD CONSTRAINT "audit_once_per_ticket" UNIQUE("ticket");--> statement-breakpoint
ALTER TABLE "audit_entries" ADD CONSTRAINT "audit_undone_once" UNIQUE("undoes");