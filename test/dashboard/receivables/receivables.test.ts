import { expect, test } from 'vitest'
import { listAudit } from '../../../src/companies/audit.ts'
import { findCompany } from '../../../src/companies/company.ts'
import { getEntries } from '../../../src/record.ts'
import { openCompanyClient } from '../../support/dashboard/client.ts'
import { readFormErrors, readPage } from '../../support/dashboard/links.ts'
import { openCheckout, PIX, readFormFields, readPageText } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { app, db } = testApp
const { newLink, pay, editCompany } = openCheckout(testApp)

const TERMS = '/painel/recebimentos'

const FILLED = {
  interestRate: '3,49',
  interestFreeUpTo: '2',
  minInstallment: '10,00',
  pixDiscount: '7,5',
  pixMinutes: '60',
  defaultMaxInstallments: '6',
  defaultInterestMode: 'pass_to_customer',
  example: '1.000,00',
}

const openClient = () => openCompanyClient(testApp)

test('the terms count on the checkout at once', async () => {
  const { company, dashboardClient } = await openClient()
  const link = await newLink(
    { maxInstallments: 12, interestMode: 'pass_to_customer', amountCents: 4_000 },
    company,
  )
  const before = readPageText((await app.inject(`/pagar/${link.slug}`)).body)

  const response = await dashboardClient.post(TERMS, { ...FILLED, askPhone: 'on' })
  const page = await readPage(dashboardClient, response.headers.location!)

  expect(response.statusCode).toBe(303)
  expect(page).toContain('Recebimentos salvos.')
  expect(page).toContain('value="3,49"')
  expect(page).toMatch(/id="askPhone"[^>]* checked/)
  expect(before).toContain('2x de R$ 20,90 R$ 41,80 2,99% a.m.')
  expect(before).not.toContain('Celular com DDD')
  const seen = async () => readPageText((await app.inject(`/pagar/${link.slug}`)).body)
  await expect.poll(seen).toContain('2x de R$ 20,00 R$ 40,00 sem juros')
  expect(await seen()).toContain('3x de R$ 14,27 R$ 42,81 3,49% a.m.')
  expect(await seen()).toContain('4x de R$ 10,89')
  expect(await seen()).not.toContain('5x de')
  expect(await seen()).toContain('Celular com DDD')
  expect(await seen()).toContain('R$ 40,00, ou R$ 37,00 no Pix (7,5% de desconto)')
  const { row } = await pay(await newLink({}, company), { ...PIX, phone: '11987654321' })
  expect(Date.parse(row.expiresAt!) - Date.parse(row.createdAt)).toBe(60 * 60_000)
})

test('cards without a CPF are a box where the provider takes them, and stay as they are where not', async () => {
  const { company, dashboardClient } = await openClient()
  const isOn = async () => (await findCompany(db, company.id))?.acceptsForeignDocuments
  const BOX = /type="checkbox" id="acceptsForeignDocuments"/
  expect(await readPage(dashboardClient, TERMS)).toMatch(BOX)
  await dashboardClient.post(TERMS, { ...FILLED, acceptsForeignDocuments: 'on' })
  expect(await isOn()).toBe(true)
  await editCompany(company.id, { cardProvider: 'mercadopago' })

  const page = await readPage(dashboardClient, TERMS)
  const { acceptsForeignDocuments = '' } = readFormFields(page)
  await dashboardClient.post(TERMS, { ...FILLED, acceptsForeignDocuments })

  expect(page).not.toMatch(BOX)
  expect(await isOn()).toBe(true)
})

test('what changed is told in the audit log in the words of the page', async () => {
  const { company, dashboardClient } = await openClient()
  await dashboardClient.post(TERMS, FILLED)
  await dashboardClient.post(TERMS, { ...FILLED, interestRate: '3.49 %' })

  const entries = await listAudit(db, company.id, { limit: 5 })

  expect(entries).toHaveLength(1)
  expect(entries[0]).toMatchObject({
    ...{ action: 'settings_changed', actor: dashboardClient.email },
    details: {
      interestRateBps: 'taxa de juros: 2,99% → 3,49%',
      minInstallmentCents: 'parcela mínima: R$\u00a05,00 → R$\u00a010,00',
      pixDiscountBps: 'desconto no Pix: 0% → 7,5%',
      pixExpirySeconds: 'validade do Pix: 30 min → 60 min',
      interestFreeUpTo: 'parcelas sem juros: 1 → 2',
      defaultMaxInstallments: 'parcelas de novos links: 1 → 6',
      defaultInterestMode: 'juros de novos links: Por conta da empresa → Por conta do pagador',
    },
  })
})

const RATE = 'Informe a taxa por mês, de 0 a 15,00%'
const MINUTES = 'Informe os minutos, de 5 a 10.080'

