-- online
ALTER TABLE "transactions" ADD COLUMN IF NOT EXISTS "pix_institution" jsonb;--> statement-breakpoint
ALTER TABLE "transactions" DROP CONSTRAINT IF EXISTS "transactions_pix_institution", ADD CONSTRAINT "transactions_pix_institution" CHECK (case jsonb_typeof(pix_institution) when 'object' then method = 'pix' and octet_length(pix_institution::text) <= 1000 else pix_institution is null end) NOT VALID;--> statement-breakpoint
ALTER TABLE "transactions" VALIDATE CONSTRAINT "transactions_pix_institution";
