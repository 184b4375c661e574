CREATE INDEX IF NOT EXISTS "orders_by_time" ON "orders" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "outbox_undelivered" ON "outbox_events" USING btree ("created_at") WHERE "outbox_events"."delivered_at" is null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "unmatched_by_order" ON "unmatched_payments" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "unmatched_by_time" ON "unmatched_payments" USING btree ("received_at");