// What a change of a link touches, and what it is refused for.
import { expect, test } from 'vitest'
import { newId } from '../../src/database/id.ts'
import { HOUR_MS, LINKS_PATH, openLinkApi } from '../support/link-api.ts'
import { openCheckout } from '../support/payer.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { clock, newCompany } = testApp
const { readLink } = openCheckout(testApp)
const { inHours, create, send, patch } = openLinkApi(testApp)

const CARD = ['pix', 'credit_card']

test('a change touches what it names and nothing else, and moves updatedAt', async () => {
  const company = await newCompany()
  const link = await create(company, { description: 'Com cobertura', tags: ['doce'] })
  clock.offsetMs += 1_000

  const response = await patch(company, link, { title: 'Torta', amountCents: 2490 })

  expect(response.statusCode).toBe(200)
  const { updatedAt, ...changed } = response.json()
  const { updatedAt: before, ...rest } = link
  expect(changed).toEqual({
    ...rest,
    title: 'Torta',
    amountCents: 2490,
    paymentsCount: 0,
    amountReceivedCents: 0,
    recipients: [],
  })
  expect(updatedAt > before).toBe(true)
  expect((await company.get(`${LINKS_PATH}/${link.slug}`)).json()).toEqual(response.json())
})

test('a change to what it is already is none', async () => {
  const company = await newCompany()
  const fields = { tags: ['doce'], metadata: { a: '1' }, expiresAt: inHours(5), maxPayments: 3 }
  const link = await create(company, fields)
  clock.offsetMs += 1_000

  for (const changes of [{}, { ...fields, title: link.title, status: 'active' }]) {
    expect((await patch(company, link, changes)).json()).toMatchObject(link)
  }
})

test('every field may change, by the slug as well', async () => {
  const company = await newCompany()
  const { slug } = await create(company)
  const changes = {
    title: 'Torta',
    description: 'De maçã',
    amountCents: 5_000,
    methods: ['credit_card', 'pix'],
    maxInstallments: 6,
    interestMode: 'pass_to_customer',
    interestFreeInstallments: 3,
    pixDiscountBps: 0,
    status: 'inactive',
    tags: ['a', 'b'],
    redirectUrl: 'https://loja.com.br/obrigado',
    expiresAt: inHours(5),
    maxPayments: 3,
    remindEveryDays: 7,
    externalReference: 'A-1',
    metadata: { pedido: '1' },
    inactiveMessage: 'Volte amanhã',
  }

  const response = await send('PATCH', company, slug, changes)

  expect(response.statusCode).toBe(200)
  expect(response.json()).toMatchObject(changes)
})

test('null empties a field that may be empty, and description is left out again', async () => {
  const company = await newCompany()
  const filled = {
    description: 'Com cobertura',
    redirectUrl: 'https://loja.com.br/obrigado',
    expiresAt: inHours(1),
    maxPayments: 3,
    externalReference: 'A-1',
    inactiveMessage: 'Volte amanhã',
  }
  const link = await create(company, filled)
  const empty = Object.fromEntries(Object.keys(filled).map((key) => [key, null]))

  const response = await patch(company, link, { ...empty, linkedCustomerId: null })

  const { description: _, ...nulls } = empty
  expect(response.json()).toMatchObject(nulls)
  expect(response.json()).not.toHaveProperty('description')
})

test('an answer sent back as it came changes nothing but updatedAt', async () => {
  const company = await newCompany()
  const link = await create(company, { expiresAt: inHours(1), maxPayments: 2, methods: CARD })
  const answer = (await company.get(`${LINKS_PATH}/${link.id}`)).json()
  clock.offsetMs += 1_000

  const response = await patch(company, link, answer)

  expect(response.statusCode).toBe(200)
  expect({ ...response.json(), updatedAt: '' }).toEqual({ ...answer, updatedAt: '' })
})

