// A Pix paid through Woovi, from the link to the refund and the dispute: its word decides, whatever is repeated,
// forges or loses its news.
import { beforeEach, expect, test } from 'vitest'
import { removeAccount, saveAccount } from '../../src/providers/accounts.ts'
import { chooseProvider } from '../../src/providers/choose.ts'
import { readDueAccounts } from '../../src/transactions/reconciliation/account-lists.ts'
import { reconcileDuePayments } from '../../src/transactions/reconciliation/reconcile.ts'
import { refundTexts } from '../../src/transactions/refunds/texts.ts'
import { openCheckout, PIX } from '../support/payer.ts'
import { openFakeOpenPix } from '../support/providers/openpix/fake.ts'
import { sumBookedRefunds } from '../support/providers/openpix/ledger.ts'
import { openTestApp } from '../support/test-app.ts'

const PRICE = 10_000
const MINUTE_MS = 60_000
const testApp = await openTestApp({ local: true })
const { app, db, clock, needs, newCompany } = testApp
const { newLink, pay, read, listEventTypes } = openCheckout(testApp)
const woovi = await openFakeOpenPix({ now: clock.now })
const good = { ...woovi.book.manner }

beforeEach(async () => {
  clock.offsetMs = 0
  woovi.heal()
  Object.assign(woovi.book.manner, good)
  await db.$client.query('update transactions set check_at = null')
})

/** A Pix of R$ 100,00 of a company with an account at Woovi, and a way to be notified of it. */
async function openPendingPix() {
  const company = await newCompany()
  const key = { companyId: company.id, provider: 'openpix', now: clock.now() } as const
  const account = await saveAccount(needs, { ...key, config: woovi.config })
  await chooseProvider(db, { ...key, method: 'pix' })
  const url = `/webhooks/openpix/${account.notifyToken}`
  // The fake's own key is learnt first, as a new one of Woovi's would be.
  await expect
    .poll(async () => (await notify(url, woovi.notification('HELLO', {}))).statusCode)
    .toBe(200)
  const link = await newLink({ methods: ['pix'] }, company)
  const { row } = await pay(link, PIX)
  return { company, url, link, row }
}

type News = ReturnType<typeof woovi.notification>

function notify(url: string, { headers, body }: News) {
  return app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', ...headers },
    payload: body,
  })
}

async function reconcile() {
  await db.$client.query('update transactions set check_at = $1 where approved_at is not null', [
    clock.now().toISOString(),
  ])
  await reconcileDuePayments(needs)
}

test('a Pix is shown, notified twenty times, approved once and refunded', async () => {
  const { company, url, link, row } = await openPendingPix()
  const { endToEndId } = woovi.pay(row.id, PRICE)
  const news = woovi.completed(row.id)

  const answers = await Promise.all(Array.from({ length: 20 }, () => notify(url, news)))
  const approved = await read(row.id)
  const refunded = await app.inject({
    method: 'POST',
    url: `/api/transactions/${row.id}/refunds`,
    headers: { authorization: `Bearer ${company.key}`, 'idempotency-key': `refund-${row.id}` },
    payload: { amountCents: 2_500 },
  })

  expect(row).toMatchObject({
    provider: 'openpix',
    providerReference: row.id,
    pixInstitution: { cnpj: '54811417000163', name: 'Woovi Instituição de Pagamento Ltda.' },
    pixBrCode: woovi.book.charges.get(row.id)!.brCode,
    testMode: true,
  })
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  expect(approved).toMatchObject({ status: 'approved', pixEndToEndId: endToEndId })
  expect(approved).toMatchObject({ feeCents: 85, feeSource: 'provider', expectedOn: null })
  expect(refunded.json()).toMatchObject({ amountCents: 2_500, status: 'succeeded' })
  expect(sumBookedRefunds(woovi.book, row.id)).toBe(2_500)
  expect(await read(row.id)).toMatchObject({ status: 'partially_refunded', refundedCents: 2_500 })
  expect(
    (await listEventTypes(link)).filter((type) => type === 'transaction.approved'),
  ).toHaveLength(1)
})

