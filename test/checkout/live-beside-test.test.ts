// A company that has gone live with Pix while its cards are still pretended: wherever a payment is seen, it
// is seen for what it is, and pretended money counts for nothing.
import { beforeAll, expect, test } from 'vitest'
import { emitDueExpiries } from '../../src/payment-links/expire.ts'
import { saveAccount } from '../../src/providers/accounts.ts'
import { chooseProvider } from '../../src/providers/choose.ts'
import { checkPayment } from '../../src/transactions/check.ts'
import { buildTestCard, openCheckout, PIX, readPageText, type TestLink } from '../support/payer.ts'
import { BANK_CONFIG, openAccountsAtBank } from '../support/providers/accounts.ts'
import { openTestApp, type TestCompany } from '../support/test-app.ts'

const testApp = await openTestApp()
const { app, clock, db, needs, newCompany } = testApp
const { newLink, pay, read } = openCheckout(testApp)
const { bank } = openAccountsAtBank(testApp)
const BANNER = 'MODO DE TESTE — nenhuma cobrança real'
const LABEL = 'Modo de teste: nenhuma cobrança real'

let company: TestCompany

beforeAll(async () => {
  bank.provider.testMode = false
  company = await newCompany()
  await goLive(company.id)
})

async function goLive(companyId: string) {
  const account = { companyId, provider: 'pix-api', now: clock.now() } as const
  const steps = [{ step: 'token', ok: true } as const]
  await saveAccount(needs, { ...account, config: { ...BANK_CONFIG, test: false }, steps })
  await chooseProvider(db, { ...account, method: 'pix' })
}

/** Pays by Pix for real. */
async function payPix(link: TestLink) {
  const paid = await pay(link, PIX)
  bank.charges.set(paid.row.id, { paidCents: 10_000 })
  await checkPayment(needs, paid.row)
  expect(await read(paid.row.id)).toMatchObject({ status: 'approved' })
  return paid
}

async function eventsOf(link: TestLink, of = company) {
  const { data } = (await of.get(`/api/events?paymentLinkId=${link.id}&limit=100`)).json()
  const told = data.map(({ type, testMode }: { type: string; testMode: boolean }) => [
    type,
    testMode,
  ])
  return told.sort()
}

async function sumsOf({ id }: TestLink, of = company) {
  const { paymentsCount, amountReceivedCents, status } = (
    await of.get(`/api/payment-links/${id}`)
  ).json()
  return { paymentsCount, amountReceivedCents, status }
}

test('each payment says of itself whether it was a test: in the API, its events, its table, its refund', async () => {
  const link = await newLink({}, company)
  const [pix, byCard] = [await payPix(link), await pay(link, buildTestCard('ok'))]

  for (const { row } of [pix, byCard]) {
    const refund = `/api/transactions/${row.id}/refunds`
    const headers = { authorization: `Bearer ${company.key}`, 'idempotency-key': row.id }
    await app.inject({ method: 'POST', url: refund, headers, payload: { amountCents: 500 } })
  }
  const { data } = (await company.get(`/api/transactions?paymentLinkId=${link.id}`)).json()
  const table = (await company.get(`/api/transactions.csv?paymentLinkId=${link.id}`)).body

  expect(data.map(({ method, testMode }: Record<string, unknown>) => [method, testMode])).toEqual([
    ['credit_card', true],
    ['pix', false],
  ])
  expect((await company.get(`/api/transactions/${pix.row.id}`)).json().testMode).toBe(false)
  expect(await eventsOf(link)).toEqual([
    ['transaction.approved', false],
    ['transaction.approved', true],
    ['transaction.refunded', false],
    ['transaction.refunded', true],
  ])
  const tests = table.split('\n').filter((line) => line.includes(byCard.row.id))
  expect(tests).toHaveLength(1)
  expect(tests[0]).toMatch(/;Sim(;|\r|$)/)
  expect(table.split('\n').find((line) => line.includes(pix.row.id))).not.toMatch(/;Sim(;|\r|$)/)
})

