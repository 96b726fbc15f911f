ALTER TABLE "customers" ADD COLUMN "words" "tsvector";--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN "words" "tsvector";--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "words" "tsvector";
