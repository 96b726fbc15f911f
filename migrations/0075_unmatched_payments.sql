CREATE TABLE "unmatched_payments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"company_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"end_to_end_id" text COLLATE "C" NOT NULL,
	"txid" text,
	"amount_cents" integer NOT NULL,
	"refunded_cents" integer DEFAULT 0 NOT NULL,
	"paid_at" timestamp(3) with time zone NOT NULL,
	"payer_name" text,
	"payer_tax_id" text,
	"transaction_id" uuid,
	"refund_requested_at" timestamp(3) with time zone,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "unmatched_payments_companyId_provider_endToEndId_unique" UNIQUE("company_id","provider","end_to_end_id"),
	CONSTRAINT "unmatched_payments_amount" CHECK (amount_cents > 0),
	CONSTRAINT "unmatched_payments_refunded" CHECK (refunded_cents between 0 and amount_cents)
);
--> statement-breakpoint
ALTER TABLE "unmatched_payments" ADD CONSTRAINT "unmatched_payments_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unmatched_payments" ADD CONSTRAINT "unmatched_payments_transaction_id_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "unmatched_payments_open" ON "unmatched_payments" USING btree ("company_id","id") WHERE transaction_id is null and refunded_cents < amount_cents;