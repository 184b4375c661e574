CREATE TABLE "attempts" (
	"key" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"most" integer NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "security_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "security_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone NOT NULL,
	"event" text NOT NULL,
	"account_id" bigint,
	"network" text NOT NULL,
	"request" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "network" text;--> statement-breakpoint
ALTER TABLE "security_events" ADD CONSTRAINT "security_events_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "attempts_by_expiry" ON "attempts" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "security_events_by_account" ON "security_events" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "security_events_by_time" ON "security_events" USING btree ("at");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "outbox_given_up" ON "outbox_events" USING btree ("created_at") WHERE "outbox_events"."next_attempt_at" is null and "outbox_events"."delivered_at" is null;