// Disputes and refunds of one payment: what is left is lost or refunded, and never both.
import { expect, test } from 'vitest'
import { checkPayment } from '../../../src/transactions/check.ts'
import { openTestApp, type TestCompany } from '../../support/test-app.ts'
import { openDisputes } from '../../support/transactions/disputes.ts'
import { openRefunds } from '../../support/transactions/refunds.ts'

const testApp = await openTestApp()
const { needs } = testApp
const { order } = openRefunds(testApp)
const { paid, buildDispute, read, listEventTypes } = openDisputes(testApp)

test('after a part was refunded, losing the rest charges it back', async () => {
  const { row, company, charge } = await paid()
  await order(company, row.id, { amountCents: 4_000 })
  charge.disputes = [buildDispute({ status: 'lost', amountCents: 6_000 })]

  const current = await checkPayment(needs, await read(row.id))

  expect(current).toMatchObject({
    ...{ status: 'charged_back', refundedCents: 4_000, chargedBackCents: 6_000 },
  })
})

test.each([
  ['the company', (company: TestCompany, id: string) => order(company, id, {})],
  [
    'the bank',
    (_: TestCompany, __: string, charge: { refundedCents?: number }) => {
      charge.refundedCents = 3_950
    },
  ],
])('after a part was lost, a refund of the rest by %s charges it back', async (_who, giveBack) => {
  const { row, link, company, charge } = await paid()
  charge.disputes = [buildDispute({ status: 'lost', amountCents: 6_050 })]
  await checkPayment(needs, row)

  await giveBack(company, row.id, charge)
  await checkPayment(needs, await read(row.id))

  expect(await read(row.id)).toMatchObject({
    ...{ status: 'charged_back', refundedCents: 3_950, chargedBackCents: 6_050 },
  })
  const types = await listEventTypes(link)
  expect(types.slice(-2)).toEqual(['transaction.refunded', 'transaction.charged_back'])
})

test('a cent less than all that is left leaves it as it was', async () => {
  const { row, company, charge } = await paid()
  await order(company, row.id, { amountCents: 4_000 })
  charge.disputes = [buildDispute({ status: 'lost', amountCents: 5_999 })]

  const current = await checkPayment(needs, await read(row.id))

  expect(current).toMatchObject({ status: 'partially_refunded', chargedBackCents: 5_999 })
})

test('one that was refunded whole stays refunded, whatever is lost besides', async () => {
  const { row, company, charge } = await paid()
  await order(company, row.id, {})
  charge.disputes = [buildDispute({ status: 'lost' })]

  const current = await checkPayment(needs, await read(row.id))

  expect(current).toMatchObject({ status: 'refunded', chargedBackCents: 10_000 })
})

test('what is contested or lost cannot be refunded; what was won can', async () => {
  const { row, company, charge } = await paid()
  const open = buildDispute({ amountCents: 3_000 })
  charge.disputes = [open, buildDispute({ status: 'lost', amountCents: 2_000 })]
  await checkPayment(needs, row)

  const tooMuch = await order(company, row.id, { amountCents: 5_001 })
  charge.disputes = [{ ...open, status: 'won' }]
  await checkPayment(needs, await read(row.id))
  const rest = await order(company, row.id, { amountCents: 8_000 })

  expect(tooMuch.statusCode).toBe(422)
  expect(tooMuch.json().errors[0].message).toContain('50,00')
  expect(rest.json()).toMatchObject({ status: 'succeeded' })
})

test('while all of it is contested a refund says what it waits for', async () => {
  const { row, company, charge } = await paid()
  charge.disputes = [buildDispute({})]
  await checkPayment(needs, row)

  const refused = await order(company, row.id, {})

  expect(refused.statusCode).toBe(409)
  expect(refused.json().message).toContain('contestado')
})

test('what was refunded at the bank beside a dispute is a refund, and the dispute is none', async () => {
  const { row, charge } = await paid()
  Object.assign(charge, { refundedCents: 1_000, disputes: [buildDispute({ amountCents: 4_000 })] })

  const current = await checkPayment(needs, row)

  expect(current).toMatchObject({ status: 'partially_refunded', refundedCents: 1_000 })
})
