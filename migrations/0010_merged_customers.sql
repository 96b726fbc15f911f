-- online
ALTER TABLE "customers" ADD COLUMN IF NOT EXISTS "merged_into" uuid;--> statement-breakpoint
ALTER TABLE "customers" DROP CONSTRAINT IF EXISTS "customers_merged_into_customers_id_fk", ADD CONSTRAINT "customers_merged_into_customers_id_fk" FOREIGN KEY ("merged_into") REFERENCES "customers"("id") NOT VALID;--> statement-breakpoint
ALTER TABLE "customers" VALIDATE CONSTRAINT "customers_merged_into_customers_id_fk";--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "customers_merged_into_index" ON "customers" USING btree ("merged_into") WHERE merged_into is not null;
