-- The book of money. The tables of sums and their triggers stay for the version before, which reads them.
CREATE TABLE "movements" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"company_id" uuid NOT NULL,
	"transaction_id" uuid NOT NULL,
	"payment_link_id" uuid NOT NULL,
	"method" text NOT NULL,
	"tags" text[] NOT NULL,
	"kind" text NOT NULL,
	"day" date NOT NULL,
	"moved_at" timestamp(3) with time zone NOT NULL,
	"booked_at" timestamp(3) with time zone NOT NULL,
	"cents" integer NOT NULL,
	"interest_cents" integer NOT NULL,
	"fee_cents" integer,
	CONSTRAINT "movements_kind" CHECK (kind in ('sale','fee','refund','dispute','dispute_won','surplus','surplus_refund')),
	CONSTRAINT "movements_fee" CHECK (fee_cents is not null or kind = 'sale')
);
--> statement-breakpoint
ALTER TABLE "movements" ADD CONSTRAINT "movements_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "movements" ADD CONSTRAINT "movements_transaction_id_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "movements_by_day" ON "movements" USING btree ("company_id","day","kind","method","cents","fee_cents","payment_link_id","moved_at");--> statement-breakpoint
CREATE INDEX "movements_transaction_id_index" ON "movements" USING btree ("transaction_id");--> statement-breakpoint
CREATE INDEX "movements_payment_link_id_index" ON "movements" USING btree ("payment_link_id");--> statement-breakpoint
CREATE INDEX "movements_company_id_moved_at_id_index" ON "movements" USING btree ("company_id","moved_at","id");--> statement-breakpoint
CREATE INDEX "movements_fees" ON "movements" USING btree ("company_id","transaction_id") WHERE kind = 'fee';--> statement-breakpoint
CREATE UNIQUE INDEX "movements_sale" ON "movements" USING btree ("transaction_id") WHERE kind = 'sale';
