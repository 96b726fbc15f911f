ALTER TABLE "link_revenue" ADD COLUMN "first_month" date DEFAULT '-infinity' NOT NULL;--> statement-breakpoint
ALTER TABLE "link_revenue" ADD COLUMN "last_month" date DEFAULT 'infinity' NOT NULL;--> statement-breakpoint
CREATE FUNCTION month_of(day date) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN date_trunc('month', day::timestamp)::date;--> statement-breakpoint
-- As in 0043, and the months. A link that has no row yet, or one that nobody has looked up the months of, gets all of
-- it from its days, in which the changes are by then; where the next migration has written its row meanwhile, without
-- them, that stands in its place.
CREATE OR REPLACE FUNCTION keep_link_revenue() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH added AS MATERIALIZED (
    SELECT company_id, payment_link_id, sum(gross_cents - refunded_cents) AS cents,
      month_of(min(day)) AS first_month, month_of(max(day)) AS last_month
    FROM folded WHERE day IS NOT NULL
    GROUP BY company_id, payment_link_id
    -- What comes to nothing by now may yet be something in one of two months.
    HAVING sum(gross_cents - refunded_cents) <> 0 OR min(day) <> max(day)
  ), updated AS (
    UPDATE link_revenue AS kept SET received_cents = kept.received_cents + added.cents,
      first_month = least(kept.first_month, added.first_month),
      last_month = greatest(kept.last_month, added.last_month)
    FROM added WHERE kept.payment_link_id = added.payment_link_id AND kept.first_month > '-infinity'
    RETURNING kept.payment_link_id
  )
  INSERT INTO link_revenue (company_id, payment_link_id, received_cents, first_month, last_month)
    SELECT added.company_id, added.payment_link_id, days.cents, days.first_month, days.last_month
    FROM added CROSS JOIN LATERAL (
      SELECT sum(gross_cents - refunded_cents) AS cents, month_of(min(day)) AS first_month, month_of(max(day)) AS last_month
      FROM daily_link_revenue AS day WHERE day.payment_link_id = added.payment_link_id
    ) AS days
    WHERE added.payment_link_id NOT IN (SELECT payment_link_id FROM updated)
    ON CONFLICT (payment_link_id) DO UPDATE SET received_cents = excluded.received_cents,
      first_month = excluded.first_month, last_month = excluded.last_month;
  RETURN NULL;
END $$;
