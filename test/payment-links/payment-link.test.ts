import { expect, test } from 'vitest'
import { eq } from '../../src/database/drizzle.ts'
import { newId } from '../../src/database/id.ts'
import { companies, customers } from '../../src/database/tables.ts'
import { CHECKOUT_URL, MINIMAL_LINK, openTestApp } from '../support/test-app.ts'

const { db, newCompany } = await openTestApp()

const LINKS = '/api/payment-links'
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

test('the four fields of the specification are enough to create a link', async () => {
  const company = await newCompany()

  const response = await company.post(LINKS, MINIMAL_LINK)

  const link = response.json()
  expect(response.statusCode).toBe(201)
  expect(response.headers).toMatchObject({
    location: `/api/payment-links/${link.id}`,
    'content-type': 'application/json; charset=utf-8',
  })
  expect(link).toEqual({
    ...MINIMAL_LINK,
    id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/),
    slug: expect.stringMatching(/^[2-9A-HJ-NP-Za-km-z]{10}$/),
    url: `${CHECKOUT_URL}/${link.slug}`,
    maxInstallments: 1,
    interestMode: 'absorb',
    interestFreeInstallments: null,
    pixDiscountBps: null,
    status: 'active',
    threeDsMode: 'always',
    tags: [],
    redirectUrl: null,
    linkedCustomerId: null,
    expiresAt: null,
    maxPayments: null,
    remindEveryDays: null,
    externalReference: null,
    metadata: {},
    inactiveMessage: null,
    customFields: [],
    imageUrl: null,
    successMessage: null,
    statementDescriptor: null,
    testMode: true,
    createdAt: expect.stringMatching(INSTANT),
    updatedAt: link.createdAt,
  })
})

test('only title, amount and methods have no default', async () => {
  const company = await newCompany()
  const { priceMode: _, ...three } = MINIMAL_LINK

  expect((await company.post(LINKS, three)).json().priceMode).toBe('fixed')
  expect((await company.post(LINKS, {})).json().errors).toEqual(
    ['title', 'amountCents', 'methods'].map((field) => ({
      field,
      code: 'required',
      message: 'Campo obrigatório.',
    })),
  )
})

test('a link starts from the settings of its company, where it can have installments', async () => {
  const company = await newCompany()
  await db
    .update(companies)
    .set({ defaultMaxInstallments: 6, defaultInterestMode: 'pass_to_customer' })
    .where(eq(companies.id, company.id))

  const links = await Promise.all(
    [
      {},
      { methods: ['credit_card'] },
      { methods: ['credit_card'], maxInstallments: 3, interestMode: 'absorb' },
    ].map(async (fields) => (await company.post(LINKS, { ...MINIMAL_LINK, ...fields })).json()),
  )

  expect(links).toMatchObject([
    { maxInstallments: 1, interestMode: 'pass_to_customer' },
    { maxInstallments: 6, interestMode: 'pass_to_customer' },
    { maxInstallments: 3, interestMode: 'absorb' },
  ])
})

test('what a response carries may be sent back, and is ignored', async () => {
  const company = await newCompany()
  const first = (await company.post(LINKS, MINIMAL_LINK)).json()
  const echoed = { ...first, paymentsCount: 9, amountReceivedCents: 9_000, createdAt: 'ontem' }

  const response = await company.post(LINKS, echoed)

  const { id, slug, url, createdAt, updatedAt, ...rest } = response.json()
  expect(response.statusCode).toBe(201)
  expect(first).toMatchObject(rest)
  expect([id, slug, url]).not.toContain(first.id)
  expect(slug).not.toBe(first.slug)
  expect([createdAt, updatedAt]).toEqual([expect.stringMatching(INSTANT), createdAt])
})

test('a link is for a customer of its own company only', async () => {
  const [ours, theirs] = [await newCompany(), await newCompany()]
  const linkedCustomerId = newId()
  await db.insert(customers).values({ id: linkedCustomerId, companyId: ours.id, name: 'Maria' })
  const link = { ...MINIMAL_LINK, linkedCustomerId }

  expect((await ours.post(LINKS, link)).json()).toMatchObject({ linkedCustomerId })
  expect((await theirs.post(LINKS, link)).json().errors).toEqual([
    { field: 'linkedCustomerId', code: 'not_found', message: 'Cliente não encontrado.' },
  ])
})
