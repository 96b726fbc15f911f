CREATE TABLE "disputes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"company_id" uuid NOT NULL,
	"transaction_id" uuid NOT NULL,
	"incoming_payment_id" uuid,
	"kind" text NOT NULL,
	"provider_reference" text NOT NULL,
	"reason" text,
	"amount_cents" integer NOT NULL,
	"status" text NOT NULL,
	"opened_at" timestamp(3) with time zone NOT NULL,
	"closed_at" timestamp(3) with time zone,
	"respond_by" timestamp(3) with time zone,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "disputes_transactionId_providerReference_unique" UNIQUE("transaction_id","provider_reference"),
	CONSTRAINT "disputes_amount" CHECK (amount_cents > 0),
	CONSTRAINT "disputes_closed_at" CHECK ((status = 'open') = (closed_at is null))
);
--> statement-breakpoint
CREATE TABLE "incoming_payments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"company_id" uuid NOT NULL,
	"transaction_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"end_to_end_id" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"surplus_cents" integer DEFAULT 0 NOT NULL,
	"refunded_cents" integer DEFAULT 0 NOT NULL,
	"paid_at" timestamp(3) with time zone NOT NULL,
	"payer_name" text,
	"payer_tax_id" text,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "incoming_payments_companyId_provider_endToEndId_unique" UNIQUE("company_id","provider","end_to_end_id"),
	CONSTRAINT "incoming_payments_amount" CHECK (amount_cents > 0),
	CONSTRAINT "incoming_payments_surplus" CHECK (surplus_cents between 0 and amount_cents),
	CONSTRAINT "incoming_payments_refunded" CHECK (refunded_cents between 0 and amount_cents)
);
--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "incoming_payment_id" uuid;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "order_id" uuid;--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "charged_back_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_transaction_id_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_incoming_payment_id_incoming_payments_id_fk" FOREIGN KEY ("incoming_payment_id") REFERENCES "public"."incoming_payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incoming_payments" ADD CONSTRAINT "incoming_payments_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incoming_payments" ADD CONSTRAINT "incoming_payments_transaction_id_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "disputes_company_id_id_index" ON "disputes" USING btree ("company_id","id");--> statement-breakpoint
CREATE INDEX "disputes_open" ON "disputes" USING btree ("company_id","id") WHERE status = 'open';--> statement-breakpoint
CREATE INDEX "incoming_payments_transaction_id_id_index" ON "incoming_payments" USING btree ("transaction_id","id");--> statement-breakpoint
CREATE INDEX "incoming_payments_surplus" ON "incoming_payments" USING btree ("company_id","id") WHERE surplus_cents > refunded_cents;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_incoming_payment_id_incoming_payments_id_fk" FOREIGN KEY ("incoming_payment_id") REFERENCES "public"."incoming_payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "refunds_incoming_payment_id_index" ON "refunds" USING btree ("incoming_payment_id") WHERE incoming_payment_id is not null;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_charged_back" CHECK (charged_back_cents between 0 and total_cents);