test('what was paid at an account that was removed is not given back from here, and that is said', async () => {
  const { company, url, row } = await openPendingPix()
  woovi.pay(row.id, PRICE)
  await notify(url, woovi.completed(row.id))
  const key = { companyId: company.id, provider: 'openpix' } as const
  const choice = { companyId: company.id, method: 'pix', now: clock.now() } as const
  await chooseProvider(db, { ...choice, provider: 'sandbox' })
  await removeAccount(db, key)
  await expect
    .poll(() => needs.providers.open(company.id, 'openpix').catch(() => 'removed'))
    .toBe('removed')

  const headers = { authorization: `Bearer ${company.key}`, 'idempotency-key': row.id }
  const path = `/api/transactions/${row.id}/refunds`
  const refused = await app.inject({ method: 'POST', url: path, headers, payload: {} })
  const listed = await app.inject({ url: path, headers })

  expect(refused.statusCode).toBe(409)
  expect(refused.json()).toMatchObject({
    code: 'invalid_transition',
    message: refundTexts.noAccount,
  })
  expect(listed.json().data).toEqual([])
})

test('another customer of Woovi, signed for by it too, changes nothing of ours', async () => {
  const [ours, theirs] = [await openPendingPix(), await openPendingPix()]

  const answer = await notify(theirs.url, woovi.completed(ours.row.id))
  const unpaid = await notify(ours.url, woovi.completed(ours.row.id))

  expect([answer.statusCode, unpaid.statusCode]).toEqual([200, 200])
  expect(await read(ours.row.id)).toMatchObject({ status: 'pending' })
  expect(await read(theirs.row.id)).toMatchObject({ status: 'pending' })
})

test('a dispute that the payer won takes the payment, told by its Pix alone', async () => {
  const { url, link, row } = await openPendingPix()
  const pix = woovi.pay(row.id, PRICE)
  await notify(url, woovi.completed(row.id))
  const dispute = (event: string, status: string) =>
    notify(url, woovi.notification(event, { dispute: { status, endToEndId: pix.endToEndId } }))

  woovi.dispute(pix, 'IN_REVIEW')
  clock.offsetMs += 3_000
  await dispute('OPENPIX:DISPUTE_CREATED', 'OPENED')
  const during = await read(row.id)
  woovi.dispute(pix, 'ACCEPTED')
  clock.offsetMs += 3_000
  await dispute('OPENPIX:DISPUTE_ACCEPTED', 'ACCEPTED')
  await dispute('OPENPIX:DISPUTE_ACCEPTED', 'ACCEPTED')

  expect(during).toMatchObject({ status: 'approved', refundedCents: 0 })
  expect(await read(row.id)).toMatchObject({ status: 'charged_back', chargedBackCents: PRICE })
  expect(await listEventTypes(link)).toEqual([
    'transaction.approved',
    'dispute.opened',
    'dispute.closed',
    'transaction.charged_back',
  ])
})

test('what goes back at Woovi itself is booked, once', async () => {
  const { url, row } = await openPendingPix()
  woovi.pay(row.id, PRICE)
  await notify(url, woovi.completed(row.id))
  woovi.refundHere(row.id, 1_000)

  clock.offsetMs += 3_000
  await reconcile()
  await reconcile()

  expect(await read(row.id)).toMatchObject({ status: 'partially_refunded', refundedCents: 1_000 })
})

