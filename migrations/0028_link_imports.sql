CREATE TABLE "link_import_rows" (
	"import_id" uuid NOT NULL,
	"line" integer NOT NULL,
	"input" jsonb,
	"customer" jsonb,
	"faults" jsonb NOT NULL,
	"link_id" uuid,
	CONSTRAINT "link_import_rows_import_id_line_pk" PRIMARY KEY("import_id","line"),
	CONSTRAINT "link_import_rows_done" CHECK (link_id is null or input is null)
);
--> statement-breakpoint
CREATE TABLE "link_imports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"company_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"file_name" text NOT NULL,
	"status" text NOT NULL,
	"row_count" integer NOT NULL,
	"created_count" integer DEFAULT 0 NOT NULL,
	"refused_count" integer NOT NULL,
	"amount_cents" bigint NOT NULL,
	"is_windows1252" boolean NOT NULL,
	"worked_at" timestamp(3) with time zone,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "link_imports_status" CHECK (status in ('draft','running','done')),
	CONSTRAINT "link_imports_rows" CHECK (row_count between 1 and 10000)
);
--> statement-breakpoint
ALTER TABLE "link_import_rows" ADD CONSTRAINT "link_import_rows_import_id_link_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."link_imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "link_imports_company_id_id_index" ON "link_imports" USING btree ("company_id","id");--> statement-breakpoint
CREATE INDEX "link_imports_worked_at_index" ON "link_imports" USING btree ("worked_at") WHERE status = 'running';--> statement-breakpoint
CREATE INDEX "link_imports_created_at_index" ON "link_imports" USING btree ("created_at");