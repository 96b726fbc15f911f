-- online
CREATE INDEX CONCURRENTLY IF NOT EXISTS "transactions_first_attempt" ON "transactions" USING btree ("first_attempt_id") WHERE first_attempt_id is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "transactions_duplicates" ON "transactions" USING btree ("company_id","id") WHERE possible_duplicate_of is not null;
