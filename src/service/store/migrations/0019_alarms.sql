CREATE TABLE "alarms" (
	"key" text PRIMARY KEY NOT NULL,
	"what" text NOT NULL,
	"begun_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "alert_messages" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "alert_messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"channel" text NOT NULL,
	"title" text NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone,
	"delivered_at" timestamp with time zone,
	"last_error" text
);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "alarms_open" ON "alarms" USING btree ("begun_at") WHERE "alarms"."ended_at" is null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "alert_messages_due" ON "alert_messages" USING btree ("next_attempt_at") WHERE "alert_messages"."next_attempt_at" is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "alert_messages_by_time" ON "alert_messages" USING btree ("created_at");