CREATE TABLE "provider_positions" (
	"rail" text NOT NULL,
	"list" text NOT NULL,
	"read_until" timestamp with time zone NOT NULL,
	"window_end" timestamp with time zone,
	"cursor" text,
	"due_at" timestamp with time zone NOT NULL,
	CONSTRAINT "provider_positions_rail_list_pk" PRIMARY KEY("rail","list")
);
