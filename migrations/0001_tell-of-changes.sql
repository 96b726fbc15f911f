-- Processes keep keys, links and companies in memory; these messages end what they remember.
CREATE FUNCTION tell_of_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify(TG_ARGV[0], to_jsonb(COALESCE(NEW, OLD)) ->> TG_ARGV[1]);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER tell_of_change AFTER DELETE OR UPDATE OF revoked_at ON api_keys
  FOR EACH ROW EXECUTE FUNCTION tell_of_change('api_key_changed', 'id');
--> statement-breakpoint
CREATE TRIGGER tell_of_change AFTER UPDATE OR DELETE ON payment_links
  FOR EACH ROW EXECUTE FUNCTION tell_of_change('link_changed', 'slug');
--> statement-breakpoint
CREATE TRIGGER tell_of_change AFTER UPDATE OR DELETE ON companies
  FOR EACH ROW EXECUTE FUNCTION tell_of_change('company_changed', 'id');
