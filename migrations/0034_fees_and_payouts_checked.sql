-- online
ALTER TABLE "transactions" VALIDATE CONSTRAINT "transactions_fee";--> statement-breakpoint
ALTER TABLE "transactions" VALIDATE CONSTRAINT "transactions_payout";
