-- online
-- A fee of nothing that became known after money went back was not booked.
INSERT INTO movements (company_id, transaction_id, payment_link_id, method, tags, kind, day, moved_at, booked_at, cents, interest_cents, fee_cents)
SELECT company_id, id, payment_link_id, method, tags, 'fee', (now() at time zone 'America/Sao_Paulo')::date, now(), now(), 0, 0, 0
FROM transactions payment
WHERE fee_cents = 0
  AND EXISTS (SELECT FROM movements sale WHERE sale.transaction_id = payment.id AND sale.kind = 'sale' AND sale.fee_cents IS NULL)
  AND NOT EXISTS (SELECT FROM movements fee WHERE fee.transaction_id = payment.id AND fee.kind = 'fee')
ON CONFLICT DO NOTHING;
