CREATE TABLE "unmatched_payments" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "unmatched_payments_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rail" text NOT NULL,
	"event_id" text NOT NULL,
	"payment_id" text,
	"reference" text,
	"amount" text,
	"currency" text,
	"reason" text NOT NULL,
	"body" text NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	"resolved_at" timestamp with time zone,
	CONSTRAINT "unmatched_once_per_event" UNIQUE("rail","event_id"),
	CONSTRAINT "unmatched_once_per_payment" UNIQUE("rail","payment_id")
);
