-- online
CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_links_by_amount" ON "payment_links" USING btree ("company_id","amount_cents","id") WHERE status <> 'archived';
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_links_by_title" ON "payment_links" USING btree ("company_id",fold(title) collate "C","id") WHERE status <> 'archived';
--> statement-breakpoint
-- What was folded before the trigger of 0043; a link that the trigger has a row for has the sum of all its days.
INSERT INTO link_revenue (company_id, payment_link_id, received_cents)
  SELECT company_id, payment_link_id, sum(gross_cents - refunded_cents)
  FROM daily_link_revenue
  GROUP BY company_id, payment_link_id
  ON CONFLICT DO NOTHING;
