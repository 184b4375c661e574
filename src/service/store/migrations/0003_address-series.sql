CREATE TABLE "address_series" (
	"series" integer PRIMARY KEY NOT NULL,
	"opened_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "address_series" integer;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "address_index" integer;