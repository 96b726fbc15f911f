-- online
ALTER TABLE "payment_links" VALIDATE CONSTRAINT "payment_links_custom_fields";--> statement-breakpoint
ALTER TABLE "payment_links" VALIDATE CONSTRAINT "payment_links_image_hash";--> statement-breakpoint
ALTER TABLE "payment_links" VALIDATE CONSTRAINT "payment_links_success_message";--> statement-breakpoint
ALTER TABLE "payment_links" VALIDATE CONSTRAINT "payment_links_statement_descriptor";--> statement-breakpoint
ALTER TABLE "transactions" VALIDATE CONSTRAINT "transactions_custom_fields";--> statement-breakpoint
ALTER TABLE "transactions" VALIDATE CONSTRAINT "transactions_ref";
