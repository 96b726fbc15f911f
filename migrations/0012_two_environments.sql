-- Two environments for each company. Columns of earlier versions (companies.pix_test_mode, card_test_mode)
-- stay, unused, so that processes of the version before go on while this one takes over.
ALTER TABLE "companies" ALTER COLUMN "pix_provider" DROP DEFAULT;
--> statement-breakpoint
ALTER TABLE "companies" ALTER COLUMN "pix_provider" DROP NOT NULL;
--> statement-breakpoint
ALTER TABLE "companies" ALTER COLUMN "card_provider" DROP DEFAULT;
--> statement-breakpoint
ALTER TABLE "companies" ALTER COLUMN "card_provider" DROP NOT NULL;
--> statement-breakpoint
ALTER TABLE "audit_entries" ADD COLUMN "test_mode" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "test_of" uuid;
--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "test_mode" boolean GENERATED ALWAYS AS (test_of is not null) STORED NOT NULL;
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "test_mode" boolean;
--> statement-breakpoint
ALTER TABLE "companies" ADD CONSTRAINT "companies_test_of_companies_id_fk" FOREIGN KEY ("test_of") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "companies" ADD CONSTRAINT "companies_testOf_unique" UNIQUE("test_of");
--> statement-breakpoint
ALTER TABLE "companies" ADD CONSTRAINT "companies_id_testMode_unique" UNIQUE("id","test_mode");
--> statement-breakpoint
-- An id of the same instant, so that what is copied keeps its place in lists.
CREATE FUNCTION pg_temp.id_beside(id uuid) RETURNS uuid LANGUAGE sql VOLATILE AS $$
  select (left(id::text, 15) || substr(gen_random_uuid()::text, 16))::uuid
$$;
--> statement-breakpoint
CREATE FUNCTION pg_temp.new_slug() RETURNS text LANGUAGE sql VOLATILE AS $$
  select string_agg(substr('23456789ABCDEFGHJKMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz',
    1 + get_byte(uuid_send(gen_random_uuid()), 0) % 56, 1), '')
  from generate_series(1, 10)
$$;
--> statement-breakpoint
-- Every company that has been paid, or can be paid, for real stays the real one and gets a test
-- environment; any other has been nothing but tests, and gets the real one.
CREATE TEMP TABLE moving ON COMMIT DROP AS
  SELECT id AS company_id, pg_temp.id_beside(id) AS other_id,
    not pix_test_mode or not card_test_mode or exists (
      select from transactions t where t.company_id = companies.id and not t.test_mode) AS is_live
  FROM companies;
--> statement-breakpoint
INSERT INTO companies (id, test_of, pix_provider, card_provider, redirect_secret, name, tax_id, city,
    color, logo_url, support_email, support_phone, ask_phone, default_max_installments,
    default_interest_mode, interest_rate_bps, interest_free_up_to, min_installment_cents,
    pix_expiry_seconds, mail_receipts, mail_payments, mail_failures, notice_email, created_at, updated_at)
  SELECT other_id, case when is_live then c.id end,
    case when is_live then case when pix_test_mode then pix_provider else 'sandbox' end end,
    case when is_live then case when card_test_mode then card_provider else 'sandbox' end end,
    -- A process gives it a secret of its own when it starts.
    '', name, tax_id, city, color, logo_url, support_email, support_phone, ask_phone,
    default_max_installments, default_interest_mode, interest_rate_bps, interest_free_up_to,
    min_installment_cents, pix_expiry_seconds, mail_receipts, mail_payments, mail_failures,
    notice_email, created_at, updated_at
  FROM companies c JOIN moving ON moving.company_id = c.id;
--> statement-breakpoint
UPDATE companies SET test_of = other_id
  FROM moving WHERE company_id = id AND not is_live;
--> statement-breakpoint
UPDATE companies SET
    pix_provider = case when not pix_test_mode then pix_provider end,
    card_provider = case when not card_test_mode then card_provider end
  FROM moving WHERE company_id = id AND is_live;
--> statement-breakpoint
-- People, the brand and the log belong to the real one; accounts to the environment that they are for.
UPDATE users SET company_id = other_id FROM moving WHERE moving.company_id = users.company_id AND not is_live;
--> statement-breakpoint
UPDATE invitations SET company_id = other_id FROM moving WHERE moving.company_id = invitations.company_id AND not is_live;
--> statement-breakpoint
UPDATE audit_entries SET company_id = other_id,
    test_mode = action ~ '^(link|cards|customer|refund|key|endpoint|secret|test_event|deliver|provider)'
  FROM moving WHERE moving.company_id = audit_entries.company_id AND not is_live;
