CREATE TABLE "link_visits" (
	"link_id" uuid NOT NULL,
	"day" date NOT NULL,
	"opened" integer NOT NULL,
	"begun" integer NOT NULL,
	CONSTRAINT "link_visits_link_id_day_pk" PRIMARY KEY("link_id","day"),
	CONSTRAINT "link_visits_counts" CHECK (opened >= 0 and begun >= 0)
);
--> statement-breakpoint
ALTER TABLE "link_visits" ADD CONSTRAINT "link_visits_link_id_payment_links_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."payment_links"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "link_visits_day_index" ON "link_visits" USING btree ("day");