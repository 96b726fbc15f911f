-- online
CREATE INDEX CONCURRENTLY IF NOT EXISTS "search_entries_by_beginnings" ON "search_entries" USING gin (word_beginnings("words")) WITH (fastupdate=true,gin_pending_list_limit=512) WHERE kind = 'payment';
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "search_entries_beginnings_index";
