CREATE TABLE "payment_link_pairs" (
	"company_id" uuid NOT NULL,
	"pair" uuid NOT NULL,
	"link_id" uuid NOT NULL,
	CONSTRAINT "payment_link_pairs_company_id_pair_link_id_pk" PRIMARY KEY("company_id","pair","link_id")
);--> statement-breakpoint
CREATE TABLE "transaction_pairs" (
	"company_id" uuid NOT NULL,
	"pair" uuid NOT NULL,
	"transaction_id" uuid NOT NULL,
	CONSTRAINT "transaction_pairs_company_id_pair_transaction_id_pk" PRIMARY KEY("company_id","pair","transaction_id")
);--> statement-breakpoint
-- What a pair of metadata is found by. No key or value has this character.
CREATE FUNCTION metadata_pair(key text, value text) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN md5(key || chr(31) || value)::uuid;--> statement-breakpoint
CREATE FUNCTION keep_link_pairs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM payment_link_pairs
      WHERE company_id = OLD.company_id AND link_id = OLD.id
        AND pair IN (SELECT metadata_pair(key, value) FROM jsonb_each_text(OLD.metadata));
  END IF;
  INSERT INTO payment_link_pairs (company_id, pair, link_id)
    SELECT NEW.company_id, metadata_pair(key, value), NEW.id FROM jsonb_each_text(NEW.metadata)
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER keep_link_pairs AFTER INSERT ON payment_links
  FOR EACH ROW WHEN (NEW.metadata <> '{}') EXECUTE FUNCTION keep_link_pairs();--> statement-breakpoint
CREATE TRIGGER keep_changed_link_pairs AFTER UPDATE OF metadata ON payment_links
  FOR EACH ROW WHEN (NEW.metadata IS DISTINCT FROM OLD.metadata) EXECUTE FUNCTION keep_link_pairs();--> statement-breakpoint
CREATE FUNCTION keep_transaction_pairs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO transaction_pairs (company_id, pair, transaction_id)
    SELECT NEW.company_id, metadata_pair(key, value), NEW.id FROM jsonb_each_text(NEW.metadata)
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER keep_transaction_pairs AFTER INSERT ON transactions
  FOR EACH ROW WHEN (NEW.metadata <> '{}') EXECUTE FUNCTION keep_transaction_pairs();
