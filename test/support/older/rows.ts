// Rows of the version before companies had two environments, by SQL.
import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { newId, newToken } from '../../../src/database/id.ts'

export const HOOK = 'https://loja.example/hooks'

type Row = Record<string, unknown>
export type CompanyName = 'newcomer' | 'live' | 'mixed'

type Payment = { link: string; customer: string; testMode: boolean }

/** What is sealed, by what is said of its row. */
export const secretOf = (what: string) => Buffer.from(`secret of ${what}`)

export function openOlderRows(client: pg.Pool) {
  async function insert(table: string, row: Row) {
    const names = Object.keys(row)
    const places = names.map((_, index) => `$${index + 1}`)
    await client.query(
      `insert into ${table} (${names}) values (${places})`,
      names.map((name) => row[name]),
    )
  }

  const change = (statement: string, values: unknown[]) => client.query(statement, values)

  /** Ids by what is said of them here. */
  const ids = new Map<string, string>()

  function idOf(what: string) {
    const id = ids.get(what) ?? newId()
    ids.set(what, id)
    return id
  }

  async function addCompany(name: CompanyName, more: Row = {}) {
    const id = idOf(name)
    await insert('companies', {
      id,
      name,
      color: '#aa5500',
      redirect_secret: secretOf(name),
      ...more,
    })
    await insert('api_keys', {
      ...{ id: idOf(`${name} key`), company_id: id, name: 'Loja' },
      ...{ secret_hash: randomBytes(32), last_four: 'abcd' },
    })
  }

  async function addLink(company: CompanyName, name: string, more: Row = {}) {
    await insert('payment_links', {
      ...{ id: idOf(name), company_id: idOf(company), slug: name.replaceAll(' ', ''), title: name },
      ...{ amount_cents: 1_990, methods: ['pix'], max_installments: 1, interest_mode: 'absorb' },
      ...{ status: 'active', tags: ['bolo'], metadata: {}, ...more },
    })
  }

  async function addCustomer(company: CompanyName, name: string, more: Row = {}) {
    const id = idOf(name)
    await insert('customers', { id, company_id: idOf(company), name, tax_id: `${id}`, ...more })
  }

  async function addPayment(company: CompanyName, name: string, paid: Payment) {
    const { link, customer, testMode } = paid
    const at = '2026-10-01T12:00:00.000Z'
    await insert('transactions', {
      ...{ id: idOf(name), company_id: idOf(company), payment_link_id: idOf(link) },
      ...{ customer_id: idOf(customer), attempt_token: newToken(), token: newToken() },
      ...{ status: 'approved', method: 'pix', amount_cents: 1_990, interest_cents: 0 },
      ...{ total_cents: 1_990, installments: 1, installment_cents: 1_990 },
      ...{ interest_mode: 'absorb', interest_rate_bps: 0, payer_name: customer, approved_at: at },
      ...{ provider: testMode ? 'sandbox' : 'pix-api', test_mode: testMode, metadata: {} },
      ...{ tags: ['natal'], created_at: at },
    })
    await insert('refunds', {
      ...{ id: idOf(`${name} refund`), company_id: idOf(company), transaction_id: idOf(name) },
      ...{ amount_cents: 100, status: 'succeeded' },
    })
    await insert('incoming_payments', {
      ...{ id: idOf(`${name} receipt`), company_id: idOf(company), transaction_id: idOf(name) },
      ...{ provider: 'pix-api', end_to_end_id: newToken(), amount_cents: 1_990, paid_at: at },
    })
    await insert('card_attempts', {
      ...{ transaction_id: idOf(name), payment_link_id: idOf(link) },
      ...{ address: randomBytes(8), card: randomBytes(8) },
    })
    await insert('mails', {
      ...{ id: idOf(`${name} mail`), company_id: idOf(company), template: 'receipt' },
      ...{ recipient: 'ana@example.com', data: { testMode }, subject_id: idOf(name) },
    })
  }

  return { insert, change, idOf, addCompany, addLink, addCustomer, addPayment }
}

/** What companies have besides links and payments. */
export function openOlderSettings({ insert, change, idOf }: ReturnType<typeof openOlderRows>) {
  async function addEvent(company: CompanyName, name: string, told: { testMode: boolean }) {
    const body = JSON.stringify({ type: 'transaction.approved', ...told, data: {} })
    const event = { id: idOf(name), company_id: idOf(company), type: 'transaction.approved', body }
    await insert('events', event)
  }

  async function addDelivery(event: string, endpoint: string, status: 'pending' | 'delivered') {
    const id = idOf(`${event} to ${endpoint}`)
    const due = status === 'pending' ? new Date() : null
    const delivery = { id, event_id: idOf(event), endpoint_id: idOf(endpoint), status, due_at: due }
    await insert('webhook_deliveries', delivery)
  }

  async function addEndpoint(company: CompanyName, name: string) {
    await insert('webhook_endpoints', {
      ...{ id: idOf(name), company_id: idOf(company), url: HOOK, secret: secretOf(name) },
      events: ['transaction.approved'],
    })
  }

  async function addAccount(company: CompanyName, provider: string, testMode: boolean) {
    await insert('provider_accounts', {
      ...{ company_id: idOf(company), provider, config: secretOf(provider), test_mode: testMode },
      notify_token: `${company}-${provider}`,
    })
  }

  async function addPeople(company: CompanyName) {
    const id = idOf(company)
    const email = `owner@${company}.example`
    await insert('users', {
      ...{ id: idOf(`${company} owner`), company_id: id, email, password_hash: 'x', role: 'owner' },
    })
    await insert('invitations', {
      ...{ id: idOf(`${company} invitation`), company_id: id, email: 'novo@example.com' },
      ...{ role: 'member', token_hash: randomBytes(32), invited_by: email, expires_at: new Date() },
    })
    const entry = { company_id: id, actor: email, details: {} }
    await insert('audit_entries', {
      id: idOf(`${company} entry`),
      action: 'link_created',
      ...entry,
    })
    await insert('audit_entries', { id: idOf(`${company} sign-in`), action: 'sign_in', ...entry })
    await insert('company_logos', { company_id: id, content_type: 'image/webp', content: 'x' })
    const logo = `https://pague.example/logos/${id}/0123.webp`
    await change('update companies set logo_url = $1 where id = $2', [logo, id])
  }

  return { addEvent, addDelivery, addEndpoint, addAccount, addPeople }
}
