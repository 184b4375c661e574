ALTER TABLE "orders" ADD COLUMN "told_at" timestamp with time zone;--> statement-breakpoint
-- Of what was paid before, the accounts know.
UPDATE "orders" SET "told_at" = coalesce("confirmed_at", "created_at") WHERE "status" = 1;
