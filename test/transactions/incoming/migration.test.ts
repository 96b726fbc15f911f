// Payments of a version that knew of no Pix but the first, as the migration leaves them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openReceivedPix } from '../../support/received.ts'
import { openRefunds } from '../../support/refunds.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db } = testApp
const { open } = openReceivedPix(testApp)
const { order, refundsOf } = openRefunds(testApp)

const MIGRATION = join(import.meta.dirname, '../../../migrations/0014_book_incoming_payments.sql')

test('each has a row of its own, with what has gone back of it, and only once', async () => {
  const [refunded, held] = [await open(), await open()]
  refunded.pay(10_000)
  await refunded.check()
  await order(refunded.company, refunded.id, { amountCents: 2_500 })
  held.pay(3_000)
  await held.check()
  await db.$client.query('update refunds set incoming_payment_id = null')
  await db.$client.query('delete from incoming_payments')
  const statements = readFileSync(MIGRATION, 'utf8').split('--> statement-breakpoint')

  for (const statement of [...statements, ...statements]) await db.$client.query(statement)

  const { endToEndId } = refunded.received[0]!
  expect(await refunded.listBooked()).toMatchObject([
    { id: refunded.id, endToEndId, amountCents: 10_000, surplusCents: 0, refundedCents: 2_500 },
  ])
  expect(await refundsOf(refunded.id)).toMatchObject([{ incomingPaymentId: refunded.id }])
  expect(await held.listBooked()).toMatchObject([{ amountCents: 3_000, refundedCents: 0 }])
  await refunded.check()
  expect(await refundsOf(refunded.id)).toHaveLength(1)
})
