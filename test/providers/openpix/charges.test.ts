// Charges at Woovi: what is asked for, what came in for them and what went again.
import { expect, test } from 'vitest'
import { ProviderDown } from '../../../src/providers/provider.ts'
import {
  buildPixChargeKey,
  buildRefundRequest,
  newPixCharge,
} from '../../support/providers/charges.ts'
import { openOpenPixAccount } from '../../support/providers/openpix/account.ts'
import { sumBookedRefunds } from '../../support/providers/openpix/ledger.ts'

const { woovi, provider, clock, now, paid, charged } = await openOpenPixAccount()
const { book } = woovi

const sentFor = (transactionId: string) =>
  woovi.calls(/^POST .charge$/).filter(({ body }) => body.correlationID === transactionId)

test('a charge is asked for under our id, in cents, for as long as the payer is told', async () => {
  const charge = newPixCharge(now())

  const outcome = await provider.charge(charge, now())

  const [sent] = sentFor(charge.transactionId)
  expect(sent).toMatchObject({
    query: { return_existing: 'true' },
    body: {
      correlationID: charge.transactionId,
      value: 1_990,
      comment: 'Bolo de cenoura',
      customer: { name: 'Maria da Silva', taxID: '52998224725' },
    },
  })
  expect(sent!.body.expiresIn).toBeCloseTo(1_800, -1)
  expect(sent!.headers.authorization).toBe(woovi.config.appId)
  expect(outcome).toEqual({
    status: 'pending',
    reference: charge.transactionId,
    pixBrCode: book.charges.get(charge.transactionId)!.brCode,
    expiresAt: charge.expiresAt,
  })
})

test('a code that names its receiver with accents is shown as it is', async () => {
  const { charge, key } = await charged()
  const told = book.charges.get(charge.transactionId)!
  told.brCode = told.brCode.replace('5911PADARIA SOL', '5910PIZZA JOSÉ')

  expect(told.brCode).toContain('JOSÉ')
  expect(await provider.find(key, now())).toMatchObject({ pixBrCode: told.brCode })
})

test.each([
  ['a document', { taxId: '52998224725', email: null }, { name: 'Ana', taxID: '52998224725' }],
  ['an e-mail', { taxId: null, email: 'ana@x.com.br' }, { name: 'Ana', email: 'ana@x.com.br' }],
  ['neither', { taxId: null, email: null }, undefined],
])('a payer with %s is named as Woovi takes it', async (_with, known, customer) => {
  const { charge } = await charged({ payer: { name: 'Ana', phone: null, ...known } })

  expect(sentFor(charge.transactionId)[0]!.body.customer).toEqual(customer)
})

test('Woovi’s shortest expiry is longer than ours may be; the payer is told ours', async () => {
  const expiresAt = new Date(now().getTime() + 60_000).toISOString()
  const charge = newPixCharge(now(), { expiresAt })

  const outcome = await provider.charge(charge, now())

  expect(sentFor(charge.transactionId)[0]!.body.expiresIn).toBe(300)
  expect(outcome).toMatchObject({ status: 'pending', expiresAt })
})

test('a payer with a document that Woovi does not know gets the code all the same', async () => {
  book.manner.refusesCustomers = true

  const { charge, key } = await charged()

  expect(sentFor(charge.transactionId).map(({ body }) => 'customer' in body)).toEqual([true, false])
  expect(await provider.find(key, now())).toMatchObject({ status: 'pending' })
})

test('a charge that is refused as made before is the one that was made', async () => {
  const { charge } = await charged()
  book.manner.refusesRepeats = true

  expect(await provider.charge(charge, now())).toMatchObject({ status: 'pending' })
})

test('a charge that was given up is not made again under its id', async () => {
  const { charge, key } = await charged()
  await provider.cancel(key, now())

  await expect(provider.charge(charge, now())).rejects.toBeInstanceOf(ProviderDown)
})

