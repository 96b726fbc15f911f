-- Accounts at providers are kept open in memory, and a rolled key ends at a time; see 0001.
CREATE TRIGGER tell_of_change AFTER INSERT OR UPDATE OF config, test_mode OR DELETE ON provider_accounts
  FOR EACH ROW EXECUTE FUNCTION tell_of_change('provider_account_changed', 'company_id');
--> statement-breakpoint
DROP TRIGGER tell_of_change ON api_keys;
--> statement-breakpoint
CREATE TRIGGER tell_of_change AFTER DELETE OR UPDATE OF revoked_at, expires_at ON api_keys
  FOR EACH ROW EXECUTE FUNCTION tell_of_change('api_key_changed', 'id');
