// The same of payments and what goes with them, of a company that has gone live.
import { expect, test } from 'vitest'
import { migrateDatabase } from '../../src/database/migrate.ts'
import { openOlderDatabase } from '../support/older/database.ts'
import { HOOK, secretOf } from '../support/older/rows.ts'

const { url, client, idOf, findRow, findPair, environmentsOf } = await openOlderDatabase()
await migrateDatabase(url)

test('payments go by what they were, with their refunds, receipts, labels and e-mails', async () => {
  const payments = ['sold for real', 'sold to Rui', 'sold in a test', 'open in a test']
  const more = ['closed in a test', 'over in a test']
  const expected = ['real', 'real', 'test', 'test', 'test', 'test']

  for (const [table, suffix] of [
    ['transactions', ''],
    ['refunds', ' refund'],
    ['incoming_payments', ' receipt'],
    ['mails', ' mail'],
  ] as const) {
    const whats = [...payments, ...more].map((payment) => payment + suffix)
    expect(Object.values(await environmentsOf('live', table, whats))).toEqual(expected)
  }
})

test('a payment points to nothing of the other environment', async () => {
  const { rows } = await client.query(`
    select t.id from transactions t
      join payment_links l on l.id = t.payment_link_id
      join customers c on c.id = t.customer_id
      left join card_attempts a on a.transaction_id = t.id
    where l.company_id <> t.company_id or c.company_id <> t.company_id
      or a.payment_link_id <> l.id
    union all
    select l.id from payment_links l join customers c on c.id = l.linked_customer_id
    where l.company_id <> c.company_id`)

  expect(rows).toEqual([])
})

test('a link with real payments keeps its address; its copy of tests gets another', async () => {
  const { tests } = await findPair('live')
  const sold = await findRow('payment_links', idOf('sold'))
  const { payment_link_id: copyId } = await findRow('transactions', idOf('sold in a test'))
  const copy = await findRow('payment_links', String(copyId))

  expect(sold).toMatchObject({ slug: 'sold', company_id: idOf('live') })
  expect(copy).toMatchObject({ title: 'sold', status: 'active', company_id: tests.id })
  expect(copy.id).not.toBe(sold.id)
  expect(copy.slug).toMatch(/^[2-9A-HJ-NP-Za-km-z]{10}$/)
})

test('an open link that was only tried keeps its address for real money, and its id for the tests', async () => {
  const { real, tests } = await findPair('live')
  const tried = await findRow('payment_links', idOf('open'))
  const { rows } = await client.query(`select * from payment_links where slug = 'open'`)

  expect(tried).toMatchObject({ company_id: tests.id, title: 'open' })
  expect(tried.slug).not.toBe('open')
  expect(rows).toMatchObject([{ company_id: real.id, title: 'open', status: 'active' }])
  expect(rows[0].linked_customer_id).toBe(idOf('Named Nina'))
  expect((await findRow('abuse_reports', idOf('report'))).payment_link_id).toBe(rows[0].id)
})

test('what was only tried and takes no more payments goes whole, and what nobody paid stays', async () => {
  const where = await environmentsOf('live', 'payment_links', ['closed', 'over', 'unpaid', 'sold'])

  expect(where).toEqual({ closed: 'test', over: 'test', unpaid: 'real', sold: 'real' })
  expect(await findRow('payment_links', idOf('closed'))).toMatchObject({ slug: 'closed' })
  expect(await findRow('payment_links', idOf('over'))).toMatchObject({ slug: 'over' })
})

test('customers go with their payments; one who has both is in both', async () => {
  const people = ['Both Bia', 'Real Rui', 'Tried Tom', 'Named Nina', 'Idle Ivo']
  const { tests } = await findPair('live')
  const { rows } = await client.query(
    'select name from customers where company_id = $1 order by name',
    [tests.id],
  )

  expect(await environmentsOf('live', 'customers', people)).toEqual({
    ...{ 'Both Bia': 'real', 'Real Rui': 'real', 'Tried Tom': 'test' },
    ...{ 'Named Nina': 'real', 'Idle Ivo': 'real' },
  })
  expect(rows.map(({ name }) => name)).toEqual(['Both Bia', 'Named Nina', 'Tried Tom'])
})

test('what was told of tests goes to a copy of the endpoint, which hears of nothing until it is enabled', async () => {
  const { tests } = await findPair('live')
  const { rows: copies } = await client.query(
    'select * from webhook_endpoints where company_id = $1',
    [tests.id],
  )
  const targets = await Promise.all(
    ['real event', 'test event', 'old test event'].map(
      async (event) =>
        (await findRow('webhook_deliveries', idOf(`${event} to hook of both`))).endpoint_id,
    ),
  )

  expect(copies).toMatchObject([{ url: HOOK, secret: Buffer.alloc(0) }])
  expect(copies[0].disabled_at).not.toBeNull()
  expect(targets).toEqual([idOf('hook of both'), copies[0].id, copies[0].id])
  expect(await findRow('webhook_endpoints', idOf('hook of both'))).toMatchObject({
    ...{ company_id: idOf('live'), secret: secretOf('hook of both'), disabled_at: null },
  })
  expect(
    await environmentsOf('live', 'events', ['real event', 'test event', 'old test event']),
  ).toEqual({ 'real event': 'real', 'test event': 'test', 'old test event': 'test' })
})
