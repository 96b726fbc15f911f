// A card that is entered at the provider's own page: the sandbox's acquirer, where a company has chosen it.
import { afterEach, expect, test } from 'vitest'
import { chooseProvider } from '../../../src/providers/choose.ts'
import { reconcileDuePayments } from '../../../src/transactions/reconciliation/reconcile.ts'
import {
  newPayerAddress,
  openCheckout,
  openPayerBrowser,
  PIX,
  readPageText,
} from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { clock, db, needs, newCompany } = testApp
const checkout = openCheckout(testApp)
const { pay, read, listEventTypes, chargeOf, paymentsOf } = checkout

const CARD = { method: 'credit_card' }
const MINUTE_MS = 60_000
const END_MS = 30 * MINUTE_MS

afterEach(() => {
  clock.offsetMs = 0
})

async function newLink(more: object = {}) {
  const company = await newCompany()
  const choice = { companyId: company.id, method: 'credit_card', provider: 'sandbox-page' } as const
  await chooseProvider(db, { ...choice, now: clock.now() })
  return checkout.newLink(
    { maxInstallments: 3, interestMode: 'pass_to_customer', ...more },
    company,
  )
}

/** The payer has sent the form, and is at the acquirer's page. */
async function goThere(more: object = {}, filled: object = {}) {
  const link = await newLink(more)
  const paid = await pay(link, { ...CARD, ...filled })
  const page = new URL(paid.row.challengeUrl!).pathname
  const own = paid.url.replace(/\?.*/, '')
  return { link, ...paid, page, own }
}

test('the form has no field for a card, works without a script, and names the provider on its button', async () => {
  const link = await newLink({ methods: ['credit_card'] })

  const { body, headers } = await testApp.app.inject(`/pagar/${link.slug}`)

  expect(readPageText(body)).toContain('Continuar no ambiente seguro de Adquirente de teste')
  expect(readPageText(body)).toContain('2x de R$ 52,25')
  expect(body).not.toMatch(/cardToken|data-card-entry|needsScript|card-number/)
  expect(body).not.toContain('precisa de JavaScript')
  expect(headers['content-security-policy']).toContain("form-action 'self'")
})

test('the form leads to the payment’s page, which leads on once; the quote that was chosen is what is charged there', async () => {
  const { row, url, own, browser, response, page } = await goThere({}, { installments: '3' })

  expect(response.statusCode).toBe(303)
  expect(url).toMatch(/^\/pagar\/.*\?go=1$/)
  expect((await browser.get(url)).body).toContain(
    `<meta http-equiv="refresh" content="0;url=${row.challengeUrl}">`,
  )
  const back = await browser.get(own)
  expect(back.body).not.toContain('http-equiv="refresh"')
  expect(back.body).toContain(`href="${row.challengeUrl}"`)
  expect(readPageText((await browser.get(page)).body)).toContain(
    'R$ 106,05 Parcelas 3x de R$ 35,35',
  )
  expect(row).toMatchObject({ status: 'pending', totalCents: 10_605, cardLast4: null })
  expect(await chargeOf(row.id)).toMatchObject({ amountCents: 10_605, status: 'challenge' })
})

test.each([
  ['approve', { status: 'approved', cardBrand: 'visa', cardLast4: '4242' }, 'Pagamento aprovado'],
  ['refuse', { status: 'declined', declineCode: 'generic', abecsCode: '05' }, 'não autorizado'],
])(
  'a card that is to %s there ends the payment, however often its payer comes back',
  async (answer, end, heading) => {
    const { link, row, own, page, browser } = await goThere()

    const answered = await browser.post(page, { answer })
    const again = await browser.post(page, { answer: 'approve' })
    const shown = [await browser.get(own), await browser.get(`${own}?go=1`)]

    expect([answered, again].map(({ headers }) => headers.location)).toEqual([own, own])
    for (const { body } of shown) expect(readPageText(body)).toContain(heading)
    expect(await read(row.id)).toMatchObject(end)
    expect(await listEventTypes(link)).toEqual([`transaction.${end.status}`])
  },
)

