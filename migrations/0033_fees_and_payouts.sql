ALTER TABLE "transactions" ADD COLUMN "fee_cents" integer;
--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "fee_source" text;
--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "expected_on" date;
--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "payout_parts" smallint;
--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_fee" CHECK (fee_cents between 0 and total_cents and (fee_cents is null) = (fee_source is null)) NOT VALID;
--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_payout" CHECK (payout_parts between 1 and 12 and (payout_parts is null) = (expected_on is null)) NOT VALID;
--> statement-breakpoint
ALTER TABLE "revenue_changes" ADD COLUMN "priced" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "revenue_changes" ADD COLUMN "fee_cents" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "revenue_changes" ADD COLUMN "expected_on" date;
--> statement-breakpoint
ALTER TABLE "revenue_changes" ADD COLUMN "payout_parts" smallint;
--> statement-breakpoint
CREATE TABLE "daily_payouts" (
	"company_id" uuid NOT NULL,
	"day" date NOT NULL,
	"method" text NOT NULL,
	"parts" bigint NOT NULL,
	"net_cents" bigint NOT NULL,
	CONSTRAINT "daily_payouts_company_id_day_method_pk" PRIMARY KEY("company_id","day","method")
);
--> statement-breakpoint
CREATE TABLE "payout_terms" (
	"company_id" uuid NOT NULL,
	"method" text NOT NULL,
	"installments" smallint NOT NULL,
	"rate_bps" integer NOT NULL,
	"fixed_cents" integer NOT NULL,
	"payout_days" smallint NOT NULL,
	"by_installment" boolean NOT NULL,
	CONSTRAINT "payout_terms_company_id_method_installments_pk" PRIMARY KEY("company_id","method","installments"),
	CONSTRAINT "payout_terms_installments" CHECK (installments between 1 and 12),
	CONSTRAINT "payout_terms_method" CHECK (method in ('pix', 'credit_card')),
	CONSTRAINT "payout_terms_fee" CHECK (rate_bps between 0 and 3000 and fixed_cents between 0 and 500),
	CONSTRAINT "payout_terms_payout" CHECK (payout_days between 0 and 90)
);
--> statement-breakpoint
ALTER TABLE "daily_link_revenue" ADD COLUMN "priced" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "daily_link_revenue" ADD COLUMN "fee_cents" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "daily_revenue" ADD COLUMN "priced" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "daily_revenue" ADD COLUMN "fee_cents" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "daily_tag_revenue" ADD COLUMN "priced" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "daily_tag_revenue" ADD COLUMN "fee_cents" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "payout_terms" ADD CONSTRAINT "payout_terms_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION revenue_of(payment transactions, sign smallint) RETURNS SETOF revenue_changes LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT payment.company_id, day_in_sao_paulo(payment.approved_at),
    -- The first 48 bits of an id are its milliseconds.
    day_in_sao_paulo(to_timestamp(('x' || left(translate(payment.id::text, '-', ''), 12))::bit(48)::bigint / 1000.0)),
    payment.method, payment.payment_link_id, payment.tags, sign,
    CASE WHEN payment.approved_at IS NULL THEN 0 ELSE sign END::bigint,
    CASE WHEN payment.approved_at IS NULL THEN 0 ELSE sign * payment.total_cents::bigint END,
    CASE WHEN payment.approved_at IS NULL THEN 0 ELSE sign * (payment.refunded_cents::bigint
      + least(payment.charged_back_cents, payment.total_cents - payment.refunded_cents)) END,
    CASE WHEN payment.approved_at IS NULL OR payment.fee_cents IS NULL THEN 0 ELSE sign END::bigint,
    CASE WHEN payment.approved_at IS NULL OR payment.fee_cents IS NULL THEN 0 ELSE sign * payment.fee_cents::bigint END,
    CASE WHEN payment.approved_at IS NOT NULL AND payment.fee_cents IS NOT NULL THEN payment.expected_on END,
    CASE WHEN payment.approved_at IS NOT NULL AND payment.fee_cents IS NOT NULL THEN payment.payout_parts END
  WHERE payment.approved_at IS NOT NULL
    OR (payment.status IN ('declined', 'expired') AND payment.hold_reason IS NULL)
$$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER keep_changed_revenue AFTER UPDATE ON transactions
  FOR EACH ROW WHEN (
    (NEW.approved_at IS NOT NULL OR OLD.approved_at IS NOT NULL OR NEW.status IN ('declined', 'expired') OR OLD.status IN ('declined', 'expired'))
    AND (NEW.company_id, NEW.payment_link_id, NEW.method, NEW.tags, NEW.status, NEW.hold_reason, NEW.approved_at, NEW.total_cents, NEW.refunded_cents, NEW.charged_back_cents, NEW.fee_cents, NEW.expected_on, NEW.payout_parts)
    IS DISTINCT FROM (OLD.company_id, OLD.payment_link_id, OLD.method, OLD.tags, OLD.status, OLD.hold_reason, OLD.approved_at, OLD.total_cents, OLD.refunded_cents, OLD.charged_back_cents, OLD.fee_cents, OLD.expected_on, OLD.payout_parts)
  ) EXECUTE FUNCTION keep_revenue_changes();
--> statement-breakpoint
-- How much of a payment is paid out in each of its parts, the first on the day it is expected and each other 30
-- days after the one before. What is left of a division is in the first; what went back takes from the last part
-- backwards, so that what was paid out before stays what it was. Their sum is always total - fee - gone.
CREATE FUNCTION payout_parts_of(net_before bigint, gone bigint, parts smallint) RETURNS TABLE (part smallint, net_cents bigint) LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT k::smallint, least(net_before - (parts - k) * (net_before / parts), net_before - gone)
    - CASE k WHEN 1 THEN 0 ELSE least(net_before - (parts - k + 1) * (net_before / parts), net_before - gone) END
  FROM generate_series(1, parts) AS k
$$;
