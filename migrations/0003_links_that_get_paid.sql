-- online
ALTER TABLE "payment_links" ADD COLUMN IF NOT EXISTS "interest_free_installments" smallint;--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN IF NOT EXISTS "utm" jsonb;--> statement-breakpoint
ALTER TABLE "companies" DROP CONSTRAINT IF EXISTS "companies_sandbox_page", ADD CONSTRAINT "companies_sandbox_page" CHECK (test_of is not null or card_provider is distinct from 'sandbox-page') NOT VALID;--> statement-breakpoint
ALTER TABLE "companies" VALIDATE CONSTRAINT "companies_sandbox_page";--> statement-breakpoint
ALTER TABLE "payment_links" DROP CONSTRAINT IF EXISTS "payment_links_interest_free", ADD CONSTRAINT "payment_links_interest_free" CHECK (interest_free_installments between 1 and 12) NOT VALID;--> statement-breakpoint
ALTER TABLE "payment_links" VALIDATE CONSTRAINT "payment_links_interest_free";--> statement-breakpoint
ALTER TABLE "transactions" DROP CONSTRAINT IF EXISTS "transactions_utm", ADD CONSTRAINT "transactions_utm" CHECK (case jsonb_typeof(utm) when 'object' then utm <> '{}' and octet_length(utm::text) <= 4000 else utm is null end) NOT VALID;--> statement-breakpoint
ALTER TABLE "transactions" VALIDATE CONSTRAINT "transactions_utm";
