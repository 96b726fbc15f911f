// Nothing goes back twice, though calls are repeated, race or break off. The provider is the sandbox, made to fail around
// its book.
import { expect, test } from 'vitest'
import { newId } from '../../../src/database/id.ts'
import { reconcileDuePayments } from '../../../src/transactions/reconciliation/reconcile.ts'
import { executeRefund } from '../../../src/transactions/refunds/execute.ts'
import { openCheckout } from '../../support/payer.ts'
import { breakOff, openFailingSandbox } from '../../support/providers/failing-sandbox.ts'
import { CHECKOUT_URL, openTestApp } from '../../support/test-app.ts'
import { openRefunds } from '../../support/transactions/refunds.ts'
import { settle } from '../../support/transactions/settle.ts'

const testApp = await openTestApp()
const { clock, db, needs } = testApp
const { read, listEventTypes } = openCheckout(testApp)
const { newApprovedPayment, requestRefund, readRefunds, listBankRefunds } = openRefunds(testApp)
const { sandbox, failing, mend, reconcileAfter } = openFailingSandbox(testApp)

const DAY_MS = 24 * 3_600_000

test('a refund without an Idempotency-Key is refused', async () => {
  const { company, id } = await newApprovedPayment()

  const response = await requestRefund(company, id, {}, {})

  expect(response.statusCode).toBe(422)
  expect(response.json().errors).toMatchObject([{ field: 'Idempotency-Key', code: 'required' }])
  expect(await readRefunds(id)).toEqual([])
})

test('the same request again is answered again and gives nothing back', async () => {
  const { company, id } = await newApprovedPayment()
  const key = { 'idempotency-key': 'pedido-7' }

  const first = await requestRefund(company, id, { amountCents: 1_000 }, key)
  const again = await requestRefund(company, id, { amountCents: 1_000 }, key)

  expect(again.headers['idempotent-replayed']).toBe('true')
  expect(again.json()).toEqual(first.json())
  expect(await listBankRefunds(id)).toEqual([1_000])
})

test('the same request from a process that takes over a dead one finds the first', async () => {
  const { company, id } = await newApprovedPayment()
  const again = { id: newId(), companyId: company.id, transactionId: id, amountCents: 1_000 }

  const answers = await Promise.all(Array.from({ length: 5 }, () => executeRefund(needs, again)))

  expect(new Set(answers.map((one) => one.id))).toEqual(new Set([again.id]))
  expect(await listBankRefunds(id)).toEqual([1_000])
})

test('of twenty refunds of 30 % at the same moment three succeed', async () => {
  const { company, link, id } = await newApprovedPayment()

  const answers = await Promise.all(
    Array.from({ length: 20 }, () => requestRefund(company, id, { amountCents: 3_000 })),
  )

  const codes = answers.map(({ statusCode }) => statusCode).sort()
  expect(codes).toEqual([201, 201, 201, ...Array.from({ length: 17 }, () => 422)])
  expect(await read(id)).toMatchObject({ status: 'partially_refunded', refundedCents: 9_000 })
  expect(await listBankRefunds(id)).toEqual([3_000, 3_000, 3_000])
  expect(
    (await listEventTypes(link)).filter((type) => type === 'transaction.refunded'),
  ).toHaveLength(3)
})

test('while a late approval is told again, what goes back stays gone', async () => {
  const { company, link, id } = await newApprovedPayment()
  const row = await read(id)
  const verdict = {
    status: 'approved',
    reference: row.providerReference!,
    paidCents: 10_000,
    paidAt: row.approvedAt!,
  } as const
  const context = { checkoutUrl: CHECKOUT_URL, now: clock.now() }

  await Promise.all([
    ...Array.from({ length: 5 }, () => requestRefund(company, id, { amountCents: 2_000 })),
    ...Array.from({ length: 5 }, () => settle(db, row, verdict, context)),
  ])

  expect(await read(id)).toMatchObject({ status: 'refunded', refundedCents: 10_000 })
  expect(await listEventTypes(link)).toEqual([
    'transaction.approved',
    ...Array.from({ length: 5 }, () => 'transaction.refunded'),
  ])
})

test('when the provider refuses, the refund fails with a reason and its amount is free again', async () => {
  const { company, link, id } = await newApprovedPayment()

  const failed = await requestRefund(company, id, { amountCents: 9_913 })
  expect(failed.statusCode).toBe(201)
  expect(failed.json()).toMatchObject({
    status: 'failed',
    failureReason: 'Não há saldo suficiente na conta para a devolução.',
  })
  expect(await read(id)).toMatchObject({ status: 'approved', refundedCents: 0 })
  const whole = await requestRefund(company, id)

  expect(whole.json()).toMatchObject({ amountCents: 10_000, status: 'succeeded' })
  expect(await listEventTypes(link)).toEqual([
    ...['transaction.approved', 'transaction.refund_failed', 'transaction.refunded'],
  ])
})

