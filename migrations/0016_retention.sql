-- online
-- What the simulated bank forgets is found by its age (src/providers/sandbox/purge.ts).
CREATE INDEX CONCURRENTLY IF NOT EXISTS "sandbox_charges_created_at_index" ON "sandbox_charges" USING btree ("created_at");
