// A database of the version before companies had two environments, and what the migration makes of its
// companies. Nothing is lost, and nothing changes its id.
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { completeCompanies } from '../../src/companies/company.ts'
import { connectDatabase } from '../../src/database/connect.ts'
import { newId } from '../../src/database/id.ts'
import { migrateDatabase } from '../../src/database/migrate.ts'
import { createCipher } from '../../src/database/sealing/encryption.ts'
import { completeEndpoints } from '../../src/webhooks/endpoints/secret.ts'
import { openOlderDatabase } from '../support/older/database.ts'
import { secretOf } from '../support/older/rows.ts'

const { url, client, idOf, findRow, findPair, environmentsOf } = await openOlderDatabase()
const cipher = createCipher(randomBytes(32))
const before = await listAllIds()
await migrateDatabase(url)

/** The ids of every table that has some. */
async function listAllIds() {
  const { rows: tables } = await client.query<{ name: string }>(`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'id'`)
  const ids = new Map<string, string[]>()
  for (const { name } of tables) {
    const { rows } = await client.query<{ id: string }>(`select id from ${name} order by id`)
    ids.set(
      name,
      rows.map(({ id }) => id),
    )
  }
  return ids
}

test('no row is lost, and each keeps its id', async () => {
  const after = await listAllIds()

  for (const [table, kept] of before) {
    expect({ table, ids: after.get(table) }).toEqual({
      table,
      ids: expect.arrayContaining(kept),
    })
  }
  const added = [...before].map(([table, kept]) => [table, after.get(table)!.length - kept.length])
  expect(Object.fromEntries(added.filter(([, count]) => count !== 0))).toEqual({
    companies: 3,
    customers: 2,
    // A later migration books what came in by Pix.
    incoming_payments: 7,
    payment_links: 2,
    webhook_endpoints: 1,
  })
})

test('a company that never went live is its test environment, and its people belong to a new real one', async () => {
  const { real, tests } = await findPair('newcomer')

  expect(tests.id).toBe(idOf('newcomer'))
  expect(tests).toMatchObject({ pix_provider: 'sandbox', card_provider: 'sandbox' })
  expect(tests.redirect_secret).toEqual(secretOf('newcomer'))
  expect(real).toMatchObject({ pix_provider: null, card_provider: null, color: '#aa5500' })
  expect(real.logo_url).toBe(`https://pague.example/logos/${real.id}/0123.webp`)
  expect(tests.logo_url).toBe(real.logo_url)
  const { rows } = await client.query('select company_id from company_logos')
  expect(rows.map(({ company_id: id }) => id).sort()).toEqual([real.id, idOf('live')].sort())
  expect({
    ...(await environmentsOf('newcomer', 'api_keys', ['newcomer key'])),
    ...(await environmentsOf('newcomer', 'payment_links', ['first link'])),
    ...(await environmentsOf('newcomer', 'transactions', ['first payment'])),
    ...(await environmentsOf('newcomer', 'webhook_endpoints', ['first endpoint'])),
    ...(await environmentsOf('newcomer', 'events', ['first event'])),
    ...(await environmentsOf('newcomer', 'users', ['newcomer owner'])),
    ...(await environmentsOf('newcomer', 'invitations', ['newcomer invitation'])),
    ...(await environmentsOf('newcomer', 'audit_entries', ['newcomer entry'])),
  }).toEqual({
    ...{ 'newcomer key': 'test', 'first link': 'test', 'first payment': 'test' },
    ...{ 'first endpoint': 'test', 'first event': 'test' },
    ...{ 'newcomer owner': 'real', 'newcomer invitation': 'real', 'newcomer entry': 'real' },
  })
})

test('its endpoint and what waits for it stay as they are', async () => {
  const endpoint = await findRow('webhook_endpoints', idOf('first endpoint'))
  const delivery = await findRow('webhook_deliveries', idOf('first event to first endpoint'))

  expect(endpoint).toMatchObject({ secret: secretOf('first endpoint'), disabled_at: null })
  expect(delivery).toMatchObject({ endpoint_id: endpoint.id, status: 'pending' })
})