test('while the provider takes its time, the refund is pending until it has succeeded', async () => {
  const { company, link, id } = await newApprovedPayment()

  const slow = await requestRefund(company, id, { amountCents: 114 })
  expect(slow.json()).toMatchObject({ status: 'pending' })
  await reconcileAfter(6_000)
  expect(await read(id)).toMatchObject({ status: 'approved', refundedCents: 0 })
  await reconcileAfter(12_000)

  expect(await readRefunds(id)).toMatchObject([{ status: 'succeeded', checkAt: null }])
  expect(await read(id)).toMatchObject({ status: 'partially_refunded', refundedCents: 114 })
  expect(await listEventTypes(link)).toEqual(['transaction.approved', 'transaction.refunded'])
})

test('when the provider gave back and its answer was lost, that is found out, once', async () => {
  const { company, link, id } = await newApprovedPayment()
  failing({
    async refund(request, now) {
      await sandbox.refund(request, now)
      return breakOff()
    },
  })
  const lost = await requestRefund(company, id, { amountCents: 4_000 })
  expect(lost.statusCode).toBe(201)
  expect(lost.json()).toMatchObject({ status: 'pending', failureReason: null })

  await reconcileAfter(10_000)
  expect(await readRefunds(id)).toMatchObject([{ status: 'pending' }])
  clock.offsetMs = 21_000
  await Promise.all(Array.from({ length: 5 }, () => reconcileDuePayments(needs)))
  await reconcileAfter(DAY_MS)

  expect(await readRefunds(id)).toMatchObject([{ status: 'succeeded', checkAt: null }])
  expect(await read(id)).toMatchObject({ status: 'partially_refunded', refundedCents: 4_000 })
  expect(await listBankRefunds(id)).toEqual([4_000])
  expect(await listEventTypes(link)).toEqual(['transaction.approved', 'transaction.refunded'])
})

test('a refund that the provider never heard of is sent again under the same id', async () => {
  const { company, id } = await newApprovedPayment()
  const asked: string[] = []
  failing({
    async refund({ refundId }) {
      asked.push(refundId)
      return breakOff()
    },
  })
  const { id: refundId } = (await requestRefund(company, id, { amountCents: 4_000 })).json()
  await reconcileAfter(21_000)
  mend()

  await reconcileAfter(80_000)
  expect(await listBankRefunds(id)).toEqual([])
  await reconcileAfter(82_000)

  expect(asked).toEqual([refundId, refundId])
  expect(await readRefunds(id)).toMatchObject([{ id: refundId, status: 'succeeded' }])
  expect(await listBankRefunds(id)).toEqual([4_000])
})

test('a provider that is asked again before it has answered gives back once', async () => {
  const { company, link, id } = await newApprovedPayment()
  const [held, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  failing({
    async refund(request, now) {
      asked.resolve()
      await held.promise
      return sandbox.refund(request, now)
    },
  })
  const waiting = requestRefund(company, id, { amountCents: 4_000 })
  await asked.promise
  mend()
  await reconcileAfter(21_000)
  held.resolve()

  expect((await waiting).json()).toMatchObject({ status: 'succeeded' })
  expect(await listBankRefunds(id)).toEqual([4_000])
  expect(await listEventTypes(link)).toEqual(['transaction.approved', 'transaction.refunded'])
})

test('the simulated bank gives back no more than was paid, whatever we ask', async () => {
  const { id } = await newApprovedPayment()
  const request = {
    transactionId: id,
    method: 'credit_card',
    chargeReference: `sbx_${id}`,
    endToEndId: null,
    reference: null,
    totalCents: 10_000,
    ...{ earlier: [], laterReferences: [], isFirst: true },
  } as const
  const ask = (amountCents: number) =>
    sandbox.refund({ ...request, refundId: newId(), amountCents }, clock.now())

  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => ask(4_000)))

  expect(answers.filter(({ status }) => status === 'succeeded')).toHaveLength(2)
  expect(answers.filter(({ status }) => status === 'failed')).toHaveLength(3)
  expect(await ask(2_001)).toEqual({ status: 'failed', reason: 'refused' })
  expect(await ask(2_000)).toMatchObject({ status: 'succeeded' })
})
