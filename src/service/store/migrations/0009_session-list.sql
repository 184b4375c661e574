ALTER TABLE "sessions" ADD COLUMN "id" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "used_at" timestamp with time zone;--> statement-breakpoint
UPDATE "sessions" SET "used_at" = greatest("created_at", "expires_at" - interval '90 days');--> statement-breakpoint
ALTER TABLE "sessions" ALTER COLUMN "used_at" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "browser" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "device" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_id_unique" UNIQUE("id");
