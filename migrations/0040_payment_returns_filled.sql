-- online
-- What went back before the trigger of 0039: what each payment says, less what the trigger has written by then. It
-- is laid upon the refunds that succeeded, the oldest first, and the last dispute that was lost; what no refund of
-- ours explains is of the day that the payment last changed. Run again, there is nothing left to lay.
INSERT INTO payment_returns (transaction_id, day, company_id, method, refunded_cents, lost_cents)
  WITH owed AS (
    SELECT payment.id, payment.company_id, payment.method, payment.updated_at,
      payment.refunded_cents - kept.refunded AS refunded,
      least(payment.charged_back_cents, payment.total_cents - payment.refunded_cents) - kept.lost AS lost
    FROM transactions AS payment
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(noted.refunded_cents), 0) AS refunded, coalesce(sum(noted.lost_cents), 0) AS lost
      FROM payment_returns AS noted WHERE noted.transaction_id = payment.id
    ) AS kept
    WHERE payment.approved_at IS NOT NULL AND (payment.refunded_cents > 0 OR payment.charged_back_cents > 0)
  ), given AS (
    SELECT refund.transaction_id, refund.updated_at, refund.amount_cents,
      sum(refund.amount_cents) OVER (PARTITION BY refund.transaction_id ORDER BY refund.updated_at, refund.id) AS so_far
    FROM refunds AS refund WHERE refund.status = 'succeeded'
  ), laid AS (
    SELECT owed.id, day_in_sao_paulo(given.updated_at) AS day,
      greatest(0, least(given.so_far, owed.refunded) - (given.so_far - given.amount_cents)) AS refunded, 0 AS lost
    FROM owed JOIN given ON given.transaction_id = owed.id
    UNION ALL
    SELECT owed.id, day_in_sao_paulo(owed.updated_at), greatest(0, owed.refunded - coalesce(all_given.cents, 0)), 0
    FROM owed
    LEFT JOIN (SELECT transaction_id, max(so_far) AS cents FROM given GROUP BY transaction_id) AS all_given
      ON all_given.transaction_id = owed.id
    UNION ALL
    SELECT owed.id, day_in_sao_paulo(coalesce(
      (SELECT max(dispute.updated_at) FROM disputes AS dispute WHERE dispute.transaction_id = owed.id AND dispute.status = 'lost'),
      owed.updated_at)), 0, owed.lost
    FROM owed
  )
  SELECT owed.id, laid.day, owed.company_id, owed.method, sum(laid.refunded), sum(laid.lost)
  FROM laid JOIN owed ON owed.id = laid.id
  GROUP BY owed.id, laid.day, owed.company_id, owed.method
  HAVING sum(laid.refunded) <> 0 OR sum(laid.lost) <> 0
  ORDER BY owed.company_id, laid.day
  ON CONFLICT DO NOTHING;
