ALTER TABLE "provider_accounts" ADD COLUMN "registration" text;--> statement-breakpoint
ALTER TABLE "provider_accounts" ADD COLUMN "registered_url" text;--> statement-breakpoint
ALTER TABLE "provider_accounts" ADD COLUMN "registration_checked_at" timestamp(3) with time zone;--> statement-breakpoint
CREATE INDEX "provider_accounts_registration_checked_at_index" ON "provider_accounts" USING btree ("registration_checked_at") WHERE registration is not null;--> statement-breakpoint
ALTER TABLE "provider_accounts" ADD CONSTRAINT "provider_accounts_registration" CHECK (registration in ('registered','kept','lost'));--> statement-breakpoint
-- Banks in use were told our address when they were chosen; whether it still stands there is looked at from now on.
UPDATE "provider_accounts" SET "registration" = 'registered' FROM "companies"
  WHERE "companies"."id" = "provider_accounts"."company_id"
    AND "companies"."pix_provider" = 'pix-api' AND "provider_accounts"."provider" = 'pix-api';
