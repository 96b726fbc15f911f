-- online
CREATE INDEX CONCURRENTLY IF NOT EXISTS "transactions_payouts" ON "transactions" USING btree ("company_id","expected_on") WHERE expected_on is not null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "transactions_lost";
