CREATE INDEX "transactions_lost" ON "transactions" USING btree ("company_id","approved_at") WHERE charged_back_cents > 0;--> statement-breakpoint
UPDATE "transactions" SET "charged_back_cents" = "total_cents" - "refunded_cents" WHERE "status" = 'charged_back' AND "charged_back_cents" = 0;
