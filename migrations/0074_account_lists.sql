ALTER TABLE "provider_accounts" ADD COLUMN "listed_until" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "provider_accounts" ADD COLUMN "list_tried_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "provider_accounts" ADD COLUMN "returns_listed_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "provider_accounts" ADD COLUMN "paused_until" timestamp(3) with time zone;