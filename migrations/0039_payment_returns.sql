CREATE TABLE "payment_returns" (
	"transaction_id" uuid NOT NULL,
	"day" date NOT NULL,
	"company_id" uuid NOT NULL,
	"method" text NOT NULL,
	"refunded_cents" bigint NOT NULL,
	"lost_cents" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "closed_month" date;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "gets_closings" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "payment_returns_transaction_id_index" ON "payment_returns" USING btree ("transaction_id");--> statement-breakpoint
CREATE INDEX "payment_returns_company_id_day_transaction_id_index" ON "payment_returns" USING btree ("company_id","day","transaction_id");--> statement-breakpoint
-- What a change takes of an approved payment, as revenue_of counts it, on the day that it is booked.
CREATE FUNCTION keep_payment_returns() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  refunded bigint := NEW.refunded_cents;
  lost bigint := least(NEW.charged_back_cents, NEW.total_cents - NEW.refunded_cents);
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.approved_at IS NOT NULL THEN
    refunded := refunded - OLD.refunded_cents;
    lost := lost - least(OLD.charged_back_cents, OLD.total_cents - OLD.refunded_cents);
  END IF;
  IF refunded <> 0 OR lost <> 0 THEN
    INSERT INTO payment_returns (transaction_id, day, company_id, method, refunded_cents, lost_cents)
      VALUES (NEW.id, day_in_sao_paulo(NEW.updated_at), NEW.company_id, NEW.method, refunded, lost);
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER keep_added_returns AFTER INSERT ON transactions
  FOR EACH ROW WHEN (NEW.approved_at IS NOT NULL AND (NEW.refunded_cents > 0 OR NEW.charged_back_cents > 0))
  EXECUTE FUNCTION keep_payment_returns();--> statement-breakpoint
CREATE TRIGGER keep_changed_returns AFTER UPDATE OF refunded_cents, charged_back_cents, approved_at ON transactions
  FOR EACH ROW WHEN (
    NEW.approved_at IS NOT NULL
    AND (NEW.refunded_cents > 0 OR OLD.refunded_cents > 0 OR NEW.charged_back_cents > 0 OR OLD.charged_back_cents > 0)
  ) EXECUTE FUNCTION keep_payment_returns();