const WRONG: Record<string, [string[], string]> = {
  interestRate: [['', '15,01', '-1', '2,999'], RATE],
  interestFreeUpTo: [['0', '13'], 'de 1 a 12 parcelas'],
  minInstallment: [['0,99', '1.000,01', 'x'], 'em reais|mínimo é R\\$.1,00|máximo é R\\$.1.000,00'],
  pixDiscount: [['50,01', 'metade'], 'Informe um desconto de 0 a 50%'],
  pixMinutes: [['4', '10081', '30,5', '1e3'], MINUTES],
  defaultMaxInstallments: [['13'], 'de 1 a 12 parcelas'],
  defaultInterestMode: [['split'], 'Use um destes valores'],
}

test('minutes are read with the dot of thousands too', async () => {
  const { company, dashboardClient } = await openClient()

  await dashboardClient.post(TERMS, { ...FILLED, pixMinutes: ' 1.440\u200b' })

  expect((await findCompany(db, company.id))?.pixExpirySeconds).toBe(86_400)
})

test('what is wrong is refused, each at its field, what was typed stays, and nothing changes', async () => {
  const { company, dashboardClient } = await openClient()
  const before = await findCompany(db, company.id)

  for (const nth of [0, 1, 2, 3]) {
    const wrong = getEntries(WRONG).flatMap(([field, [typed, sentence]]) =>
      typed[nth] === undefined ? [] : [{ field, typed: typed[nth], sentence }],
    )
    const form = Object.fromEntries(wrong.map(({ field, typed }) => [field, typed]))

    const response = await dashboardClient.post(TERMS, { ...FILLED, ...form })

    expect(response.statusCode).toBe(422)
    const errors = wrong.map(({ field, sentence }) => [field, expect.stringMatching(sentence)])
    expect(readFormErrors(response.body).toSorted()).toEqual(errors.toSorted())
  }
  expect(await findCompany(db, company.id)).toEqual(before)
  const typed = { ...FILLED, pixMinutes: '"9"', askPhone: 'on' }
  const { body } = await dashboardClient.post(TERMS, typed)
  expect(body).toContain('value="3,49"')
  expect(body).toContain('value="&quot;9&quot;"')
  expect(body).toMatch(/id="askPhone"[^>]* checked/)
  expect(body).toContain('<title>Erro: Recebimentos')
  expect(readPageText(body)).toContain('3x R$ 356,87 total R$ 1.070,61')
  for (const [interestRate, interestRateBps] of [
    ['0', 0],
    ['15', 1500],
    ['2.99%', 299],
  ] as const) {
    await dashboardClient.post(TERMS, { ...FILLED, interestRate })
    expect(await findCompany(db, company.id)).toMatchObject({ interestRateBps })
  }
})

test('the preview shows both ways to bear the interest, and what is too small to be offered', async () => {
  const { dashboardClient } = await openClient()
  const query = new URLSearchParams({ ...FILLED, minInstallment: '300,00' })

  const { statusCode, body } = await dashboardClient.get(`${TERMS}/previa?${query}`)

  expect(statusCode).toBe(200)
  expect(body).not.toContain('<html')
  const text = readPageText(body)
  expect(text).toContain('1x R$ 1.000,00 à vista R$ 1.000,00 à vista')
  expect(text).toContain('2x R$ 500,00 sem juros R$ 500,00 sem juros')
  expect(text).toContain('3x R$ 356,87 total R$ 1.070,61 R$ 333,33 sem juros')
  expect(text).not.toContain('4x')
  expect(text).toContain('“3x de R$ 356,87 com juros (total R$ 1.070,61)”')
  expect(text).toContain('R$ 925,00 no Pix (7,5% de desconto)')
  expect(text).toContain('Parcelas abaixo de R$ 300,00 não são oferecidas.')
  expect(text).toContain('Novos links começam com até 6x, juros por conta do pagador.')
})

test('the preview waits for what cannot be read, and where the provider quotes installments it still says what a Pix costs', async () => {
  const { company, dashboardClient } = await openClient()
  const preview = async (more: Record<string, string> = {}) =>
    readPage(dashboardClient, `${TERMS}/previa?${new URLSearchParams({ ...FILLED, ...more })}`)

  const waiting = [await preview({ example: '<script>' }), await preview({ interestRate: '99' })]
  await editCompany(company.id, { cardProvider: 'mercadopago' })
  const quoted = readPageText(await preview())

  for (const body of waiting) {
    expect(body).toContain('para ver a prévia')
    expect(body).not.toContain('<script>')
  }
  expect(quoted).toContain('Quem define os juros é o Mercado Pago')
  expect(quoted).toContain('R$ 925,00 no Pix (7,5% de desconto)')
})

test('without JavaScript a button shows the preview, and nothing is saved', async () => {
  const { company, dashboardClient } = await openClient()

  const typed = { ...FILLED, example: '500', interestFreeUpTo: '1', preview: 'sim' }
  const { statusCode, body } = await dashboardClient.post(TERMS, typed)

  expect(statusCode).toBe(200)
  expect(readPageText(body)).toContain('2x R$ 263,16 total R$ 526,32')
  expect(body).toContain('value="500"')
  expect(await findCompany(db, company.id)).toMatchObject({ interestRateBps: 299 })
})
