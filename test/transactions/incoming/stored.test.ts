// Pix that come in at a bank, through the service: told to many processes at once, and what of each is kept.
import { expect, test } from 'vitest'
import { anonymizeCustomer } from '../../../src/customers/anonymize.ts'
import { openTestApp } from '../../support/test-app.ts'
import { openReceivedPix } from '../../support/transactions/received.ts'
import { openRefunds } from '../../support/transactions/refunds.ts'

const testApp = await openTestApp()
const { clock, db } = testApp
const { open } = openReceivedPix(testApp)
const { requestRefund, readRefunds } = openRefunds(testApp)

test('told ten times at once, each Pix is booked once and each event told once', async () => {
  const { pay, check, listBooked, listEvents } = await open()
  pay(6_000)
  await Promise.all(Array.from({ length: 10 }, check))
  pay(4_000)
  pay(700)
  await Promise.all(Array.from({ length: 10 }, check))
  await check()

  expect(await listBooked()).toHaveLength(3)
  expect(await listEvents()).toEqual([
    'transaction.held',
    'transaction.approved',
    'transaction.overpaid',
  ])
})

test('a Pix of another payment pays for nothing here', async () => {
  const [theirs, ours] = [await open(), await open()]
  theirs.pay(10_000)
  await theirs.check()
  // Whatever the bank says, and though the company is the same.
  await db.$client.query('update incoming_payments set company_id = $1 where transaction_id = $2', [
    ours.company.id,
    theirs.id,
  ])
  ours.pay(10_000, { endToEndId: theirs.received[0]!.endToEndId })

  const payment = await ours.check()

  expect(payment).toMatchObject({ status: 'pending', holdReason: null })
  expect(await ours.listBooked()).toEqual([])
  expect(await ours.listEvents()).toEqual([])
})

test('of somebody who was anonymized no name is kept, of what came before or comes after', async () => {
  const { company, pay, check, listBooked, row } = await open()
  const payer = { name: 'João Souza', taxId: '52998224725' }
  pay(10_000, { payer })
  await check()

  await anonymizeCustomer(db, company.id, row.customerId, clock.now())
  pay(700, { payer })
  await check()

  const unnamed = { payerName: null, payerTaxId: null }
  expect(await listBooked()).toMatchObject([unnamed, unnamed])
})

test('the second of two Pix goes back alone by its own end-to-end id, which may be in capitals', async () => {
  const { company, id, pay, check, received, listBooked, listEvents, readPayment } = await open()
  pay(10_000)
  pay(10_000)
  await check()
  const [, second] = await listBooked()

  const response = await requestRefund(company, id, { incomingPaymentId: second!.id.toUpperCase() })

  expect(response.json()).toMatchObject({ amountCents: 10_000, status: 'succeeded' })
  expect(received.map(({ refundedCents }) => refundedCents)).toEqual([0, 10_000])
  expect(await listBooked()).toMatchObject([{ refundedCents: 0 }, { refundedCents: 10_000 }])
  expect(await readPayment()).toMatchObject({ status: 'approved', refundedCents: 0 })
  expect((await listEvents()).at(-1)).toBe('transaction.surplus_refunded')
})

test('a request over several Pix is one refund here and one for each at the bank', async () => {
  const { company, id, pay, check, received } = await open()
  pay(6_000)
  pay(4_000)
  await check()

  const response = await requestRefund(company, id, { amountCents: 7_000, reason: 'Desistência' })
  const listed = (await company.get(`/api/transactions/${id}/refunds`)).json()
  const shown = (await company.get(`/api/transactions/${id}`)).json()

  expect(response.json()).toMatchObject({ amountCents: 7_000, status: 'succeeded' })
  expect(received.map(({ refundedCents }) => refundedCents)).toEqual([6_000, 1_000])
  expect(listed.data).toEqual([response.json()])
  expect(shown).toMatchObject({
    ...{ status: 'partially_refunded', refundedCents: 7_000, refunds: [response.json()] },
    incomingPayments: [
      { amountCents: 6_000, refundedCents: 6_000 },
      { amountCents: 4_000, refundedCents: 1_000 },
    ],
  })
})

test('ten requests at once never give back more than came in', async () => {
  const { company, id, pay, check, received } = await open()
  pay(10_000)
  pay(10_000)
  await check()

  const answers = await Promise.all(
    Array.from({ length: 10 }, () => requestRefund(company, id, { amountCents: 3_000 })),
  )

  expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(6)
  const gone = received.map(({ refundedCents }) => refundedCents)
  expect(gone.every((cents) => cents <= 10_000)).toBe(true)
  expect(gone.reduce((sum, cents) => sum + cents)).toBe(18_000)
  expect((await readRefunds(id)).every(({ status }) => status === 'succeeded')).toBe(true)
})
