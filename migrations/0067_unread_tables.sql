-- What the version before neither reads nor fills. It still deletes from search_entries whom it forgets: that table is
-- emptied, and stays.
DROP TRIGGER IF EXISTS keep_customer_words ON customers;--> statement-breakpoint
DROP FUNCTION IF EXISTS keep_customer_words();--> statement-breakpoint
DROP TABLE "customer_words";--> statement-breakpoint
DROP TABLE "search_changes";--> statement-breakpoint
DROP TABLE "link_import_rows";--> statement-breakpoint
DROP TABLE "link_imports";--> statement-breakpoint
TRUNCATE "search_entries";