test('cards are not taken', async () => {
  const card = { token: 'x', brand: 'visa', last4: '4242' }
  const of = { method: 'credit_card', installments: 1, card, returnUrl: 'https://x' } as const
  const charge = { ...newPixCharge(now()), ...of }

  await expect(provider.charge(charge, now())).rejects.toBeInstanceOf(ProviderDown)
})

test('an expired code waits on, for it may have been paid in its last second', async () => {
  const { charge, key } = await charged()
  clock.offsetMs += 3_600_000

  const outcome = await provider.find(key, now())

  expect(book.charges.get(charge.transactionId)!.status).toBe('EXPIRED')
  expect(outcome).toMatchObject({ status: 'pending' })
  expect((outcome as { expiresAt: string }).expiresAt < now().toISOString()).toBe(true)
})

test('money counts whatever the charge’s own status says', async () => {
  const { charge, key, pix } = await paid()
  book.charges.get(charge.transactionId)!.status = 'EXPIRED'

  expect(await provider.find(key, now())).toEqual({
    status: 'approved',
    reference: charge.transactionId,
    payout: { feeCents: 85 },
    received: [
      { endToEndId: pix.endToEndId, amountCents: 1_990, paidAt: pix.time, refundedCents: 0 },
    ],
  })
})

test('the fee is read where the description has it, too', async () => {
  const { charge, key } = await paid()
  const paymentMethods = { pix: { method: 'PIX_COB', fee: 50, value: 1_990 } }
  Object.assign(book.charges.get(charge.transactionId)!, { fee: undefined, paymentMethods })

  expect(await provider.find(key, now())).toMatchObject({ payout: { feeCents: 50 } })
})

test('two Pix of one code are told together, one that is listed twice once', async () => {
  const { charge, key, pix } = await paid(1_000)
  const rest = woovi.pay(charge.transactionId, 990)
  book.pix.push(pix)

  expect(await provider.find(key, now())).toMatchObject({
    received: [
      { endToEndId: pix.endToEndId, amountCents: 1_000 },
      { endToEndId: rest.endToEndId, amountCents: 990 },
    ],
  })
})

test('a refund is told with the Pix that it is of, and one that names none with the oldest', async () => {
  const { charge, key, pix } = await paid()
  const again = woovi.pay(charge.transactionId, 1_990)
  const { reference } = key
  const ofSecond = buildRefundRequest(charge, 1_500, { reference, endToEndId: again.endToEndId })
  await provider.refund(ofSecond, now())
  const named = await provider.find(key, now())
  woovi.refundHere(charge.transactionId, 2_200)

  expect(named).toMatchObject({
    received: [
      { endToEndId: pix.endToEndId, refundedCents: 0 },
      { endToEndId: again.endToEndId, refundedCents: 1_500 },
    ],
  })
  expect(await provider.find(key, now())).toMatchObject({
    received: [{ refundedCents: 1_990 }, { refundedCents: 1_710 }],
  })
})

test('another charge’s money pays for nothing, though it is listed', async () => {
  await paid()
  const { key } = await charged()
  book.manner.ignoresFilters = true

  expect(await provider.find(key, now())).toMatchObject({ status: 'pending' })
})

test('a refund on its way is not back yet, and a rejected one never was', async () => {
  const { key, refund } = await paid()
  book.manner.refundStatus = 'IN_PROCESSING'
  const under = refund(500)
  const processing = await provider.refund(under, now())
  const during = await provider.find(key, now())
  book.refunds.get(key.transactionId)![0]!.status = 'REJECTED'

  expect(processing).toEqual({ status: 'processing', reference: under.refundId })
  expect(during).toMatchObject({ received: [{ refundedCents: 0 }] })
  expect(await provider.findRefund(under, now())).toMatchObject({
    status: 'failed',
    reason: 'refused',
  })
  expect(await provider.find(key, now())).toMatchObject({ received: [{ refundedCents: 0 }] })
})

test('a refund that the balance is too short for says so', async () => {
  const { refund } = await paid()
  book.manner.balanceIsShort = true

  expect(await provider.refund(refund(500), now())).toEqual({
    status: 'failed',
    reason: 'insufficient_balance',
  })
})

