-- Words, tags and metadata are searched in the rows that have them, and nobody listens to the notifications of changes
-- any more.
DROP TRIGGER IF EXISTS tell_of_change ON api_keys;--> statement-breakpoint
DROP TRIGGER IF EXISTS tell_of_change ON provider_accounts;--> statement-breakpoint
DROP TRIGGER IF EXISTS tell_of_change ON companies;--> statement-breakpoint
DROP TRIGGER IF EXISTS tell_of_change ON payment_links;--> statement-breakpoint
DROP TRIGGER IF EXISTS keep_link_tags ON payment_links;--> statement-breakpoint
DROP TRIGGER IF EXISTS keep_changed_link_tags ON payment_links;--> statement-breakpoint
DROP TRIGGER IF EXISTS keep_link_pairs ON payment_links;--> statement-breakpoint
DROP TRIGGER IF EXISTS keep_changed_link_pairs ON payment_links;--> statement-breakpoint
DROP TRIGGER IF EXISTS note_search_additions ON customers;--> statement-breakpoint
DROP TRIGGER IF EXISTS note_search_change ON customers;--> statement-breakpoint
DROP TRIGGER IF EXISTS note_search_additions ON payment_links;--> statement-breakpoint
DROP TRIGGER IF EXISTS note_search_change ON payment_links;--> statement-breakpoint
DROP TRIGGER IF EXISTS note_search_title ON payment_links;--> statement-breakpoint
DROP TRIGGER IF EXISTS note_search_additions ON transactions;--> statement-breakpoint
DROP TRIGGER IF EXISTS note_search_change ON transactions;--> statement-breakpoint
DROP TRIGGER IF EXISTS tag_transaction ON transactions;--> statement-breakpoint
DROP TRIGGER IF EXISTS keep_transaction_pairs ON transactions;--> statement-breakpoint
DROP FUNCTION IF EXISTS tell_of_change();--> statement-breakpoint
DROP FUNCTION IF EXISTS note_search_additions();--> statement-breakpoint
DROP FUNCTION IF EXISTS note_search_change();--> statement-breakpoint
DROP FUNCTION IF EXISTS keep_link_tags();--> statement-breakpoint
DROP FUNCTION IF EXISTS keep_link_pairs();--> statement-breakpoint
DROP FUNCTION IF EXISTS keep_transaction_pairs();--> statement-breakpoint
DROP FUNCTION IF EXISTS keep_tags_of_added_links();--> statement-breakpoint
DROP FUNCTION IF EXISTS keep_pairs_of_added_links();--> statement-breakpoint
DROP FUNCTION IF EXISTS keep_tags_of_added_transactions();--> statement-breakpoint
DROP FUNCTION IF EXISTS keep_pairs_of_added_transactions();--> statement-breakpoint
DROP FUNCTION IF EXISTS metadata_pair(text, text);--> statement-breakpoint
DROP TABLE "payment_link_tags";--> statement-breakpoint
DROP TABLE "payment_link_pairs";--> statement-breakpoint
DROP TABLE "transaction_tags";--> statement-breakpoint
DROP TABLE "transaction_pairs";--> statement-breakpoint
DROP TABLE "limiter_windows";--> statement-breakpoint
DROP TABLE "saved_views";
