// Links archived and quoted.
import { expect, test } from 'vitest'
import { eq } from '../../src/database/drizzle.ts'
import { companies } from '../../src/database/tables.ts'
import { formatBrl } from '../../src/format.ts'
import { HOUR_MS, LINKS_PATH, openLinkApi } from '../support/link-api.ts'
import { openCheckout, readPageText } from '../support/payer.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { app, clock, db, newCompany } = testApp
const { pay, readLink, listEventTypes } = openCheckout(testApp)
const { inHours, create, patch, archive, duplicateLink, paidLink, approve } = openLinkApi(testApp)

const CARD = ['pix', 'credit_card']

test('an archived link is gone from lists and checkout, keeps its payments, and stays as it is', async () => {
  const { company, link } = await paidLink()
  const { row } = await pay(link)

  const answers = [await archive(company, link.slug), await archive(company, link.id)]

  expect(answers.map(({ statusCode, body }) => [statusCode, body])).toEqual([
    [204, ''],
    [204, ''],
  ])
  expect((await company.get(LINKS_PATH)).json().data).toEqual([])
  const archived = (await company.get(`${LINKS_PATH}?status=archived`)).json().data
  expect(archived).toMatchObject([{ id: link.id, status: 'archived' }])
  expect((await app.inject(`/pagar/${link.slug}`)).statusCode).toBe(410)
  expect((await company.get(`${LINKS_PATH}/${link.id}`)).json()).toMatchObject({ paymentsCount: 1 })
  const refused = await patch(company, link, { title: 'Torta' })
  expect([refused.statusCode, refused.json().code]).toEqual([409, 'link_archived'])

  expect(await approve(row.id)).toMatchObject({ payment: { status: 'approved' } })
  expect((await readLink(link.id)).status).toBe('archived')
})

test.each([
  ['as it is told', {}, { status: 'inactive' }, 'inactive'],
  ['with what else is changed', {}, { status: 'active', title: 'Torta' }, 'active'],
  [
    'expired, where its time has passed',
    { expiresAt: inHours(1) },
    { status: 'active' },
    'expired',
  ],
  ['with a new time', { expiresAt: inHours(1) }, { status: 'active', expiresAt: null }, 'active'],
  ['completed, where it is full', { maxPayments: 1 }, { status: 'inactive' }, 'completed'],
  ['with a new limit', { maxPayments: 1 }, { status: 'active', maxPayments: 2 }, 'active'],
])('PATCH status brings an archived link back %s', async (_, fields, changes, status) => {
  const { company, link } = await paidLink(fields)
  await archive(company, link.id)
  clock.offsetMs += 2 * HOUR_MS
  const told = await listEventTypes(link)

  const back = await patch(company, link, changes)

  clock.offsetMs -= 2 * HOUR_MS
  expect([back.statusCode, back.json()]).toMatchObject([200, { ...changes, status }])
  expect(await listEventTypes(link)).toEqual(told)
})

test('the installments are those that the checkout shows, to the cent', async () => {
  const company = await newCompany()
  const link = await create(company, {
    amountCents: 10_000,
    methods: CARD,
    maxInstallments: 3,
    interestMode: 'pass_to_customer',
  })

  const { data } = (await company.get(`${LINKS_PATH}/${link.slug}/installments`)).json()

  const page = readPageText((await app.inject(`/pagar/${link.slug}`)).body)
  expect(data).toHaveLength(3)
  for (const { installments, installmentCents, totalCents } of data) {
    const row = `${installments}x de ${formatBrl(installmentCents)} ${formatBrl(totalCents)}`
    expect(page).toContain(row.replace(/\s+/g, ' '))
  }
  expect(data[2]).toEqual({
    installments: 3,
    installmentCents: 3535,
    firstInstallmentCents: 3535,
    totalCents: 10_605,
    interestCents: 605,
    interestRateBps: 299,
    text: '3x de R$ 35,35 com juros (total R$ 106,05)',
  })
  const pix = await create(company, { pixDiscountBps: 500 })
  const card = await create(company, { methods: ['credit_card'] })
  const read = async ({ id }: { id: string }) =>
    (await company.get(`${LINKS_PATH}/${id}/installments`)).json()
  expect(await read(pix)).toEqual({
    data: [],
    pix: {
      ...{ totalCents: 1_890, discountCents: 100, discountBps: 500 },
      text: 'R$ 18,90 no Pix (5% de desconto)',
    },
  })
  expect(await read(card)).toMatchObject({ data: [{ totalCents: 1_990 }], pix: null })
})

test("installments without interest are the link's own, or as many as its company gives", async () => {
  const company = await newCompany()
  await db.update(companies).set({ interestFreeUpTo: 2 }).where(eq(companies.id, company.id))
  const link = await create(company, {
    ...{ amountCents: 10_000, methods: CARD, interestMode: 'pass_to_customer' },
    ...{ maxInstallments: 6, interestFreeInstallments: 4 },
  })
  /** Up to how many there is no interest, as the API says it and the link does. */
  const readFree = async (changes: object = {}) => {
    const changed = (await patch(company, link, changes)).json()
    const { data } = (await company.get(`${LINKS_PATH}/${link.id}/installments`)).json()
    const free = data.filter((row: { interestCents: number }) => row.interestCents === 0)
    return [changed.interestFreeInstallments, free.length, data.length]
  }

  expect(await readFree()).toEqual([4, 4, 6])
  const copy = await duplicateLink(company, link.id)
  expect(copy.interestFreeInstallments).toBe(4)
  const fewer = await patch(company, link, { maxInstallments: 3 })
  expect([fewer.statusCode, fewer.json().errors]).toEqual([
    422,
    [expect.objectContaining({ field: 'interestFreeInstallments', code: 'invalid_installments' })],
  ])
  expect(await readFree({ maxInstallments: 3, interestFreeInstallments: 3 })).toEqual([3, 3, 3])
  expect(await readFree({ maxInstallments: 12, interestFreeInstallments: 1 })).toEqual([1, 1, 12])
  expect(await readFree({ interestFreeInstallments: null })).toEqual([null, 2, 12])
  expect(await readFree({ interestMode: 'absorb' })).toEqual([null, 12, 12])
  expect((await patch(company, link, { interestFreeInstallments: 12 })).statusCode).toBe(200)
  expect(await readFree({ methods: ['pix'] })).toEqual([null, 0, 0])
})
