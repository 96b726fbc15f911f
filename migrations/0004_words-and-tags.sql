-- The labels of a link, written with it whoever writes it.
CREATE OR REPLACE FUNCTION keep_link_tags() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM payment_link_tags
      WHERE company_id = OLD.company_id AND tag = ANY(OLD.tags) AND link_id = OLD.id;
  END IF;
  INSERT INTO payment_link_tags (company_id, tag, link_id)
    SELECT DISTINCT NEW.company_id, tag, NEW.id FROM unnest(NEW.tags) tag;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE OR REPLACE TRIGGER keep_link_tags AFTER INSERT ON payment_links
  FOR EACH ROW WHEN (NEW.tags <> '{}') EXECUTE FUNCTION keep_link_tags();--> statement-breakpoint
CREATE OR REPLACE TRIGGER keep_changed_link_tags AFTER UPDATE OF tags ON payment_links
  FOR EACH ROW WHEN (NEW.tags IS DISTINCT FROM OLD.tags) EXECUTE FUNCTION keep_link_tags();--> statement-breakpoint
INSERT INTO payment_link_tags (company_id, tag, link_id)
  SELECT DISTINCT company_id, tag, id FROM payment_links, unnest(tags) tag ON CONFLICT DO NOTHING;--> statement-breakpoint
-- A text as it is searched for: without case and accents.
CREATE OR REPLACE FUNCTION fold(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN lower(translate($1,
    'ÁÀÂÃÄÅÉÈÊËÍÌÎÏÓÒÔÕÖÚÙÛÜÇÑÝáàâãäåéèêëíìîïóòôõöúùûüçñýÿ',
    'AAAAAAEEEEIIIIOOOOOUUUUCNYaaaaaaeeeeiiiiooooouuuucnyy'));--> statement-breakpoint
-- For texts that few titles have. Where the extensions are not to be had, the search does without.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE EXTENSION IF NOT EXISTS btree_gin;
  CREATE INDEX IF NOT EXISTS payment_links_title_search
    ON payment_links USING gin (company_id, fold(title) gin_trgm_ops);
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object OR undefined_function THEN
  RAISE NOTICE 'no index of titles: %', SQLERRM;
END $$;--> statement-breakpoint
-- The labels of a payment, likewise.
CREATE FUNCTION tag_transaction() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO transaction_tags (company_id, tag, transaction_id)
  SELECT NEW.company_id, unnest(NEW.tags), NEW.id ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER tag_transaction AFTER INSERT ON transactions
  FOR EACH ROW WHEN (cardinality(NEW.tags) > 0) EXECUTE FUNCTION tag_transaction();
--> statement-breakpoint
INSERT INTO transaction_tags (company_id, tag, transaction_id)
  SELECT company_id, unnest(tags), id FROM transactions ON CONFLICT DO NOTHING;
--> statement-breakpoint
-- The words of a customer's name, without case and accents.
CREATE FUNCTION name_words(name text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  select array(
    select distinct left(word, 60)
    from regexp_split_to_table(
      lower(regexp_replace(normalize(name, nfkd), '[\u0300-\u036f]', '', 'g')),
      '[\s[:punct:]\u2010-\u2027]+') as word
    where word <> '' order by 1 limit 40)
$$;
--> statement-breakpoint
CREATE FUNCTION keep_customer_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM customer_words WHERE company_id = old.company_id AND customer_id = old.id
      AND word = ANY (name_words(old.name));
  END IF;
  IF new.anonymized_at IS NULL THEN
    INSERT INTO customer_words SELECT new.company_id, unnest(name_words(new.name)), new.id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER keep_customer_words AFTER INSERT OR UPDATE OF name ON customers
  FOR EACH ROW EXECUTE FUNCTION keep_customer_words();
--> statement-breakpoint
INSERT INTO customer_words
  SELECT company_id, unnest(name_words(name)), id FROM customers WHERE anonymized_at IS NULL;
