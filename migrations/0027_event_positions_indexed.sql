-- online
CREATE INDEX CONCURRENTLY IF NOT EXISTS "events_company_id_position_id_index" ON "events" USING btree ("company_id","position","id");
