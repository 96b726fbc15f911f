CREATE TABLE "search_changes" (
	"kind" text NOT NULL,
	"id" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "search_entries" (
	"company_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"id" uuid NOT NULL,
	"words" "tsvector" NOT NULL,
	CONSTRAINT "search_entries_company_id_kind_id_pk" PRIMARY KEY("company_id","kind","id"),
	CONSTRAINT "search_entries_kind" CHECK (kind in ('payment','link','customer'))
);
--> statement-breakpoint
CREATE INDEX "search_entries_words_index" ON "search_entries" USING gin ("words") WITH (fastupdate=false);--> statement-breakpoint
-- Whose words a statement has made or changed is noted with it, and nothing more.
CREATE FUNCTION note_search_additions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_changes SELECT TG_ARGV[0], id FROM added;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION note_search_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_changes VALUES (TG_ARGV[0], NEW.id);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER note_search_additions AFTER INSERT ON transactions REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION note_search_additions('payment');--> statement-breakpoint
CREATE TRIGGER note_search_change AFTER UPDATE OF payer_name, payer_email, payer_tax_id, payer_phone ON transactions
  FOR EACH ROW WHEN ((NEW.payer_name, NEW.payer_email, NEW.payer_tax_id, NEW.payer_phone)
    IS DISTINCT FROM (OLD.payer_name, OLD.payer_email, OLD.payer_tax_id, OLD.payer_phone))
  EXECUTE FUNCTION note_search_change('payment');--> statement-breakpoint
CREATE TRIGGER note_search_additions AFTER INSERT ON payment_links REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION note_search_additions('link');--> statement-breakpoint
CREATE TRIGGER note_search_change AFTER UPDATE OF title, description, external_reference, amount_cents ON payment_links
  FOR EACH ROW WHEN ((NEW.title, NEW.description, NEW.external_reference, NEW.amount_cents)
    IS DISTINCT FROM (OLD.title, OLD.description, OLD.external_reference, OLD.amount_cents))
  EXECUTE FUNCTION note_search_change('link');--> statement-breakpoint
CREATE TRIGGER note_search_title AFTER UPDATE OF title ON payment_links
  FOR EACH ROW WHEN (NEW.title IS DISTINCT FROM OLD.title) EXECUTE FUNCTION note_search_change('link_payments');--> statement-breakpoint
CREATE TRIGGER note_search_additions AFTER INSERT ON customers REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION note_search_additions('customer');--> statement-breakpoint
CREATE TRIGGER note_search_change AFTER UPDATE OF name, email, phone, tax_id ON customers
  FOR EACH ROW WHEN ((NEW.name, NEW.email, NEW.phone, NEW.tax_id)
    IS DISTINCT FROM (OLD.name, OLD.email, OLD.phone, OLD.tax_id))
  EXECUTE FUNCTION note_search_change('customer');
