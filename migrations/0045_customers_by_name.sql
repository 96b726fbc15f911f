-- online
CREATE INDEX CONCURRENTLY IF NOT EXISTS "customers_by_name" ON "customers" USING btree ("company_id",fold(name) collate "C","id") WHERE anonymized_at is null;
