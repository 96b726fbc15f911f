ALTER TABLE "transactions" ADD COLUMN "first_attempt_id" uuid;--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "possible_duplicate_of" uuid;
