-- online
CREATE INDEX CONCURRENTLY IF NOT EXISTS "transactions_company_id_total_cents_id_index" ON "transactions" USING btree ("company_id","total_cents","id");