--> statement-breakpoint
UPDATE company_logos SET company_id = other_id FROM moving WHERE moving.company_id = company_logos.company_id AND not is_live;
--> statement-breakpoint
UPDATE companies SET logo_url = replace(logo_url, '/logos/' || company_id || '/', '/logos/' || other_id || '/')
  FROM moving WHERE id IN (company_id, other_id) AND not is_live;
--> statement-breakpoint
UPDATE provider_accounts SET company_id = other_id
  FROM moving WHERE moving.company_id = provider_accounts.company_id AND is_live = test_mode;
--> statement-breakpoint
-- Links go where their payments are. One with both is copied, its address kept in the real environment;
--> statement-breakpoint
-- so is one that was only tried so far and takes real payments today: it may have been given to payers.
CREATE TEMP TABLE moving_links ON COMMIT DROP AS
  SELECT l.id, l.company_id, m.other_id, pg_temp.id_beside(l.id) AS copy_id,
    case when bool_or(not t.test_mode) then 'copied'
      when l.status = 'active' and (l.expires_at is null or l.expires_at > now()) then 'kept'
      else 'moved' end AS fate
  FROM payment_links l JOIN moving m ON m.company_id = l.company_id AND m.is_live
    JOIN transactions t ON t.payment_link_id = l.id
  GROUP BY l.id, l.company_id, m.other_id HAVING bool_or(t.test_mode);
--> statement-breakpoint
CREATE TEMP TABLE moving_customers ON COMMIT DROP AS
  SELECT c.id, m.other_id, pg_temp.id_beside(c.id) AS copy_id,
    exists (select from transactions t where t.customer_id = c.id and not t.test_mode)
      or exists (select from payment_links l where l.linked_customer_id = c.id
        and not exists (select from moving_links ml where ml.id = l.id and fate = 'moved')) AS is_copied
  FROM customers c JOIN moving m ON m.company_id = c.company_id AND m.is_live
  WHERE exists (select from transactions t where t.customer_id = c.id and t.test_mode)
    or exists (select from payment_links l JOIN moving_links ml ON ml.id = l.id where l.linked_customer_id = c.id);
--> statement-breakpoint
INSERT INTO customers (id, company_id, name, email, phone, tax_id, anonymized_at, created_at, updated_at)
  SELECT copy_id, other_id, name, email, phone, tax_id, anonymized_at, created_at, updated_at
  FROM customers c JOIN moving_customers m ON m.id = c.id WHERE is_copied;
--> statement-breakpoint
UPDATE customers SET company_id = other_id FROM moving_customers m WHERE m.id = customers.id AND not is_copied;
--> statement-breakpoint
UPDATE customer_words SET company_id = other_id
  FROM moving_customers m WHERE m.id = customer_id AND not is_copied;
--> statement-breakpoint
-- The copy of one that is kept is the real one, under its address; the other way round of one with both.
INSERT INTO payment_links (id, company_id, slug, title, description, amount_cents, methods, max_installments,
    interest_mode, status, tags, redirect_url, linked_customer_id, expires_at, max_payments,
    external_reference, metadata, inactive_message, expiry_told_for, created_at, updated_at)
  SELECT m.copy_id, m.other_id, pg_temp.new_slug(), title, description, amount_cents, methods,
    max_installments, interest_mode, status, tags, redirect_url,
    coalesce(c.copy_id, linked_customer_id), expires_at, max_payments, external_reference, metadata,
    inactive_message, expiry_told_for, created_at, updated_at
  FROM payment_links l JOIN moving_links m ON m.id = l.id
    LEFT JOIN moving_customers c ON c.id = linked_customer_id AND is_copied
  WHERE fate = 'copied';
--> statement-breakpoint
CREATE TEMP TABLE kept_slugs ON COMMIT DROP AS
  SELECT l.id, l.slug, pg_temp.new_slug() AS test_slug FROM payment_links l JOIN moving_links m ON m.id = l.id WHERE fate = 'kept';
--> statement-breakpoint
UPDATE payment_links l SET slug = test_slug FROM kept_slugs k WHERE k.id = l.id;
--> statement-breakpoint
INSERT INTO payment_links (id, company_id, slug, title, description, amount_cents, methods, max_installments,
    interest_mode, status, tags, redirect_url, linked_customer_id, expires_at, max_payments,
    external_reference, metadata, inactive_message, expiry_told_for, created_at, updated_at)
  SELECT m.copy_id, l.company_id, k.slug, title, description, amount_cents, methods, max_installments,
    interest_mode, status, tags, redirect_url, linked_customer_id, expires_at, max_payments,
    external_reference, metadata, inactive_message, expiry_told_for, created_at, updated_at
  FROM payment_links l JOIN moving_links m ON m.id = l.id JOIN kept_slugs k ON k.id = l.id;
