// Links archived, copied and quoted.
import { expect, test } from 'vitest'
import { formatBrl } from '../../src/format.ts'
import { HOUR_MS, LINKS_PATH, openLinkApi } from '../support/link-api.ts'
import { openCheckout, readPageText } from '../support/payer.ts'
import { MINIMAL_LINK, openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { app, clock, newCompany } = testApp
const { pay, readLink, listEventTypes } = openCheckout(testApp)
const { inHours, create, patch, archive, paidLink, approve } = openLinkApi(testApp)

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
  await expect.poll(async () => (await app.inject(`/pagar/${link.slug}`)).statusCode).toBe(410)
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

test('a copy has the fields of its source, its own address, and nothing paid', async () => {
  const { company, link } = await paidLink({ maxPayments: 1, description: 'Doce', tags: ['a'] })
  const source = (await company.get(`${LINKS_PATH}/${link.id}`)).json()

  const response = await company.post(`${LINKS_PATH}/${link.slug}/duplicate`, {})

  const copy = response.json()
  expect(response.statusCode).toBe(201)
  expect(response.headers.location).toBe(`${LINKS_PATH}/${copy.id}`)
  const { paymentsCount: _, amountReceivedCents: __, ...fields } = source
  const own = ['id', 'slug', 'url', 'createdAt', 'updatedAt', 'status']
  for (const key of own) expect(copy[key]).not.toBe(source[key])
  const shared = Object.entries(fields).filter(([key]) => !own.includes(key))
  expect(copy).toMatchObject({ ...Object.fromEntries(shared), status: 'active' })
  expect((await company.get(`${LINKS_PATH}/${copy.id}`)).json().paymentsCount).toBe(0)
})

test('a copy may differ, needs no body, and takes no expiry that has passed', async () => {
  const company = await newCompany()
  const link = await create(company, { methods: CARD, maxInstallments: 6, expiresAt: inHours(1) })
  clock.offsetMs += 2 * HOUR_MS
  await archive(company, link.id)
  const path = `${LINKS_PATH}/${link.id}/duplicate`
  const headers = { authorization: `Bearer ${company.key}` }

  const bare = await app.inject({ method: 'POST', url: path, headers })
  const other = await company.post(path, { methods: ['pix'], status: 'inactive', title: 'Torta' })
  const wrong = [
    await company.post(path, { titel: 'Torta' }),
    await company.post(path, { methods: ['pix'], maxInstallments: 3 }),
    await company.post(path, { expiresAt: inHours(-1) }),
  ]

  expect([bare.statusCode, bare.json().expiresAt, bare.json().status]).toEqual([
    201,
    null,
    'active',
  ])
  expect(other.json()).toMatchObject({ title: 'Torta', status: 'inactive', maxInstallments: 1 })
  expect(wrong.map((response) => response.json().errors[0].field)).toEqual([
    'titel',
    'maxInstallments',
    'expiresAt',
  ])
})

test('a copy that is asked for twice with one key is made once', async () => {
  const company = await newCompany()
  const { id } = await create(company)
  const ask = () =>
    app.inject({
      method: 'POST',
      url: `${LINKS_PATH}/${id}/duplicate`,
      headers: { authorization: `Bearer ${company.key}`, 'idempotency-key': 'copia-1' },
      payload: { title: 'Torta' },
    })

  const answers = [await ask(), await ask()]

  expect(answers[1]!.json()).toEqual(answers[0]!.json())
  expect((await company.get(LINKS_PATH)).json().data).toHaveLength(2)
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
  const pix = await create(company)
  expect((await company.get(`${LINKS_PATH}/${pix.id}/installments`)).json()).toEqual({ data: [] })
})

test("another company's link can be neither changed, archived, copied nor quoted", async () => {
  const [ours, theirs] = [await newCompany(), await newCompany()]
  const { id } = await create(theirs)

  const answers = [
    await patch(ours, { id }, { title: 'Meu' }),
    await archive(ours, id),
    await ours.post(`${LINKS_PATH}/${id}/duplicate`, {}),
    await ours.get(`${LINKS_PATH}/${id}/installments`),
    await archive(ours, 'não existe'),
  ]

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404, 404])
  expect(await readLink(id)).toMatchObject({ title: MINIMAL_LINK.title, status: 'active' })
})
