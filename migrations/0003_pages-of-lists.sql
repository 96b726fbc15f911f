CREATE TABLE "customer_words" (
	"company_id" uuid NOT NULL,
	"word" text NOT NULL,
	"customer_id" uuid NOT NULL,
	CONSTRAINT "customer_words_company_id_word_customer_id_pk" PRIMARY KEY("company_id","word","customer_id")
);
--> statement-breakpoint
CREATE TABLE "payment_link_tags" (
	"company_id" uuid NOT NULL,
	"tag" text NOT NULL,
	"link_id" uuid NOT NULL,
	CONSTRAINT "payment_link_tags_company_id_tag_link_id_pk" PRIMARY KEY("company_id","tag","link_id")
);
--> statement-breakpoint
CREATE TABLE "transaction_tags" (
	"company_id" uuid NOT NULL,
	"tag" text NOT NULL,
	"transaction_id" uuid NOT NULL,
	CONSTRAINT "transaction_tags_company_id_tag_transaction_id_pk" PRIMARY KEY("company_id","tag","transaction_id")
);
--> statement-breakpoint
DROP INDEX "payment_links_company_id_id_index";--> statement-breakpoint
DROP INDEX "payment_links_company_id_external_reference_index";--> statement-breakpoint
DROP INDEX "payment_links_tags_index";--> statement-breakpoint
DROP INDEX "refunds_transaction_id_index";--> statement-breakpoint
CREATE INDEX "customers_company_id_id_index" ON "customers" USING btree ("company_id","id") WHERE anonymized_at is null;--> statement-breakpoint
CREATE INDEX "customers_company_id_lower_email_id_index" ON "customers" USING btree ("company_id",lower(email),"id") WHERE email is not null;--> statement-breakpoint
CREATE INDEX "events_company_id_type_id_index" ON "events" USING btree ("company_id","type","id");--> statement-breakpoint
CREATE INDEX "events_transaction_index" ON "events" USING btree ((body::jsonb #>> '{data,transaction,id}'),"id");--> statement-breakpoint
CREATE INDEX "events_payment_link_index" ON "events" USING btree ((body::jsonb #>> '{data,paymentLink,id}'),"id");--> statement-breakpoint
CREATE INDEX "payment_links_live" ON "payment_links" USING btree ("company_id","id") WHERE status <> 'archived';--> statement-breakpoint
CREATE INDEX "payment_links_pix" ON "payment_links" USING btree ("company_id","id") WHERE status <> 'archived' and methods @> array['pix'];--> statement-breakpoint
CREATE INDEX "payment_links_card" ON "payment_links" USING btree ("company_id","id") WHERE status <> 'archived' and methods @> array['credit_card'];--> statement-breakpoint
CREATE INDEX "payment_links_status" ON "payment_links" USING btree ("company_id","status","id") WHERE status <> 'active';--> statement-breakpoint
CREATE INDEX "payment_links_open" ON "payment_links" USING btree ("company_id","id") WHERE status = 'active' and (expires_at is null or expires_at is distinct from expiry_told_for);--> statement-breakpoint
CREATE INDEX "payment_links_expired" ON "payment_links" USING btree ("company_id","id") WHERE status = 'active' and expires_at = expiry_told_for;--> statement-breakpoint
CREATE INDEX "payment_links_expiring" ON "payment_links" USING btree ("company_id","expires_at") WHERE status = 'active' and expires_at is distinct from expiry_told_for and expires_at is not null;--> statement-breakpoint
CREATE INDEX "payment_links_due" ON "payment_links" USING btree ("expires_at") WHERE status = 'active' and expires_at is distinct from expiry_told_for and expires_at is not null;--> statement-breakpoint
CREATE INDEX "payment_links_reference" ON "payment_links" USING btree ("company_id","external_reference","id") WHERE external_reference is not null;--> statement-breakpoint
CREATE INDEX "payment_links_linked_customer_id_index" ON "payment_links" USING btree ("linked_customer_id") WHERE linked_customer_id is not null;--> statement-breakpoint
CREATE INDEX "refunds_transaction_id_id_index" ON "refunds" USING btree ("transaction_id","id");--> statement-breakpoint
CREATE INDEX "sandbox_refunds_charge_reference_index" ON "sandbox_refunds" USING btree ("charge_reference");--> statement-breakpoint
CREATE INDEX "transactions_customer_id_id_index" ON "transactions" USING btree ("customer_id","id");--> statement-breakpoint
CREATE INDEX "transactions_company_id_status_id_index" ON "transactions" USING btree ("company_id","status","id");--> statement-breakpoint
CREATE INDEX "transactions_company_id_method_id_index" ON "transactions" USING btree ("company_id","method","id");--> statement-breakpoint
CREATE INDEX "transactions_company_id_external_reference_id_index" ON "transactions" USING btree ("company_id","external_reference","id") WHERE external_reference is not null;