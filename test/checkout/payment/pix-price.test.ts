// A link that costs less by Pix, and has installments without interest of its own: what is quoted is what is shown,
// charged, told and booked, to the same cent.
import { expect, test } from 'vitest'
import { checkBook } from '../../../src/commands/doctor/integrity.ts'
import { eq } from '../../../src/database/drizzle.ts'
import { events, incomingPayments } from '../../../src/database/tables.ts'
import { paySandboxPix } from '../../../src/providers/sandbox/sandbox.ts'
import { toDay } from '../../../src/reports/days.ts'
import { checkPayment } from '../../../src/transactions/check.ts'
import {
  AGAIN,
  buildTestCard,
  openCheckout,
  openPayerBrowser,
  PIX,
  readPageText,
} from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'
import { openRefunds } from '../../support/transactions/refunds.ts'

const testApp = await openTestApp()
const { app, clock, db, needs, newCompany } = testApp
const { newLink, pay, read, editLink, editCompany, chargeOf } = openCheckout(testApp)
const { requestRefund } = openRefunds(testApp)

const PRICE = 12_345
const PIX_PRICE = 11_419
const DISCOUNT = 926

const newCheaperLink = (company = newCompany()) =>
  company.then((owner) =>
    newLink(
      {
        ...{ amountCents: PRICE, pixDiscountBps: 750, interestMode: 'pass_to_customer' },
        ...{ maxInstallments: 3, interestFreeInstallments: 2 },
      },
      owner,
    ),
  )

async function payCode(id: string, amountCents: number) {
  await paySandboxPix(db, { transactionId: id, amountCents }, clock.now())
  return checkPayment(needs, await read(id))
}

test('a Pix that costs less, installments without interest and with it: quoted, charged, told and booked alike', async () => {
  const company = await newCompany()
  const link = await newCheaperLink(Promise.resolve(company))
  const get = async (path: string) => (await company.get(path)).json()
  const { data: quotes, pix } = await get(`/api/payment-links/${link.id}/installments`)
  const quoted = [pix.totalCents, quotes[1].totalCents, quotes[2].totalCents]

  const { row, browser, url } = await pay(link)
  const code = readPageText((await browser.get(url)).body)
  await payCode(row.id, pix.totalCents)
  const cards = [
    await pay(link, buildTestCard('ok', { installments: 2 })),
    await pay(link, buildTestCard('ok', { installments: 3 })),
  ]

  expect(pix).toMatchObject({ totalCents: PIX_PRICE, discountCents: DISCOUNT, discountBps: 750 })
  expect([quotes[1].interestCents, quotes[2].interestCents > 0]).toEqual([0, true])
  expect(code).toContain('Total: R$ 114,19')
  // Field 54 of a BR Code is its amount.
  expect(row.pixBrCode).toContain('5406114.19')
  const ids = [row.id, ...cards.map((card) => card.row.id)]
  const charged = await Promise.all(ids.map(chargeOf))
  expect(charged.map((charge) => charge!.amountCents)).toEqual(quoted)
  const paid = await Promise.all(ids.map((id) => get(`/api/transactions/${id}`)))
  const told = await db.select().from(events).where(eq(events.companyId, company.id))
  const shared = told.map(({ body }) => JSON.parse(body).data.transaction)
  for (const transaction of [...paid, ...shared]) {
    const { amountCents, interestCents, discountCents, totalCents } = transaction
    expect(totalCents).toBe(quoted[ids.indexOf(transaction.id)])
    expect(totalCents).toBe(amountCents + interestCents - discountCents)
    expect([amountCents, discountCents]).toEqual([
      PRICE,
      transaction.method === 'pix' ? DISCOUNT : 0,
    ])
  }
  expect(shared).toHaveLength(3)
  const receipt = readPageText((await browser.get(url)).body)
  expect(receipt).toContain('Valor R$ 123,45')
  expect(receipt).toContain('Desconto no Pix − R$ 9,26 Total pago R$ 114,19')
  const sum = quoted.reduce((a, b) => a + b)
  const month = toDay(paid[0].approvedAt).slice(0, 7)
  const closing = await get(`/api/reports/closing?month=${month}`)
  expect(closing.total.grossCents).toBe(sum)
  for (const line of closing.data) {
    const { priceCents, interestCents, discountCents, totalCents, transactionId } = line
    expect(totalCents).toBe(quoted[ids.indexOf(transactionId)])
    expect(totalCents).toBe(priceCents + interestCents - discountCents)
    expect(priceCents).toBe(PRICE)
  }
  expect(await get(`/api/payment-links/${link.id}`)).toMatchObject({
    ...{ paymentsCount: 3, amountReceivedCents: sum },
  })
  expect((await company.get('/api/transactions.csv')).body).toMatch(
    /123,45;0,00;114,19.*;9,26;Banco de teste;11222333000181\r/,
  )
  expect((await requestRefund(company, row.id, { amountCents: PIX_PRICE + 1 })).statusCode).toBe(
    422,
  )
  expect((await requestRefund(company, row.id)).json()).toMatchObject({ amountCents: PIX_PRICE })
  expect((await requestRefund(company, row.id)).statusCode).toBe(409)
  expect(await checkBook(db)).toMatchObject({ status: 'ok' })
})

