CREATE TABLE "abuse_reports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"payment_link_id" uuid NOT NULL,
	"reason" text NOT NULL,
	"details" text,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"company_id" uuid NOT NULL,
	"name" text NOT NULL,
	"secret_hash" "bytea" NOT NULL,
	"last_four" text NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp(3) with time zone,
	"revoked_at" timestamp(3) with time zone,
	CONSTRAINT "api_keys_secretHash_unique" UNIQUE("secret_hash")
);
--> statement-breakpoint
CREATE TABLE "companies" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"tax_id" text,
	"city" text DEFAULT 'SAO PAULO' NOT NULL,
	"color" text,
	"logo_url" text,
	"support_email" text,
	"support_phone" text,
	"ask_phone" boolean DEFAULT false NOT NULL,
	"default_max_installments" smallint DEFAULT 1 NOT NULL,
	"default_interest_mode" text DEFAULT 'absorb' NOT NULL,
	"interest_rate_bps" integer DEFAULT 299 NOT NULL,
	"interest_free_up_to" smallint DEFAULT 1 NOT NULL,
	"min_installment_cents" integer DEFAULT 500 NOT NULL,
	"pix_expiry_seconds" integer DEFAULT 1800 NOT NULL,
	"pix_provider" text DEFAULT 'sandbox' NOT NULL,
	"card_provider" text DEFAULT 'sandbox' NOT NULL,
	"redirect_secret" "bytea" NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "customers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"company_id" uuid NOT NULL,
	"name" text NOT NULL,
	"email" text,
	"phone" text,
	"tax_id" text,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "customers_companyId_taxId_unique" UNIQUE("company_id","tax_id")
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"company_id" uuid NOT NULL,
	"type" text NOT NULL,
	"body" text NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "installation" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_links" (
	"id" uuid PRIMARY KEY NOT NULL,
	"company_id" uuid NOT NULL,
	"slug" text NOT NULL,
	"title" text NOT NULL,
	"description" text,
	"amount_cents" integer NOT NULL,
	"methods" text[] NOT NULL,
	"max_installments" smallint NOT NULL,
	"interest_mode" text NOT NULL,
	"status" text NOT NULL,
	"tags" text[] NOT NULL,
	"redirect_url" text,
	"linked_customer_id" uuid,
	"expires_at" timestamp(3) with time zone,
	"max_payments" integer,
	"external_reference" text,
	"metadata" jsonb NOT NULL,
	"inactive_message" text,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payment_links_slug_unique" UNIQUE("slug"),
	CONSTRAINT "payment_links_title" CHECK (char_length(title) between 1 and 128),
	CONSTRAINT "payment_links_description" CHECK (char_length(description) <= 2048),
	CONSTRAINT "payment_links_amount" CHECK (amount_cents between 1000 and 20000000),
	CONSTRAINT "payment_links_methods" CHECK (cardinality(methods) between 1 and 2 and methods <@ array['pix','credit_card']),
	CONSTRAINT "payment_links_installments" CHECK (max_installments between 1 and 12),
	CONSTRAINT "payment_links_pix_once" CHECK (max_installments = 1 or 'credit_card' = any(methods)),
	CONSTRAINT "payment_links_interest" CHECK (interest_mode in ('absorb','pass_to_customer')),
	CONSTRAINT "payment_links_status" CHECK (status in ('active','inactive','completed','archived')),
	CONSTRAINT "payment_links_tags" CHECK (cardinality(tags) <= 20),
	CONSTRAINT "payment_links_max_payments" CHECK (max_payments between 1 and 100000)
);
--> statement-breakpoint
CREATE TABLE "sandbox_charges" (
	"reference" text PRIMARY KEY NOT NULL,
	"scenario" text NOT NULL,
	"status" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"eci" text,
	"end_to_end_id" text,
	"paid_at" timestamp(3) with time zone,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "transactions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"company_id" uuid NOT NULL,
	"payment_link_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"attempt_token" text NOT NULL,
	"token" text NOT NULL,
	"status" text NOT NULL,
	"method" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"interest_cents" integer NOT NULL,
	"total_cents" integer NOT NULL,
	"refunded_cents" integer DEFAULT 0 NOT NULL,
	"installments" smallint NOT NULL,
	"installment_cents" integer NOT NULL,
	"interest_mode" text NOT NULL,
	"interest_rate_bps" integer NOT NULL,
	"provider" text NOT NULL,
	"provider_reference" text,
	"payer_name" text NOT NULL,
	"payer_email" text NOT NULL,
	"payer_tax_id" text NOT NULL,
	"payer_phone" text,
	"card_brand" text,
	"card_last4" text,
	"card_holder" text,
	"three_ds_status" text,
	"three_ds_eci" text,
	"three_ds_flow" text,
	"challenge_url" text,
	"decline_code" text,
	"abecs_code" text,
	"retryable" boolean,
	"pix_txid" text,
	"pix_end_to_end_id" text,
	"pix_br_code" text,
	"expires_at" timestamp(3) with time zone,
	"approved_at" timestamp(3) with time zone,
	"paid_late" boolean DEFAULT false NOT NULL,
	"hold_reason" text,
	"test_mode" boolean NOT NULL,
	"external_reference" text,
	"metadata" jsonb NOT NULL,
	"tags" text[] NOT NULL,
	"check_at" timestamp(3) with time zone,
	"checks" smallint DEFAULT 0 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "transactions_token_unique" UNIQUE("token"),
	CONSTRAINT "transactions_paymentLinkId_attemptToken_unique" UNIQUE("payment_link_id","attempt_token"),
	CONSTRAINT "transactions_provider_providerReference_unique" UNIQUE("provider","provider_reference"),
	CONSTRAINT "transactions_total" CHECK (total_cents = amount_cents + interest_cents),
	CONSTRAINT "transactions_amounts" CHECK (amount_cents > 0 and interest_cents >= 0),
	CONSTRAINT "transactions_refunded" CHECK (refunded_cents between 0 and total_cents),
	CONSTRAINT "transactions_installments" CHECK (installments between 1 and 12),
	CONSTRAINT "transactions_approved_at" CHECK (approved_at is not null or status not in ('approved','partially_refunded','refunded','charged_back'))
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"company_id" uuid NOT NULL,
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "webhook_attempts" (
	"delivery_id" uuid NOT NULL,
	"number" smallint NOT NULL,
	"started_at" timestamp(3) with time zone NOT NULL,
	"duration_ms" integer NOT NULL,
	"outcome" text NOT NULL,
	"status_code" smallint,
	"answer" text,
	CONSTRAINT "webhook_attempts_delivery_id_number_pk" PRIMARY KEY("delivery_id","number")
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"event_id" uuid NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"due_at" timestamp(3) with time zone DEFAULT now(),
	"leased_until" timestamp(3) with time zone,
	"outcome" text,
	"status_code" smallint,
	"delivered_at" timestamp(3) with time zone,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"id" uuid PRIMARY KEY NOT NULL,
	"company_id" uuid NOT NULL,
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"secret" "bytea" NOT NULL,
	"previous_secret" "bytea",
	"previous_secret_until" timestamp(3) with time zone,
	"disabled_at" timestamp(3) with time zone,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "abuse_reports" ADD CONSTRAINT "abuse_reports_payment_link_id_payment_links_id_fk" FOREIGN KEY ("payment_link_id") REFERENCES "public"."payment_links"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customers" ADD CONSTRAINT "customers_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_linked_customer_id_customers_id_fk" FOREIGN KEY ("linked_customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_payment_link_id_payment_links_id_fk" FOREIGN KEY ("payment_link_id") REFERENCES "public"."payment_links"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_webhook_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."webhook_deliveries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_webhook_endpoints_id_fk" FOREIGN KEY ("endpoint_id") REFERENCES "public"."webhook_endpoints"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "events_company_id_id_index" ON "events" USING btree ("company_id","id");--> statement-breakpoint
CREATE INDEX "payment_links_company_id_id_index" ON "payment_links" USING btree ("company_id","id");--> statement-breakpoint
CREATE INDEX "payment_links_company_id_external_reference_index" ON "payment_links" USING btree ("company_id","external_reference");--> statement-breakpoint
CREATE INDEX "payment_links_tags_index" ON "payment_links" USING gin ("tags");--> statement-breakpoint
CREATE INDEX "transactions_company_id_id_index" ON "transactions" USING btree ("company_id","id");--> statement-breakpoint
CREATE INDEX "transactions_payment_link_id_id_index" ON "transactions" USING btree ("payment_link_id","id");--> statement-breakpoint
CREATE INDEX "transactions_check_at_index" ON "transactions" USING btree ("check_at") WHERE check_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_event_id_endpoint_id_index" ON "webhook_deliveries" USING btree ("event_id","endpoint_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_endpoint_id_due_at_index" ON "webhook_deliveries" USING btree ("endpoint_id","due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_endpoint_id_id_index" ON "webhook_deliveries" USING btree ("endpoint_id","id");--> statement-breakpoint
CREATE INDEX "webhook_endpoints_company_id_index" ON "webhook_endpoints" USING btree ("company_id");