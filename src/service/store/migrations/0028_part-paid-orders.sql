-- Before the table is locked: the book may have millions of rows.
CREATE TEMPORARY TABLE "part_paid" ON COMMIT DROP AS
  SELECT "order_id" FROM "movements" WHERE 'open' IN ("to_balance", "from_balance") GROUP BY "order_id"
  HAVING sum(CASE WHEN "to_balance" = 'open' THEN "amount" WHEN "from_balance" = 'open' THEN -"amount" ELSE 0 END) >= 10000;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "part_paid" boolean DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE "orders" SET "part_paid" = true WHERE "status" <> 1 AND "id" IN (SELECT "order_id" FROM "part_paid");--> statement-breakpoint
UPDATE "unmatched_payments" SET "body" = regexp_replace("body", '(, removed order \w+) of .*$', '\1 of account ' || "account_id")
  FROM "receiving_addresses" WHERE "reason" = 'no order' AND "receiving_addresses"."order_id" = substring("body" from ', removed order (\w+) of ')
  AND "account_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "orders_failed" ON "orders" USING btree ("created_at","id") WHERE "orders"."status" = 9;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "orders_part_paid" ON "orders" USING btree ("created_at","id") WHERE "orders"."part_paid";--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "receiving_addresses_by_account" ON "receiving_addresses" USING btree ("account_id") WHERE "receiving_addresses"."account_id" IS NOT NULL;
