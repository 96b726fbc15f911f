-- What the schema before the one of 0000 had, and no version reads any more.
DROP TRIGGER IF EXISTS keep_added_returns ON transactions;--> statement-breakpoint
DROP TRIGGER IF EXISTS keep_changed_returns ON transactions;--> statement-breakpoint
DROP TABLE IF EXISTS payment_returns;--> statement-breakpoint
DROP FUNCTION IF EXISTS keep_payment_returns, day_in_sao_paulo;--> statement-breakpoint
ALTER TABLE companies DROP COLUMN IF EXISTS logo_wide, DROP COLUMN IF EXISTS logo_opaque, DROP COLUMN IF EXISTS logo_dark_url, DROP COLUMN IF EXISTS logo_dark_wide, DROP COLUMN IF EXISTS closed_month, DROP COLUMN IF EXISTS card_test_mode, DROP COLUMN IF EXISTS pix_test_mode;--> statement-breakpoint
ALTER TABLE company_logos DROP COLUMN IF EXISTS dark_content;--> statement-breakpoint
ALTER TABLE link_bulks DROP COLUMN IF EXISTS undone_at, DROP COLUMN IF EXISTS kept_ids;--> statement-breakpoint
ALTER TABLE users DROP COLUMN IF EXISTS gets_closings;
