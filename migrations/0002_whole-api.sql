CREATE TABLE "idempotency_keys" (
	"company_id" uuid NOT NULL,
	"route" text NOT NULL,
	"key" text NOT NULL,
	"request_hash" "bytea" NOT NULL,
	"resource_id" uuid NOT NULL,
	"leased_until" timestamp(3) with time zone,
	"status" smallint,
	"body" text,
	"location" text,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_keys_company_id_route_key_pk" PRIMARY KEY("company_id","route","key")
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"id" uuid PRIMARY KEY NOT NULL,
	"company_id" uuid NOT NULL,
	"transaction_id" uuid NOT NULL,
	"amount_cents" integer NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"failure_reason" text,
	"provider_reference" text,
	"check_at" timestamp(3) with time zone,
	"checks" smallint DEFAULT 0 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "refunds_amount" CHECK (amount_cents > 0)
);
--> statement-breakpoint
CREATE TABLE "sandbox_refunds" (
	"reference" text PRIMARY KEY NOT NULL,
	"charge_reference" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "transactions" ALTER COLUMN "payer_email" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "transactions" ALTER COLUMN "payer_tax_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "scopes" text[];--> statement-breakpoint
ALTER TABLE "customers" ADD COLUMN "anonymized_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN "expiry_told_for" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_transaction_id_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "idempotency_keys_created_at_index" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "refunds_transaction_id_index" ON "refunds" USING btree ("transaction_id");--> statement-breakpoint
CREATE INDEX "refunds_company_id_id_index" ON "refunds" USING btree ("company_id","id");--> statement-breakpoint
CREATE INDEX "refunds_check_at_index" ON "refunds" USING btree ("check_at") WHERE check_at is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_endpoint_id_index" ON "webhook_deliveries" USING btree ("endpoint_id") WHERE leased_until is not null;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_url" CHECK (char_length(url) <= 2048);--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_events" CHECK (cardinality(events) > 0);