-- online
CREATE INDEX CONCURRENTLY IF NOT EXISTS "search_entries_beginnings_index" ON "search_entries" USING gin (word_beginnings("words")) WITH (fastupdate=true,gin_pending_list_limit=512) WHERE kind = 'payment';
