-- A text as it is searched for: without case and accents.
CREATE FUNCTION fold(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN octet_length($1) = char_length($1) THEN lower($1) ELSE lower(translate($1,
    'ÁÀÂÃÄÅÉÈÊËÍÌÎÏÓÒÔÕÖÚÙÛÜÇÑÝáàâãäåéèêëíìîïóòôõöúùûüçñýÿ',
    'AAAAAAEEEEIIIIOOOOOUUUUCNYaaaaaaeeeeiiiiooooouuuucnyy')) END;--> statement-breakpoint
-- The words of a customer's name, without case and accents.
CREATE FUNCTION name_words(name text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  select array(
    select distinct left(word, 60)
    from regexp_split_to_table(
      lower(regexp_replace(normalize(name, nfkd), '[\u0300-\u036f]', '', 'g')),
      '[\s[:punct:]\u2010-\u2027]+') as word
    where word <> '' order by 1 limit 40)
$$;--> statement-breakpoint
CREATE SEQUENCE "public"."events_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
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
	"scopes" text[],
	"allowed_networks" text[],
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp(3) with time zone,
	"expires_at" timestamp(3) with time zone,
	"revoked_at" timestamp(3) with time zone,
	CONSTRAINT "api_keys_secretHash_unique" UNIQUE("secret_hash"),
	CONSTRAINT "api_keys_allowed_networks" CHECK (cardinality(allowed_networks) between 1 and 20)
);
--> statement-breakpoint
CREATE TABLE "audit_entries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"company_id" uuid NOT NULL,
	"actor" text NOT NULL,
	"user_id" uuid,
	"action" text NOT NULL,
	"subject_id" text,
	"subject" text,
	"details" jsonb NOT NULL,
	"address" text,
	"test_mode" boolean DEFAULT false NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "card_attempts" (
	"transaction_id" uuid PRIMARY KEY NOT NULL,
	"payment_link_id" uuid NOT NULL,
	"address" "bytea" NOT NULL,
	"card" "bytea" NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "companies" (
	"id" uuid PRIMARY KEY NOT NULL,
	"test_of" uuid,
	"test_mode" boolean GENERATED ALWAYS AS (test_of is not null) STORED NOT NULL,
	"name" text NOT NULL,
	"tax_id" text,
	"city" text DEFAULT 'SAO PAULO' NOT NULL,
	"color" text,
	"logo_url" text,
	"support_email" text,
	"support_phone" text,
	"ask_phone" boolean DEFAULT false NOT NULL,
	"payer_email" text DEFAULT 'auto' NOT NULL,
	"default_max_installments" smallint DEFAULT 1 NOT NULL,
	"default_interest_mode" text DEFAULT 'absorb' NOT NULL,
	"interest_rate_bps" integer DEFAULT 299 NOT NULL,
	"interest_free_up_to" smallint DEFAULT 1 NOT NULL,
	"min_installment_cents" integer DEFAULT 500 NOT NULL,
	"pix_expiry_seconds" integer DEFAULT 1800 NOT NULL,
	"pix_provider" text,
	"card_provider" text,
	"mail_receipts" boolean DEFAULT true NOT NULL,
	"mail_payments" boolean DEFAULT true NOT NULL,
	"mail_failures" boolean DEFAULT true NOT NULL,
	"notice_email" text,
	"redirect_secret" "bytea" NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "companies_testOf_unique" UNIQUE("test_of"),
	CONSTRAINT "companies_id_testMode_unique" UNIQUE("id","test_mode"),
	CONSTRAINT "companies_payer_email" CHECK (payer_email in ('auto', 'required', 'optional', 'none')),
	CONSTRAINT "companies_sandbox" CHECK (test_of is not null or (pix_provider is distinct from 'sandbox' and card_provider is distinct from 'sandbox'))
);
--> statement-breakpoint
CREATE TABLE "company_logos" (
	"company_id" uuid PRIMARY KEY NOT NULL,
	"content_type" text NOT NULL,
	"content" "bytea" NOT NULL,
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
	"anonymized_at" timestamp(3) with time zone,
	"words" "tsvector",
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "customers_companyId_taxId_unique" UNIQUE("company_id","tax_id")
);
--> statement-breakpoint
CREATE TABLE "disputes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"company_id" uuid NOT NULL,
	"transaction_id" uuid NOT NULL,
	"incoming_payment_id" uuid,
	"kind" text NOT NULL,
	"provider_reference" text COLLATE "C" NOT NULL,
	"reason" text,
	"amount_cents" integer NOT NULL,
	"status" text NOT NULL,
	"opened_at" timestamp(3) with time zone NOT NULL,
	"closed_at" timestamp(3) with time zone,
	"reported_opened_at" timestamp(3) with time zone,
	"reported_closed_at" timestamp(3) with time zone,
	"respond_by" timestamp(3) with time zone,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "disputes_transactionId_providerReference_unique" UNIQUE("transaction_id","provider_reference"),
	CONSTRAINT "disputes_amount" CHECK (amount_cents > 0),
	CONSTRAINT "disputes_closed_at" CHECK ((status = 'open') = (closed_at is null))
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"company_id" uuid NOT NULL,
	"type" text NOT NULL,
	"body" text NOT NULL,
	"position" bigint DEFAULT case when pg_current_xact_id() is not null then nextval('events_position_seq') end NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
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
CREATE TABLE "idempotency_keys" (
	"company_id" uuid NOT NULL,
	"route" text COLLATE "C" NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"api_key_id" uuid,
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
CREATE TABLE "incoming_payments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"company_id" uuid NOT NULL,
	"transaction_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"end_to_end_id" text COLLATE "C" NOT NULL,
	"amount_cents" integer NOT NULL,
	"surplus_cents" integer DEFAULT 0 NOT NULL,
	"refunded_cents" integer DEFAULT 0 NOT NULL,
	"paid_at" timestamp(3) with time zone NOT NULL,
	"reported_paid_at" timestamp(3) with time zone,
	"payer_name" text,
	"payer_tax_id" text,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "incoming_payments_companyId_provider_endToEndId_unique" UNIQUE("company_id","provider","end_to_end_id"),
	CONSTRAINT "incoming_payments_amount" CHECK (amount_cents > 0),
	CONSTRAINT "incoming_payments_surplus" CHECK (surplus_cents between 0 and amount_cents),
	CONSTRAINT "incoming_payments_refunded" CHECK (refunded_cents between 0 and amount_cents)
);
--> statement-breakpoint
CREATE TABLE "installation" (
	"name" text COLLATE "C" PRIMARY KEY NOT NULL,
	"value" text NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"company_id" uuid NOT NULL,
	"email" text COLLATE "C" NOT NULL,
	"role" text NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"invited_by" text NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "invitations_tokenHash_unique" UNIQUE("token_hash"),
	CONSTRAINT "invitations_role" CHECK (role in ('owner','finance','member','accountant'))
);
--> statement-breakpoint
CREATE TABLE "link_bulks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"company_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"action" text NOT NULL,
	"tag" text,
	"link_ids" uuid[] NOT NULL,
	"worked_count" integer DEFAULT 0 NOT NULL,
	"changed" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"refused" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"finished_at" timestamp(3) with time zone,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "link_bulks_action" CHECK (action in ('archive','unarchive','pause','resume','add_tag','remove_tag')),
	CONSTRAINT "link_bulks_size" CHECK (cardinality(link_ids) <= 1000)
);
--> statement-breakpoint
CREATE TABLE "link_visits" (
	"link_id" uuid NOT NULL,
	"day" date NOT NULL,
	"opened" integer NOT NULL,
	"begun" integer NOT NULL,
	CONSTRAINT "link_visits_link_id_day_pk" PRIMARY KEY("link_id","day"),
	CONSTRAINT "link_visits_counts" CHECK (opened >= 0 and begun >= 0)
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"company_id" uuid,
	"template" text NOT NULL,
	"recipient" text NOT NULL,
	"data" jsonb NOT NULL,
	"subject_id" uuid,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"due_at" timestamp(3) with time zone DEFAULT now(),
	"sent_at" timestamp(3) with time zone,
	"failure" text,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "movements" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"company_id" uuid NOT NULL,
	"transaction_id" uuid NOT NULL,
	"payment_link_id" uuid NOT NULL,
	"method" text NOT NULL,
	"tags" text[] NOT NULL,
	"kind" text NOT NULL,
	"day" date NOT NULL,
	"moved_at" timestamp(3) with time zone NOT NULL,
	"booked_at" timestamp(3) with time zone NOT NULL,
	"cents" integer NOT NULL,
	"interest_cents" integer NOT NULL,
	"fee_cents" integer,
	CONSTRAINT "movements_kind" CHECK (kind in ('sale','fee','refund','dispute','dispute_won','surplus','surplus_refund')),
	CONSTRAINT "movements_fee" CHECK (fee_cents is not null or kind = 'sale')
);
--> statement-breakpoint
CREATE TABLE "password_resets" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_link_images" (
	"link_id" uuid PRIMARY KEY NOT NULL,
	"content_type" text NOT NULL,
	"content" "bytea" NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_links" (
	"id" uuid PRIMARY KEY NOT NULL,
	"company_id" uuid NOT NULL,
	"slug" text COLLATE "C" NOT NULL,
	"title" text NOT NULL,
	"description" text,
	"amount_cents" integer NOT NULL,
	"methods" text[] NOT NULL,
	"max_installments" smallint NOT NULL,
	"interest_mode" text NOT NULL,
	"status" text NOT NULL,
	"completed_from" text,
	"tags" text[] NOT NULL,
	"redirect_url" text,
	"linked_customer_id" uuid,
	"expires_at" timestamp(3) with time zone,
	"max_payments" integer,
	"external_reference" text,
	"metadata" jsonb NOT NULL,
	"inactive_message" text,
	"custom_fields" jsonb,
	"image_hash" text,
	"success_message" text,
	"statement_descriptor" text,
	"cards_paused_until" timestamp(3) with time zone,
	"expiry_told_for" timestamp(3) with time zone,
	"words" "tsvector",
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
	CONSTRAINT "payment_links_max_payments" CHECK (max_payments between 1 and 100000),
	CONSTRAINT "payment_links_custom_fields" CHECK (case jsonb_typeof(custom_fields) when 'array' then jsonb_array_length(custom_fields) between 1 and 5 and octet_length(custom_fields::text) <= 20000 else custom_fields is null end),
	CONSTRAINT "payment_links_image_hash" CHECK (image_hash ~ '^[0-9a-f]{16}$'),
	CONSTRAINT "payment_links_success_message" CHECK (char_length(success_message) <= 500),
	CONSTRAINT "payment_links_statement_descriptor" CHECK (statement_descriptor ~ '^[A-Z0-9 .-]{1,22}$')
);
--> statement-breakpoint
CREATE TABLE "payout_terms" (
	"company_id" uuid NOT NULL,
	"method" text NOT NULL,
	"installments" smallint NOT NULL,
	"rate_bps" integer NOT NULL,
	"fixed_cents" integer NOT NULL,
	"payout_days" smallint DEFAULT 0 NOT NULL,
	"by_installment" boolean DEFAULT false NOT NULL,
	CONSTRAINT "payout_terms_company_id_method_installments_pk" PRIMARY KEY("company_id","method","installments"),
	CONSTRAINT "payout_terms_installments" CHECK (installments between 1 and 12),
	CONSTRAINT "payout_terms_method" CHECK (method in ('pix', 'credit_card')),
	CONSTRAINT "payout_terms_fee" CHECK (rate_bps between 0 and 3000 and fixed_cents between 0 and 500),
	CONSTRAINT "payout_terms_payout" CHECK (payout_days between 0 and 90)
);
--> statement-breakpoint
CREATE TABLE "provider_accounts" (
	"company_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"config" "bytea" NOT NULL,
	"notify_token" text COLLATE "C" NOT NULL,
	"test_mode" boolean NOT NULL,
	"tested_at" timestamp(3) with time zone,
	"test_failure" text,
	"registration" text,
	"registered_url" text,
	"registration_checked_at" timestamp(3) with time zone,
	"clock_offset_hours" smallint DEFAULT 0 NOT NULL,
	"notified_at" timestamp(3) with time zone,
	"notified_count" integer DEFAULT 0 NOT NULL,
	"refused_at" timestamp(3) with time zone,
	"refused_count" integer DEFAULT 0 NOT NULL,
	"unreadable_field" text,
	"unreadable_at" timestamp(3) with time zone,
	"listed_until" timestamp(3) with time zone,
	"list_tried_at" timestamp(3) with time zone,
	"returns_listed_at" timestamp(3) with time zone,
	"paused_until" timestamp(3) with time zone,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "provider_accounts_company_id_provider_pk" PRIMARY KEY("company_id","provider"),
	CONSTRAINT "provider_accounts_notifyToken_unique" UNIQUE("notify_token"),
	CONSTRAINT "provider_accounts_registration" CHECK (registration in ('registered','kept','lost'))
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"id" uuid PRIMARY KEY NOT NULL,
	"company_id" uuid NOT NULL,
	"transaction_id" uuid NOT NULL,
	"incoming_payment_id" uuid,
	"order_id" uuid,
	"amount_cents" integer NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"failure_reason" text,
	"provider_reference" text,
	"missing_since" timestamp(3) with time zone,
	"check_at" timestamp(3) with time zone,
	"checks" smallint DEFAULT 0 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "refunds_amount" CHECK (amount_cents > 0)
);
--> statement-breakpoint
CREATE TABLE "sandbox_charges" (
	"reference" text COLLATE "C" PRIMARY KEY NOT NULL,
	"scenario" text NOT NULL,
	"status" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"eci" text,
	"challenge_token" text,
	"end_to_end_id" text,
	"paid_at" timestamp(3) with time zone,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox_refunds" (
	"reference" text COLLATE "C" PRIMARY KEY NOT NULL,
	"charge_reference" text COLLATE "C" NOT NULL,
	"amount_cents" integer NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"user_id" uuid NOT NULL,
	"address" text NOT NULL,
	"user_agent" text NOT NULL,
	"test_mode" boolean,
	"confirmed_at" timestamp(3) with time zone,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp(3) with time zone NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "sessions_tokenHash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "transaction_steps" (
	"id" uuid PRIMARY KEY NOT NULL,
	"transaction_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"details" jsonb NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "transactions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"company_id" uuid NOT NULL,
	"payment_link_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"attempt_token" text COLLATE "C" NOT NULL,
	"token" text COLLATE "C" NOT NULL,
	"status" text NOT NULL,
	"method" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"interest_cents" integer NOT NULL,
	"total_cents" integer NOT NULL,
	"refunded_cents" integer DEFAULT 0 NOT NULL,
	"charged_back_cents" integer DEFAULT 0 NOT NULL,
	"installments" smallint NOT NULL,
	"installment_cents" integer NOT NULL,
	"interest_mode" text NOT NULL,
	"interest_rate_bps" integer NOT NULL,
	"provider" text NOT NULL,
	"provider_reference" text COLLATE "C",
	"payer_name" text NOT NULL,
	"payer_email" text,
	"payer_tax_id" text,
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
	"reported_paid_at" timestamp(3) with time zone,
	"paid_late" boolean DEFAULT false NOT NULL,
	"first_attempt_id" uuid,
	"possible_duplicate_of" uuid,
	"hold_reason" text,
	"received_cents" integer,
	"fee_cents" integer,
	"fee_source" text,
	"expected_on" date,
	"payout_parts" smallint,
	"test_mode" boolean NOT NULL,
	"external_reference" text,
	"metadata" jsonb NOT NULL,
	"tags" text[] NOT NULL,
	"custom_fields" jsonb,
	"link_title" text,
	"ref" text,
	"locale" text,
	"check_at" timestamp(3) with time zone,
	"checks" smallint DEFAULT 0 NOT NULL,
	"words" "tsvector",
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "transactions_token_unique" UNIQUE("token"),
	CONSTRAINT "transactions_paymentLinkId_attemptToken_unique" UNIQUE("payment_link_id","attempt_token"),
	CONSTRAINT "transactions_provider_providerReference_unique" UNIQUE("provider","provider_reference"),
	CONSTRAINT "transactions_total" CHECK (total_cents = amount_cents + interest_cents),
	CONSTRAINT "transactions_amounts" CHECK (amount_cents > 0 and interest_cents >= 0),
	CONSTRAINT "transactions_refunded" CHECK (refunded_cents between 0 and total_cents),
	CONSTRAINT "transactions_charged_back" CHECK (charged_back_cents between 0 and total_cents),
	CONSTRAINT "transactions_custom_fields" CHECK (case jsonb_typeof(custom_fields) when 'array' then jsonb_array_length(custom_fields) between 1 and 5 and octet_length(custom_fields::text) <= 6000 else custom_fields is null end),
	CONSTRAINT "transactions_fee" CHECK (fee_cents between 0 and total_cents and (fee_cents is null) = (fee_source is null)),
	CONSTRAINT "transactions_payout" CHECK (payout_parts between 1 and 12 and (payout_parts is null) = (expected_on is null)),
	CONSTRAINT "transactions_ref" CHECK (char_length(ref) between 1 and 64),
	CONSTRAINT "transactions_locale" CHECK (locale in ('pt', 'en', 'es')),
	CONSTRAINT "transactions_installments" CHECK (installments between 1 and 12),
	CONSTRAINT "transactions_approved_at" CHECK (approved_at is not null or status not in ('approved','partially_refunded','refunded','charged_back'))
);
--> statement-breakpoint
CREATE TABLE "unmatched_payments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"company_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"end_to_end_id" text COLLATE "C" NOT NULL,
	"txid" text,
	"amount_cents" integer NOT NULL,
	"refunded_cents" integer DEFAULT 0 NOT NULL,
	"paid_at" timestamp(3) with time zone NOT NULL,
	"payer_name" text,
	"payer_tax_id" text,
	"transaction_id" uuid,
	"refund_requested_at" timestamp(3) with time zone,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "unmatched_payments_companyId_provider_endToEndId_unique" UNIQUE("company_id","provider","end_to_end_id"),
	CONSTRAINT "unmatched_payments_amount" CHECK (amount_cents > 0),
	CONSTRAINT "unmatched_payments_refunded" CHECK (refunded_cents between 0 and amount_cents)
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"company_id" uuid NOT NULL,
	"email" text COLLATE "C" NOT NULL,
	"password_hash" text NOT NULL,
	"role" text NOT NULL,
	"totp_secret" "bytea",
	"totp_enabled_at" timestamp(3) with time zone,
	"totp_last_step" integer,
	"recovery_codes" text[] DEFAULT '{}' NOT NULL,
	"hides_first_steps" boolean DEFAULT false NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_email_unique" UNIQUE("email"),
	CONSTRAINT "users_role" CHECK (role in ('owner','finance','member','accountant'))
);
--> statement-breakpoint
CREATE TABLE "webhook_attempts" (
	"delivery_id" uuid NOT NULL,
	"number" smallint NOT NULL,
	"url" text,
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
	"resends" smallint DEFAULT 0 NOT NULL,
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
	"header_names" text[] DEFAULT '{}' NOT NULL,
	"header_values" "bytea",
	"disabled_at" timestamp(3) with time zone,
	"concurrency" smallint DEFAULT 5 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_endpoints_concurrency" CHECK (concurrency between 1 and 50),
	CONSTRAINT "webhook_endpoints_url" CHECK (char_length(url) <= 2048),
	CONSTRAINT "webhook_endpoints_events" CHECK (cardinality(events) > 0),
	CONSTRAINT "webhook_endpoints_headers" CHECK (cardinality(header_names) <= 10 and (cardinality(header_names) = 0) = (header_values is null))
);
--> statement-breakpoint
ALTER TABLE "abuse_reports" ADD CONSTRAINT "abuse_reports_payment_link_id_payment_links_id_fk" FOREIGN KEY ("payment_link_id") REFERENCES "public"."payment_links"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_entries" ADD CONSTRAINT "audit_entries_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "card_attempts" ADD CONSTRAINT "card_attempts_transaction_id_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "companies" ADD CONSTRAINT "companies_test_of_companies_id_fk" FOREIGN KEY ("test_of") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "company_logos" ADD CONSTRAINT "company_logos_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customers" ADD CONSTRAINT "customers_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_transaction_id_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_incoming_payment_id_incoming_payments_id_fk" FOREIGN KEY ("incoming_payment_id") REFERENCES "public"."incoming_payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incoming_payments" ADD CONSTRAINT "incoming_payments_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incoming_payments" ADD CONSTRAINT "incoming_payments_transaction_id_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "link_bulks" ADD CONSTRAINT "link_bulks_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "link_bulks" ADD CONSTRAINT "link_bulks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "link_visits" ADD CONSTRAINT "link_visits_link_id_payment_links_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."payment_links"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "movements" ADD CONSTRAINT "movements_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "movements" ADD CONSTRAINT "movements_transaction_id_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "password_resets" ADD CONSTRAINT "password_resets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_linked_customer_id_customers_id_fk" FOREIGN KEY ("linked_customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_terms" ADD CONSTRAINT "payout_terms_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_accounts" ADD CONSTRAINT "provider_accounts_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_accounts" ADD CONSTRAINT "provider_accounts_environment" FOREIGN KEY ("company_id","test_mode") REFERENCES "public"."companies"("id","test_mode") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_transaction_id_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_incoming_payment_id_incoming_payments_id_fk" FOREIGN KEY ("incoming_payment_id") REFERENCES "public"."incoming_payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transaction_steps" ADD CONSTRAINT "transaction_steps_transaction_id_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_payment_link_id_payment_links_id_fk" FOREIGN KEY ("payment_link_id") REFERENCES "public"."payment_links"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_environment" FOREIGN KEY ("company_id","test_mode") REFERENCES "public"."companies"("id","test_mode") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unmatched_payments" ADD CONSTRAINT "unmatched_payments_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unmatched_payments" ADD CONSTRAINT "unmatched_payments_transaction_id_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_webhook_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."webhook_deliveries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_webhook_endpoints_id_fk" FOREIGN KEY ("endpoint_id") REFERENCES "public"."webhook_endpoints"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_company_id_id_index" ON "api_keys" USING btree ("company_id","id");--> statement-breakpoint
CREATE INDEX "audit_entries_company_id_id_index" ON "audit_entries" USING btree ("company_id","id");--> statement-breakpoint
CREATE INDEX "audit_entries_company_id_action_id_index" ON "audit_entries" USING btree ("company_id","action","id");--> statement-breakpoint
CREATE INDEX "audit_entries_company_id_user_id_id_index" ON "audit_entries" USING btree ("company_id","user_id","id") WHERE user_id is not null;--> statement-breakpoint
CREATE INDEX "card_attempts_payment_link_id_created_at_index" ON "card_attempts" USING btree ("payment_link_id","created_at");--> statement-breakpoint
CREATE INDEX "card_attempts_address_created_at_index" ON "card_attempts" USING btree ("address","created_at");--> statement-breakpoint
CREATE INDEX "card_attempts_card_created_at_index" ON "card_attempts" USING btree ("card","created_at");--> statement-breakpoint
CREATE INDEX "card_attempts_created_at_index" ON "card_attempts" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "customers_words" ON "customers" USING gin ("words");--> statement-breakpoint
CREATE INDEX "customers_name_words" ON "customers" USING gin (name_words(name));--> statement-breakpoint
CREATE INDEX "customers_company_id_id_index" ON "customers" USING btree ("company_id","id") WHERE anonymized_at is null;--> statement-breakpoint
CREATE INDEX "customers_company_id_lower_email_id_index" ON "customers" USING btree ("company_id",lower(email),"id") WHERE email is not null;--> statement-breakpoint
CREATE INDEX "disputes_company_id_id_index" ON "disputes" USING btree ("company_id","id");--> statement-breakpoint
CREATE INDEX "disputes_open" ON "disputes" USING btree ("company_id","id") WHERE status = 'open';--> statement-breakpoint
CREATE INDEX "events_company_id_id_index" ON "events" USING btree ("company_id","id");--> statement-breakpoint
CREATE INDEX "events_company_id_position_id_index" ON "events" USING btree ("company_id","position","id");--> statement-breakpoint
CREATE INDEX "events_company_id_type_id_index" ON "events" USING btree ("company_id","type","id");--> statement-breakpoint
CREATE INDEX "events_transaction_index" ON "events" USING btree ((body::jsonb #>> '{data,transaction,id}'),"id");--> statement-breakpoint
CREATE INDEX "events_payment_link_index" ON "events" USING btree ((body::jsonb #>> '{data,paymentLink,id}'),"id");--> statement-breakpoint
CREATE INDEX "failed_calls_company_id_id_index" ON "failed_calls" USING btree ("company_id","id");--> statement-breakpoint
CREATE INDEX "idempotency_keys_created_at_index" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "incoming_payments_transaction_id_id_index" ON "incoming_payments" USING btree ("transaction_id","id");--> statement-breakpoint
CREATE INDEX "incoming_payments_surplus" ON "incoming_payments" USING btree ("company_id","id") WHERE surplus_cents > refunded_cents;--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_company_id_email_index" ON "invitations" USING btree ("company_id","email");--> statement-breakpoint
CREATE INDEX "link_bulks_created_at_index" ON "link_bulks" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "link_bulks_user_id_index" ON "link_bulks" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "link_visits_day_index" ON "link_visits" USING btree ("day");--> statement-breakpoint
CREATE INDEX "mails_due_at_index" ON "mails" USING btree ("due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "mails_company_id_id_index" ON "mails" USING btree ("company_id","id");--> statement-breakpoint
CREATE INDEX "mails_subject_id_index" ON "mails" USING btree ("subject_id") WHERE subject_id is not null;--> statement-breakpoint
CREATE INDEX "mails_created_at_index" ON "mails" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "movements_by_day" ON "movements" USING btree ("company_id","day","kind","method","cents","fee_cents","payment_link_id","moved_at");--> statement-breakpoint
CREATE INDEX "movements_transaction_id_index" ON "movements" USING btree ("transaction_id");--> statement-breakpoint
CREATE INDEX "movements_payment_link_id_index" ON "movements" USING btree ("payment_link_id");--> statement-breakpoint
CREATE INDEX "movements_company_id_moved_at_id_index" ON "movements" USING btree ("company_id","moved_at","id");--> statement-breakpoint
CREATE INDEX "movements_fees" ON "movements" USING btree ("company_id","transaction_id") WHERE kind = 'fee';--> statement-breakpoint
CREATE UNIQUE INDEX "movements_sale" ON "movements" USING btree ("transaction_id") WHERE kind = 'sale';--> statement-breakpoint
CREATE INDEX "password_resets_user_id_index" ON "password_resets" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "payment_links_words" ON "payment_links" USING gin ("words");--> statement-breakpoint
CREATE INDEX "payment_links_live" ON "payment_links" USING btree ("company_id","id") WHERE status <> 'archived';--> statement-breakpoint
CREATE INDEX "payment_links_status" ON "payment_links" USING btree ("company_id","status","id") WHERE status <> 'active';--> statement-breakpoint
CREATE INDEX "payment_links_expiring" ON "payment_links" USING btree ("company_id","expires_at") WHERE status = 'active' and expires_at is distinct from expiry_told_for and expires_at is not null;--> statement-breakpoint
CREATE INDEX "payment_links_due" ON "payment_links" USING btree ("expires_at") WHERE status = 'active' and expires_at is distinct from expiry_told_for and expires_at is not null;--> statement-breakpoint
CREATE INDEX "payment_links_reference" ON "payment_links" USING btree ("company_id","external_reference","id") WHERE external_reference is not null;--> statement-breakpoint
CREATE INDEX "payment_links_linked_customer_id_index" ON "payment_links" USING btree ("linked_customer_id") WHERE linked_customer_id is not null;--> statement-breakpoint
CREATE INDEX "payment_links_tags" ON "payment_links" USING gin ("tags");--> statement-breakpoint
CREATE INDEX "payment_links_metadata" ON "payment_links" USING gin (metadata jsonb_path_ops);--> statement-breakpoint
CREATE INDEX "payment_links_by_amount" ON "payment_links" USING btree ("company_id","amount_cents","id") WHERE status <> 'archived';--> statement-breakpoint
CREATE INDEX "provider_accounts_registration_checked_at_index" ON "provider_accounts" USING btree ("registration_checked_at") WHERE registration is not null;--> statement-breakpoint
CREATE INDEX "refunds_transaction_id_id_index" ON "refunds" USING btree ("transaction_id","id");--> statement-breakpoint
CREATE INDEX "refunds_company_id_id_index" ON "refunds" USING btree ("company_id","id");--> statement-breakpoint
CREATE INDEX "refunds_incoming_payment_id_index" ON "refunds" USING btree ("incoming_payment_id") WHERE incoming_payment_id is not null;--> statement-breakpoint
CREATE INDEX "refunds_check_at_index" ON "refunds" USING btree ("check_at") WHERE check_at is not null;--> statement-breakpoint
CREATE INDEX "sandbox_charges_created_at_index" ON "sandbox_charges" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "sandbox_refunds_charge_reference_index" ON "sandbox_refunds" USING btree ("charge_reference");--> statement-breakpoint
CREATE INDEX "sessions_user_id_index" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_expires_at_index" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "transaction_steps_transaction_id_id_index" ON "transaction_steps" USING btree ("transaction_id","id");--> statement-breakpoint
CREATE INDEX "transactions_words" ON "transactions" USING gin ("words");--> statement-breakpoint
CREATE INDEX "transactions_company_id_id_index" ON "transactions" USING btree ("company_id","id");--> statement-breakpoint
CREATE INDEX "transactions_payment_link_id_id_index" ON "transactions" USING btree ("payment_link_id","id");--> statement-breakpoint
CREATE INDEX "transactions_customer_id_id_index" ON "transactions" USING btree ("customer_id","id");--> statement-breakpoint
CREATE INDEX "transactions_company_id_status_id_index" ON "transactions" USING btree ("company_id","status","id");--> statement-breakpoint
CREATE INDEX "transactions_company_id_updated_at_id_index" ON "transactions" USING btree ("company_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "transactions_company_id_total_cents_id_index" ON "transactions" USING btree ("company_id","total_cents","id");--> statement-breakpoint
CREATE INDEX "transactions_company_id_external_reference_id_index" ON "transactions" USING btree ("company_id","external_reference","id") WHERE external_reference is not null;--> statement-breakpoint
CREATE INDEX "transactions_check_at_index" ON "transactions" USING btree ("check_at") WHERE check_at is not null;--> statement-breakpoint
CREATE INDEX "transactions_received" ON "transactions" USING btree ("company_id","approved_at","test_mode","method","payment_link_id","total_cents","refunded_cents") WHERE approved_at is not null;--> statement-breakpoint
CREATE INDEX "transactions_effective" ON "transactions" USING btree ("company_id",coalesce(approved_at, created_at),"id");--> statement-breakpoint
CREATE INDEX "transactions_charged_back_of_link" ON "transactions" USING btree ("payment_link_id") WHERE status = 'charged_back';--> statement-breakpoint
CREATE INDEX "transactions_tags" ON "transactions" USING gin ("tags");--> statement-breakpoint
CREATE INDEX "transactions_metadata" ON "transactions" USING gin (metadata jsonb_path_ops);--> statement-breakpoint
CREATE INDEX "transactions_first_attempt" ON "transactions" USING btree ("first_attempt_id") WHERE first_attempt_id is not null;--> statement-breakpoint
CREATE INDEX "transactions_duplicates" ON "transactions" USING btree ("company_id","id") WHERE possible_duplicate_of is not null;--> statement-breakpoint
CREATE INDEX "transactions_payouts" ON "transactions" USING btree ("company_id","expected_on") WHERE expected_on is not null;--> statement-breakpoint
CREATE INDEX "transactions_held" ON "transactions" USING btree ("company_id","id") WHERE hold_reason is not null;--> statement-breakpoint
CREATE INDEX "unmatched_payments_open" ON "unmatched_payments" USING btree ("company_id","id") WHERE transaction_id is null and refunded_cents < amount_cents;--> statement-breakpoint
CREATE INDEX "users_company_id_index" ON "users" USING btree ("company_id");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_event_id_endpoint_id_index" ON "webhook_deliveries" USING btree ("event_id","endpoint_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_endpoint_id_due_at_index" ON "webhook_deliveries" USING btree ("endpoint_id","due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_endpoint_id_id_index" ON "webhook_deliveries" USING btree ("endpoint_id","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_failed" ON "webhook_deliveries" USING btree ("endpoint_id","id") WHERE status = 'failed';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_endpoint_id_index" ON "webhook_deliveries" USING btree ("endpoint_id") WHERE leased_until is not null;--> statement-breakpoint
CREATE INDEX "webhook_endpoints_company_id_index" ON "webhook_endpoints" USING btree ("company_id");--> statement-breakpoint
-- For texts that few titles have. Where the extensions are not to be had, the search does without.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE EXTENSION IF NOT EXISTS btree_gin;
  CREATE INDEX IF NOT EXISTS payment_links_title_search
    ON payment_links USING gin (company_id, fold(title) gin_trgm_ops);
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object OR undefined_function THEN
  RAISE NOTICE 'no index of titles: %', SQLERRM;
END $$;
