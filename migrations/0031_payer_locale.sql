ALTER TABLE "transactions" ADD COLUMN "locale" text;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_locale" CHECK (locale in ('pt', 'en', 'es')) NOT VALID;