test.each([
  ['pt', 'R$ 123,45, ou R$ 114,19 no Pix (7,5% de desconto)', 'Pagar R$ 114,19 com Pix'],
  ['en', 'R$123.45, or R$114.19 by Pix (7.5% off)', 'Pay R$114.19 with Pix'],
  ['es', 'R$ 123,45, o R$ 114,19 con Pix (7,5% de descuento)', 'Pagar R$ 114,19 con Pix'],
])('in %s the page and its preview say both prices: %s', async (lang, prices, button) => {
  const link = await newCheaperLink()

  const { body } = await app.inject(`/pagar/${link.slug}?lang=${lang}`)

  const text = readPageText(body)
  expect(text).toContain(prices)
  expect(text).toContain(button)
  const [, preview] = body.match(/property="og:description" content="([^"]+)"/)!
  expect(preview!.replaceAll('\u00a0', ' ')).toContain(`Bolo de cenoura · ${prices} · `)
})

test('less than its price is held, and accepted without a discount; more than that is a surplus', async () => {
  const company = await newCompany()
  const link = await newCheaperLink(Promise.resolve(company))
  const [short, whole] = [await pay(link), await pay(link)]

  const held = await payCode(short.row.id, PIX_PRICE - 1)
  const approved = await payCode(whole.row.id, PRICE)
  const accepted = await company.post(`/api/transactions/${short.row.id}/accept`, {})

  expect(held).toMatchObject({ holdReason: expect.any(String), receivedCents: PIX_PRICE - 1 })
  expect(accepted.json()).toMatchObject({
    ...{ status: 'approved', amountCents: PIX_PRICE - 1, discountCents: 0 },
    totalCents: PIX_PRICE - 1,
  })
  expect(approved).toMatchObject({ status: 'approved', totalCents: PIX_PRICE })
  const booked = db.select().from(incomingPayments)
  expect(await booked.where(eq(incomingPayments.transactionId, approved.id))).toMatchObject([
    { amountCents: PRICE, surplusCents: DISCOUNT },
  ])
  expect(await checkBook(db)).toMatchObject({ status: 'ok' })
})

test('an expired Pix is not renewed at another price than its payer was shown', async () => {
  const link = await newCheaperLink()
  const { browser, url } = await pay(link)
  clock.offsetMs += 31 * 60_000
  await editLink(link.id, { pixDiscountBps: 0 })

  const renewed = await browser.post(`${url}/renew`, {})

  clock.offsetMs = 0
  expect(renewed.statusCode).toBe(409)
  expect(readPageText(renewed.body)).toContain('O valor deste link mudou.')
  expect(readPageText(renewed.body)).toContain('Pagar R$ 123,45 com Pix')
})

test('an expired Pix is renewed at a new price that its page showed', async () => {
  const link = await newCheaperLink()
  const { browser, url } = await pay(link)
  clock.offsetMs += 31 * 60_000
  await editLink(link.id, { amountCents: 20_000, pixDiscountBps: 0 })
  const page = await browser.get(url)

  const stale = await browser.post(`${url}/renew?price=${PIX_PRICE}`, {})
  const renewed = await browser.post(`${url}/renew?price=20000`, {})

  clock.offsetMs = 0
  expect(readPageText(page.body)).toContain('R$ 200,00')
  expect([stale.statusCode, renewed.statusCode]).toEqual([409, 303])
  expect(readPageText((await browser.get(renewed.headers.location!)).body)).toContain('R$ 200,00')
})

test('the company’s discount is for links without their own, in its simulated payments too', async () => {
  const company = await newCompany()
  await editCompany(company.id, { pixDiscountBps: 1_000 })
  const [plain, full] = [await newLink({}, company), await newLink({ pixDiscountBps: 0 }, company)]
  const simulate = async ({ id }: { id: string }, body: object = {}) =>
    (await company.post(`/api/payment-links/${id}/simulate-payment`, body)).json()

  const card = await simulate(plain, { method: 'credit_card' })

  expect(await simulate(plain)).toMatchObject({ status: 'approved', totalCents: 9_000 })
  expect(await simulate(full)).toMatchObject({ totalCents: 10_000, discountCents: 0 })
  expect(card).toMatchObject({ totalCents: 10_000, discountCents: 0 })
  expect((await pay(plain)).row).toMatchObject({ totalCents: 9_000 })
  expect((await openPayerBrowser(app).pay(full, PIX, AGAIN)).statusCode).toBe(303)
})
