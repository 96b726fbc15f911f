CREATE TABLE "failed_calls" (
	"id" uuid PRIMARY KEY NOT NULL,
	"company_id" uuid NOT NULL,
	"api_key_id" uuid NOT NULL,
	"method" text NOT NULL,
	"route" text,
	"status" smallint NOT NULL,
	"code" text,
	"fields" text[] NOT NULL,
	"request_id" text NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "allowed_networks" text[];--> statement-breakpoint
CREATE INDEX "failed_calls_company_id_id_index" ON "failed_calls" USING btree ("company_id","id");--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_allowed_networks" CHECK (cardinality(allowed_networks) between 1 and 20);--> statement-breakpoint
DROP TRIGGER tell_of_change ON api_keys;
--> statement-breakpoint
CREATE TRIGGER tell_of_change AFTER DELETE OR UPDATE OF revoked_at, expires_at, allowed_networks ON api_keys
  FOR EACH ROW EXECUTE FUNCTION tell_of_change('api_key_changed', 'id');
