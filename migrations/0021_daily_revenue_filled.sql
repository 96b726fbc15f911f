-- online
-- The sums of what came in before the trigger of 0020: all that the rows say, less what the trigger has noted
-- by then, which is added when it is folded. Each statement sees one moment of both, and nobody folds before
-- this migration is through. Ordered, so that the rows of a period stand together.
INSERT INTO daily_revenue (company_id, day, method, payments, gross_cents, refunded_cents, attempts_decided, attempts_approved)
  SELECT company_id, day, method, sum(payments), sum(gross_cents), sum(refunded_cents), sum(decided), sum(approved)
  FROM (
    SELECT found.company_id, place.day, method, place.payments * turn AS payments, place.gross * turn AS gross_cents,
      place.refunded * turn AS refunded_cents, place.decided * turn AS decided, place.approved * turn AS approved
    FROM (
      SELECT kept.*, 1 AS turn FROM transactions AS payment CROSS JOIN LATERAL revenue_of(payment, 1::smallint) AS kept
      UNION ALL SELECT noted.*, -1 FROM revenue_changes AS noted
    ) AS found
    CROSS JOIN LATERAL (VALUES
      (found.day, found.payments, found.gross_cents, found.refunded_cents, 0, 0),
      (found.begun_on, 0, 0, 0, found.decided::bigint, found.payments)
    ) AS place (day, payments, gross, refunded, decided, approved)
    WHERE place.day IS NOT NULL
  ) AS entries
  GROUP BY company_id, day, method
  ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO daily_link_revenue (company_id, day, payment_link_id, payments, gross_cents, refunded_cents)
  SELECT company_id, day, payment_link_id, sum(payments * turn), sum(gross_cents * turn), sum(refunded_cents * turn)
  FROM (
    SELECT kept.*, 1 AS turn FROM transactions AS payment CROSS JOIN LATERAL revenue_of(payment, 1::smallint) AS kept
    UNION ALL SELECT noted.*, -1 FROM revenue_changes AS noted
  ) AS found
  WHERE day IS NOT NULL
  GROUP BY company_id, day, payment_link_id
  ORDER BY company_id, day
  ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO daily_tag_revenue (company_id, day, tag, payments, gross_cents, refunded_cents)
  SELECT company_id, day, coalesce(tag, ''), sum(payments * turn), sum(gross_cents * turn), sum(refunded_cents * turn)
  FROM (
    SELECT kept.*, 1 AS turn FROM transactions AS payment CROSS JOIN LATERAL revenue_of(payment, 1::smallint) AS kept
    UNION ALL SELECT noted.*, -1 FROM revenue_changes AS noted
  ) AS found
  LEFT JOIN LATERAL unnest(tags) AS tag ON true
  WHERE day IS NOT NULL
  GROUP BY company_id, day, coalesce(tag, '')
  ORDER BY company_id, day
  ON CONFLICT DO NOTHING;
--> statement-breakpoint
-- What it was read for is a sum of days by now.
DROP INDEX CONCURRENTLY IF EXISTS "transactions_earned";