test('the payer reads beforehand which way is pretended, and afterwards whether it was', async () => {
  const [both, cards, pixOnly] = [
    await newLink({}, company),
    await newLink({ methods: ['credit_card'] }, company),
    await newLink({ methods: ['pix'] }, company),
  ]
  const pageOf = async ({ slug }: TestLink) => (await app.inject(`/pagar/${slug}`)).body

  const texts = [await pageOf(both), await pageOf(cards), await pageOf(pixOnly)].map(readPageText)
  const [pix, byCard] = [await payPix(both), await pay(both, buildTestCard('ok'))]
  const receipts = await Promise.all(
    [pix, byCard].map(async ({ browser, url }) => readPageText((await browser.get(url)).body)),
  )

  expect(texts.map((text) => text.includes(BANNER))).toEqual([false, true, false])
  expect(texts.map((text) => text.includes(LABEL))).toEqual([true, false, false])
  expect(texts[0]).toMatch(new RegExp(`Pix Aprovação na hora .*Cartão de crédito ${LABEL}`))
  expect(texts.map((text) => text.includes('4242 4242 4242 4242'))).toEqual([true, true, false])
  expect(receipts.map((text) => text.includes(BANNER))).toEqual([false, true])
  expect(receipts.map((text) => text.includes('Pagamento de teste, sem valor.'))).toEqual([
    false,
    true,
  ])
})

test('pretended money is in no sum of a link that takes real money', async () => {
  const [link, cards] = [
    await newLink({}, company),
    await newLink({ methods: ['credit_card'] }, company),
  ]
  await pay(link, buildTestCard('ok'))
  await pay(cards, buildTestCard('ok'))
  await payPix(link)

  expect(await sumsOf(link)).toMatchObject({ paymentsCount: 1, amountReceivedCents: 10_000 })
  // Where nothing is real, the sums are of what was tried out.
  expect(await sumsOf(cards)).toMatchObject({ paymentsCount: 1, amountReceivedCents: 10_000 })
})

test('a test card neither fills a place of such a link nor completes it, and a real payment does', async () => {
  const link = await newLink({ maxPayments: 1 }, company)
  const [first, second] = [
    await pay(link, buildTestCard('ok')),
    await pay(link, buildTestCard('ok')),
  ]
  const before = await sumsOf(link)
  const paid = await payPix(link)

  expect([first.row.status, second.row.status]).toEqual(['approved', 'approved'])
  expect(before).toMatchObject({ paymentsCount: 0, status: 'active' })
  expect(await read(paid.row.id)).toMatchObject({ paidLate: false })
  expect(await sumsOf(link)).toMatchObject({ paymentsCount: 1, status: 'completed' })
  expect(await eventsOf(link)).toContainEqual(['payment_link.completed', false])
})

test('what was tried out before going live counts no more afterwards', async () => {
  const newcomer = await newCompany()
  const link = await newLink({ methods: ['pix'], maxPayments: 2 }, newcomer)
  const { browser, url } = await pay(link, PIX)
  await browser.post(`${url}/simulate`, {})
  const tried = await sumsOf(link, newcomer)

  await goLive(newcomer.id)
  const live = await sumsOf(link, newcomer)
  await payPix(link)

  expect(tried).toMatchObject({ paymentsCount: 1, amountReceivedCents: 10_000 })
  expect(live).toMatchObject({ paymentsCount: 0, amountReceivedCents: 0 })
  expect(await sumsOf(link, newcomer)).toMatchObject({ paymentsCount: 1, status: 'active' })
})

test('the end of a link is news of a test only where nothing could be paid for real', async () => {
  const expiresAt = new Date(clock.now().getTime() + 60_000).toISOString()
  const ways = [['pix', 'credit_card'], ['pix'], ['credit_card']]
  const links = await Promise.all(ways.map((methods) => newLink({ methods, expiresAt }, company)))

  clock.offsetMs = 120_000
  await emitDueExpiries({ db }, clock.now())
  const told = await Promise.all(links.map((link) => eventsOf(link)))
  clock.offsetMs = 0

  expect(told.map(([event]) => event)).toEqual([
    ['payment_link.expired', false],
    ['payment_link.expired', false],
    ['payment_link.expired', true],
  ])
})
