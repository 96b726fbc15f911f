-- online
CREATE INDEX CONCURRENTLY IF NOT EXISTS "transactions_effective" ON "transactions" USING btree ("company_id",coalesce(approved_at, created_at),"id");
