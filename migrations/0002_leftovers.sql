-- What kept sums and words beside the rows that they were of: nothing reads or needs any of it since there is a book.
DROP TRIGGER IF EXISTS keep_added_revenue ON transactions;--> statement-breakpoint
DROP TRIGGER IF EXISTS keep_changed_revenue ON transactions;--> statement-breakpoint
DROP TABLE IF EXISTS search_entries, revenue_changes, daily_revenue, daily_link_revenue, daily_tag_revenue, daily_payouts, link_revenue CASCADE;--> statement-breakpoint
DROP FUNCTION IF EXISTS keep_revenue_changes, keep_link_revenue, payout_parts_of, word_beginnings, month_of;--> statement-breakpoint
DROP INDEX IF EXISTS transactions_without_words, payment_links_without_words, customers_without_words;--> statement-breakpoint
-- The version before writes these two itself.
ALTER TABLE payout_terms ALTER COLUMN payout_days SET DEFAULT 0, ALTER COLUMN by_installment SET DEFAULT false;
