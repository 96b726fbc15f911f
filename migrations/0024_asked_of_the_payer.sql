CREATE TABLE "payment_link_images" (
	"link_id" uuid PRIMARY KEY NOT NULL,
	"content_type" text NOT NULL,
	"content" "bytea" NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN "custom_fields" jsonb;--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN "image_hash" text;--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN "success_message" text;--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN "statement_descriptor" text;--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "custom_fields" jsonb;--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "ref" text;--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_custom_fields" CHECK (case jsonb_typeof(custom_fields) when 'array' then jsonb_array_length(custom_fields) between 1 and 5 and octet_length(custom_fields::text) <= 20000 else custom_fields is null end) NOT VALID;--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_image_hash" CHECK (image_hash ~ '^[0-9a-f]{16}$') NOT VALID;--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_success_message" CHECK (char_length(success_message) <= 500) NOT VALID;--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_statement_descriptor" CHECK (statement_descriptor ~ '^[A-Z0-9 .-]{1,22}$') NOT VALID;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_custom_fields" CHECK (case jsonb_typeof(custom_fields) when 'array' then jsonb_array_length(custom_fields) between 1 and 5 and octet_length(custom_fields::text) <= 6000 else custom_fields is null end) NOT VALID;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_ref" CHECK (char_length(ref) between 1 and 64) NOT VALID;