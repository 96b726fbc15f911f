ALTER INDEX "search_entries_words_index" SET (fastupdate = on, gin_pending_list_limit = 512);
