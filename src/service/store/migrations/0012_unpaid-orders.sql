ALTER TABLE "receiving_addresses" ADD COLUMN "order_id" text;--> statement-breakpoint
ALTER TABLE "receiving_addresses" ADD COLUMN "account_id" bigint;--> statement-breakpoint
ALTER TABLE "receiving_addresses" ADD CONSTRAINT "receiving_addresses_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "orders_unpaid" ON "orders" USING btree ("created_at") WHERE "orders"."status" <> 1 AND "orders"."rail" <> 'card';--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "orders_by_confirmation" ON "orders" USING btree ("confirmed_at") WHERE "orders"."confirmed_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "receiving_addresses_by_order" ON "receiving_addresses" USING btree ("order_id") WHERE "receiving_addresses"."order_id" IS NOT NULL;