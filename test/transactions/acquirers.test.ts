// What every acquirer's payments survive: a payer who is gone, or back twice, a link that is archived, a provider that is
// switched, another total than was asked for.
import { beforeEach, expect, test } from 'vitest'
import { checkBook } from '../../src/commands/doctor/integrity.ts'
import { asc, eq } from '../../src/database/drizzle.ts'
import { movements } from '../../src/database/tables.ts'
import { chooseProvider } from '../../src/providers/choose.ts'
import { reconcileDuePayments } from '../../src/transactions/reconciliation/reconcile.ts'
import { openDashboardClient } from '../support/dashboard/client.ts'
import { readPageText } from '../support/payer.ts'
import { type FakeAcquirer, openAcquirers } from '../support/providers/acquirers.ts'
import { openCardMerchant } from '../support/providers/card-merchant.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp({ local: true })
const { app, db, clock, needs } = testApp
const acquirers = await openAcquirers()
const each = acquirers.map((acquirer) => {
  const merchant = openCardMerchant(testApp, acquirer.provider, acquirer.config)
  return [acquirer.provider, { acquirer, ...merchant }] as const
})
type At = (typeof each)[number][1]

beforeEach(() => {
  for (const acquirer of acquirers) acquirer.forget()
})

/** R$ 100,00 by a card that the acquirer thinks about, or while the payer is at its page. */
async function openPayment({ acquirer, newCollectingCompany, newCardLink, pay }: At) {
  const owner = await newCollectingCompany()
  const link = await newCardLink({ maxPayments: 1 }, owner)
  const paid = await pay(link, acquirer.buildCard(false))
  const { row } = paid
  expect(row.status).toBe(acquirer.isElsewhere ? 'pending' : 'processing')
  return { ...owner, ...paid, link, id: row.id, own: paid.url.replace(/\?.*/, '') }
}

async function reconcile() {
  await db.$client.query('update transactions set check_at = $1', [clock.now().toISOString()])
  await reconcileDuePayments(needs)
}

test.each(each)(
  '%s: a payer who never comes back has paid, though the link was archived',
  async (_at, at) => {
    const { company, link, id, own, browser } = await openPayment(at)
    const url = `/api/payment-links/${link.id}`
    const headers = { authorization: `Bearer ${company.key}` }
    const archived = await app.inject({ method: 'DELETE', url, headers })
    at.acquirer.approve(id)

    await reconcile()
    await reconcile()

    expect(archived.statusCode).toBe(204)
    expect(await at.read(id)).toMatchObject({
      ...{ status: 'approved', paidLate: false, receivedCents: null },
    })
    expect((await at.listEventTypes(link))[0]).toBe('transaction.approved')
    expect(readPageText((await browser.get(own)).body)).toContain('Comprovante de pagamento')
  },
)

test.each(each)('%s: a payer who comes back twice at once has paid once', async (_at, at) => {
  const { link, id, own, browser } = await openPayment(at)
  at.acquirer.approve(id)

  const checks = Array.from({ length: 4 }, () => browser.post(`${own}/check`, {}))
  const answers = await Promise.all([...checks, ...checks.map(() => browser.get(own))])
  await reconcile()
  const receipt = readPageText((await browser.get(own)).body)

  expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200))
  expect(receipt).toContain('Comprovante de pagamento')
  expect(await at.listEventTypes(link)).toEqual(['transaction.approved', 'payment_link.completed'])
  expect(at.acquirer.chargesOf(id)).toHaveLength(1)
})

async function readBook(transactionId: string) {
  const rows = await db
    .select({ kind: movements.kind, cents: movements.cents })
    .from(movements)
    .where(eq(movements.transactionId, transactionId))
    .orderBy(asc(movements.bookedAt), asc(movements.kind))
  return rows.map(({ kind, cents }) => [kind, cents])
}