test('a payer who comes back by the link, in another tab or by the back button, is at the same payment', async () => {
  const link = await newLink()
  const browser = openPayerBrowser(testApp.app)
  const send = await browser.fill(link, CARD)
  const { location: url } = (await send()).headers

  const opened = await browser.get(`/pagar/${link.slug}`)
  const resent = await send()

  expect(opened.headers.location).toBe(url?.replace('?go=1', ''))
  expect(resent.headers.location).toBe(url)
  expect(await paymentsOf(link)).toHaveLength(1)
})

test('a payer who never comes back has half an hour; then the payment has expired, and no other payer was held up by it', async () => {
  const { link, row, own, browser, page } = await goThere({ maxPayments: 1 })
  const other = await pay(link, CARD)
  expect(other.row.status).toBe('pending')

  clock.offsetMs = END_MS - 5_000
  await reconcileDuePayments(needs)
  expect(await read(row.id)).toMatchObject({ status: 'pending' })
  clock.offsetMs = END_MS + 1_000
  expect(readPageText((await browser.get(own)).body)).toContain('O prazo deste pagamento acabou')
  await reconcileDuePayments(needs)

  expect(await read(row.id)).toMatchObject({ status: 'expired', declineCode: null })
  await browser.post(page, { answer: 'approve' })
  expect(await read(row.id)).toMatchObject({ status: 'expired' })
  expect(new Set(await listEventTypes(link))).toEqual(new Set(['transaction.expired']))
})

test('what is paid there after the link was archived, or paid by another, is approved; the latter late', async () => {
  const archived = await goThere()
  const raced = await goThere({ maxPayments: 1 })
  const other = await pay(raced.link, CARD)
  await checkout.editLink(archived.link.id, { status: 'archived' })
  await other.browser.post(new URL(other.row.challengeUrl!).pathname, { answer: 'approve' })

  const soldOut = await raced.browser.get(raced.own)
  for (const { browser, page } of [archived, raced]) await browser.post(page, { answer: 'approve' })

  expect(readPageText(soldOut.body)).toContain('Não pague mais na página do provedor')
  expect(await read(archived.row.id)).toMatchObject({ status: 'approved', paidLate: false })
  expect(await read(raced.row.id)).toMatchObject({ status: 'approved', paidLate: true })
})

test('who pays otherwise leaves it, and its page is closed', async () => {
  const { link, row, page, browser } = await goThere()

  const { row: pix } = await pay(link, PIX, browser)
  await browser.post(page, { answer: 'approve' })

  expect(pix.status).toBe('pending')
  expect(await read(row.id)).toMatchObject({ status: 'canceled' })
  expect(await chargeOf(row.id)).toMatchObject({ status: 'voided' })
})

test('the Pix in place of a card that was left costs what its button said, or is asked again', async () => {
  const { link, browser, own } = await goThere({ pixDiscountBps: 1_000 })
  clock.offsetMs = END_MS + MINUTE_MS
  const { body } = await browser.get(own)
  await checkout.editLink(link.id, { pixDiscountBps: 0 })

  const action = /action="([^"]*renew[^"]*)"/.exec(body)?.[1]
  const renewed = await browser.post(action!.replaceAll('&amp;', '&'), {})

  expect(readPageText(body)).toContain('R$ 90,00')
  expect(renewed.statusCode).toBe(409)
  expect(readPageText(renewed.body)).toContain('O valor deste link mudou.')
})

test('cards that are only about to be entered elsewhere stand in no payer’s way', async () => {
  const link = await newLink()

  const address = newPayerAddress()
  const rows = []
  for (let i = 0; i < 6; i++) {
    rows.push((await pay(link, CARD, openPayerBrowser(testApp.app, address))).row)
  }

  expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['pending']))
})

test('a card at the provider’s page costs the price of a card, where a Pix costs less', async () => {
  const { row } = await goThere({ pixDiscountBps: 1_000 }, { installments: '1' })

  expect(row).toMatchObject({ amountCents: 10_000, discountCents: 0, totalCents: 10_000 })
})
