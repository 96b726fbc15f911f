-- online
CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_links_tags" ON "payment_links" USING gin ("tags");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_links_metadata" ON "payment_links" USING gin (metadata jsonb_path_ops);
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "transactions_tags" ON "transactions" USING gin ("tags");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "transactions_metadata" ON "transactions" USING gin (metadata jsonb_path_ops);
