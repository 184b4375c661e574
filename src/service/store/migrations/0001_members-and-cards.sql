CREATE TABLE "notices" (
	"rail" text NOT NULL,
	"event_id" text NOT NULL,
	"heard_at" timestamp with time zone NOT NULL,
	CONSTRAINT "notices_rail_event_id_pk" PRIMARY KEY("rail","event_id")
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"rail" text NOT NULL,
	"payment_id" text NOT NULL,
	"order_id" text NOT NULL,
	"amount" bigint NOT NULL,
	"taken_at" timestamp with time zone NOT NULL,
	CONSTRAINT "payments_rail_payment_id_pk" PRIMARY KEY("rail","payment_id")
);
--> statement-breakpoint
CREATE TABLE "sandbox_notices" (
	"id" text PRIMARY KEY NOT NULL,
	"rail" text NOT NULL,
	"body" text NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"delivered_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "sandbox_payments" (
	"id" text PRIMARY KEY NOT NULL,
	"rail" text NOT NULL,
	"reference" text NOT NULL,
	"status" text NOT NULL,
	"last_four" text,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "orders" ALTER COLUMN "network" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ALTER COLUMN "address" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "nickname" text;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "sex" text;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "birth_date" date;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "security_problem" text;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "security_answer_hash" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "rail" text DEFAULT 'usdt' NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "third_reference_id" text;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "payments_by_order" ON "payments" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "sandbox_notices_due" ON "sandbox_notices" USING btree ("due_at") WHERE "sandbox_notices"."delivered_at" is null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "sandbox_payments_by_reference" ON "sandbox_payments" USING btree ("reference");--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "one_order_per_reference" UNIQUE("rail","third_reference_id");