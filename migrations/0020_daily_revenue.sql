CREATE TABLE "daily_link_revenue" (
	"company_id" uuid NOT NULL,
	"day" date NOT NULL,
	"payment_link_id" uuid NOT NULL,
	"payments" bigint NOT NULL,
	"gross_cents" bigint NOT NULL,
	"refunded_cents" bigint NOT NULL,
	CONSTRAINT "daily_link_revenue_company_id_day_payment_link_id_pk" PRIMARY KEY("company_id","day","payment_link_id")
);
--> statement-breakpoint
CREATE TABLE "daily_revenue" (
	"company_id" uuid NOT NULL,
	"day" date NOT NULL,
	"method" text NOT NULL,
	"payments" bigint NOT NULL,
	"gross_cents" bigint NOT NULL,
	"refunded_cents" bigint NOT NULL,
	"attempts_decided" bigint NOT NULL,
	"attempts_approved" bigint NOT NULL,
	CONSTRAINT "daily_revenue_company_id_day_method_pk" PRIMARY KEY("company_id","day","method")
);
--> statement-breakpoint
CREATE TABLE "daily_tag_revenue" (
	"company_id" uuid NOT NULL,
	"day" date NOT NULL,
	"tag" text NOT NULL,
	"payments" bigint NOT NULL,
	"gross_cents" bigint NOT NULL,
	"refunded_cents" bigint NOT NULL,
	CONSTRAINT "daily_tag_revenue_company_id_day_tag_pk" PRIMARY KEY("company_id","day","tag")
);
--> statement-breakpoint
CREATE TABLE "revenue_changes" (
	"company_id" uuid NOT NULL,
	"day" date,
	"begun_on" date NOT NULL,
	"method" text NOT NULL,
	"payment_link_id" uuid NOT NULL,
	"tags" text[] NOT NULL,
	"decided" smallint NOT NULL,
	"payments" bigint NOT NULL,
	"gross_cents" bigint NOT NULL,
	"refunded_cents" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "daily_link_revenue_payment_link_id_index" ON "daily_link_revenue" USING btree ("payment_link_id");--> statement-breakpoint
CREATE INDEX "revenue_changes_company_id_index" ON "revenue_changes" USING btree ("company_id");--> statement-breakpoint
CREATE FUNCTION day_in_sao_paulo(instant timestamp with time zone) RETURNS date LANGUAGE sql STABLE PARALLEL SAFE
  RETURN (instant AT TIME ZONE 'America/Sao_Paulo')::date;--> statement-breakpoint
-- What a transaction adds to the sums as it stands, with the sign 1; what it added before, with -1. Nothing
-- while it is neither approved nor at another end that says whether payers can pay.
CREATE FUNCTION revenue_of(payment transactions, sign smallint) RETURNS SETOF revenue_changes LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT payment.company_id, day_in_sao_paulo(payment.approved_at),
    -- The first 48 bits of an id are its milliseconds.
    day_in_sao_paulo(to_timestamp(('x' || left(translate(payment.id::text, '-', ''), 12))::bit(48)::bigint / 1000.0)),
    payment.method, payment.payment_link_id, payment.tags, sign,
    CASE WHEN payment.approved_at IS NULL THEN 0 ELSE sign END::bigint,
    CASE WHEN payment.approved_at IS NULL THEN 0 ELSE sign * payment.total_cents::bigint END,
    CASE WHEN payment.approved_at IS NULL THEN 0 ELSE sign * (payment.refunded_cents::bigint
      + least(payment.charged_back_cents, payment.total_cents - payment.refunded_cents)) END
  WHERE payment.approved_at IS NOT NULL
    OR (payment.status IN ('declined', 'expired') AND payment.hold_reason IS NULL)
$$;--> statement-breakpoint
CREATE FUNCTION keep_revenue_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO revenue_changes SELECT * FROM revenue_of(OLD, -1::smallint);
  END IF;
  INSERT INTO revenue_changes SELECT * FROM revenue_of(NEW, 1::smallint);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER keep_added_revenue AFTER INSERT ON transactions
  FOR EACH ROW WHEN (NEW.status NOT IN ('pending', 'processing') OR NEW.approved_at IS NOT NULL)
  EXECUTE FUNCTION keep_revenue_changes();--> statement-breakpoint
CREATE TRIGGER keep_changed_revenue AFTER UPDATE ON transactions
  FOR EACH ROW WHEN (
    (NEW.approved_at IS NOT NULL OR OLD.approved_at IS NOT NULL OR NEW.status IN ('declined', 'expired') OR OLD.status IN ('declined', 'expired'))
    AND (NEW.company_id, NEW.payment_link_id, NEW.method, NEW.tags, NEW.status, NEW.hold_reason, NEW.approved_at, NEW.total_cents, NEW.refunded_cents, NEW.charged_back_cents)
    IS DISTINCT FROM (OLD.company_id, OLD.payment_link_id, OLD.method, OLD.tags, OLD.status, OLD.hold_reason, OLD.approved_at, OLD.total_cents, OLD.refunded_cents, OLD.charged_back_cents)
  ) EXECUTE FUNCTION keep_revenue_changes();
