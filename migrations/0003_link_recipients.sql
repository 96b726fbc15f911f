CREATE TABLE "link_recipients" (
	"id" uuid PRIMARY KEY NOT NULL,
	"company_id" uuid NOT NULL,
	"link_id" uuid NOT NULL,
	"email" text NOT NULL,
	"token" text COLLATE "C" NOT NULL,
	"sent_at" timestamp(3) with time zone,
	"reminded_at" timestamp(3) with time zone,
	"reminders_sent" smallint DEFAULT 0 NOT NULL,
	"stopped_at" timestamp(3) with time zone,
	"refused_at" timestamp(3) with time zone,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "link_recipients_token_unique" UNIQUE("token"),
	CONSTRAINT "link_recipients_email" CHECK (char_length(email) <= 320),
	CONSTRAINT "link_recipients_reminders_sent" CHECK (reminders_sent between 0 and 3)
);--> statement-breakpoint
ALTER TABLE "link_recipients" ADD CONSTRAINT "link_recipients_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "link_recipients" ADD CONSTRAINT "link_recipients_link_id_payment_links_id_fk" FOREIGN KEY ("link_id") REFERENCES "payment_links"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "link_recipients_link_id_email_index" ON "link_recipients" USING btree ("link_id","email");--> statement-breakpoint
CREATE INDEX "link_recipients_company_id_email_index" ON "link_recipients" USING btree ("company_id","email");
