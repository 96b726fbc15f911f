ALTER TABLE "disputes" ADD COLUMN "reported_opened_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "disputes" ADD COLUMN "reported_closed_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "incoming_payments" ADD COLUMN "reported_paid_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "provider_accounts" ADD COLUMN "clock_offset_hours" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "missing_since" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "reported_paid_at" timestamp(3) with time zone;