ALTER TABLE "unmatched_payments" ADD COLUMN "institution" jsonb;
