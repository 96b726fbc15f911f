ALTER TABLE "provider_accounts" ADD COLUMN "unreadable_field" text;--> statement-breakpoint
ALTER TABLE "provider_accounts" ADD COLUMN "unreadable_at" timestamp(3) with time zone;