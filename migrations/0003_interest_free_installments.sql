-- online
ALTER TABLE "payment_links" ADD COLUMN IF NOT EXISTS "interest_free_installments" smallint, DROP CONSTRAINT IF EXISTS "payment_links_interest_free", ADD CONSTRAINT "payment_links_interest_free" CHECK (interest_free_installments between 1 and 12) NOT VALID;--> statement-breakpoint
ALTER TABLE "payment_links" VALIDATE CONSTRAINT "payment_links_interest_free";
