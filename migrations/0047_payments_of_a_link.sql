-- online
CREATE INDEX CONCURRENTLY IF NOT EXISTS "transactions_charged_back_of_link" ON "transactions" USING btree ("payment_link_id") WHERE status = 'charged_back';