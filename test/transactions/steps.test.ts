// What is kept of a payment's way to the provider and back, where no row tells it.
import { expect, test } from 'vitest'
import { newId } from '../../src/database/id.ts'
import { ProviderDown } from '../../src/providers/provider.ts'
import { paySandboxPix } from '../../src/providers/sandbox/sandbox.ts'
import { checkPayment } from '../../src/transactions/check.ts'
import { reconcileDuePayments } from '../../src/transactions/reconciliation/reconcile.ts'
import { executeRefund } from '../../src/transactions/refunds/execute.ts'
import { classifyProviderError, listSteps, recordStep } from '../../src/transactions/steps.ts'
import { buildTestCard, openCheckout, PIX } from '../support/payer.ts'
import { openFailingSandbox } from '../support/providers/failing-sandbox.ts'
import { CHECKOUT_URL, openTestApp } from '../support/test-app.ts'
import { settle } from '../support/transactions/settle.ts'

const testApp = await openTestApp()
const { clock, db, needs } = testApp
const { newLink, pay, read } = openCheckout(testApp)
const { failing } = openFailingSandbox(testApp)

const SECRET = 'token_4242424242424242_sk_live'

/** In the order in which they happened. */
async function stepsOf(transactionId: string) {
  const steps = await listSteps(db, transactionId, 50)
  return steps.reverse().map(({ kind, details }) => ({ kind, ...details }))
}

test.each(['ok', 'funds'])('a charge that ends at once (%s) writes no step', async (scenario) => {
  const { row } = await pay(await newLink(), buildTestCard(scenario))

  expect(await stepsOf(row.id)).toEqual([])
})

test('each try that a provider refused to work on is kept, and none of its words', async () => {
  failing({
    charge() {
      throw new ProviderDown(SECRET)
    },
  })

  const { row } = await pay(await newLink(), buildTestCard('ok'))

  const down = { kind: 'provider_failed', reason: 'unavailable' }
  expect(await stepsOf(row.id)).toEqual([down, down, down])
  expect(await testApp.stored()).not.toContain(SECRET)
})

test.each([
  [new ProviderDown(SECRET), 'unavailable'],
  [new DOMException(SECRET, 'TimeoutError'), 'timeout'],
  [Object.assign(new Error(SECRET), { code: 'UND_ERR_HEADERS_TIMEOUT' }), 'timeout'],
  [new TypeError('fetch failed', { cause: { code: 'ETIMEDOUT' } }), 'unclear'],
  [
    new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ETIMEDOUT' }) }),
    'timeout',
  ],
  [new Error(SECRET), 'unclear'],
  [SECRET, 'unclear'],
])('why a provider gave no verdict is told in a word', (error, reason) => {
  expect(classifyProviderError(error)).toBe(reason)
})

test('what a provider refused is not kept where it cannot be, and does not stand in the way of the payment', async () => {
  failing({
    charge() {
      throw new ProviderDown(SECRET)
    },
  })
  await db.execute('alter table transaction_steps rename to gone')

  const { row } = await pay(await newLink(), buildTestCard('ok'))

  await db.execute('alter table gone rename to transaction_steps')
  expect(row).toMatchObject({ status: 'declined', declineCode: 'provider_error' })
  expect(testApp.logged.join()).toContain('a step of a payment could not be written')
})

test('a challenge is told once, however often the bank is asked, and then how it ended', async () => {
  const { row } = await pay(await newLink(), buildTestCard('challenge'))
  await checkPayment(needs, row)
  await checkPayment(needs, await read(row.id))
  clock.offsetMs = 6 * 60_000

  await reconcileDuePayments(needs)

  expect(await stepsOf(row.id)).toEqual([
    { kind: 'challenge' },
    { kind: 'settled', status: 'declined', source: 'reconciliation' },
  ])
})

test('a charge that takes its time is told once, and then who brought the verdict', async () => {
  const { row } = await pay(await newLink(), buildTestCard('slow'))
  await checkPayment(needs, row)
  clock.offsetMs = 11_000

  await checkPayment(needs, await read(row.id), 'notification')

  expect(await stepsOf(row.id)).toEqual([
    { kind: 'processing' },
    { kind: 'settled', status: 'approved', source: 'notification' },
  ])
})