test('the log tells what was done in tests while there was nothing else', async () => {
  const marks = await Promise.all(
    ['newcomer entry', 'newcomer sign-in', 'live entry', 'live sign-in'].map(
      async (what) => (await findRow('audit_entries', idOf(what))).test_mode,
    ),
  )

  expect(marks).toEqual([true, false, false, false])
})

test('a company that takes real money is its real environment, and gets one for tests', async () => {
  const { real, tests } = await findPair('live')

  expect(real.id).toBe(idOf('live'))
  expect(real.redirect_secret).toEqual(secretOf('live'))
  expect(real).toMatchObject({ pix_provider: 'pix-api', card_provider: 'pix-api' })
  expect(tests).toMatchObject({ pix_provider: 'sandbox', card_provider: 'sandbox' })
  expect(tests.logo_url).toBe(real.logo_url)
  expect(await environmentsOf('live', 'api_keys', ['live key'])).toEqual({ 'live key': 'real' })
  expect(await environmentsOf('live', 'users', ['live owner'])).toEqual({ 'live owner': 'real' })
})

test('each account goes to the environment that its credentials are for', async () => {
  const { rows } = await client.query(`
    select notify_token, companies.test_mode from provider_accounts
    join companies on companies.id = company_id order by notify_token`)

  expect(rows.map((row) => [row.notify_token, row.test_mode])).toEqual([
    ['live-mercadopago', true],
    ['live-pix-api', false],
    ['mixed-mercadopago', true],
    ['mixed-pix-api', false],
    ['newcomer-pix-api', false],
  ])
})

test('where one method is live, the other is tried in the test environment as before', async () => {
  const { real, tests } = await findPair('mixed')

  expect(real).toMatchObject({ pix_provider: 'pix-api', card_provider: null })
  expect(tests).toMatchObject({ pix_provider: 'sandbox', card_provider: 'mercadopago' })
})

test('nothing is ever written into the environment that it is not of', async () => {
  const { real, tests } = await findPair('live')
  const moved = (id: string, test: boolean) =>
    client.query('update transactions set test_mode = $2 where company_id = $1', [id, test])

  await expect(moved(real.id, true)).rejects.toThrow('transactions_environment')
  await expect(moved(tests.id, false)).rejects.toThrow('transactions_environment')
  await expect(
    client.query(`update companies set pix_provider = 'sandbox' where id = $1`, [real.id]),
  ).rejects.toThrow('companies_sandbox')
})

test('processes that start together give every row its secret, once', async () => {
  const db = connectDatabase(url)

  await Promise.all([1, 2, 3].map(() => completeCompanies(db, cipher)))
  await Promise.all([1, 2, 3].map(() => completeEndpoints(db, cipher)))
  const first = await listSecrets()
  await completeCompanies(db, cipher)
  await completeEndpoints(db, cipher)
  await db.$client.end()

  expect(first.filter((text) => text === '')).toEqual([])
  expect(new Set(first).size).toBe(first.length)
  expect(await listSecrets()).toEqual(first)
})

test('a company that an older process makes meanwhile gets its test environment', async () => {
  const db = connectDatabase(url)
  const id = newId()
  await client.query(
    `insert into companies (id, name, redirect_secret) values ($1, 'meanwhile', 'x')`,
    [id],
  )

  await Promise.all([1, 2, 3].map(() => completeCompanies(db, cipher)))
  await db.$client.end()

  const { rows } = await client.query(
    `select * from companies where name = 'meanwhile' order by test_mode`,
  )
  expect(rows).toMatchObject([
    { id, test_of: null, pix_provider: null, card_provider: null },
    { test_of: id, pix_provider: 'sandbox', card_provider: 'sandbox' },
  ])
  expect(rows[1].redirect_secret).not.toEqual(rows[0].redirect_secret)
})

/** Those of companies, opened, and of endpoints that have another by now. */
async function listSecrets(): Promise<string[]> {
  const { rows: signing } = await client.query('select redirect_secret from companies order by id')
  const { rows: hooks } = await client.query('select secret from webhook_endpoints order by id')
  return [
    ...signing.map((row) => row.redirect_secret.toString('hex')),
    ...hooks.map((row) => row.secret.toString('hex')),
  ]
}
