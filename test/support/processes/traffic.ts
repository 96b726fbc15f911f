// Payers over the network, and what must be true of all they paid whatever broke meanwhile.
import type { IncomingHttpHeaders } from 'node:http'
import { expect } from 'vitest'
import { issueApiKey } from '../../../src/api/api-key.ts'
import { createCompany } from '../../../src/companies/company.ts'
import type { Database } from '../../../src/database/connect.ts'
import { createCipher } from '../../../src/database/encryption/cipher.ts'
import type { EventType } from '../../../src/database/enums.ts'
import { createEndpoint } from '../../../src/webhooks/endpoints/endpoint.ts'
import { buildTestCard, MARIA, newPayerAddress, readFormFields } from '../payer.ts'
import { SECRET_KEY } from './service.ts'

/** For startService: webhooks may come back to this machine, and each payer has an address. */
export const TRUSTING_ENVIRONMENT = {
  WEBHOOK_ALLOW_PRIVATE: 'true',
  TRUST_PROXY: '1',
  LOG_LEVEL: 'warn',
}

const SETTLED_WITHIN_MS = 20_000

type MerchantOptions = {
  /** Where the company's payments are told. */
  receiverUrl?: string
  /** What of them; approvals when absent. */
  events?: readonly EventType[]
  /** More fields of its link. */
  link?: object
}

/** A company with a key and one link, made by the service at `baseUrl`. */
export async function createTestMerchant(
  db: Database,
  baseUrl: string,
  { receiverUrl, events, link }: MerchantOptions = {},
) {
  const cipher = createCipher(Buffer.from(SECRET_KEY, 'base64'))
  const { test } = await createCompany(db, cipher, { name: 'Padaria Sol' })
  const companyId = test.id
  const { key } = await issueApiKey(db, companyId, 'Testes')
  const endpoint = {
    companyId,
    url: receiverUrl ?? '',
    allowPrivate: true,
    ...(events && { events: [...events] }),
  }
  const { secret } = receiverUrl ? await createEndpoint(db, cipher, endpoint) : { secret: '' }
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = { title: 'Bolo', amountCents: 10_000, methods: ['pix', 'credit_card'], ...link }
  const url = `${baseUrl}/api/payment-links`
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (answer.status !== 201) throw new Error(`No link was made: ${await answer.text()}`)
  const { id, slug } = (await answer.json()) as { id: string; slug: string }
  return { companyId, headers, slug, linkId: id, secret }
}

/** So many payers with a card at once, at the processes in turn. */
export function payInTurn(baseUrls: readonly string[], slug: string, count: number) {
  const payers = Array.from({ length: count }, (_, i) => baseUrls[i % baseUrls.length]!)
  return Promise.all(
    payers.map(async (baseUrl) => (await fillCheckoutForm(baseUrl, slug, buildTestCard('ok')))()),
  )
}

/** A form that somebody opened and filled in. It can be sent to any process, as often as one likes. */
export async function fillCheckoutForm(baseUrl: string, slug: string, filled: object) {
  const page = await fetch(`${baseUrl}/pagar/${slug}`)
  if (!page.ok) throw new Error(`The form was not shown: ${page.status}`)
  const body = buildFilledForm(await page.text(), filled)
  const address = newPayerAddress()
  return (to = baseUrl) => postForm(`${to}/pagar/${slug}/payments`, body, address)
}

/** What a browser sends of this page's form. */
export function buildFilledForm(page: string, filled: object) {
  return new URLSearchParams({ ...readFormFields(page), ...MARIA, ...filled }).toString()
}

export async function postForm(url: string, body = '', address = newPayerAddress()) {
  const type = 'application/x-www-form-urlencoded'
  const headers = { 'content-type': type, 'x-forwarded-for': address }
  const answer = await fetch(url, { method: 'POST', body, headers, redirect: 'manual' })
  await answer.arrayBuffer()
  return answer
}

/**
 * Makes everything due that dead processes held, and card payments old enough to be given up, instead
 * of waiting for it.
 */
export async function makeAllDue(db: Database) {
  // What a killed process asked for last may be done after its death, and hold one more.
  const running = `select from pg_stat_activity
    where datname = current_database() and state = 'active' and pid <> pg_backend_pid()`
  await expect
    .poll(async () => (await db.$client.query(running)).rowCount, { timeout: SETTLED_WITHIN_MS })
    .toBe(0)
  await db.$client.query(`
    update transactions set check_at = now(), created_at = created_at - interval '2 minutes'
      where status = 'processing';
    update transactions set check_at = now() where status = 'pending';
    update webhook_deliveries set due_at = now(), leased_until = null where status = 'pending'`)
}

/** Waits until every card has its verdict, what the bank approved is known and every webhook has arrived. */
export async function awaitQuiet(db: Database) {
  const open = `
    select (select count(*) from transactions where status = 'processing')
      + (select count(*) from transactions join sandbox_charges charge on substr(reference, 5) = transactions.id::text
        where transactions.status = 'pending' and charge.status = 'approved')
      + (select count(*) from webhook_deliveries where status = 'pending') as open`
  await expect
    .poll(async () => (await db.$client.query(open)).rows[0].open, { timeout: SETTLED_WITHIN_MS })
    .toBe('0')
}

type HeardHook = { headers: IncomingHttpHeaders }

/** What the bank approved, what we approved, what we told and what was heard are the same payments. */
export async function expectConsistent(db: Database, hits: HeardHook[]) {
  const ask = async (text: string) => (await db.$client.query(text)).rows.map(({ id }) => id)
  const charged = await ask(
    `select substr(reference, 5) as id from sandbox_charges where status = 'approved' order by 1`,
  )
  const approved = await ask(
    `select id::text from transactions where status = 'approved' order by 1`,
  )
  const told = await ask(
    `select body::json #>> '{data,transaction,id}' as id from events
      where type = 'transaction.approved' order by 1`,
  )
  const events = await ask(
    `select id::text from events where type = 'transaction.approved' order by 1`,
  )
  const attempts = await ask(
    `select attempt_token as id from transactions where status = 'approved' order by 1`,
  )
  const heard = new Set(hits.map(({ headers }) => headers['webhook-id']))

  expect(approved).toEqual(charged)
  expect(told).toEqual(approved)
  expect([...heard].sort()).toEqual(events)
  expect(new Set(attempts).size).toBe(attempts.length)
  return approved.length
}
