// Disputes through the API: listed, narrowed, a page at a time, and shown with their payment.
import { expect, test } from 'vitest'
import { checkPayment } from '../../../src/transactions/check.ts'
import { openTestApp, type TestCompany } from '../../support/test-app.ts'
import { openDisputes } from '../../support/transactions/disputes.ts'

const testApp = await openTestApp()
const { needs } = testApp
const { paid, buildDispute, disputesOf } = openDisputes(testApp)

const get = (company: TestCompany, path: string) => company.get(`/api${path}`)

/** A company whose one payment has an open, a won and a lost dispute, in this order. */
async function contested() {
  const { row, company, charge } = await paid()
  charge.disputes = (['open', 'won', 'lost'] as const).map((status) =>
    buildDispute({ status, amountCents: 1_000, kind: status === 'won' ? 'card' : 'med' }),
  )
  await checkPayment(needs, row)
  return { company, row, rows: await disputesOf(row.id) }
}

test('they are listed newest first, a page at a time', async () => {
  const { company, rows } = await contested()

  const first = (await get(company, '/disputes?limit=2')).json()
  const second = (await get(company, `/disputes?limit=2&cursor=${first.nextCursor}`)).json()

  const ids = [...first.data, ...second.data].map(({ id }) => id)
  expect(ids).toEqual(rows.map(({ id }) => id).reverse())
  expect(first).toMatchObject({ hasMore: true, limit: 2 })
  expect(second).toMatchObject({ hasMore: false, nextCursor: null })
})

test.each([
  ['status=open', ['open']],
  ['kind=card', ['won']],
  ['kind=med&status=lost', ['lost']],
  ['kind=card&status=lost', []],
])('the filter %s leaves what it says', async (query, statuses) => {
  const { company } = await contested()

  const { data } = (await get(company, `/disputes?${query}`)).json()

  expect(data.map(({ status }: { status: string }) => status)).toEqual(statuses)
})

test('they are narrowed to one payment, and what is no filter is refused', async () => {
  const { company, row } = await contested()
  const other = await contested()

  const own = (await get(company, `/disputes?transactionId=${row.id}`)).json()
  const foreign = (await get(company, `/disputes?transactionId=${other.row.id}`)).json()
  const refused = await get(company, '/disputes?status=closed')

  expect(own.data).toHaveLength(3)
  expect(foreign.data).toEqual([])
  expect(refused.statusCode).toBe(422)
})

test('one is shown by its id, and another company finds none', async () => {
  const { company, row, rows } = await contested()
  const { company: stranger } = await paid()
  const { id } = rows[0]!

  const shown = await get(company, `/disputes/${id}`)
  const foreign = await get(stranger, `/disputes/${id}`)
  const none = await get(company, '/disputes/none')

  expect(shown.json()).toMatchObject({
    ...{ id, transactionId: row.id, kind: 'med', status: 'open', reason: 'MED_FRAUDE' },
    ...{ amountCents: 1_000, closedAt: null, respondBy: null },
  })
  expect([foreign.statusCode, none.statusCode]).toEqual([404, 404])
})

test('a transaction is shown with its disputes, oldest first, and with what they took', async () => {
  const { company, row } = await contested()

  const shown = (await get(company, `/transactions/${row.id}`)).json()

  expect(shown).toMatchObject({ status: 'approved', chargedBackCents: 1_000 })
  const statuses = shown.disputes.map(({ status }: { status: string }) => status)
  expect(statuses).toEqual(['open', 'won', 'lost'])
})
