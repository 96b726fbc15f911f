// The other control: tables with what the work needs and no more, and a page that is rendered.
import { Eta } from 'eta'
import type pg from 'pg'

export const SLIM_STATEMENTS = {
  insertLink: `insert into slim_links
    (id, company_id, slug, title, description, amount_cents, methods, max_installments, tags)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning *`,
  listLinks: `select * from slim_links where company_id = $1 and id < $2 order by id desc limit 20`,
  findLink: 'select * from slim_links where slug = $1',
  insertPayment: `insert into slim_payments
    (id, company_id, link_id, token, payer_name, payer_email, payer_tax_id, br_code, expires_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
}

/** The same links under the same ids. */
export async function createSlimTables(pool: pg.Pool) {
  await pool.query(`
    drop table if exists slim_links, slim_payments;
    create table slim_links as
      select id, company_id, slug, title, description, amount_cents, methods, max_installments, tags,
        status, created_at from payment_links;
    alter table slim_links add primary key (id), alter status set default 'active',
      alter created_at set default now();
    create unique index on slim_links (slug);
    create index on slim_links (company_id, id);
    create table slim_payments (id uuid primary key, company_id uuid not null, link_id uuid not null,
      token text not null unique, status text not null default 'pending', payer_name text, payer_email text,
      payer_tax_id text, br_code text, expires_at timestamptz, created_at timestamptz not null default now());
    create index on slim_payments (company_id, id)`)
  await pool.query('vacuum analyze slim_links')
}

const PAGE = `<!DOCTYPE html>
<html lang="pt-BR"><head><meta charset="utf-8"><title><%= it.title %></title></head>
<body><main><h1><%= it.title %></h1><p><%= it.description %></p><p>R$ <%= it.amount_cents / 100 %></p>
<form method="post" action="/pagar/<%= it.slug %>/payments">
<% for (const method of it.methods) { %><label><input type="radio" name="method" value="<%= method %>"><%= method %></label><% } %>
<select name="installments"><% for (let n = 1; n <= it.max_installments; n++) { %><option value="<%= n %>"><%= n %> x R$ <%= (it.amount_cents / n / 100).toFixed(2) %></option><% } %></select>
<% for (const field of ['name', 'email', 'taxId', 'phone']) { %><label><%= field %><input name="<%= field %>"></label><% } %>
<button>Pagar</button></form></main></body></html>`

const eta = new Eta()
const template = eta.compile(PAGE)

export function renderSlimPage(link: object) {
  return eta.render(template, link)
}
