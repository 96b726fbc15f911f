// Two years of one busy company as statements, with :names where fill.ts writes how many of what and for
// whom. All of a row hangs on its number, so that one table knows the other's ids unasked.

/** An id of that instant, as `newId` makes it, but for its random part. */
const ID_FUNCTION = `
create function pg_temp.id_of(ms bigint, n bigint) returns uuid language sql immutable as $$
  select (lpad(to_hex(ms), 12, '0') || '7' || lpad(to_hex(n & 4095), 3, '0') || '8000' || lpad(to_hex(n), 12, '0'))::uuid
$$`

/** The instant of the nth of so many, in ms. */
const TIME_FUNCTION = `
create function pg_temp.ms_of(n bigint, count bigint, until bigint) returns bigint language sql immutable as $$
  select until - (count - n) * 63072000000 / count
$$`

/** The same number for the same row, and for the next a quite different one. */
const DICE_FUNCTION = `
create function pg_temp.dice(n bigint) returns int language sql immutable as $$
  select hashint8(n) & 2147483647
$$`

/** Without case and accents, each word and each part of one; src/lists/words.ts does it so for what comes in one by one. */
const WORDS_FUNCTION = `
create function pg_temp.words_of(text text) returns text[] language sql immutable as $$
  select array_remove(regexp_split_to_array(folded, '\\s+') || regexp_split_to_array(folded, '[^a-z0-9]+'), '')
  from translate(lower(text), 'áãâéêíóôõúç', 'aaaeeiooouc') folded
$$`

export const FUNCTIONS = [ID_FUNCTION, TIME_FUNCTION, DICE_FUNCTION, WORDS_FUNCTION]

const CUSTOMER_ID = (n: string) => `pg_temp.id_of(pg_temp.ms_of(${n}, :customers, :until), ${n})`
const LINK_ID = (n: string) => `pg_temp.id_of(pg_temp.ms_of(${n}, :links, :until), ${n})`
const INSTANT = (ms: string) => `to_timestamp(${ms} / 1000.0)`

const FIRST_NAMES = `array['Ana','João','Maria','José','Antônia','Francisco','Márcia','Carlos','Adriana','Paulo','Juliana','Pedro','Fernanda','Lucas','Patrícia','Luiz','Aline','Marcos','Sandra','Gabriel']`
const LAST_NAMES = `array['Silva','Santos','Oliveira','Souza','Rodrigues','Ferreira','Alves','Pereira','Lima','Gomes','Costa','Ribeiro','Martins','Carvalho','Almeida','Lopes','Soares','Fernandes','Vieira','Barbosa','Rocha','Dias','Nascimento','Andrade','Moreira','Nunes','Marques','Machado','Mendes','Freitas']`
const PRODUCTS = `array['Bolo de cenoura','Torta de limão','Cesta de Natal','Aula de violão','Consulta','Camiseta','Ingresso','Mensalidade']`

const CUSTOMER_NAME = (dice: string) =>
  `(${FIRST_NAMES})[1 + ${dice} % 20] || ' ' || (${LAST_NAMES})[1 + ${dice} / 32 % 30] || ' ' || (${LAST_NAMES})[1 + ${dice} / 1024 % 30]`

export const CUSTOMERS = `
insert into customers (id, company_id, name, email, tax_id, created_at, updated_at)
select id, :company, ${CUSTOMER_NAME('pg_temp.dice(n)')}, 'pessoa' || n || '@example.com', lpad(n::text, 11, '0'), at, at
from (
  select n, ${CUSTOMER_ID('n')} as id, ${INSTANT('pg_temp.ms_of(n, :customers, :until)')} as at
  from generate_series(1, :customers) n
) one`

