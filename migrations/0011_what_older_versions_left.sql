-- What only versions before 0000_first wrote. Sessions without a confirmation have been over since 29 November 2026.
ALTER TABLE "payout_terms" DROP COLUMN IF EXISTS "payout_days", DROP COLUMN IF EXISTS "by_installment";--> statement-breakpoint
DELETE FROM "sessions" WHERE "confirmed_at" IS NULL;--> statement-breakpoint
ALTER TABLE "sessions" ALTER COLUMN "confirmed_at" SET NOT NULL;
