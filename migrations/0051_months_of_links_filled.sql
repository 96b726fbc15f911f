-- online
-- Those of before 0050: a row that the trigger has touched since has its months, of all its days.
INSERT INTO link_revenue AS kept (company_id, payment_link_id, received_cents, first_month, last_month)
  SELECT company_id, payment_link_id, sum(gross_cents - refunded_cents), month_of(min(day)), month_of(max(day))
  FROM daily_link_revenue
  GROUP BY company_id, payment_link_id HAVING sum(gross_cents - refunded_cents) <> 0
  ON CONFLICT (payment_link_id) DO UPDATE SET first_month = excluded.first_month, last_month = excluded.last_month
    WHERE kept.first_month = '-infinity';
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "link_revenue_by_months" ON "link_revenue" USING btree ("company_id","first_month","last_month","received_cents","payment_link_id");
