// Disputes through the API: listed, narrowed, a page at a time, and shown with their payment.
import { expect, test } from 'vitest'
import { newId } from '../../../src/database/id.ts'
import { disputes } from '../../../src/database/tables.ts'
import { openPayments } from '../../support/payments.ts'
import { openTestApp, type TestCompany } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db, newCompany } = testApp
const AT = '2026-11-28T11:00:00.000Z'

const get = (company: TestCompany, path: string) => company.get(`/api${path}`)

/** A company with one payment that has an open, a won and a lost dispute, in this order. */
async function contested() {
  const company = await newCompany()
  const { newMerchant, addPayment } = openPayments({ db, newCompany: async () => company })
  const id = await addPayment(await newMerchant(), AT, { chargedBackCents: 1_000 })
  const rows = (['open', 'won', 'lost'] as const).map((status) => ({
    ...{ id: newId(), companyId: company.id, transactionId: id, providerReference: newId() },
    ...{ kind: status === 'won' ? ('card' as const) : ('med' as const), status, openedAt: AT },
    ...{ closedAt: status === 'open' ? null : AT, amountCents: 1_000, reason: 'MED_FRAUDE' },
  }))
  await db.insert(disputes).values(rows)
  return { company, id, rows }
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

test('each filter leaves what it says', async () => {
  const { company } = await contested()

  for (const [query, statuses] of [
    ['status=open', ['open']],
    ['kind=card', ['won']],
    ['kind=med&status=lost', ['lost']],
    ['kind=card&status=lost', []],
  ] as const) {
    const { data } = (await get(company, `/disputes?${query}`)).json()
    expect(data.map(({ status }: { status: string }) => status)).toEqual(statuses)
  }
})

test('they are narrowed to one payment, and what is no filter is refused', async () => {
  const { company, id } = await contested()
  const other = await contested()

  const own = (await get(company, `/disputes?transactionId=${id}`)).json()
  const foreign = (await get(company, `/disputes?transactionId=${other.id}`)).json()
  const refused = await get(company, '/disputes?status=closed')

  expect(own.data).toHaveLength(3)
  expect(foreign.data).toEqual([])
  expect(refused.statusCode).toBe(422)
})

test('one is shown by its id, and another company finds none', async () => {
  const { company, id: transactionId, rows } = await contested()
  const stranger = await newCompany()
  const { id } = rows[0]!

  const shown = await get(company, `/disputes/${id}`)
  const foreign = await get(stranger, `/disputes/${id}`)
  const none = await get(company, '/disputes/none')

  expect(shown.json()).toMatchObject({
    ...{ id, transactionId, kind: 'med', status: 'open', reason: 'MED_FRAUDE' },
    ...{ amountCents: 1_000, closedAt: null, respondBy: null },
  })
  expect([foreign.statusCode, none.statusCode]).toEqual([404, 404])
})

test('a transaction is shown with its disputes, oldest first, and with what they took', async () => {
  const { company, id } = await contested()

  const shown = (await get(company, `/transactions/${id}`)).json()

  expect(shown).toMatchObject({ status: 'approved', chargedBackCents: 1_000 })
  const statuses = shown.disputes.map(({ status }: { status: string }) => status)
  expect(statuses).toEqual(['open', 'won', 'lost'])
})
