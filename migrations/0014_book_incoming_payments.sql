-- Payments by Pix that came in before each Pix had a row of its own: one row, told from the payment's own,
-- under its id. A version that still runs writes more of them; those are booked when they are next needed
-- (src/transactions/incoming/incoming-payment.ts).
INSERT INTO "incoming_payments" ("id", "company_id", "transaction_id", "provider", "end_to_end_id",
	"amount_cents", "surplus_cents", "refunded_cents", "paid_at", "created_at", "updated_at")
SELECT "id", "company_id", "id", "provider", coalesce("pix_end_to_end_id", "provider_reference", "id"::text),
	"came", greatest("came" - "total_cents", 0),
	CASE WHEN "approved_at" IS NULL AND "status" = 'canceled' THEN "came" ELSE "refunded_cents" END,
	coalesce("approved_at", "updated_at"), now(), now()
FROM (
	SELECT *, CASE WHEN "approved_at" IS NULL THEN "received_cents" ELSE "total_cents" END AS "came"
	FROM "transactions"
	WHERE "method" = 'pix' AND ("approved_at" IS NOT NULL OR "received_cents" > 0)
) AS "paid"
ON CONFLICT DO NOTHING;
--> statement-breakpoint
UPDATE "refunds" SET "incoming_payment_id" = "incoming"."id"
FROM "incoming_payments" AS "incoming"
WHERE "incoming"."id" = "refunds"."transaction_id" AND "refunds"."incoming_payment_id" IS NULL;