test.each(each.flatMap(([name, at]) => [true, false].map((early) => [name, early, at] as const)))(
  '%s: a second paid charge is a surplus, seen by schedule and given back alone (at the first read: %s)',
  async (_at, isAtOnce, at) => {
    const { company, link, id } = await openPayment(at)
    at.acquirer.approve(id)
    if (!isAtOnce) await reconcile()
    clock.offsetMs += 60_000
    const readSecond = at.acquirer.payAgain(id)
    await reconcile()
    await reconcile()
    const authorization = `Bearer ${company.key}`
    const url = `/api/transactions/${id}`
    const told = (await app.inject({ url, headers: { authorization } })).json()
    const client = await openDashboardClient(testApp, { companyId: company.id })
    const page = readPageText((await client.get(`/painel/transacoes/${id}`)).body)
    const refund = await app.inject({
      ...{ method: 'POST', url: `${url}/refunds` },
      headers: { authorization, 'idempotency-key': `surplus-${id}` },
      payload: { incomingPaymentId: told.incomingPayments[1].id },
    })
    await reconcile()

    const amountCents = 10_000
    expect(told).toMatchObject({
      ...{ status: 'approved', refundedCents: 0 },
      incomingPayments: [
        { amountCents, surplusCents: 0, refundedCents: 0 },
        { amountCents, surplusCents: amountCents, refundedCents: 0 },
      ],
    })
    expect(page).toContain('Entraram R$ 100,00 a mais: devolva o excedente')
    expect(page).toContain('Cobranças pagas')
    expect(refund.json()).toMatchObject({ amountCents, status: 'succeeded' })
    expect(readSecond()).toBe(amountCents)
    expect(await at.read(id)).toMatchObject({ status: 'approved', refundedCents: 0 })
    expect(await readBook(id)).toEqual([
      ...[
        ['sale', amountCents],
        ['surplus', amountCents],
        ['surplus_refund', -amountCents],
      ],
    ])
    expect(await checkBook(db)).toMatchObject({ status: 'ok' })
    const events = await at.listEventTypes(link)
    expect(events.filter((type) => type !== 'payment_link.completed')).toEqual([
      ...['transaction.approved', 'transaction.overpaid', 'transaction.surplus_refunded'],
    ])
  },
)

test.each(each)('%s: a total that differs by a cent is held, and told', async (_at, at) => {
  const { acquirer, newCollectingCompany, newCardLink, pay, read, listEventTypes } = at
  const link = await newCardLink({}, await newCollectingCompany())
  acquirer.takeOther(10_001)
  const { row, url, browser } = await pay(link, acquirer.buildCard())
  if (acquirer.isElsewhere) acquirer.approve(row.id)

  await reconcile()

  expect(await read(row.id)).toMatchObject({ approvedAt: null, receivedCents: 10_001 })
  expect(readPageText((await browser.get(url)).body)).toContain('Pagamento em análise')
  expect(await listEventTypes(link)).toEqual(['transaction.held'])
})

test.each(each)(
  '%s: a payment goes on, and is refunded, where it was begun, after the company has switched',
  async (_at, at) => {
    const { company, id } = await openPayment(at)
    const choice = { companyId: company.id, method: 'credit_card', provider: 'sandbox' } as const
    await chooseProvider(db, { ...choice, now: clock.now() })
    at.acquirer.approve(id)

    await reconcile()
    const refund = await app.inject({
      method: 'POST',
      url: `/api/transactions/${id}/refunds`,
      headers: { authorization: `Bearer ${company.key}`, 'idempotency-key': id },
      payload: { amountCents: 4_000 },
    })

    expect(refund.statusCode).toBe(201)
    const { provider } = at.acquirer
    expect(await at.read(id)).toMatchObject({ status: 'partially_refunded', provider })
    expect(at.acquirer.listPaid()).toEqual([{ id, refundedCents: 4_000 }])
  },
)

test.each(each)(
  '%s: another company’s news, or news at a wrong address, changes nothing',
  async (_at, at) => {
    const [one, other] = [await openPayment(at), await openPayment(at)]
    at.acquirer.approve(one.id)
    const asked = at.acquirer.calls(at.acquirer.on.read).length

    const answers = [
      await notify(at.acquirer, one.id, other.hook),
      await notify(at.acquirer, one.id, `/webhooks/${at.acquirer.provider}/${'x'.repeat(43)}`),
    ]

    expect(answers).toEqual([200, 404])
    expect(at.acquirer.calls(at.acquirer.on.read)).toHaveLength(asked)
    expect((await at.read(one.id)).approvedAt).toBeNull()
  },
)

async function notify(acquirer: FakeAcquirer, id: string, url: string) {
  const { headers, query, body } = acquirer.notification(id, { at: clock.now() })
  const type = { 'content-type': 'application/json' }
  const call = {
    method: 'POST',
    url,
    query,
    payload: body,
    headers: { ...headers, ...type },
  } as const
  return (await app.inject(call)).statusCode
}
