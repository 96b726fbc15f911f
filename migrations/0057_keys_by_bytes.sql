-- online
-- Keys are ordered by their bytes: under the order of a language an update of the machine's own library leaves an
-- index disordered, and what is unique is found no more. No row is written anew; the indexes of these columns are
-- built again while the table is locked, some 3 s for a million payments.
ALTER TABLE "disputes" ALTER COLUMN "provider_reference" SET DATA TYPE text COLLATE "C";--> statement-breakpoint
ALTER TABLE "idempotency_keys" ALTER COLUMN "route" SET DATA TYPE text COLLATE "C", ALTER COLUMN "key" SET DATA TYPE text COLLATE "C";--> statement-breakpoint
ALTER TABLE "incoming_payments" ALTER COLUMN "end_to_end_id" SET DATA TYPE text COLLATE "C";--> statement-breakpoint
ALTER TABLE "installation" ALTER COLUMN "name" SET DATA TYPE text COLLATE "C";--> statement-breakpoint
ALTER TABLE "invitations" ALTER COLUMN "email" SET DATA TYPE text COLLATE "C";--> statement-breakpoint
ALTER TABLE "payment_links" ALTER COLUMN "slug" SET DATA TYPE text COLLATE "C";--> statement-breakpoint
ALTER TABLE "provider_accounts" ALTER COLUMN "notify_token" SET DATA TYPE text COLLATE "C";--> statement-breakpoint
ALTER TABLE "sandbox_charges" ALTER COLUMN "reference" SET DATA TYPE text COLLATE "C";--> statement-breakpoint
ALTER TABLE "sandbox_refunds" ALTER COLUMN "reference" SET DATA TYPE text COLLATE "C", ALTER COLUMN "charge_reference" SET DATA TYPE text COLLATE "C";--> statement-breakpoint
ALTER TABLE "transactions" ALTER COLUMN "attempt_token" SET DATA TYPE text COLLATE "C", ALTER COLUMN "token" SET DATA TYPE text COLLATE "C", ALTER COLUMN "provider_reference" SET DATA TYPE text COLLATE "C";--> statement-breakpoint
ALTER TABLE "users" ALTER COLUMN "email" SET DATA TYPE text COLLATE "C";