/** The links are told apart by what lists are narrowed by; the first is the busiest. */
export const LINKS = `
insert into payment_links (id, company_id, slug, title, description, amount_cents, methods, max_installments,
  interest_mode, status, tags, redirect_url, linked_customer_id, expires_at, expiry_told_for, external_reference,
  metadata, created_at, updated_at)
select ${LINK_ID('n')}, :company, 'G' || translate(lpad(n::text, 9, '0'), '01', 'xy'),
  (${PRODUCTS})[1 + d % 8] || ' ' || (${LAST_NAMES})[1 + d / 8 % 30] || ' ' || n,
  'Para vinte pessoas, entregue no sábado.', 1000 + d % 500 * 100,
  case when d % 100 < 80 then array['pix','credit_card'] when d % 100 < 95 then array['pix'] else array['credit_card'] end,
  case when d % 100 < 80 then 3 else 1 end, 'absorb', status,
  case n % 3 when 0 then '{}' when 1 then array['encomenda'] else array['encomenda', 'festa-' || d % 200] end,
  'https://padaria.example.com/obrigado',
  case when d % 20 = 0 then ${CUSTOMER_ID('1 + d % :customers')} end,
  expires_at, case when expires_at < to_timestamp(:until / 1000.0) then expires_at end,
  case when d % 10 < 7 then 'pedido-' || n end, '{"pedido":"1990"}', at, at
from (
  select n, d, at, case when n = 1 or d % 97 < 78 then 'active' when d % 97 < 83 then 'inactive'
      when d % 97 < 92 then 'completed' else 'archived' end as status,
    case when n > 1 and d % 7 < 2 then at + interval '30 days' end as expires_at
  from (
    select n, pg_temp.dice(n) as d, ${INSTANT('pg_temp.ms_of(n, :links, :until)')}::timestamptz(3) as at
    from generate_series(1, :links) n
  ) numbered
) one`

/**
 * `offset 0`: what is worked out once is not worked out again in each column that names it.
 * One payment in twenty is of the busiest link, the others are of the newest links of their day.
 */
export const TRANSACTIONS = `
insert into transactions (id, company_id, payment_link_id, customer_id, attempt_token, token, status, method,
  amount_cents, interest_cents, total_cents, refunded_cents, charged_back_cents, installments, installment_cents,
  interest_mode, interest_rate_bps, provider, provider_reference, payer_name, payer_email, payer_tax_id, card_brand,
  card_last4, card_holder, three_ds_status, three_ds_eci, three_ds_flow, decline_code, retryable, pix_txid,
  pix_end_to_end_id, pix_br_code, expires_at, approved_at, hold_reason, received_cents, test_mode,
  external_reference, metadata, tags, ref, created_at, updated_at)
select id, :company, ${LINK_ID('link')}, ${CUSTOMER_ID('1 + d % :customers')}, 'a' || md5(n::text), 't' || md5(n::text),
  status, case when is_pix then 'pix' else 'credit_card' end, cents, 0, cents,
  case status when 'refunded' then cents when 'partially_refunded' then 500 else 0 end,
  case status when 'charged_back' then cents else 0 end,
  1, cents, 'absorb', 299, 'sandbox', 'sbx_' || id, ${CUSTOMER_NAME('pg_temp.dice(1 + d % :customers)')}, 'pessoa' || 1 + d % :customers || '@example.com',
  lpad((1 + d % :customers)::text, 11, '0'),
  case when not is_pix then 'visa' end, case when not is_pix then '4242' end, case when not is_pix then 'ANA SOUZA' end,
  case when not is_pix then 'authenticated' end, case when not is_pix then '05' end,
  case when not is_pix then 'frictionless' end, case status when 'declined' then 'insufficient_funds' end,
  case status when 'declined' then true end,
  case when is_pix then left('PL' || replace(id::text, '-', ''), 25) end,
  case when is_pix and is_paid then 'E000000002024' || lpad(n::text, 19, '0') end,
  case when is_pix then '00020126580014br.gov.bcb.pix0136' || id || '5204000053039865406' || cents || '5802BR5910Padaria Sol6009SAO PAULO62290525' || left(replace(id::text, '-', ''), 25) || '6304ABCD' end,
  case when is_pix then at + interval '30 minutes' end, case when is_paid then at + interval '40 seconds' end,
  case when is_held then 'Entrou outro valor' end, case when is_held then 100 end, true,
  case when link <> 1 and link % 10 < 7 then 'pedido-' || link end, '{"pedido":"1990"}',
  case link % 3 when 0 then '{}' when 1 then array['encomenda'] else array['encomenda', 'festa-' || pg_temp.dice(link) % 200] end,
  -- Many of them, and none of late.
  case when n * 20 / :transactions = 9 then 'natal' end, at, at + interval '40 seconds'
from (
  select *, ${INSTANT('ms')}::timestamptz(3) as at, pg_temp.id_of(ms, n) as id, 1000 + d % 500 * 100 as cents,
    status in ('approved', 'partially_refunded', 'refunded', 'charged_back') as is_paid
  from (
    select n, d, ms, d % 5 < 3 as is_pix, d % 20011 = 0 as is_held,
      case when d % 19 = 0 then 1
        else greatest(1, n * :links / :transactions - pg_temp.dice(n + 7) % 5000) end as link,
      case when d % 20011 = 0 then 'pending' when d % 1009 < 700 then 'approved' when d % 1009 < 850 then 'expired'
        when d % 1009 < 960 then 'declined' when d % 1009 < 985 then 'refunded' when d % 1009 < 995 then 'partially_refunded'
        when d % 1009 < 996 then 'charged_back' else 'canceled' end as status
    from (
      select n, pg_temp.dice(n) as d, pg_temp.ms_of(n, :transactions, :until) as ms
      from generate_series(1, :transactions) n offset 0
    ) numbered offset 0
  ) decided offset 0
) one`

