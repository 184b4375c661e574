CREATE TABLE "provider_positions" (
	"rail" text NOT NULL,
	"list" text NOT NULL,
	"read_until" timestamp with time zone NOT NULL,
	"window_end" timestamp with time zone,
	"cursor" text,
	"due_at" timestamp with time zone NOT NULL,
	CONSTRAINT "provider_positions_rail_list_pk" PRIMARY KEY("rail","list")
);
--> statement-breakpoint
CREATE TABLE "receiving_addresses" (
	"fingerprint" text NOT NULL,
	"series" integer NOT NULL,
	"index" integer NOT NULL,
	"raw" text NOT NULL,
	CONSTRAINT "receiving_addresses_fingerprint_series_index_pk" PRIMARY KEY("fingerprint","series","index")
);
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS "receiving_addresses_by_raw" ON "receiving_addresses" USING btree ("raw");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "orders_by_series" ON "orders" USING btree ("address_series","address_index");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "transfers_by_recipient" ON "transfers" USING btree ("recipient");