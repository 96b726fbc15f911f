-- online
CREATE INDEX CONCURRENTLY IF NOT EXISTS "transactions_company_id_updated_at_id_index" ON "transactions" USING btree ("company_id","updated_at","id");--> statement-breakpoint
INSERT INTO payment_link_pairs (company_id, pair, link_id)
  SELECT company_id, metadata_pair(key, value), id FROM payment_links, jsonb_each_text(metadata)
  ON CONFLICT DO NOTHING;--> statement-breakpoint
INSERT INTO transaction_pairs (company_id, pair, transaction_id)
  SELECT company_id, metadata_pair(key, value), id FROM transactions, jsonb_each_text(metadata)
  ON CONFLICT DO NOTHING;
