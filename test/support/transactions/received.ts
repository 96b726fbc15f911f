// Pix that come in at a bank of our own for a payment of R$ 100,00, and what our side makes of them.
import { eq } from '../../../src/database/drizzle.ts'
import { incomingPayments } from '../../../src/database/tables.ts'
import type { ReceivedPix } from '../../../src/providers/received.ts'
import { checkPayment } from '../../../src/transactions/check.ts'
import { openCheckout } from '../payer.ts'
import { openAccountsAtBank } from '../providers/accounts.ts'
import type { TestApp } from '../test-app.ts'

let pixCount = 0

export function openReceivedPix(testApp: TestApp) {
  const { clock, db, needs } = testApp
  const { bank, openPendingPix } = openAccountsAtBank(testApp)
  const { read, listEventTypes } = openCheckout(testApp)

  /** A payment that waits, and what to do at its bank. */
  async function open() {
    const opened = await openPendingPix()
    const { id } = opened.row
    const received: ReceivedPix[] = []

    /** Pays the code; we are not told yet. */
    function pay(amountCents: number, more: Partial<ReceivedPix> = {}) {
      const endToEndId = `E00000000202611211405p${String(pixCount++).padStart(10, '0')}`
      const paidAt = new Date(clock.now().getTime() + received.length).toISOString()
      const pix = { endToEndId, amountCents, paidAt, refundedCents: 0, ...more }
      received.push(pix)
      bank.charges.set(id, { received })
      return pix
    }

    const check = async () => checkPayment(needs, await read(id))
    const listBooked = () =>
      db
        .select()
        .from(incomingPayments)
        .where(eq(incomingPayments.transactionId, id))
        .orderBy(incomingPayments.id)
    const listEvents = () => listEventTypes(opened.link)
    const readPayment = () => read(id)
    return { ...opened, id, received, pay, check, listBooked, listEvents, readPayment }
  }

  return { bank, open }
}
