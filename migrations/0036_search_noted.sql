-- online
-- All that was there before the triggers of the migration before, the newest first; the program writes its
-- words (search/fold.ts). Noted twice it is written twice, and found once.
INSERT INTO search_changes (kind, id)
  SELECT 'payment', id FROM transactions ORDER BY id DESC ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO search_changes (kind, id)
  SELECT 'link', id FROM payment_links ORDER BY id DESC ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO search_changes (kind, id)
  SELECT 'customer', id FROM customers WHERE anonymized_at IS NULL ORDER BY id DESC ON CONFLICT DO NOTHING;
