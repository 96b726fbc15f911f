-- online
ALTER TABLE "companies" ADD COLUMN IF NOT EXISTS "pix_discount_bps" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN IF NOT EXISTS "interest_free_installments" smallint;--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN IF NOT EXISTS "pix_discount_bps" smallint;--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN IF NOT EXISTS "remind_every_days" smallint;--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN IF NOT EXISTS "reminders_sent" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN IF NOT EXISTS "reminder_due_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN IF NOT EXISTS "discount_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN IF NOT EXISTS "is_tax_id_sealed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN IF NOT EXISTS "utm" jsonb;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_links_reminders" ON "payment_links" USING btree ("reminder_due_at") WHERE status = 'active' and reminder_due_at is not null;--> statement-breakpoint
ALTER TABLE "companies" DROP CONSTRAINT IF EXISTS "companies_pix_discount", ADD CONSTRAINT "companies_pix_discount" CHECK (pix_discount_bps between 0 and 5000) NOT VALID;--> statement-breakpoint
ALTER TABLE "companies" VALIDATE CONSTRAINT "companies_pix_discount";--> statement-breakpoint
ALTER TABLE "companies" DROP CONSTRAINT IF EXISTS "companies_sandbox_page", ADD CONSTRAINT "companies_sandbox_page" CHECK (test_of is not null or card_provider is distinct from 'sandbox-page') NOT VALID;--> statement-breakpoint
ALTER TABLE "companies" VALIDATE CONSTRAINT "companies_sandbox_page";--> statement-breakpoint
ALTER TABLE "payment_links" DROP CONSTRAINT IF EXISTS "payment_links_interest_free", ADD CONSTRAINT "payment_links_interest_free" CHECK (interest_free_installments between 1 and 12) NOT VALID;--> statement-breakpoint
ALTER TABLE "payment_links" VALIDATE CONSTRAINT "payment_links_interest_free";--> statement-breakpoint
ALTER TABLE "payment_links" DROP CONSTRAINT IF EXISTS "payment_links_pix_discount", ADD CONSTRAINT "payment_links_pix_discount" CHECK (pix_discount_bps between 0 and 5000) NOT VALID;--> statement-breakpoint
ALTER TABLE "payment_links" VALIDATE CONSTRAINT "payment_links_pix_discount";--> statement-breakpoint
ALTER TABLE "payment_links" DROP CONSTRAINT IF EXISTS "payment_links_remind_every_days", ADD CONSTRAINT "payment_links_remind_every_days" CHECK (remind_every_days between 1 and 30) NOT VALID;--> statement-breakpoint
ALTER TABLE "payment_links" VALIDATE CONSTRAINT "payment_links_remind_every_days";--> statement-breakpoint
ALTER TABLE "payment_links" DROP CONSTRAINT IF EXISTS "payment_links_reminders_sent", ADD CONSTRAINT "payment_links_reminders_sent" CHECK (reminders_sent between 0 and 3) NOT VALID;--> statement-breakpoint
ALTER TABLE "payment_links" VALIDATE CONSTRAINT "payment_links_reminders_sent";--> statement-breakpoint
ALTER TABLE "transactions" DROP CONSTRAINT IF EXISTS "transactions_discount", ADD CONSTRAINT "transactions_discount" CHECK (discount_cents = 0 or (discount_cents between 1 and amount_cents - 1 and method = 'pix')) NOT VALID;--> statement-breakpoint
ALTER TABLE "transactions" VALIDATE CONSTRAINT "transactions_discount";--> statement-breakpoint
ALTER TABLE "transactions" DROP CONSTRAINT IF EXISTS "transactions_utm", ADD CONSTRAINT "transactions_utm" CHECK (case jsonb_typeof(utm) when 'object' then utm <> '{}' and octet_length(utm::text) <= 4000 else utm is null end) NOT VALID;--> statement-breakpoint
ALTER TABLE "transactions" VALIDATE CONSTRAINT "transactions_utm";--> statement-breakpoint
ALTER TABLE "transactions" DROP CONSTRAINT IF EXISTS "transactions_total", ADD CONSTRAINT "transactions_total" CHECK (total_cents = amount_cents + interest_cents - discount_cents) NOT VALID;--> statement-breakpoint
ALTER TABLE "transactions" VALIDATE CONSTRAINT "transactions_total";
