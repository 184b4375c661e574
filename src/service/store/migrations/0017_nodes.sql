ALTER TABLE "chain_positions" ADD COLUMN "head_number" bigint;--> statement-breakpoint
ALTER TABLE "chain_positions" ADD COLUMN "head_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "chain_positions" ADD COLUMN "again_from" bigint;--> statement-breakpoint
ALTER TABLE "chain_positions" ADD COLUMN "again_to" bigint;--> statement-breakpoint
ALTER TABLE "chain_positions" ADD COLUMN "again_at" timestamp with time zone;