test('a refund whose Pix Woovi does not tell is booked once, on the Pix that we gave back', async () => {
  const { company, url, row } = await openPendingPix()
  for (const offsetMs of [10_000, 20_000]) {
    clock.offsetMs = offsetMs
    woovi.pay(row.id, PRICE)
    await notify(url, woovi.completed(row.id))
  }
  const { incomingPayments } = (await company.get(`/api/transactions/${row.id}`)).json()
  woovi.book.manner.speak = (body) =>
    JSON.parse(JSON.stringify(body, (name, value) => (name === 'comment' ? undefined : value)))

  await app.inject({
    method: 'POST',
    url: `/api/transactions/${row.id}/refunds`,
    headers: { authorization: `Bearer ${company.key}`, 'idempotency-key': `refund-${row.id}` },
    payload: { amountCents: 4_000, incomingPaymentId: incomingPayments[1].id },
  })
  clock.offsetMs = 10 * MINUTE_MS
  await reconcile()

  const after = (await company.get(`/api/transactions/${row.id}`)).json()
  expect(after).toMatchObject({ status: 'approved', refundedCents: 0 })
  expect(after.incomingPayments).toMatchObject([{ refundedCents: 0 }, { refundedCents: 4_000 }])
  expect(after.refunds).toHaveLength(1)
})

test('a Pix without a charge goes back by its own name, and is asked about until it is done', async () => {
  const { company } = await openPendingPix()
  const { endToEndId } = woovi.pay('', 2_500)
  clock.offsetMs = 60 * MINUTE_MS
  await readDueAccounts(needs)
  const [stray] = (await company.get('/api/incoming-payments')).json().data
  const url = `/api/incoming-payments/${stray.id}`
  woovi.book.manner.refundStatus = 'IN_PROCESSING'

  const [asked, again] = [
    await company.post(`${url}/refund`, {}),
    await company.post(`${url}/refund`, {}),
  ]
  const refunds = woovi.book.refunds.get(endToEndId)!
  refunds[0]!.status = 'REFUNDED'
  clock.offsetMs = 122 * MINUTE_MS
  await readDueAccounts(needs)

  expect([asked.json().status, again.json().status]).toEqual(['returning', 'returning'])
  expect(refunds).toMatchObject([{ value: 2_500 }])
  expect((await company.get(url)).json()).toMatchObject({ status: 'returned' })
})

test('a refund of a Pix without a charge that Woovi refuses leaves it open', async () => {
  const { company } = await openPendingPix()
  woovi.pay('', 700)
  clock.offsetMs = 60 * MINUTE_MS
  await readDueAccounts(needs)
  const [stray] = (await company.get('/api/incoming-payments')).json().data
  woovi.book.manner.balanceIsShort = true

  const refused = await company.post(`/api/incoming-payments/${stray.id}/refund`, {})

  expect(refused.statusCode).toBe(409)
  expect((await company.get('/api/incoming-payments')).json().data).toMatchObject([
    { id: stray.id, status: 'unmatched' },
  ])
})

test.each(['Maria\0\0', 'Maria \ud83d'])(
  'a payer has paid all the same with a name that no database takes: %j',
  async (name) => {
    const { row } = await openPendingPix()
    Object.assign(woovi.pay(row.id, PRICE), { payer: { name } })
    await db.$client.query('update transactions set check_at = now() where id = $1', [row.id])

    await reconcileDuePayments(needs)

    expect(await read(row.id)).toMatchObject({ status: 'approved' })
  },
)

test('a Pix without a charge that was matched goes back by its own name', async () => {
  const { company, row } = await openPendingPix()
  const { endToEndId } = woovi.pay('', PRICE)
  clock.offsetMs = 60 * MINUTE_MS
  await readDueAccounts(needs)
  const [stray] = (await company.get('/api/incoming-payments')).json().data
  await company.post(`/api/incoming-payments/${stray.id}/match`, { transactionId: row.id })

  const refunded = await app.inject({
    method: 'POST',
    url: `/api/transactions/${row.id}/refunds`,
    headers: { authorization: `Bearer ${company.key}`, 'idempotency-key': `refund-${row.id}` },
    payload: { amountCents: 2_500 },
  })

  expect(refunded.json()).toMatchObject({ status: 'succeeded', amountCents: 2_500 })
  expect(woovi.book.refunds.get(endToEndId)).toMatchObject([{ value: 2_500 }])
  expect(await read(row.id)).toMatchObject({ status: 'partially_refunded', refundedCents: 2_500 })
})
