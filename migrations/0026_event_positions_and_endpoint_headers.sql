CREATE SEQUENCE "public"."events_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "position" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "events" ALTER COLUMN "position" SET DEFAULT nextval('events_position_seq');--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "header_names" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "header_values" "bytea";--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_headers" CHECK (cardinality(header_names) <= 10 and (cardinality(header_names) = 0) = (header_values is null));
