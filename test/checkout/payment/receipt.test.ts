// The receipt of a payment, and the payer's way back to the company.
import { createHmac } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { findCompany } from '../../../src/companies/company.ts'
import { decryptRedirectSecret } from '../../../src/companies/redirect-secret.ts'
import { eq } from '../../../src/database/drizzle.ts'
import { transactions } from '../../../src/database/tables.ts'
import {
  buildTestCard,
  openCheckout,
  openPayerBrowser,
  PIX,
  readPageText,
} from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { app, clock, db, cipher } = testApp
const { newLink, pay, read, editLink, editCompany } = openCheckout(testApp)

afterEach(() => {
  clock.offsetMs = 0
})

test('the receipt of a card says all that was charged', async () => {
  const link = await newLink({ maxInstallments: 3, interestMode: 'pass_to_customer' })
  await editCompany(link.companyId, { taxId: '11222333000181', supportEmail: 'oi@padaria.com.br' })
  const { url, browser, row } = await pay(
    link,
    buildTestCard('ok', { installments: 3, cardLast4: '4242' }),
  )

  const receipt = readPageText((await browser.get(url)).body)

  for (const line of [
    'Comprovante de pagamento',
    'CNPJ 11.222.333/0001-81',
    'Bolo de cenoura',
    'R$ 100,00',
    'Cartão de crédito Visa •••• 4242',
    '3x de R$ 35,35',
    'R$ 106,05',
    'Maria da Silva',
    row.id,
    'Pagamento de teste, sem valor.',
    'oi@padaria.com.br',
  ]) {
    expect(receipt).toContain(line)
  }
  expect(receipt).not.toMatch(/529(982|[.•*])|maria@exemplo/)
})

test('the parts on a receipt add up to what was paid, in the language of its reader', async () => {
  const link = await newLink({ maxInstallments: 3 })
  const { url } = await pay(link, buildTestCard('ok', { installments: 3 }))

  const { body } = await app.inject({ url, headers: { 'accept-language': 'es' } })

  expect(readPageText(body)).toContain('3 × R$ 33,33 (la primera de R$ 33,34)')
})

