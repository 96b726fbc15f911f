CREATE TABLE "link_revenue" (
	"payment_link_id" uuid PRIMARY KEY NOT NULL,
	"company_id" uuid NOT NULL,
	"received_cents" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "link_revenue_company_id_received_cents_payment_link_id_index" ON "link_revenue" USING btree ("company_id","received_cents","payment_link_id");--> statement-breakpoint
-- Whoever folds, the version before too, takes the changes away: what they add to each link is added here in the
-- same transaction. A link that has no row yet gets the sum of all its days, in which the changes are by then; where
-- the next migration has written its row meanwhile, without them, that sum stands in its place.
CREATE FUNCTION keep_link_revenue() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH added AS MATERIALIZED (
    SELECT company_id, payment_link_id, sum(gross_cents - refunded_cents) AS cents
    FROM folded WHERE day IS NOT NULL
    GROUP BY company_id, payment_link_id HAVING sum(gross_cents - refunded_cents) <> 0
  ), updated AS (
    UPDATE link_revenue AS kept SET received_cents = kept.received_cents + added.cents
    FROM added WHERE kept.payment_link_id = added.payment_link_id
    RETURNING kept.payment_link_id
  )
  INSERT INTO link_revenue (company_id, payment_link_id, received_cents)
    SELECT company_id, payment_link_id, (
      SELECT sum(day.gross_cents - day.refunded_cents) FROM daily_link_revenue AS day
      WHERE day.payment_link_id = added.payment_link_id
    )
    FROM added WHERE payment_link_id NOT IN (SELECT payment_link_id FROM updated)
    ON CONFLICT (payment_link_id) DO UPDATE SET received_cents = excluded.received_cents;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER keep_link_revenue AFTER DELETE ON revenue_changes REFERENCING OLD TABLE AS folded
  FOR EACH STATEMENT EXECUTE FUNCTION keep_link_revenue();
--> statement-breakpoint
-- The same as ever, five times as fast for a text without accents, which has as many bytes as letters.
CREATE OR REPLACE FUNCTION fold(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN octet_length($1) = char_length($1) THEN lower($1) ELSE lower(translate($1,
    'ÁÀÂÃÄÅÉÈÊËÍÌÎÏÓÒÔÕÖÚÙÛÜÇÑÝáàâãäåéèêëíìîïóòôõöúùûüçñýÿ',
    'AAAAAAEEEEIIIIOOOOOUUUUCNYaaaaaaeeeeiiiiooooouuuucnyy')) END;