test('an expiry that has passed may be sent back unchanged, but not set', async () => {
  const company = await newCompany()
  const link = await create(company, { expiresAt: inHours(1), status: 'inactive' })
  clock.offsetMs += 2 * HOUR_MS

  const echoed = await patch(company, link, { title: 'Torta', expiresAt: link.expiresAt })
  const moved = await patch(company, link, { expiresAt: inHours(-0.5) })

  expect(echoed.statusCode).toBe(200)
  expect(moved.json().errors).toMatchObject([{ field: 'expiresAt', code: 'invalid_date' }])
})

test('a link left with Pix alone has one installment, unless more are asked for', async () => {
  const company = await newCompany()
  const link = await create(company, { methods: CARD, maxInstallments: 12 })

  const refused = [
    await patch(company, link, { methods: ['pix'], maxInstallments: 2 }),
    await patch(company, await create(company), { maxInstallments: 2 }),
  ]
  const changed = await patch(company, link, { methods: ['pix'] })

  expect(changed.json()).toMatchObject({ methods: ['pix'], maxInstallments: 1 })
  for (const response of refused) {
    expect(response.statusCode).toBe(422)
    expect(response.json().errors).toMatchObject([
      { field: 'maxInstallments', message: 'Para links somente Pix, maxInstallments deve ser 1.' },
    ])
  }
})

test('what a change may not be is refused by name, and nothing is changed', async () => {
  const company = await newCompany()
  const link = await create(company)
  const refused = {
    ...{ status: 'expired', title: null, amountCents: 999, methods: [], maxPayments: 0 },
    ...{ remindEveryDays: 31, expiresAt: '2020-01-01T00:00:00Z', linkedCustomerId: newId() },
    ...{ maxInstalments: 2 },
  }

  for (const [field, value] of Object.entries(refused)) {
    const response = await patch(company, link, { [field]: value })

    expect(response.statusCode, field).toBe(422)
    expect(response.json()).toMatchObject({ code: 'validation_error', errors: [{ field }] })
  }
  expect((await readLink(link.id)).updatedAt).toBe(link.updatedAt)
})

test('metadata that changes joins what the link has, and null takes a pair out', async () => {
  const company = await newCompany()
  const link = await create(company, { metadata: { pedido: '1', canal: 'loja' } })

  const joined = await patch(company, link, { metadata: { canal: 'site', vendedora: 'Ana' } })
  const taken = await patch(company, link, { metadata: { pedido: null, nada: null } })
  const untouched = await patch(company, link, { title: 'Outro' })

  expect(joined.json().metadata).toEqual({ pedido: '1', canal: 'site', vendedora: 'Ana' })
  expect(taken.json().metadata).toEqual({ canal: 'site', vendedora: 'Ana' })
  expect(untouched.json().metadata).toEqual({ canal: 'site', vendedora: 'Ana' })
})

test('keys of metadata that are one and the same are refused, whatever each would do', async () => {
  const company = await newCompany()
  const link = await create(company, { metadata: { pedido: '1' } })

  const refused = await patch(company, link, { metadata: { pedido: '2', ' pedido': null } })
  const asked = await company.get(`${LINKS_PATH}?metadata[pedido]=1&metadata[pedido%20]=2`)

  for (const answer of [refused, asked]) {
    expect(answer.statusCode).toBe(422)
    expect(answer.json().errors).toMatchObject([{ field: 'metadata.pedido', code: 'repeated' }])
  }
})

test('metadata may come to twenty pairs, and not to one more', async () => {
  const company = await newCompany()
  const pairs = (from: number, to: number, value: string | null = 'x') =>
    Object.fromEntries(Array.from({ length: to - from }, (_, i) => [`k${from + i}`, value]))
  const link = await create(company, { metadata: pairs(0, 19) })

  const full = await patch(company, link, { metadata: pairs(19, 20) })
  const crowded = await patch(company, link, { metadata: pairs(20, 21) })
  const swapped = await patch(company, link, {
    metadata: { ...pairs(20, 21), ...pairs(0, 1, null) },
  })

  expect([full.statusCode, crowded.statusCode, swapped.statusCode]).toEqual([200, 422, 200])
  expect(crowded.json().errors).toMatchObject([{ field: 'metadata', code: 'too_big' }])
})
