CREATE TABLE "link_bulks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"company_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"action" text NOT NULL,
	"tag" text,
	"link_ids" uuid[] NOT NULL,
	"worked_count" integer DEFAULT 0 NOT NULL,
	"changed" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"refused" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"finished_at" timestamp(3) with time zone,
	"undone_at" timestamp(3) with time zone,
	"kept_ids" uuid[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "link_bulks_action" CHECK (action in ('archive','pause','resume','add_tag','remove_tag')),
	CONSTRAINT "link_bulks_size" CHECK (cardinality(link_ids) <= 1000)
);
--> statement-breakpoint
CREATE TABLE "saved_views" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"list" text NOT NULL,
	"name" text NOT NULL,
	"query" text NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "saved_views_list" CHECK (list in ('links','transactions','customers','deliveries')),
	CONSTRAINT "saved_views_lengths" CHECK (length(name) between 1 and 40 and length(query) <= 1000)
);
--> statement-breakpoint
ALTER TABLE "link_bulks" ADD CONSTRAINT "link_bulks_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "link_bulks" ADD CONSTRAINT "link_bulks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "link_bulks_created_at_index" ON "link_bulks" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "link_bulks_user_id_index" ON "link_bulks" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "saved_views_name" ON "saved_views" USING btree ("user_id","list",lower(name));