ALTER TABLE "orders" ADD COLUMN "language" text;--> statement-breakpoint
CREATE TABLE "reversals" (
	"rail" text NOT NULL,
	"reversal_id" text NOT NULL,
	"payment_id" text NOT NULL,
	"kind" text NOT NULL,
	"amount" bigint NOT NULL,
	"state" text NOT NULL,
	"as_of" timestamp with time zone NOT NULL,
	CONSTRAINT "reversals_rail_reversal_id_pk" PRIMARY KEY("rail","reversal_id"),
	CONSTRAINT "reversals_amount" CHECK ("reversals"."amount" >= 0)
);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "reversals_by_payment" ON "reversals" USING btree ("rail","payment_id");--> statement-breakpoint
CREATE TABLE "sandbox_orders" (
	"id" text PRIMARY KEY NOT NULL,
	"rail" text NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"receipt" text,
	"notes" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"title" text,
	"language" text,
	"idempotency_key" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "one_sandbox_order_per_key" UNIQUE("rail","idempotency_key")
);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "sandbox_orders_by_receipt" ON "sandbox_orders" USING btree ("rail","receipt");--> statement-breakpoint
INSERT INTO "sandbox_orders" ("id", "rail", "amount", "currency", "receipt", "notes", "title", "idempotency_key", "created_at")
SELECT "third_reference_id", "rail", "amount" / 10000, 'USD', "id", jsonb_build_object('order_id', "id"), "pack_name"->>'en', "id", "created_at"
FROM "orders" WHERE "rail" IN ('card', 'stripe') AND "third_reference_id" IS NOT NULL AND NOT "live";--> statement-breakpoint
UPDATE "orders" SET "pay_url" = '/sandbox/stripe/checkout/' || "third_reference_id"
WHERE "rail" = 'stripe' AND "third_reference_id" IS NOT NULL AND "pay_url" IS NULL AND NOT "live";