test('a refund that is refused as made before is the one that was made', async () => {
  const { charge, refund } = await paid()
  const request = refund(500)
  await provider.refund(request, now())
  book.manner.refusesRepeats = true

  expect(await provider.refund(request, now())).toMatchObject({ status: 'succeeded' })
  expect(sumBookedRefunds(book, charge.transactionId)).toBe(500)
})

test.each([
  ['IN_REVIEW', undefined, 'open', 1_990],
  ['CREATED', 700, 'open', 700],
  ['REJECTED', undefined, 'won', 1_990],
  ['CANCELED', undefined, 'won', 1_990],
  ['ACCEPTED', undefined, 'lost', 1_990],
  ['ACCEPTED', 700, 'lost', 700],
  ['ACCEPTED', 9_999, 'lost', 1_990],
])('a dispute that is %s (%s cents) is told as %s', async (told, cents, status, amountCents) => {
  const { key, pix } = await paid()
  woovi.dispute(pix, told, cents)

  const outcome = await provider.find(key, now())

  const { endToEndId } = pix
  const dispute = { reference: endToEndId, kind: 'med', endToEndId, status, amountCents }
  expect(outcome).toMatchObject({ status: 'approved', disputes: [dispute] })
  expect(outcome).toMatchObject({ received: [{ refundedCents: 0 }] })
})

test('its reason and its instants are told where Woovi names them', async () => {
  const { key, pix } = await paid()
  woovi.dispute(pix, 'ACCEPTED', 700)
  const [createdAt, updatedAt] = ['2026-11-20T10:00:00.000Z', '2026-11-25T10:00:00.000Z']
  const disputeReason = 'Produto não recebido'
  const change = (said: Record<string, unknown>) =>
    void Object.assign(said.dispute as object, { createdAt, updatedAt, disputeReason })
  woovi.next({ on: /^GET .dispute/, does: 'say', change })

  expect(await provider.find(key, now())).toMatchObject({
    disputes: [{ reason: disputeReason, openedAt: createdAt, closedAt: updatedAt }],
  })
})

test('a charge is given up once it was paid: what is left goes back, once', async () => {
  const { charge, key, refund } = await paid()
  await provider.refund(refund(500), now())

  await provider.cancel(key, now())
  await provider.cancel(key, now())

  expect(sumBookedRefunds(book, charge.transactionId)).toBe(1_990)
  expect(await provider.find(key, now())).toMatchObject({
    received: [{ refundedCents: 1_990 }],
  })
})

test('a charge that is paid while it is given up goes back too', async () => {
  const { charge, key } = await paid()
  const open = (said: Record<string, unknown>) =>
    void Object.assign(said.charge as object, { status: 'ACTIVE' })
  const unpaid = (said: Record<string, unknown>) => void Object.assign(said, { transactions: [] })
  woovi.next({ on: /^GET .charge/, does: 'say', change: open })
  woovi.next({ on: /^GET .transaction/, does: 'say', change: unpaid })

  await provider.cancel(key, now())

  expect(woovi.calls(/^DELETE/).at(-1)!.path).toContain(charge.transactionId)
  expect(sumBookedRefunds(book, charge.transactionId)).toBe(1_990)
})

test('a charge that Woovi will not give up is not called given up', async () => {
  const { key } = await charged()
  woovi.next({ on: /^DELETE/, does: 'answer', status: 400, body: '{"error":"Agora não"}' })

  await expect(provider.cancel(key, now())).rejects.toThrow('Agora não')
})

test('an answer of another state than is known is no verdict', async () => {
  const { charge, key } = await charged()
  book.charges.get(charge.transactionId)!.status = 'EM_ANALISE'

  await expect(provider.find(key, now())).rejects.toThrow('EM_ANALISE')
  await expect(provider.find(buildPixChargeKey(charge, null), now())).rejects.toThrow('EM_ANALISE')
})