/** What came in by Pix; one in ten thousand brought more than the sale. */
export const INCOMING = `
insert into incoming_payments (id, company_id, transaction_id, provider, end_to_end_id, amount_cents, surplus_cents,
  paid_at, payer_name, payer_tax_id, created_at, updated_at)
select id, company_id, id, provider, pix_end_to_end_id, total_cents,
  case when hashint8extended(total_cents, extract(epoch from created_at)::bigint) % 10007 = 0 then 1 else 0 end,
  approved_at, payer_name, payer_tax_id, approved_at, approved_at
from transactions where company_id = :company and pix_end_to_end_id is not null order by id`

export const REFUNDS = `
insert into refunds (id, company_id, transaction_id, amount_cents, status, created_at, updated_at)
select id, company_id, id, refunded_cents, 'succeeded', approved_at, approved_at
from transactions where company_id = :company and refunded_cents > 0 order by id`

/** Of what was paid in the last tenth of the time, each delivered to one endpoint, a few in vain. */
export const EVENTS = `
insert into events (id, company_id, type, body, created_at)
select t.id, t.company_id, 'transaction.approved', json_build_object(
    'type', 'transaction.approved', 'timestamp', to_char(t.approved_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'testMode', true,
    'data', json_build_object('transaction', json_build_object(
        'id', t.id, 'status', t.status, 'method', t.method, 'amountCents', t.amount_cents, 'totalCents', t.total_cents,
        'payer', json_build_object('name', t.payer_name, 'email', t.payer_email), 'tags', t.tags, 'metadata', t.metadata,
        'createdAt', t.created_at, 'approvedAt', t.approved_at, 'pixTxid', t.pix_txid),
      'paymentLink', json_build_object('id', t.payment_link_id, 'title', 'Bolo de cenoura', 'tags', t.tags)))::text, t.approved_at
from transactions t
where t.company_id = :company and t.approved_at is not null and t.created_at > to_timestamp(:until / 1000.0) - interval '73 days' order by t.id`

export const DELIVERIES = `
insert into webhook_deliveries (id, event_id, endpoint_id, status, attempts, due_at, outcome, status_code, delivered_at, created_at)
select e.id, e.id, w.id, case when failed then 'failed' else 'delivered' end, 1, null,
  case when failed then 'http_error' else 'delivered' end, case when failed then 500 else 200 end,
  case when not failed then e.created_at end, e.created_at
from (select id, created_at, uuid_hash(id) % 211 = 0 as failed from events where company_id = :company) e,
  (select id from webhook_endpoints where company_id = :company limit 1) w
order by e.id`

/** What rows are found by. */
export const WORDS = [
  `update customers set words = array_to_tsvector(
    array['#' || tax_id] || pg_temp.words_of(concat_ws(' ', name, email)))
  where company_id = :company`,
  `update payment_links set words = array_to_tsvector(
    array['$' || amount_cents] || pg_temp.words_of(concat_ws(' ', slug, external_reference, title, description)))
  where company_id = :company`,
  `update transactions t set words = array_to_tsvector(
    array['$' || t.amount_cents, '$' || t.total_cents, '#' || payer_tax_id]
      || pg_temp.words_of(concat_ws(' ', payer_name, payer_email, t.external_reference, ref, link.title)))
  from payment_links link where t.company_id = :company and link.id = t.payment_link_id`,
]
