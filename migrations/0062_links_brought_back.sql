-- online
ALTER TABLE "link_bulks" DROP CONSTRAINT IF EXISTS "link_bulks_action", ADD CONSTRAINT "link_bulks_action" CHECK (action in ('archive','unarchive','pause','resume','add_tag','remove_tag')) NOT VALID;--> statement-breakpoint
ALTER TABLE "link_bulks" VALIDATE CONSTRAINT "link_bulks_action";--> statement-breakpoint
ALTER TABLE "link_imports" ADD COLUMN IF NOT EXISTS "left_out" text[] DEFAULT '{}' NOT NULL;