--> statement-breakpoint
UPDATE abuse_reports SET payment_link_id = copy_id
  FROM moving_links m WHERE m.id = payment_link_id AND fate = 'kept';
--> statement-breakpoint
UPDATE payment_links l SET company_id = m.other_id, linked_customer_id = coalesce(c.copy_id, linked_customer_id)
  FROM moving_links m LEFT JOIN moving_customers c ON is_copied AND c.id = (
    select linked_customer_id from payment_links where id = m.id)
  WHERE m.id = l.id AND fate <> 'copied';
--> statement-breakpoint
UPDATE payment_link_tags SET company_id = other_id FROM moving_links m WHERE m.id = link_id AND fate <> 'copied';
--> statement-breakpoint
UPDATE card_attempts SET payment_link_id = copy_id
  FROM moving_links m, transactions t
  WHERE m.id = card_attempts.payment_link_id AND fate = 'copied' AND t.id = transaction_id AND t.test_mode;
--> statement-breakpoint
CREATE TEMP TABLE moving_payments ON COMMIT DROP AS
  SELECT t.id, m.other_id FROM transactions t JOIN moving m ON m.company_id = t.company_id AND is_live WHERE test_mode;
--> statement-breakpoint
UPDATE transactions t SET company_id = p.other_id,
    payment_link_id = case when l.fate = 'copied' then l.copy_id else t.payment_link_id end,
    customer_id = case when c.is_copied then c.copy_id else t.customer_id end
  FROM moving_payments p, moving_links l, moving_customers c
  WHERE p.id = t.id AND l.id = t.payment_link_id AND c.id = t.customer_id;
--> statement-breakpoint
UPDATE transaction_tags SET company_id = other_id FROM moving_payments p WHERE p.id = transaction_id;
--> statement-breakpoint
UPDATE refunds SET company_id = other_id FROM moving_payments p WHERE p.id = transaction_id;
--> statement-breakpoint
UPDATE incoming_payments SET company_id = other_id FROM moving_payments p WHERE p.id = transaction_id;
--> statement-breakpoint
UPDATE disputes SET company_id = other_id FROM moving_payments p WHERE p.id = transaction_id;
--> statement-breakpoint
UPDATE mails SET company_id = other_id
  FROM moving m WHERE m.company_id = mails.company_id AND is_live AND data ->> 'testMode' = 'true';
--> statement-breakpoint
-- What was said of tests goes along, and what became of it. The address it went to is copied for that,
-- disabled: it gets a secret of its own when a process starts, and hears of tests once it is enabled.
UPDATE events SET company_id = other_id
  FROM moving m WHERE m.company_id = events.company_id AND is_live AND body::jsonb ->> 'testMode' = 'true';
--> statement-breakpoint
CREATE TEMP TABLE moving_endpoints ON COMMIT DROP AS
  SELECT e.id, m.other_id, pg_temp.id_beside(e.id) AS copy_id
  FROM webhook_endpoints e JOIN moving m ON m.company_id = e.company_id AND is_live
  WHERE exists (select from webhook_deliveries d JOIN events v ON v.id = d.event_id
    where d.endpoint_id = e.id and v.company_id = m.other_id);
--> statement-breakpoint
INSERT INTO webhook_endpoints (id, company_id, url, events, secret, disabled_at, created_at)
  SELECT copy_id, other_id, url, events, '', now(), created_at
  FROM webhook_endpoints e JOIN moving_endpoints m ON m.id = e.id;
--> statement-breakpoint
UPDATE webhook_deliveries d SET endpoint_id = m.copy_id
  FROM moving_endpoints m, events v
  WHERE m.id = d.endpoint_id AND v.id = d.event_id AND v.company_id = m.other_id;
--> statement-breakpoint
ALTER TABLE "companies" ADD CONSTRAINT "companies_sandbox" CHECK (test_of is not null or (pix_provider is distinct from 'sandbox' and card_provider is distinct from 'sandbox'));
--> statement-breakpoint
ALTER TABLE "provider_accounts" ADD CONSTRAINT "provider_accounts_environment" FOREIGN KEY ("company_id","test_mode") REFERENCES "public"."companies"("id","test_mode") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_environment" FOREIGN KEY ("company_id","test_mode") REFERENCES "public"."companies"("id","test_mode") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "transactions" DROP CONSTRAINT "transactions_company_id_companies_id_fk";
