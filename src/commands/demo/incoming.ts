// The Pix that come in for the demonstration's payments: one for each, and once the same code twice.
import { v7 } from 'uuid'
import { requireFound } from '../../database/found.ts'
import type { SandboxChargeRow } from '../../providers/sandbox/outcomes.ts'
import { newEndToEndId } from '../../providers/sandbox/sandbox.ts'
import type { IncomingPaymentRow } from '../../transactions/incoming/row.ts'
import { serializeIncomingPayment } from '../../transactions/incoming/serialize.ts'
import { toTransactionEventData } from '../../transactions/serialize.ts'
import { type DemoRun, emitEvent, type Payment } from './run.ts'

type ReceivedCharge = Pick<SandboxChargeRow, 'amountCents' | 'endToEndId' | 'paidAt'>

/** A Pix comes in, of as much as the bank's book says; once the sale is approved all of it is surplus. */
export function receivePix({ incoming }: DemoRun, { row }: Payment, charge: ReceivedCharge) {
  const { id: transactionId, companyId, provider, payerName, payerTaxId } = row
  const { amountCents } = charge
  const paidAt = requireFound(charge.paidAt)
  const pix: IncomingPaymentRow = {
    id: v7({ msecs: Date.parse(paidAt) }),
    ...{ companyId, transactionId, provider, endToEndId: requireFound(charge.endToEndId) },
    ...{ amountCents, surplusCents: row.approvedAt ? amountCents : 0, refundedCents: 0 },
    ...{
      paidAt,
      reportedPaidAt: null,
      payerName,
      payerTaxId,
      createdAt: paidAt,
      updatedAt: paidAt,
    },
  }
  incoming.push(pix)
  return pix
}

/** The payer's bank hung, and the same code was paid again. */
export function payTwice(run: DemoRun, payment: Payment, at: Date) {
  const { row, link } = payment
  const { totalCents: amountCents } = row
  const charge = run.charges.find(({ reference }) => reference === row.providerReference)
  if (charge) charge.amountCents += amountCents
  const again = { amountCents, endToEndId: newEndToEndId(at), paidAt: at.toISOString() }
  const more = { incomingPayment: serializeIncomingPayment(receivePix(run, payment, again)) }
  const data = toTransactionEventData(row, link.row, run.checkoutUrl, more)
  emitEvent(run, 'transaction.overpaid', at, data)
}
