-- online
CREATE INDEX CONCURRENTLY IF NOT EXISTS "customers_words" ON "customers" USING gin ("words");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "customers_without_words" ON "customers" USING btree ("id") WHERE words is null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "customers_name_words" ON "customers" USING gin (name_words(name));--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_links_words" ON "payment_links" USING gin ("words");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_links_without_words" ON "payment_links" USING btree ("id") WHERE words is null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "transactions_words" ON "transactions" USING gin ("words");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "transactions_without_words" ON "transactions" USING btree ("id") WHERE words is null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "customers_by_name";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "payment_links_pix";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "payment_links_card";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "payment_links_open";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "payment_links_expired";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "payment_links_by_title";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "transactions_company_id_method_id_index";
