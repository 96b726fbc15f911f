// A company reconciles its days: by when payments were approved, or by when they changed.
import { expect, test } from 'vitest'
import type { TransactionResource } from '../../../src/transactions/schema.ts'
import { openPayments } from '../../support/payments.ts'
import { openTestApp, type TestCompany } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db, newCompany } = testApp

type Times = { created: string; approved: string | null; updated: string }

/** A payment of these times, and its id. */
async function newPayment(company: TestCompany, { created, approved, updated }: Times, more = {}) {
  const { newMerchant, addPayment } = openPayments({ db, newCompany: async () => company })
  const status = approved ? ('approved' as const) : ('pending' as const)
  const times = { status, approvedAt: approved, updatedAt: updated }
  return addPayment(await newMerchant(), created, {
    ...times,
    metadata: { pedido: created, ...more },
  })
}

async function list(company: TestCompany, query: Record<string, string>) {
  const found: TransactionResource[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const asked = new URLSearchParams({ ...query, ...(cursor && { cursor }) })
    const response = await company.get(`/api/transactions?${asked}`)
    expect(response.statusCode, response.body).toBe(200)
    found.push(...response.json().data)
    cursor = response.json().nextCursor
  }
  return found.map(({ id }) => id)
}

const DAY = { from: '2026-03-02T03:00:00.000Z', to: '2026-03-03T02:59:59.999Z' }

test('a Pix that is created at 23:50 and paid at 00:05 is of the day it was paid', async () => {
  const company = await newCompany()
  // Ids carry the time: what is created now is created at ten to midnight.
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
  const [created, later, midnight, paid, noon] = [0, 5, 10, 15, 730].map(inMinutes)
  const late = await newPayment(company, { created: created!, approved: paid!, updated: paid! })
  const never = await newPayment(company, { created: later!, approved: null, updated: noon! })

  const approved = { approvedFrom: midnight!, approvedTo: noon! }

  expect(await list(company, approved)).toEqual([late])
  expect(await list(company, { createdFrom: midnight!, createdTo: noon! })).toEqual([])
  const createdBefore = { createdFrom: created!, createdTo: midnight! }
  expect(await list(company, createdBefore)).toEqual([never, late])
})

test('both ends of a period are of it, to the millisecond', async () => {
  const company = await newCompany()
  const at = [
    '2026-03-02T02:59:59.999Z',
    DAY.from,
    '2026-03-02T15:00:00.000Z',
    DAY.to,
    '2026-03-03T03:00:00.000Z',
  ]
  const made: string[] = []
  for (const time of at) {
    made.push(await newPayment(company, { created: time, approved: time, updated: time }))
  }

  const within = made.slice(1, 4).reverse()
  expect(await list(company, { approvedFrom: DAY.from, approvedTo: DAY.to })).toEqual(within)
  expect(await list(company, { updatedFrom: DAY.from, updatedTo: DAY.to })).toEqual(within)
  expect(await list(company, { approvedFrom: DAY.to })).toEqual(made.slice(3).reverse())
  expect(await list(company, { updatedTo: DAY.from })).toEqual(made.slice(0, 2).reverse())
})

test('pages of a period lose and repeat no payment, though many are of one instant', async () => {
  const company = await newCompany()
  const times = ['2026-03-02T10:00:00.000Z', '2026-03-02T09:00:00.000Z', '2026-03-02T10:00:00.001Z']
  const made: { id: string; at: string }[] = []
  for (let i = 0; i < 9; i++) {
    const at = times[i % 3]!
    made.push({
      id: await newPayment(company, { created: times[0]!, approved: at, updated: at }),
      at,
    })
  }
  const newestFirst = made
    .toSorted((a, b) => (a.at + a.id < b.at + b.id ? 1 : -1))
    .map(({ id }) => id)

  for (const limit of ['1', '2', '4', '100']) {
    expect(await list(company, { approvedFrom: DAY.from, limit })).toEqual(newestFirst)
    expect(await list(company, { updatedFrom: DAY.from, limit })).toEqual(newestFirst)
  }
})

test('an instant that is none is refused by its name', async () => {
  const company = await newCompany()
  const query = new URLSearchParams({ approvedFrom: 'ontem', updatedTo: '2026-03-02' })

  const response = await company.get(`/api/transactions?${query}`)

  expect(response.statusCode).toBe(422)
  expect(response.json().errors).toMatchObject([{ field: 'approvedFrom' }, { field: 'updatedTo' }])
})

test('payments are found by any pair of their metadata, exactly', async () => {
  const company = await newCompany()
  const at = '2026-03-02T10:00:00.000Z'
  const made = await newPayment(company, { created: at, approved: at, updated: at })
  const unpaid = { created: '2026-03-02T10:00:00.001Z', approved: null, updated: at }
  const pairs = { pedido: at, 'canal da [loja]': 'água & sal' }
  const other = await newPayment(company, unpaid, pairs)
  const stranger = await newCompany()

  const find = (metadata: Record<string, string>, who = company) =>
    list(
      who,
      Object.fromEntries(
        Object.entries(metadata).map(([key, value]) => [`metadata[${key}]`, value]),
      ),
    )

  expect(await find({ pedido: at })).toEqual([other, made])
  expect(await find({ pedido: at, 'canal da [loja]': 'água & sal' })).toEqual([other])
  expect(await find({ 'canal da [loja]': 'água' })).toEqual([])
  expect(await find({ pedido: at }, stranger)).toEqual([])
  expect(await list(company, { 'metadata[pedido]': at, approvedTo: at })).toEqual([made])
  expect(await list(company, { 'metadata[pedido]': at, limit: '1' })).toEqual([other, made])
})

test.each([
  'metadata=1',
  'metadata[]=1',
  'metadata[a]=1&metadata[a]=2',
  'metadata[a][b]=1&metadata',
  'metadata[__proto__]=1',
])('the query %s is refused', async (query) => {
  const response = await (await newCompany()).get(`/api/transactions?${query}`)

  expect(response.statusCode).toBe(422)
})

test.each(['metadata=1', 'metadata[a]=1&metadata=2'])(
  'the refusal of the query %s says how pairs are written',
  async (query) => {
    const company = await newCompany()

    for (const list of ['transactions', 'transactions.csv', 'payment-links', 'payment-links.csv']) {
      const response = await company.get(`/api/${list}?${query}`)
      expect(response.json().errors, list).toEqual([
        {
          field: 'metadata',
          code: 'invalid_type',
          message: 'Informe cada par como metadata[chave]=valor.',
        },
      ])
    }
  },
)
