ALTER TABLE "provider_accounts" ADD COLUMN "notified_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "provider_accounts" ADD COLUMN "notified_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "provider_accounts" ADD COLUMN "refused_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "provider_accounts" ADD COLUMN "refused_count" integer DEFAULT 0 NOT NULL;