test('of two who bring the same verdict, one is written', async () => {
  const { row } = await pay(await newLink(), PIX)
  await paySandboxPix(db, { transactionId: row.id, amountCents: 10_000 }, clock.now())

  await Promise.all([
    checkPayment(needs, row),
    checkPayment(needs, row, 'notification'),
    checkPayment(needs, row),
  ])

  expect(await stepsOf(row.id)).toEqual([
    { kind: 'settled', status: 'approved', source: expect.stringMatching(/^(reconc|notif)/) },
  ])
})

test('a held payment keeps what came in beside what was asked for', async () => {
  const { row } = await pay(await newLink(), PIX)
  await paySandboxPix(db, { transactionId: row.id, amountCents: 9_000 }, clock.now())

  await checkPayment(needs, row)
  await checkPayment(needs, row)

  expect(await stepsOf(row.id)).toEqual([
    { kind: 'held', receivedCents: 9_000, totalCents: 10_000 },
  ])
  expect(await read(row.id)).toMatchObject({ status: 'pending', receivedCents: 9_000 })
})

test('a payment given up is told by a step, and one that expired by its event alone', async () => {
  const { row: canceled } = await pay(await newLink(), PIX)
  const { row: expired } = await pay(await newLink(), PIX)
  const context = { checkoutUrl: CHECKOUT_URL, now: clock.now() }

  await settle(db, canceled, { status: 'canceled' }, context)
  clock.offsetMs = 31 * 60_000
  await reconcileDuePayments(needs)

  expect(await stepsOf(canceled.id)).toEqual([
    { kind: 'settled', status: 'canceled', source: 'charge' },
  ])
  expect(await read(expired.id)).toMatchObject({ status: 'expired' })
  expect(await stepsOf(expired.id)).toEqual([])
})

test('money that goes back because the payment was given up is told', async () => {
  const { row } = await pay(await newLink(), buildTestCard('ok'))
  const context = { checkoutUrl: CHECKOUT_URL, now: clock.now() }
  const { row: late } = await pay(await newLink(), buildTestCard('slow'))
  const refusal = {
    status: 'declined',
    reference: null,
    declineCode: 'provider_error',
    abecsCode: '91',
    retryable: true,
  } as const
  await settle(db, late, refusal, context)
  clock.offsetMs = 11_000

  await checkPayment(needs, late)
  await checkPayment(needs, row)

  expect((await stepsOf(late.id)).map(({ kind }) => kind)).toEqual(['processing', 'voided'])
  expect(await stepsOf(row.id)).toEqual([])
})

test('a refund tells what its row does not: that the provider failed, or has it and takes its time', async () => {
  const { row } = await pay(await newLink(), buildTestCard('ok'))
  const order = { companyId: row.companyId, transactionId: row.id }
  const [failed, slow] = [newId(), newId()]

  failing({ refund: () => Promise.reject(new Error(SECRET)) })
  await executeRefund(needs, { ...order, id: failed, amountCents: 1_000 })
  const processing = { status: 'processing', reference: 'r-1' } as const
  failing({ refund: async () => processing, findRefund: async () => processing })
  await executeRefund(needs, { ...order, id: slow, amountCents: 2_000 })
  clock.offsetMs = 60_000
  await reconcileDuePayments(needs)

  expect(await stepsOf(row.id)).toEqual([
    { kind: 'provider_failed', reason: 'unclear', refundId: failed },
    { kind: 'refund', refundId: slow, status: 'processing', amountCents: 2_000 },
    { kind: 'refund', refundId: failed, status: 'processing', amountCents: 1_000 },
  ])
})

test('a step stands or falls with the transaction that it is written in', async () => {
  const { row } = await pay(await newLink(), PIX)

  const broken = db.transaction(async (tx) => {
    await recordStep(tx, { transactionId: row.id, kind: 'notified', now: clock.now() })
    throw new Error('broken off')
  })

  await expect(broken).rejects.toThrow('broken off')
  expect(await stepsOf(row.id)).toEqual([])
})