test('the receipt of a Pix has its end-to-end id, and the time of São Paulo', async () => {
  const { url, browser, row } = await pay(await newLink(), PIX)
  await browser.post(`${url}/simulate`, {})
  const { approvedAt, pixEndToEndId } = await read(row.id)

  const { body } = await browser.get(url)

  // Brazil has had no summer time since 2019.
  const [day, time] = new Date(Date.parse(approvedAt!) - 3 * 3_600_000).toISOString().split(/[T.]/)
  const paidAt = `${day!.split('-').reverse().join('/')} às ${time} (horário de Brasília)`
  expect(readPageText(body)).toContain(pixEndToEndId)
  expect(readPageText(body)).toContain(paidAt)
  expect(body).toContain(`<time datetime="${approvedAt}">`)
  expect(decodeURIComponent(/https:\/\/wa\.me\/\?text=([^"]+)/.exec(body)![1]!)).toContain(
    `http://localhost:3000${url}`,
  )
})

test('the receipt has what the company asked, each answer as it was given', async () => {
  const customFields = [
    { key: 'aluno', label: 'Nome do aluno', type: 'text', required: true },
    { key: 'nascimento', label: 'Data de nascimento', type: 'date', required: false },
  ]
  const answers = { custom_aluno: 'Ana <b> 🧁', custom_nascimento: '2019-02-03' }
  const paid = await pay(await newLink({ customFields }), { ...buildTestCard('ok'), ...answers })

  const receipt = readPageText((await paid.browser.get(paid.url)).body)

  expect(receipt).toContain('Nome do aluno Ana <b> 🧁')
  expect(receipt).toContain('Data de nascimento 03/02/2019')
})

test('the receipt outlives the link', async () => {
  const link = await newLink()
  const { url, browser } = await pay(link, buildTestCard('ok'))

  await editLink(link.id, { status: 'archived' })

  const { statusCode, body } = await browser.get(url)
  expect(statusCode).toBe(200)
  expect(readPageText(body)).toContain('Comprovante de pagamento')
  expect(readPageText(body)).not.toContain('Fazer outro pagamento')
})

test.each([
  ['anybody', true, {}],
  ['one order of the company’s', false, { externalReference: 'pedido-7' }],
  ['one customer', false, { linkedCustomerId: 'of the payment' }],
])('the receipt of a link for %s offers another payment: %s', async (_whom, isOffered, changes) => {
  const link = await newLink()
  const { url, browser, row } = await pay(link, buildTestCard('ok'))
  const linkedCustomerId = 'linkedCustomerId' in changes ? row.customerId : null
  await editLink(link.id, { ...changes, linkedCustomerId })

  const page = readPageText((await browser.get(url)).body)

  expect(page.includes('Fazer outro pagamento')).toBe(isOffered)
})

test('the way back to the company is signed, and keeps what was in its address', async () => {
  const own = 'pedido=7&a=b%20c&til=a~b&bandeira&u=a/b&s=x+y'
  const redirectUrl = `https://loja.com.br/obrigado?${own}&status=novo&%73ig=0#fim`
  const link = await newLink({ redirectUrl })
  const { url, browser, row, response } = await pay(link, buildTestCard('ok'))

  const { body } = await browser.get(url)

  expect(response.headers.location).toBe(url)
  const back = new URL(readPageText(/href="([^"]*)" data-return/.exec(body)![1]!))
  const { transactionId, slug, status, testMode, ts, sig } = Object.fromEntries(back.searchParams)
  expect({ transactionId, slug, status, testMode }).toEqual({
    transactionId: row.id,
    slug: link.slug,
    status: 'approved',
    testMode: 'true',
  })
  expect(Math.abs(Number(ts) - Date.now() / 1000)).toBeLessThan(60)
  const secret = decryptRedirectSecret(cipher, (await findCompany(db, link.companyId))!)
  const signed = [transactionId, slug, status, testMode, ts].join('.')
  const expected = createHmac('sha256', secret).update(signed)
  expect(sig).toBe(expected.digest('hex'))
  expect(back.href).toMatch(`https://loja.com.br/obrigado?${own}&transactionId=`)
  expect(back.searchParams.getAll('status').concat(back.searchParams.getAll('sig'))).toEqual([
    ...['approved', sig],
  ])
  expect(back.hash).toBe('#fim')
  expect(body).not.toContain('http-equiv="refresh"')
  expect(readPageText(body)).toContain('Voltar para loja.com.br')
})

test('only who hears of the approval is led back by itself; a receipt that is read later has the button', async () => {
  const link = await newLink({ redirectUrl: 'https://loja.com.br/' })
  const { url, browser } = await pay(link, PIX)
  await browser.post(`${url}/simulate`, {})
  const look = async (by: typeof browser) => {
    const { body } = await by.get(url)
    expect(readPageText(body)).toContain('Voltar para loja.com.br')
    return body.includes('data-return="10"')
  }
  const stranger = openPayerBrowser(app)
  await stranger.get(`/pagar/${link.slug}`)

  expect(await look(stranger)).toBe(false)
  expect(await look(browser)).toBe(true)
  expect(await look(browser)).toBe(false)
  expect((await browser.get(`/pagar/${link.slug}`)).headers.location).toBe(url)
})

test('a payer is not sent back before the approval', async () => {
  const link = await newLink({ redirectUrl: 'https://loja.com.br/' })

  for (const filled of [PIX, buildTestCard('funds'), buildTestCard('slow')]) {
    const { url, browser } = await pay(link, filled)
    expect((await browser.get(url)).body).not.toContain('loja.com.br')
  }
})

test('the company’s own message stands on the receipt in its lines, and nowhere before it', async () => {
  const link = await newLink({ successMessage: 'Obrigado!\n<b>Até sábado.</b>' })
  const { url, browser } = await pay(link, PIX)
  const before = await browser.get(url)
  await browser.post(`${url}/simulate`, {})

  const { body } = await browser.get(url)

  expect(before.body).not.toContain('Obrigado!')
  expect(body).toContain(
    '<p class="company-words" dir="auto">Obrigado!\n&lt;b&gt;Até sábado.&lt;/b&gt;</p>',
  )
})

test('the receipt of a payment that went back says how much, and is no approval when all did', async () => {
  const link = await newLink({ successMessage: 'Retire no balcão.' })
  const { url, browser, row } = await pay(link, PIX)
  await browser.post(`${url}/simulate`, {})

  for (const [status, chargedBackCents, words, isApproved] of [
    ['approved', 4_000, 'R$ 40,00 devolvidos pelo banco', true],
    ['partially_refunded', 0, 'R$ 25,00 devolvidos.', true],
    ['refunded', 0, 'R$ 100,00 devolvidos.', false],
    ['charged_back', 10_000, 'R$ 100,00 devolvidos pelo banco, depois de uma', false],
  ] as const) {
    const refundedCents = { partially_refunded: 2_500, refunded: 10_000 }[status as string] ?? 0
    const given = { status, chargedBackCents, refundedCents }
    await db.update(transactions).set(given).where(eq(transactions.id, row.id))

    const page = readPageText((await browser.get(url)).body)

    expect(page).toContain(words)
    expect(page.includes('Pagamento aprovado')).toBe(isApproved)
    expect(page.includes('Pagamento devolvido')).toBe(!isApproved)
    expect(page.includes('Retire no balcão.')).toBe(isApproved)
  }
})
